import { sha256 } from '@noble/hashes/sha2.js';
import { concat, sameBytes } from './bytes.ts';

/** The tree of RFC 6962, section 2.1, and the two proofs about it, checked as RFC 9162 says. */

export const emptyRoot = (): Uint8Array => sha256(new Uint8Array());
export const leafHash = (entry: Uint8Array): Uint8Array => sha256(concat(Uint8Array.of(0), entry));
export const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  sha256(concat(Uint8Array.of(1), left, right));

/** The root over hashes that stand side by side, whatever their number. */
export function rootOf(hashes: readonly Uint8Array[]): Uint8Array {
  const [first] = hashes;
  if (!first) return emptyRoot();
  if (hashes.length === 1) return first;
  const left = largestPowerBelow(hashes.length);
  return nodeHash(rootOf(hashes.slice(0, left)), rootOf(hashes.slice(left)));
}

/** The largest power of two that is smaller. Not by shifting: that would end at 2^31. */
export function largestPowerBelow(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

const half = (number: number) => Math.floor(number / 2);
const isOdd = (number: number) => number % 2 === 1;
const isSize = (number: number) => Number.isSafeInteger(number) && number >= 0;
const areHashes = (hashes: readonly Uint8Array[]) => hashes.every((hash) => hash.length === 32);

interface Inclusion {
  index: number;
  size: number;
  root: Uint8Array;
  /** The leaf's hash. */
  leaf: Uint8Array;
  proof: readonly Uint8Array[];
}

/** Whether the leaf stands at this place in the tree of this size and root. */
export function checkInclusion({ index, size, root, leaf, proof }: Inclusion): boolean {
  if (!isSize(index) || !isSize(size) || index >= size || !areHashes([root, leaf, ...proof])) return false;
  let [node, last, hash] = [index, size - 1, leaf];
  for (const step of proof) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      hash = nodeHash(step, hash);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      hash = nodeHash(hash, step);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && sameBytes(hash, root);
}

interface Consistency {
  oldSize: number;
  oldRoot: Uint8Array;
  newSize: number;
  newRoot: Uint8Array;
  proof: readonly Uint8Array[];
}

/** Whether the larger tree begins with everything that the smaller one has. */
export function checkConsistency({ oldSize, oldRoot, newSize, newRoot, proof }: Consistency): boolean {
  if (!isSize(oldSize) || !isSize(newSize) || oldSize > newSize) return false;
  if (!areHashes([oldRoot, newRoot, ...proof])) return false;
  if (oldSize === 0) {
    return (
      proof.length === 0 && sameBytes(oldRoot, emptyRoot()) && (newSize > 0 || sameBytes(newRoot, oldRoot))
    );
  }
  if (oldSize === newSize) return proof.length === 0 && sameBytes(oldRoot, newRoot);

  let [node, last] = [oldSize - 1, newSize - 1];
  while (isOdd(node)) [node, last] = [half(node), half(last)];
  // A smaller tree that is complete is its own first hash, which need not be sent.
  const [first, ...steps] = node === 0 ? [oldRoot, ...proof] : proof;
  if (!first) return false;
  let [ofOld, ofNew] = [first, first];
  for (const step of steps) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      [ofOld, ofNew] = [nodeHash(step, ofOld), nodeHash(step, ofNew)];
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      ofNew = nodeHash(ofNew, step);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && sameBytes(ofOld, oldRoot) && sameBytes(ofNew, newRoot);
}
