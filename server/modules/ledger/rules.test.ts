import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WrongClock } from '../../platform/clock.ts';
import {
  type Account,
  type AccountRef,
  Book,
  canonicalText,
  chainHash,
  genesisHash,
  labelsMatching,
  movement,
  newTransactionId,
  recordCode,
} from './rules.ts';

it('a movement is posted whole or not at all', () => {
  const account = (
    kind: 'wallet' | 'invested' | 'returns',
    ownerId: string | null,
    balanceCents: bigint,
  ) => ({
    id: `${kind} ${ownerId}`,
    kind,
    ownerId,
    balanceCents,
    entryCount: 0n,
    head: genesisHash,
    lastEntryAt: null,
  });
  const cents = fc.bigInt({ min: -20n, max: 20n }).filter((amount) => amount !== 0n);
  const refs = [account('wallet', 'a', 10n), account('invested', 'a', 5n), account('returns', null, -15n)];
  const posting = fc.record({ account: fc.constantFrom(...refs), amountCents: cents });
  fc.assert(
    fc.property(fc.array(posting, { minLength: 1, maxLength: 5 }), (some) => {
      const rest = -some.reduce((sum, { amountCents }) => sum + amountCents, 0n);
      const returns = refs[2] as (typeof refs)[number];
      const whole = rest === 0n ? some : [...some, { account: returns, amountCents: rest }];
      if (whole.length < 2) return;
      const book = new Book(refs);
      const postings = whole.map((each) => ({ ...each, label: 'Test' }));
      const posted = book.post(movement({ kind: 'test', at: new Date(0), postings }));
      const after = refs.map((ref) => book.balanceOf(ref));
      expect(after.reduce((sum, balance) => sum + balance, 0n)).toBe(0n);
      expect(book.entries.length).toBe(posted === 'posted' ? whole.length : 0);
      if (posted === 'short') expect(after).toEqual([10n, 5n, -15n]);
      else
        expect(book.entries.every((e) => e.balanceAfterCents >= 0n || e.accountId === returns.id)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

it('a movement that does not balance, has one posting or moves nothing is a mistake of the program', () => {
  const wallet = { kind: 'wallet', ownerId: 'a' } as const;
  const book = new Book([
    { ...wallet, id: 'w', balanceCents: 9n, entryCount: 0n, head: genesisHash, lastEntryAt: null },
  ]);
  const post = (...amounts: bigint[]) =>
    book.post(
      movement({
        kind: 'test',
        at: new Date(0),
        postings: amounts.map((amountCents) => ({ account: wallet, amountCents, label: 'Test' })),
      }),
    );
  expect(() => post(1n, -2n)).toThrow('does not balance');
  expect(() => post()).toThrow('two postings');
  expect(() => post(5n)).toThrow('two postings');
  expect(() => post(3n, 0n, -3n)).toThrow('none of them zero');
  expect(() => post(0n, 0n)).toThrow('none of them zero');
  expect(book.entries).toEqual([]);
});

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
  return { book, accounts, post };
}

describe('an investor’s account', () => {
  it('can be emptied to the last cent and not beyond', () => {
    const { book, post } = bookOf();
    expect(
      post([
        [wallet, -11n],
        [invested, 11n],
      ]),
    ).toBe('short');
    expect([book.balanceOf(wallet), book.movements, book.entries]).toEqual([10n, [], []]);
    expect(
      post([
        [wallet, -10n],
        [invested, 10n],
      ]),
    ).toBe('posted');
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
    expect(
      bookOf().post([
        [wallet, -11n],
        [wallet, 11n],
      ]),
    ).toBe('short');
  });
});

it('the house may owe: that is what its accounts are for', () => {
  const { book, post } = bookOf();
  expect(
    post([
      [returns, -500n],
      [wallet, 500n],
    ]),
  ).toBe('posted');
  expect([book.balanceOf(returns), book.balanceOf(wallet)]).toEqual([-500n, 510n]);
});

it('an account that was not loaded is named, and nothing is posted', () => {
  const { book, post } = bookOf([[wallet, 10n]]);
  const missing = 'the account invested:a was not loaded';
  expect(() =>
    post([
      [wallet, -1n],
      [invested, 1n],
    ]),
  ).toThrow(missing);
  expect(() => book.balanceOf(returns)).toThrow('the account returns: was not loaded');
  expect(book.entries).toEqual([]);
});

it('what was posted is taken once, with what each changed account had before', () => {
  const { book, accounts, post } = bookOf();
  post([
    [wallet, -4n],
    [invested, 4n],
  ]);
  post([
    [wallet, -1n],
    [invested, 1n],
  ]);
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
      ...{ ...accounts[0], balanceCents: 5n, entryCount: 9n, head: third?.hash, lastEntryAt: at(0) },
      ...{ headBefore: genesisHash, balanceBeforeCents: 10n },
    },
    expect.objectContaining({ id: 'invested', balanceCents: 5n, balanceBeforeCents: 0n }),
  ]);
  expect(book.take()).toEqual({ movements: [], entries: [], accounts: [] });
  post([
    [wallet, -2n],
    [invested, 2n],
  ]);
  expect(book.take().accounts[0]).toMatchObject({ headBefore: third?.hash, balanceBeforeCents: 5n });
});

it('each entry’s hash is over the one before it and the text that docs/money.md describes', () => {
  const { book, post } = bookOf();
  post([
    [wallet, -4n],
    [returns, 4n],
  ]);
  post(
    [
      [wallet, -1n],
      [returns, 1n],
    ],
    at(5),
    'TS-2',
  );
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
    const { book, post } = bookOf(undefined, last);
    post(
      [
        [wallet, -1n],
        [returns, 1n],
      ],
      when,
    );
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

describe('a movement', () => {
  const given = { kind: 'test', at: at(0), postings: [] };

  it('gets an id of its own, and a transaction id where it has none', () => {
    const one = movement(given);
    expect(one).toMatchObject({ ...given, reference: null, reason: null });
    expect(one.transactionid).toMatch(/^TS-[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/);
    expect(movement(given).id).not.toBe(one.id);
  });
  it('keeps what it is given', () => {
    const named = { transactionid: 'TS-1', reference: 'TS-0', reason: 'why' };
    expect(movement({ ...given, ...named })).toMatchObject(named);
  });
});

it('transaction ids use thirty characters that cannot be mistaken, all of them equally often', () => {
  const ids = Array.from({ length: 50_000 }, newTransactionId);
  const counts = new Map<string, number>();
  for (const id of ids)
    for (const character of id.slice(3).replace('-', ''))
      counts.set(character, (counts.get(character) ?? 0) + 1);
  expect([...counts.keys()].sort().join('')).toBe('23456789ABCDEFGHJKMNPQRSTVWXYZ');
  // Each is expected 13,333 times; a byte too many would make one, or sixteen of them, 14,900.
  for (const count of counts.values()) expect(Math.abs(count - 13_333)).toBeLessThan(750);
  expect(new Set(ids).size).toBeGreaterThan(49_990);
});

it('a record’s code is the beginning of its hash, in two groups', () => {
  expect(recordCode(Buffer.from('0123456789abcdef', 'hex'))).toBe('0123 4567');
});

describe('a filter of entries', () => {
  const labels = ['Bitcoin', 'Investment', 'Investment Return'];
  const matching = (search?: string, label?: string) => labelsMatching(labels, { search, label });

  it('that asks for nothing lets everything through, whatever the labels', () => {
    expect([matching(), matching(''), matching('', '')]).toEqual([null, null, null]);
  });
  it('finds a part of a label in any case', () => {
    expect(matching('INVEST')).toEqual(['Investment', 'Investment Return']);
    expect(matching('return')).toEqual(['Investment Return']);
    expect(matching('ether')).toEqual([]);
  });
  it('finds one label exactly, and with a part only where both hold', () => {
    expect(matching(undefined, 'Investment')).toEqual(['Investment']);
    expect(matching('ret', 'Investment')).toEqual([]);
    expect(matching('vest', 'Investment')).toEqual(['Investment']);
  });
});
