import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Amounts,
  amountsAt,
  amountsToBytes,
  createTreeHash,
  depthFor,
  fold,
  idOf,
  nodeBytes,
  seedOf,
  siblings,
  splitInto,
  sumOf,
} from './rules.ts';
import { createSecrets, createShuffle } from './secret-rules.ts';
import { createGrowth, keptLeafBytes, pathOf, type Tile, type Tree, tileWidth } from './tile-rules.ts';

const origin = 'tallystick.test/log';
const time = '2026-01-31T00:00:00Z';
const seed = seedOf({ origin, number: 1n, time });
const secretOf = (byte: number) => Buffer.alloc(32, byte);

type Written = [secret: Buffer, piece: number, of: number, amounts: Amounts, id: string];
const bob: Written = [secretOf(0x22), 0, 1, [50n, 0n, 0n, 7000n], 'bob@example.org'];
const ada: Written = [secretOf(0x11), 0, 2, [4000n, 250_000n, 0n, 0n], 'ada@example.org'];
const pad: Written = [secretOf(0x33), 0, 1, [0n, 0n, 0n, 0n], ''];
const adaToo: Written = [secretOf(0x11), 1, 2, [6000n, 0n, 1234n, 0n], 'ada@example.org'];
const example = [bob, ada, pad, adaToo];

function leavesOf(written: Written[], tree = createTreeHash(seed)): Buffer {
  const row = Buffer.alloc(written.length * nodeBytes);
  for (const [n, [secret, piece, pieces, amounts, id]] of written.entries()) {
    const leaf = { secret, piece, pieces, amounts: amountsToBytes(amounts), id: Buffer.from(id) };
    tree.leaf(row, n * nodeBytes, leaf);
  }
  return row;
}

const hex = (node: Buffer, at = 0) => node.toString('hex', at, at + 32);
const rootOf = (written: Written[], tree = createTreeHash(seed)) => fold(tree, leavesOf(written, tree), 0);

describe('the worked example', () => {
  it('has exactly these hashes and sums', () => {
    const tree = createTreeHash(seed);
    expect(seed.toString('hex')).toBe('7fa111801c65e2fd75c2f4b22513349cdfe8ece70087903196ae889cba1b678f');
    const leaves = leavesOf(example);
    expect(example.map((_, n) => hex(leaves, n * nodeBytes))).toEqual([
      '0f65bfceac6e0c7f5cf715dc9495e0961adbf61fb4b5962fdc9b85e12bc22620',
      '26614750b92dfbcf49cca6b19aac0a689dce8371c1bcd7d9134836732b04c5be',
      'b0111919f2066f74c07b6ff64cc815b33f2de75b464ae8c2d5732ded6ac95d02',
      '47ed730ef3ac9548be8f12c0210cfc9e0da4d53fee43984e47aebc9fa649ec34',
    ]);
    const nodes = [0, 1].map((n) => {
      const node = Buffer.alloc(nodeBytes);
      tree.above(1, leaves, 2 * n * nodeBytes, node, 0);
      return [hex(node), amountsAt(node, 32)];
    });
    expect(nodes).toEqual([
      ['a244268c4f178bc3c886fc9b46c4600d36b65720d46d48c0c8b8990e97e2e82b', [4050n, 250_000n, 0n, 7000n]],
      ['7ce9a2a22f07e8183b9cad6e65375f335a470893c3426a6a16a35121d6baafb1', [6000n, 0n, 1234n, 0n]],
    ]);
    const root = rootOf(example);
    expect([hex(root), amountsAt(root, 32)]).toEqual([
      'b6f8def295aed4da66b9b25de024290499d81676c832fc332494994311e7ce01',
      [10_050n, 250_000n, 1234n, 7000n],
    ]);
  });

  it('has a way up for each of its leaves', () => {
    const tree = createTreeHash(seed);
    const path = siblings(tree, leavesOf(example), 2, 0);
    expect(path.map((node) => hex(node))).toEqual([
      '47ed730ef3ac9548be8f12c0210cfc9e0da4d53fee43984e47aebc9fa649ec34',
      'a244268c4f178bc3c886fc9b46c4600d36b65720d46d48c0c8b8990e97e2e82b',
    ]);
  });
});

