import { describe, expect, it } from 'vitest';
import { refuse } from '../../platform/app-error.ts';
import type { Claim } from '../networks/service.ts';
import {
  claimOf,
  countApproval,
  type OutgoingFacts,
  payoutOf,
  refuseOutgoing,
  whyTwoApprove,
} from './outgoing.ts';
import type { WithdrawalRow } from './store.ts';

const txid = 'ab'.repeat(32);
const withdrawal = {
  id: 'w1',
  userId: 'u1',
  transactionid: 'TS-1',
  network: 'bitcoin',
  address: 'bc1Q',
  amountCents: 40_000n,
  status: 'requested',
  chainTxid: null,
  chainOutput: null,
  firstApprovedBy: null,
  approvedBy: null,
} as WithdrawalRow;
const ann = { kind: 'operator', id: 'ann' } as const;
const ben = { kind: 'operator', id: 'ben' } as const;
const factsOf = (facts: Partial<OutgoingFacts> = {}): OutgoingFacts => ({
  frozenBecause: null,
  frozenInvestors: new Map(),
  thresholdCents: 100_000n,
  ofInvestor: new Map(),
  toAddress: new Map(),
  byOperator: new Map(),
  ...facts,
});

describe('money that is about to go out', () => {
  const refusal = (
    step: 'approve' | 'pay' | 'reject' | 'cancel',
    facts: Partial<OutgoingFacts>,
    { shown = null, row = withdrawal }: { shown?: object | null; row?: WithdrawalRow } = {},
  ) => refuseOutgoing({ step, actor: ann, shown }, row, factsOf(facts));
  const all = { frozenBecause: 'the books do not add up' };
  const one = { frozenInvestors: new Map([['u1', 'We ask for papers.']]) };

  it('stays while all withdrawals, or this investor’s, are frozen', () => {
    for (const step of ['approve', 'pay'] as const) {
      expect(refusal(step, all)).toEqual(
        refuse('withdrawals_frozen', 'Withdrawals are frozen: the books do not add up.'),
      );
      expect(refusal(step, one)).toEqual(
        refuse('withdrawals_frozen', 'This investor is frozen: We ask for papers.'),
      );
      expect(refusal(step, { frozenInvestors: new Map([['u2', 'Another.']]) })).toBeNull();
    }
  });
  it('can go back to the wallet all the same, and what a chain shows has gone out', () => {
    for (const facts of [all, one]) {
      expect([refusal('reject', facts), refusal('cancel', facts)]).toEqual([null, null]);
      expect(refusal('pay', facts, { shown: {} })).toBeNull();
    }
  });
  it('is not approved twice by the same operator, who may mark it as paid', () => {
    const row = { ...withdrawal, firstApprovedBy: 'ann' };
    expect(refusal('approve', {}, { row })).toEqual(
      refuse('second_operator_needed', 'You have approved this. Another operator has to, as well.'),
    );
    expect(refusal('pay', {}, { row })).toBeNull();
    expect(refusal('approve', {}, { row: { ...row, firstApprovedBy: 'ben' } })).toBeNull();
  });
});

describe('one approval is only the first of two', () => {
  const why = (facts: Partial<OutgoingFacts>) => whyTwoApprove(withdrawal, ann, factsOf(facts));

  it('above the threshold, which alone is still enough for one', () => {
    expect(why({ thresholdCents: 40_000n })).toBeNull();
    expect(why({ thresholdCents: 39_999n })).toBe('Above $399.99');
  });
  it('where a day’s sum for the investor, to the address or by the operator passes it', () => {
    expect(why({ ofInvestor: new Map([['u1', 60_000n]]) })).toBeNull();
    expect(why({ ofInvestor: new Map([['u1', 60_001n]]) })).toBe(
      '$1,000.01 for this investor within a day, above $1,000.00',
    );
    expect(why({ toAddress: new Map([['bc1q', 60_001n]]) })).toMatch(/to this address within a day/);
    expect(why({ byOperator: new Map([['ann', 60_001n]]) })).toMatch(/by one operator alone within a day/);
  });
  it('not because of what others did', () => {
    expect(
      why({
        ofInvestor: new Map([['u2', 99_999n]]),
        toAddress: new Map([['bc1z', 99_999n]]),
        byOperator: new Map([['ben', 99_999n]]),
      }),
    ).toBeNull();
  });
});

