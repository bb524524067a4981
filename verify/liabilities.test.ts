import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Amounts, type Books, parseBooks } from './books.ts';
import { hexOf } from './bytes.ts';
import { checkPieces, liabilityLeaf, liabilityNode, type SumNode, statementSalt } from './liabilities.ts';
import { growTree, type Planted } from './testing/liability-tree.ts';
import { bytes } from './testing/tree.ts';

const origin = 'tallystick.test/log';
const time = '2026-01-31T00:00:00Z';
const secrets = { bob: '22'.repeat(32), ada: '11'.repeat(32), pad: '33'.repeat(32) };
const planted: Planted[] = [
  { secret: secrets.bob, id: 'bob@example.org', piece: 0, pieces: 1, amounts: [50n, 0n, 0n, 7000n] },
  { secret: secrets.ada, id: 'ada@example.org', piece: 0, pieces: 2, amounts: [4000n, 250_000n, 0n, 0n] },
  { secret: secrets.pad, id: '', piece: 0, pieces: 1, amounts: [0n, 0n, 0n, 0n] },
  { secret: secrets.ada, id: 'ada@example.org', piece: 1, pieces: 2, amounts: [6000n, 0n, 1234n, 0n] },
];
const tree = growTree({ origin, number: 1, time }, planted);
const statement = (changes: Partial<Books> = {}): Books => {
  const owed = tree.top.amounts.join(' ');
  const text = `books/v1\nnumber 1\ntime ${time}\nunit USD-cents\ndepth 2\nroot ${hexOf(tree.top.hash)}\nowed ${owed}\ndue later ${tree.top.amounts[1]} 0\ncoverage unknown\n`;
  const books = parseBooks(text);
  if ('wrong' in books) throw new Error(books.wrong);
  return { ...books, ...changes };
};
const adas = () => ({
  books: statement(),
  origin,
  id: 'ada@example.org',
  secret: secrets.ada,
  pieces: [tree.pieceAt(1), tree.pieceAt(3)],
});

describe('the worked example', () => {
  it('has all the hashes that were published with it', () => {
    const salt = statementSalt(origin, 1, time);
    const hashes = [salt, ...tree.rows.flat().map(({ hash }) => hash)].map(hexOf);
    expect(hashes).toEqual([
      '7fa111801c65e2fd75c2f4b22513349cdfe8ece70087903196ae889cba1b678f',
      '0f65bfceac6e0c7f5cf715dc9495e0961adbf61fb4b5962fdc9b85e12bc22620',
      '26614750b92dfbcf49cca6b19aac0a689dce8371c1bcd7d9134836732b04c5be',
      'b0111919f2066f74c07b6ff64cc815b33f2de75b464ae8c2d5732ded6ac95d02',
      '47ed730ef3ac9548be8f12c0210cfc9e0da4d53fee43984e47aebc9fa649ec34',
      'a244268c4f178bc3c886fc9b46c4600d36b65720d46d48c0c8b8990e97e2e82b',
      '7ce9a2a22f07e8183b9cad6e65375f335a470893c3426a6a16a35121d6baafb1',
      'b6f8def295aed4da66b9b25de024290499d81676c832fc332494994311e7ce01',
    ]);
  });

  it('proves to each what is theirs, as a sum of their pieces', () => {
    expect(checkPieces(adas())).toEqual({ amounts: [10_000n, 250_000n, 1234n, 0n] });
    const bobs = { ...adas(), id: 'bob@example.org', secret: secrets.bob, pieces: [tree.pieceAt(0)] };
    expect(checkPieces(bobs)).toEqual({ amounts: [50n, 0n, 0n, 7000n] });
  });
});

type Checked = Parameters<typeof checkPieces>[0];
const altered = (change: (checked: Checked) => Partial<Checked>) => {
  const checked = adas();
  return checkPieces({ ...checked, ...change(checked) });
};
const wrong = (words: string) => ({ wrong: expect.stringContaining(words) });