/** Each attack of docs/trust.md that the tree itself stops. */
describe('the root is another', () => {
  const root = hex(rootOf(example));
  const changed = (change: (all: Written[]) => Written[]) => hex(rootOf(change(structuredClone(example))));

  it('when an amount moves from one sibling to the other, though their sum stays (Maxwell)', () => {
    const moved = changed(([first, second, ...rest]) => {
      const taken: Written = [secretOf(0x22), 0, 1, [4050n, 0n, 0n, 7000n], 'bob@example.org'];
      const left: Written = [secretOf(0x11), 0, 2, [0n, 250_000n, 0n, 0n], 'ada@example.org'];
      expect(first?.[3][0] === 50n && second?.[3][0] === 4000n).toBe(true);
      return [taken, left, ...rest];
    });
    expect(moved).not.toBe(root);
    // Also when both leaves' hashes are kept and only the sums beside them are others.
    const tree = createTreeHash(seed);
    const leaves = leavesOf(example);
    amountsToBytes([4050n, 0n, 0n, 7000n]).copy(leaves, 32);
    amountsToBytes([0n, 250_000n, 0n, 0n]).copy(leaves, nodeBytes + 32);
    expect(hex(fold(tree, leaves, 0))).not.toBe(root);
  });

  it('when a node stands at another height, or as a leaf', () => {
    const tree = createTreeHash(seed);
    expect(hex(fold(tree, leavesOf(example), 1))).not.toBe(root);
    const one = fold(createTreeHash(seed), leavesOf([bob, ada]), 0);
    const row = Buffer.concat([one, leavesOf([pad])]);
    expect(hex(fold(tree, row, 0))).not.toBe(hex(fold(tree, leavesOf([bob, ada, pad, pad]), 0)));
  });

  it('when a leaf is another’s, or of another secret', () => {
    for (const at of [0, 4]) {
      const other = structuredClone(example);
      other[1] =
        at === 0 ? [secretOf(0x12), 0, 2, ada[3], ada[4]] : [ada[0], 0, 2, ada[3], 'eve@example.org'];
      expect(hex(rootOf(other))).not.toBe(root);
    }
  });

  it('when a piece is numbered otherwise, or told to be one of fewer', () => {
    expect(changed((all) => all.with(1, [ada[0], 1, 2, ada[3], ada[4]]))).not.toBe(root);
    expect(changed((all) => all.with(1, [ada[0], 0, 1, ada[3], ada[4]]))).not.toBe(root);
  });

  it('in another statement, at another time, of another house', () => {
    const others = [
      { origin, number: 2n, time },
      { origin, number: 1n, time: '2026-01-31T00:00:01Z' },
      { origin: 'tallystick.test/other', number: 1n, time },
    ];
    const roots = others.map((other) => hex(rootOf(example, createTreeHash(seedOf(other)))));
    expect(new Set([root, ...roots]).size).toBe(4);
  });
});

describe('amounts', () => {
  const most = 2n ** 63n - 1n;

  it('are never below zero or beyond all limits, nor are their sums', () => {
    expect(() => amountsToBytes([-1n, 0n, 0n, 0n])).toThrow('below zero');
    expect(() => amountsToBytes([0n, most + 1n, 0n, 0n])).toThrow('limits');
    expect(() => sumOf([most, 1n, 0n, 0n])).toThrow('limits');
    const two = (a: bigint, b: bigint): Written[] => [
      [secretOf(1), 0, 1, [0n, 0n, a, 0n], 'a@example.org'],
      [secretOf(2), 0, 1, [0n, 0n, b, 0n], 'b@example.org'],
    ];
    expect(() => rootOf(two(most, 1n))).toThrow('limits');
    expect(amountsAt(rootOf(two(most - 1n, 1n)), 32)).toEqual([0n, 0n, most, 0n]);
  });

  it('are added as whole numbers are, and divided without loss', () => {
    const cents = fc.bigInt({ min: 0n, max: 2n ** 62n });
    const all = fc.tuple(cents, cents, cents, cents);
    const random = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(all, random, (amounts, bytes) => {
        const [first, rest] = [Buffer.alloc(32), Buffer.alloc(32)];
        splitInto(amountsToBytes(amounts), Buffer.from(bytes), first, rest);
        const pieces = [amountsAt(first, 0), amountsAt(rest, 0)];
        expect(
          amounts.map((_, kind) => pieces.reduce((sum, piece) => sum + (piece[kind] ?? 0n), 0n)),
        ).toEqual(amounts);
        const written = pieces.map((piece, n): Written => [secretOf(9), n, 2, piece, 'a@example.org']);
        expect(amountsAt(rootOf(written), 32)).toEqual(amounts);
      }),
    );
  });
});

