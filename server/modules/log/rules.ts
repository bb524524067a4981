import { createHash } from 'node:crypto';

/** The tree of the public log: hashed as RFC 6962 says, kept in tiles as C2SP `tlog-tiles` says. */

const tileWidth = 256;
export const hashBytes = 32;
/** So many levels of the tree lie in one tile. */
const tileHeight = 8;

function sha256(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

const leafMark = Buffer.from([0]);
const nodeMark = Buffer.from([1]);
export const emptyRoot: Buffer = sha256();
export const leafHash = (entry: Uint8Array): Buffer => sha256(leafMark, entry);
const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(nodeMark, left, right);

/** From the right: what is left over at the end stands highest. */
const rootOf = (roots: readonly Buffer[]): Buffer =>
  roots.length === 0 ? emptyRoot : roots.reduceRight((right, left) => nodeHash(left, right));

/** The root of a list of texts, hashed like the entries of the log, however many there are. */
export function createListRoot() {
  /** Roots of full trees, each of more leaves than the next. */
  const stack: { leaves: number; root: Buffer }[] = [];
  return {
    add(text: string): void {
      let own = { leaves: 1, root: leafHash(Buffer.from(text)) };
      for (let last = stack.at(-1); last?.leaves === own.leaves; last = stack.at(-1)) {
        stack.pop();
        own = { leaves: 2 * own.leaves, root: nodeHash(last.root, own.root) };
      }
      stack.push(own);
    },
    root: (): string => rootOf(stack.map(({ root }) => root)).toString('hex'),
  };
}

/** Of 1, 2, 4, … hashes that lie beside each other. */
function rootOfFull(hashes: Uint8Array): Buffer {
  let row = Array.from({ length: hashes.length / hashBytes }, (_, at) => hashAt(hashes, at));
  while (row.length > 1) {
    row = row.flatMap((left, at) => (at % 2 === 0 ? [nodeHash(left, row[at + 1] ?? left)] : []));
  }
  return row[0] ?? emptyRoot;
}

const hashAt = (hashes: Uint8Array, at: number): Buffer =>
  Buffer.from(hashes.subarray(at * hashBytes, (at + 1) * hashBytes));

export interface TileName {
  level: number;
  number: number;
}

export interface Tile extends TileName {
  hashes: Buffer;
}

/** How many hashes a tile has in a tree of a size: 256 when it is full, 0 when it is not there. */
function widthAt(size: number, { level, number }: TileName): number {
  const hashes = Math.floor(size / tileWidth ** level) - number * tileWidth;
  return Math.min(Math.max(hashes, 0), tileWidth);
}

/** The tiles that grow next: those at the right edge that are neither full nor empty. */
export function openTiles(size: number): TileName[] {
  const open: TileName[] = [];
  for (let level = 0; size >= tileWidth ** level; level += 1) {
    const number = Math.floor(size / tileWidth ** (level + 1));
    if (widthAt(size, { level, number }) > 0) open.push({ level, number });
  }
  return open;
}

/** What the tree's tiles become when leaves are appended: those that have changed. */
export function appendLeaves(size: number, open: readonly Tile[], leaves: readonly Buffer[]): Tile[] {
  const growing = new Map(open.map((tile) => [tile.level, tile]));
  for (const name of openTiles(size)) {
    const width = (growing.get(name.level)?.hashes.length ?? 0) / hashBytes;
    if (width !== widthAt(size, name)) throw new Error('a tile of the log does not fit its size');
  }
  const changed = new Map<string, Tile>();

  function append(level: number, hash: Buffer): void {
    const number = Math.floor(size / tileWidth ** (level + 1));
    const before = growing.getOrInsert(level, { level, number, hashes: Buffer.alloc(0) });
    const tile = { ...before, hashes: Buffer.concat([before.hashes, hash]) };
    changed.set(`${level}/${tile.number}`, tile);
    const isFull = tile.hashes.length === tileWidth * hashBytes;
    growing.set(level, isFull ? { level, number: tile.number + 1, hashes: Buffer.alloc(0) } : tile);
    if (isFull) append(level + 1, rootOfFull(tile.hashes));
  }

  for (const leaf of leaves) append(0, leaf);
  return [...changed.values()];
}

/** Entries from one place up to another, as they stand under one hash of the tree or of a proof. */
export interface Range {
  start: number;
  end: number;
}

/** The height of the largest full tree with at most so many leaves. */
function heightWithin(count: number): number {
  let height = 0;
  while (2 ** (height + 1) <= count) height += 1;
  return height;
}

/** The full subtrees that a range is made of, from left to right. */
function subtreesOf({ start, end }: Range): { level: number; index: number }[] {
  const subtrees: { level: number; index: number }[] = [];
  for (let at = start; at < end; ) {
    const level = heightWithin(end - at);
    subtrees.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return subtrees;
}

/** In which tile a subtree's hash is found, and from which of its hashes it is made. */
function placeOf({ level, index }: { level: number; index: number }) {
  const count = 2 ** (level % tileHeight);
  const first = index * count;
  const number = Math.floor(first / tileWidth);
  return { level: Math.floor(level / tileHeight), number, from: first - number * tileWidth, count };
}

/** The tiles that the hashes of these ranges are made of. */
export function tilesOf(ranges: readonly Range[]): TileName[] {
  const places = ranges.flatMap(subtreesOf).map(placeOf);
  const tiles = new Map(places.map(({ level, number }) => [`${level}/${number}`, { level, number }]));
  return [...tiles.values()];
}

/** The hash of a range, from tiles. */
export function hashOf(range: Range, tiles: readonly Tile[]): Buffer {
  const hashes = subtreesOf(range).map((subtree) => {
    const { level, number, from, count } = placeOf(subtree);
    const tile = tiles.find((each) => each.level === level && each.number === number);
    const part = tile?.hashes.subarray(from * hashBytes, (from + count) * hashBytes);
    if (part?.length !== count * hashBytes) throw new Error('a tile of the log is not there');
    return rootOfFull(part);
  });
  return rootOf(hashes);
}

/** What shows that a tree contains an older one: RFC 6962, 2.1.2. */
export function consistencyRanges(oldSize: number, size: number): Range[] {
  function walk(old: number, start: number, end: number, isWhole: boolean): Range[] {
    if (old === end - start) return isWhole ? [] : [{ start, end }];
    const split = 2 ** heightWithin(end - start - 1);
    return old <= split
      ? [...walk(old, start, start + split, isWhole), { start: start + split, end }]
      : [...walk(old - split, start + split, end, false), { start, end: start + split }];
  }
  return oldSize === 0 ? [] : walk(oldSize, 0, size, true);
}

export interface TileAddress {
  level: number | 'entries';
  number: number;
  width: number;
}

/** More groups of digits than any log has tiles for. */
const addressShape = /^(entries|0|[1-9]\d?)\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** `0/x001/234.p/5` and nothing that is spelled otherwise: each tile has one address. */
export function parseTileAddress(path: string): TileAddress | null {
  const [, level = '', groups = '', part] = addressShape.exec(path) ?? [];
  const width = part === undefined ? tileWidth : Number(part);
  const isOdd = groups.startsWith('x000/') || (part !== undefined && width >= tileWidth);
  if (groups === '' || isOdd || Number(level) > 63) return null;
  const number = Number(groups.replace(/[x/]/g, ''));
  return { level: level === 'entries' ? level : Number(level), number, width };
}

/** Whether a tree of this size has so wide a tile. */
export const isWithin = (size: number, { level, number, width }: TileAddress): boolean =>
  width <= widthAt(size, { level: level === 'entries' ? 0 : level, number });

/** Which entries are in a bundle. */
export const bundleRange = ({ number, width }: TileAddress): Range => ({
  start: number * tileWidth,
  end: number * tileWidth + width,
});

/** A narrower tile is the beginning of a wider one. */
export const cutTile = (hashes: Buffer, width: number): Buffer => hashes.subarray(0, width * hashBytes);

/** Each entry with its length in two bytes before it. */
export function bundleOf(entries: readonly string[]): Buffer {
  return Buffer.concat(
    entries.flatMap((entry) => {
      const bytes = Buffer.from(entry);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(bytes.length);
      return [length, bytes];
    }),
  );
}