/** A tree made by a house that lies: its upper node hashes what the lie needs. */
function lyingTree(beside: (salt: Uint8Array, leaf: SumNode) => { above: SumNode; step: SumNode }) {
  const salt = statementSalt(origin, 1, time);
  const amounts: Amounts = [100n, 0n, 0n, 0n];
  const hash = liabilityLeaf(salt, {
    secret: bytes(secrets.ada),
    piece: 0,
    pieces: 1,
    amounts,
    id: 'ada@example.org',
  });
  const { above, step } = beside(salt, { hash, amounts });
  const path = [{ hash: hexOf(step.hash), amounts: step.amounts.map(String) }];
  return checkPieces({
    ...adas(),
    books: statement({ depth: 1, root: above.hash, owed: above.amounts }),
    pieces: [{ index: 0, amounts: amounts.map(String), path }],
  });
}

describe('every known attack', () => {
  it('Maxwell’s tree: a parent with the larger child’s amounts instead of the sum', () => {
    const found = lyingTree((salt, leaf) => {
      const step: SumNode = { hash: bytes('44'.repeat(32)), amounts: [500n, 0n, 0n, 0n] };
      const honest = liabilityNode(salt, 1, leaf, step);
      if ('wrong' in honest) throw new Error(honest.wrong);
      return { above: { hash: honest.hash, amounts: [500n, 0n, 0n, 0n] }, step };
    });
    expect(found).toEqual(wrong('leads to another total than was published: wallet $6.00 and not $5.00'));
  });

  it.each(['-50', '18446744073709551566', '9223372036854775808', '+1', '01', '1.0', '', ' 1', '1e3', '٣'])(
    'a negative or wrapping sibling: %j',
    (amount) => {
      const found = altered(({ pieces }) => ({
        pieces: pieces.map((piece) => ({
          ...piece,
          path: piece.path.map((step, at) =>
            at === 1 ? { ...step, amounts: [amount, '0', '0', '0'] } : step,
          ),
        })),
      }));
      expect(found).toEqual(wrong('step 2 of its path is not a hash and four amounts'));
    },
  );

  it('sums that run over, of one kind or of all four', () => {
    const most = 2n ** 63n - 1n;
    for (const amounts of [
      [most, 0n, 0n, 0n],
      [0n, most, 0n, 0n],
    ] satisfies Amounts[]) {
      const found = lyingTree((_salt, leaf) => ({ above: leaf, step: { hash: leaf.hash, amounts } }));
      expect(found).toEqual(wrong('larger than any sum may be'));
    }
  });

  it('a node shown as a leaf, a path too short or too long', () => {
    const short = altered(({ pieces }) => ({
      pieces: pieces.map((piece) => ({ ...piece, path: piece.path.slice(1) })),
    }));
    expect(short).toEqual(wrong('its path has 1 steps and must have 2'));
    const long = altered(({ pieces }) => ({
      pieces: pieces.map((piece) => ({ ...piece, path: [...piece.path, ...piece.path.slice(0, 1)] })),
    }));
    expect(long).toEqual(wrong('its path has 3 steps and must have 2'));
    // The height is hashed: the upper half of a tree is no tree of its own.
    const salt = statementSalt(origin, 1, time);
    const [left, right] = tree.rows[1] ?? [];
    if (!left || !right) throw new Error('no nodes');
    expect(hexOf((liabilityNode(salt, 1, left, right) as SumNode).hash)).not.toBe(hexOf(tree.top.hash));
  });

  it('one leaf shown to two people', () => {
    expect(altered(() => ({ id: 'eve@example.org' }))).toEqual(wrong('its hashes do not lead to the root'));
    expect(altered(() => ({ id: '' }))).toEqual(wrong('Without an e-mail address'));
    const pad = { id: '', secret: secrets.pad, pieces: [tree.pieceAt(2)] };
    expect(altered(() => pad)).toEqual(wrong('Without an e-mail address'));
  });

  it('a piece withheld, counted twice or put in another order', () => {
    expect(altered(({ pieces }) => ({ pieces: pieces.slice(0, 1) }))).toEqual(
      wrong('do not lead to the root'),
    );
    expect(altered(({ pieces }) => ({ pieces: pieces.slice(1) }))).toEqual(wrong('do not lead to the root'));
    expect(altered(({ pieces }) => ({ pieces: pieces.toReversed() }))).toEqual(
      wrong('do not lead to the root'),
    );
    const [first] = adas().pieces;
    if (!first) throw new Error('no piece');
    expect(altered(() => ({ pieces: [first, first] }))).toEqual(wrong('is counted twice'));
    const twice = { id: 'bob@example.org', secret: secrets.bob, pieces: [tree.pieceAt(0), tree.pieceAt(0)] };
    expect(altered(() => twice)).toHaveProperty('wrong');
    expect(altered(() => ({ pieces: [] }))).toEqual(wrong('has no piece'));
  });

  it.each([4, -1, 0.5, Number.NaN, 2 ** 53])('a place that the tree does not have: %d', (index) => {
    expect(
      altered(({ pieces }) => ({ pieces: pieces.map((piece) => ({ ...piece, index })) })),
    ).toHaveProperty('wrong');
  });

  it('an old statement shown again, or that of another log', () => {
    expect(altered(() => ({ books: statement({ number: 2 }) }))).toEqual(wrong('do not lead to the root'));
    expect(altered(() => ({ books: statement({ time: '2026-02-01T00:00:00Z' }) }))).toHaveProperty('wrong');
    expect(altered(() => ({ origin: 'other.test/log' }))).toHaveProperty('wrong');
  });

  it('a total that is published otherwise than proven', () => {
    const owed: Amounts = [10_050n, 250_000n, 1234n, 6999n];
    expect(altered(() => ({ books: statement({ owed }) }))).toEqual(
      wrong('withdrawing $70.00 and not $69.99'),
    );
  });

  it('guessing a leaf without its secret', () => {
    expect(altered(() => ({ secret: secrets.bob }))).toEqual(wrong('do not lead to the root'));
    expect(altered(() => ({ secret: 'A'.repeat(64) }))).toEqual(wrong('64 hexadecimal digits'));
  });
});

