import { fromHex, utf8 } from '../bytes.ts';
import { largestPowerBelow, rootOf } from '../merkle.ts';
import { entriesPath, tilePath } from '../tiles.ts';

/** For tests alone: the other side of the proofs, written down from RFC 6962 in the plainest way. */

export function bytes(hex: string): Uint8Array {
  const found = fromHex(hex);
  if (!found) throw new Error(`no hexadecimal digits: ${hex}`);
  return found;
}

export function flipped(hash: Uint8Array, bit: number): Uint8Array {
  return hash.map((byte, at) => (at === Math.floor(bit / 8) ? byte ^ (1 << (bit % 8)) : byte));
}

export function inclusionProof(hashes: Uint8Array[], index: number): Uint8Array[] {
  if (hashes.length < 2) return [];
  const middle = largestPowerBelow(hashes.length);
  const [left, right] = [hashes.slice(0, middle), hashes.slice(middle)];
  return index < middle
    ? [...inclusionProof(left, index), rootOf(right)]
    : [...inclusionProof(right, index - middle), rootOf(left)];
}

export function consistencyProof(hashes: Uint8Array[], oldSize: number, isWhole = true): Uint8Array[] {
  if (oldSize === hashes.length) return isWhole ? [] : [rootOf(hashes)];
  const middle = largestPowerBelow(hashes.length);
  const [left, right] = [hashes.slice(0, middle), hashes.slice(middle)];
  return oldSize <= middle
    ? [...consistencyProof(left, oldSize, isWhole), rootOf(right)]
    : [...consistencyProof(right, oldSize - middle, false), rootOf(left)];
}

/** Every file that a log of these leaves serves, by its path. */
export function tilesOf(hashes: Uint8Array[]): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (let [level, row] = [0, hashes]; row.length > 0; level += 1) {
    const above: Uint8Array[] = [];
    for (let number = 0; number * 256 < row.length; number += 1) {
      const tile = row.slice(number * 256, (number + 1) * 256);
      files.set(tilePath(level, number, tile.length), Uint8Array.from(tile.flatMap((hash) => [...hash])));
      if (tile.length === 256) above.push(rootOf(tile));
    }
    row = above;
  }
  return files;
}

export function bundlesOf(entries: string[]): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (let number = 0; number * 256 < entries.length; number += 1) {
    const bundle = entries.slice(number * 256, (number + 1) * 256).map(utf8);
    const framed = bundle.flatMap((entry) => [Math.floor(entry.length / 256), entry.length % 256, ...entry]);
    files.set(entriesPath(number, bundle.length), Uint8Array.from(framed));
  }
  return files;
}
