import type { PlanProposal } from '@tallystick/contract/bounds';
import type { QueuedDeposit, QueuedWithdrawal } from '@tallystick/contract/operator/queue';
import { describe, expect, it } from 'vitest';
import { type Item, isIn, whyOff } from './item.ts';

const since = '2026-11-15T12:00:00Z';
const first = { departed: false } as QueuedDeposit['first'];
const gone = { departed: true } as QueuedDeposit['first'];
const firstpaid = { departed: false } as QueuedWithdrawal['firstpaid'];
const left = { departed: true } as QueuedWithdrawal['firstpaid'];
const approved = [{ operator: 'ada' }] as QueuedWithdrawal['approvals'];
const deposit = (key: string, of: Partial<QueuedDeposit>) =>
  ({ key, since, kind: 'deposit', of: of as QueuedDeposit }) as const;
const withdrawal = (key: string, of: Partial<QueuedWithdrawal>) =>
  ({ key, since, kind: 'withdrawal', of: of as QueuedWithdrawal }) as const;
const plan: PlanProposal = {
  _id: 'plan',
  askedby: 'Ada',
  askedbyid: 'ada',
  askedat: since,
  replaces: null,
  planname: 'Standard',
  from: 100,
  to: 1999,
  duration: 30,
  roi: 0.8,
  reinvestable: false,
  exit: null,
  because: [],
};

it('no request of which one operator has done a part is left out of what waits for the second', () => {
  const items: Item[] = [
    deposit('fresh deposit', { first: null }),
    deposit('confirmed by one', { first }),
    deposit('confirmed by one who is gone', { first: gone }),
    withdrawal('fresh withdrawal', { status: 'requested', approvals: [] }),
    withdrawal('approved by one', { status: 'requested', approvals: approved }),
    withdrawal('to pay', { status: 'approved', approvals: approved, firstpaid: null }),
    withdrawal('paid, says one', { status: 'approved', approvals: approved, firstpaid }),
    withdrawal('paid, said one who is gone', { status: 'approved', approvals: approved, firstpaid: left }),
    { key: 'plan', since, kind: 'plan', of: plan },
  ];
  const keysIn = (view: Parameters<typeof isIn>[0]) =>
    items.filter((item) => isIn(view, item)).map(({ key }) => key);
  expect(keysIn('second')).toEqual(['confirmed by one', 'approved by one', 'paid, says one', 'plan']);
  expect(keysIn('deposits')).toHaveLength(3);
  expect(keysIn('withdrawals')).toHaveLength(5);
  expect(keysIn('all')).toHaveLength(items.length);
});

describe('approving or paying a withdrawal', () => {
  const me = 'a';
  const fresh = { frozen: null, status: 'requested' as const, approvals: [] };
  const mine = { operator: me, name: 'Ada', at: '2026-11-15T12:00:00Z' };

  it('nothing is in the way of a fresh request, nor of one that the other operator approved', () => {
    expect(whyOff(fresh, null, me)).toBeNull();
    expect(whyOff({ ...fresh, approvals: [{ ...mine, operator: 'b' }] }, null, me)).toBeNull();
  });

  it('nobody is the second operator to themselves', () => {
    expect(whyOff({ ...fresh, approvals: [mine] }, null, me)).toContain('second operator');
  });

  it('whoever approved it may mark it paid', () => {
    expect(whyOff({ ...fresh, status: 'approved', approvals: [mine] }, null, me)).toBeNull();
  });

  it('a freeze says why, that of all withdrawals first', () => {
    const frozen = { ...fresh, frozen: 'Address reported as stolen.' };
    expect(whyOff(frozen, null, me)).toContain('Address reported as stolen.');
    expect(whyOff(frozen, 'The check of the ledger failed.', me)).toContain(
      'The check of the ledger failed.',
    );
  });
});
