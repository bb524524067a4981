import { describe, expect, it } from 'vitest';
import { refuse, who } from '../../platform/app-error.ts';
import type { Claim, PaymentRow, SpendRow } from '../networks/service.ts';
import { type PayingFacts, paidByChain, paidByHand, unpaid, whyUnshown } from './paying.ts';
import type { WithdrawalRow } from './store.ts';

const now = new Date('2026-11-16T09:00:00Z');
const txid = 'ab'.repeat(32);
const withdrawal = {
  id: 'w1',
  userId: 'u1',
  transactionid: 'TS-1',
  network: 'bitcoin',
  amountCents: 5_000n,
  status: 'approved',
  ...unpaid,
  spendId: null,
  endedAt: null,
  endedBy: null,
} as WithdrawalRow;
const other = { ...withdrawal, id: 'w2', transactionid: 'TS-2' };
const named = { chainTxid: txid, chainOutput: 1, firstPaidBy: 'ann', firstPaidAt: now };
const payout = {
  network: 'bitcoin',
  txid,
  output: 1,
  use: 'payout',
  transactionid: 'TS-1',
  final: true,
} as const;
const spend = { id: 's1', network: 'bitcoin', txid, output: 1, height: 100, state: 'seen' } as SpendRow;

const factsOf = (facts: Partial<PayingFacts> = {}): PayingFacts => ({
  withdrawals: new Map([['w1', withdrawal]]),
  claims: new Map(),
  shared: new Set(),
  sharing: new Set(),
  spends: new Map([['s1', spend]]),
  heights: new Map([['bitcoin', { height: 101 }]]),
  received: [],
  watched: new Set(['bitcoin']),
  ...facts,
});
const claimed = (...claims: Claim[]) => new Map([[txid, claims]]);

describe('a payment that the chain shows', () => {
  const paid = (facts: PayingFacts, row = withdrawal) =>
    paidByChain({ spendId: 's1', needed: 2 }, row, facts, now);
  const done = {
    ...withdrawal,
    status: 'paid',
    chainTxid: txid,
    chainOutput: 1,
    spendId: 's1',
    endedAt: now,
    endedBy: 'chain',
  };
  const notNow = refuse('already_decided', 'This payment has its use, or is not there any more.');

  it('marks its withdrawal as paid, and has its use from then on', () => {
    const facts = factsOf();
    expect(paid(facts)).toEqual({ row: done, dropped: [] });
    expect(facts.claims).toEqual(claimed(payout));
  });
  it('counts as soon as it has as many confirmations as are asked for', () => {
    expect(paid(factsOf({ heights: new Map([['bitcoin', { height: 100 }]]) }))).toEqual(notNow);
    expect(paid(factsOf({ heights: new Map([['bitcoin', { height: 102 }]]) }))).toMatchObject({ row: done });
    expect(paid(factsOf({ heights: new Map([['xrp', { height: 200 }]]) }))).toEqual(notNow);
  });
  it('does not count when it is gone again', () => {
    expect(paid(factsOf({ spends: new Map([['s1', { ...spend, state: 'vanished' }]]) }))).toEqual(notNow);
    expect(paid(factsOf({ spends: new Map() }))).toEqual(notNow);
  });
  it('that has its use pays nothing else', () => {
    const elsewhere = { ...payout, transactionid: 'TS-2' };
    for (const claim of [
      elsewhere,
      { ...elsewhere, output: null },
      { ...elsewhere, final: false, use: 'deposit' } as const,
    ])
      expect(paid(factsOf({ claims: claimed(claim) }))).toEqual(notNow);
  });
  it('is told apart by its network and its output', () => {
    const others = [
      { ...payout, transactionid: 'TS-2', output: 2 },
      { ...payout, transactionid: 'TS-3', network: 'xrp' },
    ];
    const facts = factsOf({ claims: claimed(...others) });
    expect(paid(facts)).toMatchObject({ row: done });
    expect(facts.claims).toEqual(claimed(...others, payout));
  });
  it('leaves alone what was named for others with other payments', () => {
    const withdrawals = new Map([
      ['w1', withdrawal],
      ['w2', { ...other, ...named, chainTxid: 'cd' }],
    ]);
    expect(paid(factsOf({ withdrawals }))).toEqual({ row: done, dropped: [] });
  });
  it('goes before what one operator has named, for this withdrawal or for another', () => {
    const mine = { ...withdrawal, ...named, chainOutput: 7 };
    const theirs = { ...other, ...named };
    const third = { ...withdrawal, ...named, id: 'w3', transactionid: 'TS-3' };
    const quiet = { ...withdrawal, id: 'w4', transactionid: 'TS-2' };
    const said = { ...payout, transactionid: 'TS-2', final: false };
    const facts = factsOf({
      withdrawals: new Map([mine, theirs, third, quiet].map((row) => [row.id, row])),
      claims: claimed(said),
    });
    expect(paid(facts, mine)).toEqual({
      row: done,
      dropped: [
        { ...mine, ...unpaid },
        { ...theirs, ...unpaid },
      ],
    });
    expect(facts.claims).toEqual(claimed(payout));
  });
});