describe('an approval counts for those that follow it', () => {
  it('for its investor, its address and whoever gave it alone', () => {
    const facts = factsOf({ ofInvestor: new Map([['u1', 1n]]) });
    countApproval({ ...withdrawal, approvedBy: 'ann' }, facts);
    countApproval({ ...withdrawal, approvedBy: 'ann' }, facts);
    expect(facts.ofInvestor).toEqual(new Map([['u1', 80_001n]]));
    expect(facts.toAddress).toEqual(new Map([['bc1q', 80_000n]]));
    expect(facts.byOperator).toEqual(new Map([['ann', 80_000n]]));
  });
  it('for nobody alone where two gave it', () => {
    const facts = factsOf();
    countApproval({ ...withdrawal, firstApprovedBy: 'ann', approvedBy: 'ben' }, facts);
    expect([facts.ofInvestor.get('u1'), facts.byOperator.size]).toEqual([40_000n, 0]);
    countApproval(withdrawal, facts);
    expect(facts.byOperator.size).toBe(0);
  });
});

describe('the transaction that a withdrawal was paid with', () => {
  const named = { chainTxid: ` ${txid.toUpperCase()}`, chainOutput: 2 };
  const payout = {
    network: 'bitcoin',
    txid,
    output: 2,
    use: 'payout',
    transactionid: 'TS-1',
    final: true,
  } as const;
  const other = { ...payout, transactionid: 'TS-2' };
  const found = (...claims: Claim[]) => payoutOf(named, withdrawal, new Map([[txid, claims]]));

  it('is taken in its network’s spelling', () => {
    expect(payoutOf(named, withdrawal, new Map())).toEqual(payout);
    expect(
      payoutOf({ ...named, chainOutput: null }, { ...withdrawal, network: 'xrp' }, new Map()),
    ).toMatchObject({ network: 'xrp', txid: txid.toUpperCase(), output: null });
  });
  it('is of its network, with an output only where there are some', () => {
    expect(payoutOf(named, { ...withdrawal, network: 'gone' }, new Map())).toEqual(
      refuse('outside_range', 'The network of this way out is not known.'),
    );
    expect(payoutOf({ ...named, chainTxid: 'abc' }, withdrawal, new Map())).toEqual(
      refuse('outside_range', 'The id of a Bitcoin transaction is 64 characters, 0 to 9 and a to f.'),
    );
    expect(payoutOf(named, { ...withdrawal, network: 'xrp' }, new Map())).toEqual(
      refuse('outside_range', 'Only a Bitcoin transaction has numbered outputs.'),
    );
  });
  it('pays one withdrawal with one output', () => {
    expect(found(other)).toEqual(
      refuse('already_decided', 'This transaction has paid another withdrawal, TS-2.'),
    );
    expect(found({ ...other, output: null, final: false })).toEqual(
      refuse('already_decided', 'This transaction is said to have paid another withdrawal, TS-2.'),
    );
    expect(found({ ...other, output: 3 })).toEqual(payout);
    expect(found(payout)).toEqual(payout);
    expect(found({ ...other, network: 'xrp' })).toEqual(payout);
  });
  it('is no deposit', () => {
    const deposit = { ...other, output: 3, use: 'deposit' } as const;
    const refusal = refuse('already_decided', 'This transaction is a deposit, TS-2.');
    expect(found(deposit)).toEqual(refusal);
    expect(found({ ...deposit, output: 2 })).toEqual(refusal);
    expect(found({ ...deposit, network: 'xrp' })).toEqual(payout);
  });
});

it('what a withdrawal was paid with has its use, for good once it is marked as paid', () => {
  expect(claimOf(withdrawal)).toBeNull();
  const named = { ...withdrawal, status: 'approved', chainTxid: txid, chainOutput: 2 } as const;
  const claim = { network: 'bitcoin', txid, output: 2, use: 'payout', transactionid: 'TS-1' };
  expect(claimOf(named)).toEqual({ ...claim, final: false });
  expect(claimOf({ ...named, status: 'paid' })).toEqual({ ...claim, final: true });
});

it('sums are kept by the person, not by the session', () => {
  const facts = factsOf({ byOperator: new Map([['ben', 60_001n]]) });
  expect(whyTwoApprove(withdrawal, { ...ben, address: '192.0.2.1' }, facts)).not.toBeNull();
});
