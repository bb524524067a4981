import { describe, expect, it } from 'vitest';
import { WrongClock } from '../../platform/clock.ts';
import {
  type Account,
  type AccountRef,
  Book,
  canonicalText,
  chainHash,
  genesisHash,
  movement,
} from './rules.ts';

const wallet: AccountRef = { kind: 'wallet', ownerId: 'a' };
const invested: AccountRef = { kind: 'invested', ownerId: 'a' };
const returns: AccountRef = { kind: 'returns', ownerId: null };
const at = (second: number) => new Date(1_800_000_000_000 + second * 1000);

function bookOf(
  balances: [AccountRef, bigint][] = [
    [wallet, 10n],
    [invested, 0n],
    [returns, 0n],
  ],
  lastEntryAt: Date | null = null,
) {
  const accounts: Account[] = balances.map(([ref, balanceCents]) => ({
    ...ref,
    id: ref.kind,
    balanceCents,
    entryCount: 7n,
    head: genesisHash,
    lastEntryAt,
  }));
  const book = new Book(accounts);
  const post = (postings: [AccountRef, bigint][], when = at(0), transactionid = 'TS-1') =>
    book.post(
      movement({
        kind: 'test',
        at: when,
        transactionid,
        postings: postings.map(([account, amountCents]) => ({ account, amountCents, label: 'Test' })),
      }),
    );
  const transfer = (from: AccountRef, to: AccountRef, cents: bigint, when?: Date, transactionid?: string) =>
    post(
      [
        [from, -cents],
        [to, cents],
      ],
      when,
      transactionid,
    );
  return { book, accounts, post, transfer };
}

describe('an investor’s account', () => {
  it('can be emptied to the last cent and not beyond', () => {
    const { book, transfer } = bookOf();
    expect(book.wasShort).toBe(false);
    expect(transfer(wallet, invested, 11n)).toBe('short');
    expect(book.wasShort).toBe(true);
    expect([book.balanceOf(wallet), book.movements, book.entries]).toEqual([10n, [], []]);
    expect(transfer(wallet, invested, 10n)).toBe('posted');
    expect([book.balanceOf(wallet), book.balanceOf(invested)]).toEqual([0n, 10n]);
  });

  it('that is named twice counts as one', () => {
    expect(
      bookOf().post([
        [wallet, -6n],
        [wallet, -6n],
        [returns, 12n],
      ]),
    ).toBe('short');
    expect(
      bookOf().post([
        [wallet, -6n],
        [invested, 6n],
        [invested, -6n],
        [returns, 6n],
      ]),
    ).toBe('posted');
  });

  it('is not lent to, not even until the next posting of the same movement', () => {
    expect(bookOf().transfer(wallet, wallet, 11n)).toBe('short');
  });
});

it('the house may owe: that is what its accounts are for', () => {
  const { book, transfer } = bookOf();
  expect(transfer(returns, wallet, 500n)).toBe('posted');
  expect([book.balanceOf(returns), book.balanceOf(wallet)]).toEqual([-500n, 510n]);
});

it('a movement is of one investor: one that names two is refused, whatever else it names', () => {
  const hers: AccountRef = { kind: 'wallet', ownerId: 'b' };
  const clearing: AccountRef = { kind: 'clearing', ownerId: 'b' };
  const empty = [wallet, invested, hers, returns, clearing].map((ref): [AccountRef, bigint] => [ref, 10n]);
  const { book, post, transfer } = bookOf(empty);
  const refusal = 'a movement is of one investor';
  expect(() => transfer(wallet, hers, 1n)).toThrow(refusal);
  expect(() => transfer(hers, invested, 1n)).toThrow(refusal);
  const around: [AccountRef, bigint][] = [
    [wallet, -1n],
    [returns, 2n],
    [invested, 1n],
    [hers, -2n],
  ];
  expect(() => post(around)).toThrow(refusal);
  expect([book.movements, book.entries, book.take().accounts]).toEqual([[], [], []]);
  // A way to pay in has a name of its own and is the house's.
  expect([transfer(clearing, wallet, 5n), transfer(returns, clearing, 5n)]).toEqual(['posted', 'posted']);
  expect([transfer(wallet, invested, 5n), transfer(hers, returns, 5n)]).toEqual(['posted', 'posted']);
});

