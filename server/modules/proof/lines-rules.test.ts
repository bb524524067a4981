import { expect, it } from 'vitest';
import { parseBooks } from '../../../verify/books.ts';
import { bookLines, heldOf } from './lines-rules.ts';

const at = new Date('2026-11-16T00:04:00Z');
const nothing = { due: [], cold: [], shared: [], derived: [], keys: [], typed: [] };
const owed: [bigint, bigint, bigint, bigint] = [10_000n, 0n, 0n, 0n];
const price = { price: '68213.37', priceAt: at };
const bitcoin = { network: 'bitcoin', units: 0n, cents: 0n, price };

it('a chain of which nothing was read yet counts for nothing: what is covered is not known', () => {
  const held = [{ ...bitcoin, height: null, readAt: null }];
  const facts = { number: 1n, at, depth: 10, root: Buffer.alloc(32), owed, ...nothing, held };
  const lines = bookLines(facts);
  expect(lines.at(-1)).toEqual(['coverage', 'unknown']);
  expect(heldOf(facts)).toEqual({ heldCents: null, typedCents: null });
  const text = ['books/v1', ...lines.map((line) => line.join(' ')), ''].join('\n');
  expect(parseBooks(text)).toMatchObject({ coverage: null });
  const read = bookLines({ ...facts, held: [{ ...bitcoin, height: 934_112, readAt: at }] });
  expect(read.at(-1)).toEqual(['coverage', '0']);
});
