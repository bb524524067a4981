import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHex, hexOf, utf8 } from './bytes.ts';
import { checkConsistency, checkInclusion, emptyRoot, leafHash, rootOf } from './merkle.ts';
import { bytes, consistencyProof, flipped, inclusionProof } from './testing/tree.ts';

/** The leaves and roots that the tests of Certificate Transparency are made with. */
const published = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const roots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const leaves = published.map((hex) => leafHash(fromHex(hex) ?? bytes('')));
const root = (size: number) => bytes(roots[size - 1] ?? '');

describe('the tree of RFC 6962', () => {
  it('has the roots that were published', () => {
    expect(hexOf(emptyRoot())).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(leaves.map((_, at) => hexOf(rootOf(leaves.slice(0, at + 1))))).toEqual(roots);
  });

  it('proves the published place of a leaf', () => {
    const proof = [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ].map(bytes);
    expect(checkInclusion({ index: 5, size: 8, root: root(8), leaf: leaves[5] ?? bytes(''), proof })).toBe(
      true,
    );
  });

  it('proves the published growth of a tree', () => {
    const proof = [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ].map(bytes);
    const trees = { oldSize: 6, oldRoot: root(6), newSize: 8, newRoot: root(8) };
    expect(checkConsistency({ ...trees, proof })).toBe(true);
    expect(checkConsistency({ ...trees, oldRoot: root(5), proof })).toBe(false);
  });

  it('is nothing else when sizes and places are not what they must be', () => {
    const [leaf] = leaves;
    if (!leaf) throw new Error('no leaf');
    const one = { index: 0, size: 1, root: root(1), leaf, proof: [] };
    expect(checkInclusion(one)).toBe(true);
    for (const change of [{ index: 1 }, { index: -1 }, { index: 0.5 }, { size: 2 }, { proof: [leaf] }]) {
      expect(checkInclusion({ ...one, ...change }), JSON.stringify(change)).toBe(false);
    }
    const none = { oldSize: 0, oldRoot: emptyRoot(), newSize: 1, newRoot: root(1), proof: [] };
    expect(checkConsistency(none)).toBe(true);
    for (const change of [{ oldRoot: root(1) }, { proof: [leaf] }, { oldSize: 2 }, { oldSize: Number.NaN }]) {
      expect(checkConsistency({ ...none, ...change }), JSON.stringify(change)).toBe(false);
    }
  });
});

const sizes = fc.integer({ min: 1, max: 600 });
const leavesOf = (size: number) => Array.from({ length: size }, (_, at) => leafHash(utf8(`entry ${at}`)));

describe('any tree', () => {
  it('proves each of its leaves, and nothing with a bit of anything changed', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), fc.nat({ max: 255 }), (size, anyIndex, which, bit) => {
        const hashes = leavesOf(size);
        const index = anyIndex % size;
        const leaf = hashes[index] ?? bytes('');
        const proof = inclusionProof(hashes, index);
        const whole = { index, size, root: rootOf(hashes), leaf, proof };
        expect(checkInclusion(whole)).toBe(true);
        const wrong = [
          { ...whole, root: flipped(whole.root, bit) },
          { ...whole, leaf: flipped(leaf, bit) },
          { ...whole, index: index + 1 },
          { ...whole, proof: [...proof, leaf] },
        ];
        if (proof.length > 0) {
          const at = which % proof.length;
          wrong.push({ ...whole, proof: proof.map((hash, n) => (n === at ? flipped(hash, bit) : hash)) });
          wrong.push({ ...whole, proof: proof.slice(1) }, { ...whole, proof: proof.slice(0, -1) });
        }
        expect(wrong.map(checkInclusion)).toEqual(wrong.map(() => false));
      }),
      { numRuns: 60 },
    );
  });

  it('proves every beginning of itself, and nothing with a bit of anything changed', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), fc.nat({ max: 255 }), (newSize, anyOld, which, bit) => {
        const hashes = leavesOf(newSize);
        const oldSize = 1 + (anyOld % newSize);
        const proof = consistencyProof(hashes, oldSize);
        const oldRoot = rootOf(hashes.slice(0, oldSize));
        const whole = { oldSize, oldRoot, newSize, newRoot: rootOf(hashes), proof };
        expect(checkConsistency(whole)).toBe(true);
        const wrong = [
          { ...whole, oldRoot: flipped(oldRoot, bit) },
          { ...whole, newRoot: flipped(whole.newRoot, bit) },
          { ...whole, proof: [...proof, oldRoot] },
        ];
        if (proof.length > 0) {
          const at = which % proof.length;
          wrong.push({ ...whole, proof: proof.map((hash, n) => (n === at ? flipped(hash, bit) : hash)) });
          wrong.push({ ...whole, proof: proof.slice(1) }, { ...whole, proof: proof.slice(0, -1) });
        }
        expect(wrong.map(checkConsistency)).toEqual(wrong.map(() => false));
      }),
      { numRuns: 60 },
    );
  });
});
