import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Book, genesisHash, labelsMatching, movement, newTransactionId, recordCode } from './rules.ts';

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

describe('a movement', () => {
  const given = { kind: 'test', at: new Date(0), postings: [] };

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