describe('a payment that an operator names', () => {
  const pay = (
    facts: PayingFacts,
    { row = withdrawal, by = 'ben', output = 1 as number | null, isDropped = false } = {},
  ) =>
    paidByHand(
      { chainTxid: txid, chainOutput: output, actor: { kind: 'operator', id: by } },
      { withdrawal: row, isDropped },
      facts,
      now,
    );
  const first = { ...withdrawal, ...named };

  it('is enough where the chain is not read', () => {
    const facts = factsOf({ watched: new Set(['xrp']) });
    expect(pay(facts)).toEqual({
      row: { ...withdrawal, status: 'paid', chainTxid: txid, chainOutput: 1, endedAt: now, endedBy: 'ben' },
      dropped: [],
    });
    expect(facts.claims).toEqual(claimed(payout));
  });
  it('is the first of two where the chain is read and does not show it', () => {
    const facts = factsOf();
    expect(pay(facts)).toEqual({ row: { ...withdrawal, ...named, firstPaidBy: 'ben' }, dropped: [] });
    expect(facts.claims).toEqual(claimed({ ...payout, final: false }));
  });
  it('is agreed to by another, who names exactly that', () => {
    const otherClaim = { ...payout, output: 2, transactionid: 'TS-2' };
    const facts = factsOf({ claims: claimed({ ...payout, final: false }, otherClaim) });
    expect(pay(facts, { row: first })).toEqual({
      row: { ...first, status: 'paid', endedAt: now, endedBy: 'ben' },
      dropped: [],
    });
    expect(facts.claims).toEqual(claimed(otherClaim, payout));
    expect(pay(factsOf(), { row: first, by: 'ann' })).toEqual(
      refuse('second_operator_needed', 'You have confirmed this. Another operator has to, as well.'),
    );
    const exactly = (what: string) =>
      refuse(
        'already_decided',
        `${who} says that it was paid with the transaction id ${what}. Confirm exactly that, or drop it.`,
        { by: 'ann' },
      );
    expect(pay(factsOf(), { row: first, output: 2 })).toEqual(exactly(`${txid}, output 1`));
    expect(pay(factsOf(), { row: { ...first, chainOutput: null } })).toEqual(exactly(txid));
    expect(pay(factsOf(), { row: { ...first, chainTxid: 'cd' } })).toEqual(exactly('cd, output 1'));
  });
  it('is not one that has another use, or that came to us', () => {
    expect(pay(factsOf({ claims: claimed({ ...payout, transactionid: 'TS-2' }) }))).toEqual(
      refuse('already_decided', 'This transaction has paid another withdrawal, TS-2.'),
    );
    const came = { network: 'bitcoin', txid, output: 1 } as PaymentRow;
    const ours = refuse('already_decided', 'This payment came to one of our own addresses.');
    expect(pay(factsOf({ received: [came] }))).toEqual(ours);
    expect(pay(factsOf({ received: [{ ...came, output: 3 }, came] }))).toEqual(ours);
    for (const elsewhere of [
      { ...came, output: 2 },
      { ...came, network: 'xrp' as const },
      { ...came, txid: 'cd' },
    ])
      expect(pay(factsOf({ received: [elsewhere] }))).toHaveProperty('row');
  });
  it('says which output it is where several are paid together', () => {
    const which = refuse(
      'outside_range',
      'This transaction pays several. Say which output paid this withdrawal.',
    );
    const shared = factsOf({ shared: new Set([txid]) });
    const sharing = factsOf({ sharing: new Set(['w1']) });
    for (const facts of [shared, sharing]) {
      expect(pay(facts, { output: null })).toEqual(which);
      expect(pay(facts, { output: 0 })).toHaveProperty('row');
    }
    expect(
      pay(factsOf({ shared: new Set(['cd']), sharing: new Set(['w2']) }), { output: null }),
    ).toHaveProperty('row');
  });
  it('takes the place of what somebody named who is an operator no more', () => {
    expect(pay(factsOf(), { isDropped: true })).toMatchObject({ dropped: [withdrawal] });
  });
});

it('why one operator’s word is not enough names the network', () => {
  expect(whyUnshown('bitcoin')).toBe('Bitcoin does not show exactly this payment');
});
