import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Book, genesisHash, movement } from './rules.ts';

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
  expect(() => post(0n, 0n)).toThrow('none of them zero');
  expect(book.entries).toEqual([]);
});
