import { sameBytes } from './bytes.ts';
import {
  checkConsistency,
  checkInclusion,
  emptyRoot,
  largestPowerBelow,
  nodeHash,
  rootOf,
} from './merkle.ts';
import type { Wrong } from './plain.ts';

/** The log as C2SP `tlog-tiles` serves it: 256 hashes to a tile, a tile's own root being one hash of the tile above it. */

const tileWidth = 256;
const hashBytes = 32;

/** `1234067` is `x001/x234/067`. */
function numberPath(number: number): string {
  const digits = String(number);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/.{3}/g) ?? [];
  return groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/');
}

const widthPath = (width: number) => (width === tileWidth ? '' : `.p/${width}`);

/** Below `/log/`. */
export const tilePath = (level: number, number: number, width: number): string =>
  `tile/${level}/${numberPath(number)}${widthPath(width)}`;
export const entriesPath = (number: number, width: number): string =>
  `tile/entries/${numberPath(number)}${widthPath(width)}`;

/** Brings the bytes of a path below `/log/`, and throws when it cannot. */
export type ReadTile = (path: string) => Promise<Uint8Array>;

/** The entries of a bundle, each behind its length in two bytes. */
export function bundleEntries(bytes: Uint8Array): Uint8Array[] | Wrong {
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [high, low] = [bytes[at], bytes[at + 1]];
    if (high === undefined || low === undefined)
      return { wrong: 'A bundle of entries ends within a length.' };
    const end = at + 2 + high * 256 + low;
    if (end > bytes.length) return { wrong: 'A bundle of entries ends within an entry.' };
    entries.push(bytes.subarray(at + 2, end));
    at = end;
  }
  return entries;
}

class TileWrong extends Error {}

async function readTile(read: ReadTile, level: number, number: number, width: number): Promise<Uint8Array[]> {
  const path = tilePath(level, number, width);
  const bytes = await read(path);
  if (bytes.length !== width * hashBytes) {
    throw new TileWrong(`${path} has ${bytes.length} bytes and must have ${width * hashBytes}.`);
  }
  return Array.from({ length: width }, (_, at) => bytes.subarray(at * hashBytes, (at + 1) * hashBytes));
}

interface Head {
  size: number;
  root: Uint8Array;
}

/** How many hashes there are on a level of tiles. */
const countAt = (size: number, level: number) => Math.floor(size / tileWidth ** level);

/** The tiles at the right edge, by level, which no tile above answers for: together they must make the root. */
async function readEdge(read: ReadTile, { size, root }: Head): Promise<Map<number, Uint8Array[]>> {
  const edge = new Map<number, Uint8Array[]>();
  let whole: Uint8Array | null = null;
  for (let level = 0; countAt(size, level) > 0; level += 1) {
    const width = countAt(size, level) % tileWidth;
    if (width === 0) continue;
    const hashes = await readTile(read, level, Math.floor(countAt(size, level) / tileWidth), width);
    edge.set(level, hashes);
    for (let [end, left] = [width, 1]; end > 0; left *= 2) {
      if (Math.floor(width / left) % 2 === 0) continue;
      const complete = rootOf(hashes.slice(end - left, end));
      whole = whole ? nodeHash(complete, whole) : complete;
      end -= left;
    }
  }
  if (!sameBytes(whole ?? emptyRoot(), root)) {
    throw new TileWrong('The newest tiles of the log do not lead to the root that was signed.');
  }
  return edge;
}