describe('a tree', () => {
  it('is the least that leaves a fifth to nobody, at least ten high, and never lower than the one before', () => {
    expect([0, 819, 820, 1638, 1639, 2_000_000].map((leaves) => depthFor(leaves, 0))).toEqual([
      10, 10, 11, 11, 12, 22,
    ]);
    expect(depthFor(2, 14)).toBe(14);
    expect(() => depthFor(2 ** 31, 10)).toThrow('too many');
  });

  it('knows an investor by their e-mail address in small letters', () => {
    expect(String(idOf('Ada@Example.org'))).toBe('ada@example.org');
    expect(String(idOf('A\u030angstr\u00f6m@example.org'))).toBe('\u00e5ngstr\u00f6m@example.org');
    expect(String(idOf(`${'\u00e5'.repeat(200)}@example.org`))).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('has a place for each leaf and a leaf for each place, which only the key tells', () => {
    for (const depth of [10, 11]) {
      const numbers = Uint32Array.from({ length: 2 ** depth }, (_, n) => n);
      const places = createShuffle(secretOf(7), depth).places(numbers);
      expect(new Set(places)).toEqual(new Set(numbers));
      expect(createShuffle(secretOf(7), depth).numbers(places)).toEqual(numbers);
      const others = createShuffle(secretOf(8), depth).places(numbers);
      expect(others.filter((place, n) => place === places[n]).length).toBeLessThan(12);
    }
  });

  it('gives every secret once', () => {
    const { ofInvestors, ofPads } = createSecrets(secretOf(7));
    const all = [ofInvestors(0, 500), ofPads(0, 500)].flatMap((bytes) =>
      Array.from({ length: 500 }, (_, n) => hex(bytes, 32 * n)),
    );
    expect(new Set(all).size).toBe(1000);
    expect(ofPads(300, 2)).toEqual(ofPads(0, 500).subarray(9600, 9664));
  });

  it.each([10, 16])('grown row by row at depth %i has the ways up that the whole tree has', (depth) => {
    const secrets = createSecrets(secretOf(5));
    const tree: Tree = { hash: createTreeHash(seed), secrets, depth };
    const kept = new Map<number, Buffer>();
    for (const place of [3, 255, 256, 2 ** depth - 1]) {
      const leaf = Buffer.alloc(keptLeafBytes);
      leaf[0] = place % tileWidth;
      leavesOf([[secretOf(place % 251), 0, 2, [BigInt(place), 1n, 0n, 2n], 'a@example.org']]).copy(leaf, 1);
      const row = Math.floor(place / tileWidth);
      kept.set(row, Buffer.concat([kept.get(row) ?? Buffer.alloc(0), leaf]));
    }
    const growth = createGrowth(tree);
    const tiles: Tile[] = [...kept].flatMap(([number, nodes]) => growth.add(number, nodes));
    const { tiles: last, root } = growth.end();
    tiles.push(...last);
    const stored = new Map(tiles.map(({ level, number, nodes }) => [`${level} ${number}`, nodes]));
    const tileOf = (level: number, number: number) =>
      (level === 0 ? kept.get(number) : stored.get(`${level} ${number}`)) ?? Buffer.alloc(0);
    for (const place of [3, 255, 256, 2 ** depth - 1]) {
      const path = pathOf(tree, place, tileOf);
      expect(path.length).toBe(depth);
      let own = Buffer.alloc(nodeBytes);
      leavesOf([[secretOf(place % 251), 0, 2, [BigInt(place), 1n, 0n, 2n], 'a@example.org']]).copy(own);
      for (const [height, beside] of path.entries()) {
        const isRight = Math.floor(place / 2 ** height) % 2 === 1;
        const pair = Buffer.concat(isRight ? [beside, own] : [own, beside]);
        own = Buffer.alloc(nodeBytes);
        tree.hash.above(height + 1, pair, 0, own, 0);
      }
      expect(own).toEqual(root);
    }
    expect(amountsAt(root, 32)).toEqual([BigInt(3 + 255 + 256 + 2 ** depth - 1), 4n, 0n, 8n]);
  });
});
