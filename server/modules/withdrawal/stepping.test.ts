import { describe, expect, it } from 'vitest';
import { refuse, who } from '../../platform/app-error.ts';
import { actionOf, afterStep, movementOf, refuseRejecting, refuseStep, withoutDeparted } from './stepping.ts';
import type { WithdrawalRow } from './store.ts';

const now = new Date('2026-11-16T09:00:00Z');
const withdrawal = {
  id: 'w1',
  userId: 'u1',
  transactionid: 'TS-1',
  amountCents: 5_000n,
  status: 'requested',
  chainTxid: null,
  chainOutput: null,
  firstPaidBy: null,
  firstPaidAt: null,
  reason: null,
  firstApprovedAt: null,
  firstApprovedBy: null,
  secondBecause: null,
  approvedAt: null,
  approvedBy: null,
  endedAt: null,
  endedBy: null,
} as WithdrawalRow;
const approved = { ...withdrawal, status: 'approved', approvedBy: 'ann', approvedAt: now } as const;
const actor = { kind: 'operator', id: 'ann' } as const;
const held = { kind: 'withdrawing', ownerId: 'u1' };

describe('what a step moves', () => {
  it('is nothing when it is approved', () => {
    expect(movementOf('approve', approved, now)).toBeNull();
  });
  it('is what was held, out of the house, when it is paid', () => {
    expect(movementOf('pay', { ...approved, chainTxid: 'ab' }, now)).toMatchObject({
      kind: 'payout',
      at: now,
      reference: 'TS-1',
      reason: 'ab',
      postings: [
        { account: held, amountCents: -5_000n, label: 'Withdrawal' },
        { account: { kind: 'payouts', ownerId: null }, amountCents: 5_000n, label: 'Withdrawal' },
      ],
    });
    expect(movementOf('pay', approved, now)?.reason).toBe('');
  });
  it.each(['reject', 'cancel'] as const)('is what was held, back to the wallet, on %s', (step) => {
    const label = 'Withdrawal Returned';
    expect(movementOf(step, withdrawal, now)).toMatchObject({
      kind: 'withdrawal-returned',
      at: now,
      reference: 'TS-1',
      reason: null,
      postings: [
        { account: held, amountCents: -5_000n, label },
        { account: { kind: 'wallet', ownerId: 'u1' }, amountCents: 5_000n, label },
      ],
    });
    expect(movementOf(step, { ...withdrawal, reason: 'Not yours.' }, now)?.reason).toBe('Not yours.');
  });
});

describe('after a step', () => {
  const after = (step: 'approve' | 'reject' | 'cancel', because: string | null = null, row = withdrawal) =>
    afterStep({ step, actor, reason: 'Why.' }, row, { now, because });

  it('it is approved by whoever did', () => {
    expect(after('approve')).toEqual(approved);
  });
  it('it waits for another where one is not enough', () => {
    expect(after('approve', 'Above $10.00')).toEqual({
      ...withdrawal,
      firstApprovedAt: now,
      firstApprovedBy: 'ann',
      secondBecause: 'Above $10.00',
    });
  });
  it('it has ended, with the reason, by whoever ended it', () => {
    const ended = { reason: 'Why.', endedAt: now, endedBy: 'ann' };
    expect(after('reject')).toEqual({ ...withdrawal, ...ended, status: 'rejected' });
    expect(after('cancel')).toEqual({ ...withdrawal, ...ended, status: 'cancelled' });
    expect(after('reject', null, approved)).toEqual({ ...approved, ...ended, status: 'rejected' });
  });
});

describe('what somebody said who is an operator no more', () => {
  const gone = new Set(['gone']);
  const first = { firstApprovedBy: 'gone', firstApprovedAt: now, secondBecause: 'Above $10.00' };
  const paid = { chainTxid: 'ab', chainOutput: 1, firstPaidBy: 'gone', firstPaidAt: now };

  it('as the first of two approvals does not count while the second is missing', () => {
    expect(withoutDeparted({ ...withdrawal, ...first }, gone)).toEqual(withdrawal);
    const both = { ...approved, ...first };
    expect(withoutDeparted(both, gone)).toBe(both);
  });
  it('as a payment does not count, and the approval stays', () => {
    expect(withoutDeparted({ ...approved, ...paid }, gone)).toEqual(approved);
  });
  it('counts of everybody else, and of nobody nothing', () => {
    for (const row of [
      withdrawal,
      { ...withdrawal, ...first, firstApprovedBy: 'ann' },
      { ...approved, ...paid, firstPaidBy: 'ann' },
    ])
      expect(withoutDeparted(row, gone)).toBe(row);
  });
});

describe('what may be on its way does not go back to the wallet', () => {
  const facts = { sheets: new Map<string, { number: number; state: string }>(), shown: new Set<string>() };

  it('from a sheet', () => {
    const on = (state: string) =>
      refuseRejecting(approved, { ...facts, sheets: new Map([['w1', { number: 12, state }]]) });
    expect(on('made')).toEqual(
      refuse('already_decided', 'This withdrawal is on payout sheet 12. Discard that first.'),
    );
    expect(on('claimed')).toEqual(
      refuse(
        'already_decided',
        'This withdrawal is on payout sheet 12. Two operators have to release that first.',
      ),
    );
  });
  it('when its chain shows a payment', () => {
    expect(refuseRejecting(approved, { ...facts, shown: new Set(['w1']) })).toEqual(
      refuse(
        'already_decided',
        'Its chain shows a payment for this withdrawal, from a sheet that was released. It is marked as paid by itself once it is confirmed.',
      ),
    );
  });
  it('when somebody says that it was paid', () => {
    expect(refuseRejecting({ ...approved, firstPaidBy: 'ben' }, facts)).toEqual(
      refuse('already_decided', `${who} says that this withdrawal was paid. Drop that first.`, { by: 'ben' }),
    );
  });
  it('and everything else may', () => {
    const others = { sheets: new Map([['w2', { number: 1, state: 'made' }]]), shown: new Set(['w2']) };
    expect(refuseRejecting(approved, others)).toBeNull();
  });
});

it('the audit log tells the first of two from what they have done together', () => {
  const actions = [withdrawal, approved, { ...approved, firstPaidBy: 'ann' }];
  expect(actions.map(actionOf)).toEqual([
    'withdrawal.approved-first',
    'withdrawal.approved',
    'withdrawal.paid-first',
  ]);
  expect(actionOf({ ...approved, status: 'paid', firstPaidBy: 'ann' })).toBe('withdrawal.paid');
});

describe('who comes too late', () => {
  it('or too early, is told where it stands', () => {
    expect(refuseStep(withdrawal, true)).toEqual(
      refuse('already_decided', 'This withdrawal is not approved yet.'),
    );
  });
  it('as an investor is told what became of it, and not by whom', () => {
    expect(refuseStep({ ...approved, status: 'paid', endedBy: 'ben' }, false)).toEqual(
      refuse('already_decided', 'This withdrawal was paid already.'),
    );
  });
  it('as an operator is told by whom', () => {
    const late = (by: string) =>
      refuse('already_decided', `This withdrawal was paid already, by ${who}.`, { by });
    expect(refuseStep({ ...approved, status: 'paid', endedBy: 'ben' }, true)).toEqual(late('ben'));
    expect(refuseStep({ ...approved, status: 'paid' }, true)).toEqual(late('ann'));
    expect(refuseStep({ ...approved, status: 'cancelled', endedBy: 'u1' }, true)).toEqual(
      refuse('already_decided', 'This withdrawal was cancelled already, by the investor.'),
    );
  });
});
