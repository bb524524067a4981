import { networkIds, networks } from '@tallystick/contract/networks';
import { expect, it } from 'vitest';
import { parseBooks } from '../../../verify/books.ts';
import { entryBytesMax } from '../../platform/log/outbox.ts';
import { coldAddressesMax } from '../networks/rules.ts';
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

it('has room in one entry for as many cold addresses as may be listed, beside whatever else is told', () => {
  const widest = <T extends string>(words: readonly T[]) =>
    words.reduce((found, word) => (word.length > found.length ? word : found));
  const network = widest(networkIds);
  const most = { network, units: 10n ** 30n };
  const many = <T>(count: number, made: (n: number) => T) => Array.from({ length: count }, (_, n) => made(n));
  // The longest that any chain has: 32 bytes in bech32m.
  const address = (n: number) => `tb1p${String(n).padStart(58, 'q')}`;
  const cents = 10n ** 15n;
  const facts = {
    number: 10n ** 6n,
    at,
    depth: 30,
    root: Buffer.alloc(32),
    owed: [cents, 14n * cents, cents, cents] as [bigint, bigint, bigint, bigint],
    due: many(14, (n) => ({
      monday: n < 13 ? new Date(at.getTime() + n * 7 * 86_400_000) : null,
      principalCents: cents,
      profitCents: cents,
    })),
    held: networkIds.map(() => ({ ...most, cents, price, height: 99_999_999, readAt: at })),
    cold: many(coldAddressesMax, (n) => ({ ...most, address: address(n) })),
    shared: many(150, (n) => ({ ...most, address: address(n) })),
    derived: networkIds.map(() => ({ ...most, count: 1_000_000, root: 'ab'.repeat(32) })),
    keys: many(50, () => ({ network, sha256: 'ab'.repeat(32) })),
    typed: many(50, (n) => ({ cents, at, name: `${networks[network].name} ${n} `.padEnd(99, 'x') })),
  };
  const text = ['books/v1', ...bookLines(facts).map((line) => line.join(' ')), ''].join('\n');
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(entryBytesMax);
  expect(parseBooks(text)).toMatchObject({ number: 1_000_000 });
});