it('an account that was not loaded is named, and nothing is posted', () => {
  const { book, transfer } = bookOf([[wallet, 10n]]);
  const missing = 'the account invested:a was not loaded';
  expect(() => transfer(wallet, invested, 1n)).toThrow(missing);
  expect(() => book.balanceOf(returns)).toThrow('the account returns: was not loaded');
  expect(book.entries).toEqual([]);
});

it('what was posted is taken once, with what each changed account had before', () => {
  const { book, accounts, transfer } = bookOf();
  transfer(wallet, invested, 4n);
  transfer(wallet, invested, 1n);
  expect(accounts.map(({ balanceCents }) => balanceCents)).toEqual([10n, 0n, 0n]);
  const taken = book.take();
  expect(taken.movements.map(({ transactionid }) => transactionid)).toEqual(['TS-1', 'TS-1']);
  const [, , third] = taken.entries;
  expect(third).toMatchObject({
    accountId: 'wallet',
    seq: 9n,
    movementId: taken.movements[1]?.id,
    at: at(0),
    label: 'Test',
    amountCents: -1n,
    balanceBeforeCents: 6n,
    balanceAfterCents: 5n,
  });
  expect(taken.accounts).toEqual([
    {
      ...accounts[0],
      balanceCents: 5n,
      entryCount: 9n,
      head: third?.hash,
      lastEntryAt: at(0),
      headBefore: genesisHash,
      balanceBeforeCents: 10n,
      entriesBefore: 7n,
    },
    expect.objectContaining({ id: 'invested', balanceCents: 5n, balanceBeforeCents: 0n }),
  ]);
  expect(book.take()).toEqual({ movements: [], entries: [], accounts: [] });
  const asTaken = structuredClone(taken.accounts);
  transfer(wallet, invested, 2n);
  expect(book.take().accounts[0]).toMatchObject({ headBefore: third?.hash, balanceBeforeCents: 5n });
  // Whoever has them writes them down, whatever is posted meanwhile.
  expect(taken.accounts).toEqual(asTaken);
});

it('each entry’s hash is over the one before it and the text that docs/money.md describes', () => {
  const { book, transfer } = bookOf();
  transfer(wallet, returns, 4n);
  transfer(wallet, returns, 1n, at(5), 'TS-2');
  const [first, , second] = book.entries;
  if (!first || !second) throw new Error('two movements make four entries');
  const text = canonicalText({ ...second, transactionid: 'TS-2' });
  expect(text).toBe('tallystick entry 1\nwallet\n9\n2027-01-15T08:00:05.000Z\nTS-2\nTest\n-1\n5');
  expect(first.hash).toBe(chainHash('0'.repeat(64), canonicalText({ ...first, transactionid: 'TS-1' })));
  expect(second.hash).toBe(chainHash(first.hash, text));
  expect(chainHash('a', 'b')).toBe('7e18f737311b2dc3b2f269dd78396b0351f14fb66efa879f768cb23181883c78');
});

describe('the date of a movement', () => {
  const dated = (when: Date, last: Date | null) => {
    const { book, transfer } = bookOf(undefined, last);
    transfer(wallet, returns, 1n, when);
    return [book.movements[0]?.at, ...book.entries.map((entry) => entry.at)];
  };

  it('is its own when it is the latest of its accounts', () => {
    for (const last of [null, at(0), at(-99_999)]) expect(dated(at(0), last)).toEqual([at(0), at(0), at(0)]);
  });
  it('is that of the entry before when two servers’ clocks are a little apart', () => {
    expect(dated(at(0), at(60))).toEqual([at(60), at(60), at(60)]);
  });
  it('is refused when a clock must be wrong', () => {
    expect(() => dated(at(0), new Date(at(60).getTime() + 1))).toThrow(WrongClock);
    expect(() => dated(at(0), at(61))).toThrow('an account has an entry from the future');
  });
});