describe('any tree', () => {
  const amounts = fc.tuple(
    ...Array.from({ length: 4 }, () => fc.bigInt(0n, 10n ** 12n)),
  ) as fc.Arbitrary<Amounts>;
  const trees = fc.record({
    depth: fc.integer({ min: 1, max: 5 }),
    amounts: fc.array(amounts, { minLength: 32, maxLength: 32 }),
  });

  it('proves each leaf, and none with a digit of anything changed', () => {
    fc.assert(
      fc.property(trees, fc.nat(), fc.nat(), fc.nat({ max: 63 }), (made, anyIndex, which, digit) => {
        const leaves = made.amounts.slice(0, 2 ** made.depth);
        const grown = growTree(
          { origin, number: 7, time },
          leaves.map((each, at) => ({
            secret: secrets.ada,
            id: `${at}@example.org`,
            piece: 0,
            pieces: 1,
            amounts: each,
          })),
        );
        const index = anyIndex % leaves.length;
        const books = statement({
          number: 7,
          depth: made.depth,
          root: grown.top.hash,
          owed: grown.top.amounts,
        });
        const piece = grown.pieceAt(index);
        const whole = { books, origin, id: `${index}@example.org`, secret: secrets.ada, pieces: [piece] };
        expect(checkPieces(whole)).toEqual({ amounts: leaves[index] });

        const other = (hex: string) =>
          hex.slice(0, digit) + (hex[digit] === '0' ? '1' : '0') + hex.slice(digit + 1);
        const kind = which % 4;
        const more = (texts: readonly string[]) =>
          texts.map((text, at) => (at === kind ? `${BigInt(text) + 1n}` : text));
        const at = which % made.depth;
        const step = (
          change: (one: (typeof piece.path)[number]) => Partial<(typeof piece.path)[number]>,
        ) => ({
          ...piece,
          path: piece.path.map((one, n) => (n === at ? { ...one, ...change(one) } : one)),
        });
        const changed = [
          { ...piece, index: (index + 1) % leaves.length },
          { ...piece, amounts: more(piece.amounts) },
          step(({ hash }) => ({ hash: other(hash) })),
          step((one) => ({ amounts: more(one.amounts) })),
        ];
        for (const each of changed) expect(checkPieces({ ...whole, pieces: [each] })).toHaveProperty('wrong');
        expect(checkPieces({ ...whole, secret: other(secrets.ada) })).toHaveProperty('wrong');
      }),
      { numRuns: 40 },
    );
  });
});