/** A tree whose tiles are read as they are needed; none is used before it was found to lead to the root. */
function openTree(read: ReadTile, head: Head) {
  const tiles = new Map<string, Promise<Uint8Array[]>>();
  let edge: Promise<Map<number, Uint8Array[]>> | undefined;

  async function checkedTile(level: number, number: number): Promise<Uint8Array[]> {
    edge ??= readEdge(read, head);
    if ((number + 1) * tileWidth > countAt(head.size, level)) return (await edge).get(level) ?? [];
    const above = await tile(level + 1, Math.floor(number / tileWidth));
    const hashes = await readTile(read, level, number, tileWidth);
    if (!sameBytes(rootOf(hashes), above[number % tileWidth] ?? new Uint8Array())) {
      throw new TileWrong(`${tilePath(level, number, tileWidth)} is not what the tile above it stands for.`);
    }
    return hashes;
  }
  function tile(level: number, number: number): Promise<Uint8Array[]> {
    const key = `${level}/${number}`;
    const known = tiles.get(key);
    if (known) return known;
    const opened = checkedTile(level, number);
    tiles.set(key, opened);
    return opened;
  }

  /** The hash over the leaves from one place up to, and without, another. */
  async function over(from: number, to: number): Promise<Uint8Array> {
    const count = to - from;
    const below = count === 1 ? 1 : largestPowerBelow(count);
    if (count > 1 && below * 2 !== count) {
      return nodeHash(await over(from, from + below), await over(from + below, to));
    }
    let [level, unit] = [0, 1];
    while (unit * tileWidth <= count) [level, unit] = [level + 1, unit * tileWidth];
    const first = from / unit;
    const hashes = await tile(level, Math.floor(first / tileWidth));
    const start = first % tileWidth;
    return rootOf(hashes.slice(start, start + count / unit));
  }

  return { over };
}

async function orWrong<Found extends object>(work: () => Promise<Found>): Promise<Found | Wrong> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TileWrong) return { wrong: error.message };
    throw error;
  }
}

type Over = ReturnType<typeof openTree>['over'];

async function pathTo(over: Over, index: number, from: number, to: number): Promise<Uint8Array[]> {
  if (to - from === 1) return [];
  const middle = from + largestPowerBelow(to - from);
  return index < middle
    ? [...(await pathTo(over, index, from, middle)), await over(middle, to)]
    : [...(await pathTo(over, index, middle, to)), await over(from, middle)];
}

/** The proof that the leaf at this place is in the tree, and the leaf's hash, from tiles. */
export function inclusionFrom(
  read: ReadTile,
  { index, size, root }: Head & { index: number },
): Promise<{ leaf: Uint8Array; proof: Uint8Array[] } | Wrong> {
  return orWrong(async () => {
    if (!Number.isSafeInteger(index) || index < 0 || index >= size) {
      throw new TileWrong(`The log has ${size} entries: there is no place ${index}.`);
    }
    const { over } = openTree(read, { size, root });
    const leaf = await over(index, index + 1);
    const proof = await pathTo(over, index, 0, size);
    if (!checkInclusion({ index, size, root, leaf, proof })) throw new TileWrong('The tiles do not agree.');
    return { leaf, proof };
  });
}

async function oldWithin(
  over: Over,
  oldSize: number,
  [from, to]: [number, number],
  isWhole: boolean,
): Promise<Uint8Array[]> {
  if (oldSize === to) return isWhole ? [] : [await over(from, to)];
  const middle = from + largestPowerBelow(to - from);
  return oldSize <= middle
    ? [...(await oldWithin(over, oldSize, [from, middle], isWhole)), await over(middle, to)]
    : [...(await oldWithin(over, oldSize, [middle, to], false)), await over(from, middle)];
}

/** The proof that the newer tree begins with the older one, from the newer one's tiles. */
export function consistencyFrom(
  read: ReadTile,
  known: { oldSize: number; oldRoot: Uint8Array; newSize: number; newRoot: Uint8Array },
): Promise<{ proof: Uint8Array[] } | Wrong> {
  const { oldSize, newSize, newRoot } = known;
  return orWrong(async () => {
    if (oldSize > newSize) {
      throw new TileWrong(`The log had ${oldSize} entries before and shows only ${newSize} now.`);
    }
    const { over } = openTree(read, { size: newSize, root: newRoot });
    const proof =
      oldSize === 0 || oldSize === newSize ? [] : await oldWithin(over, oldSize, [0, newSize], true);
    if (!checkConsistency({ ...known, proof })) {
      throw new TileWrong(`The log no longer begins with the ${oldSize} entries that it had before.`);
    }
    return { proof };
  });
}
