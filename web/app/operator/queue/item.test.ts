import type { QueuedDeposit, QueuedWithdrawal } from '@tallystick/contract/operator/queue';
import { expect, it } from 'vitest';
import { type Item, isIn } from './item.ts';

const since = '2026-11-15T12:00:00Z';
const first = { departed: false } as QueuedDeposit['first'];
const gone = { departed: true } as QueuedDeposit['first'];
const approved = [{ operator: 'ada' }] as QueuedWithdrawal['approvals'];
const deposit = (key: string, of: Partial<QueuedDeposit>) =>
  ({ key, since, kind: 'deposit', of: of as QueuedDeposit }) as const;
const withdrawal = (key: string, of: Partial<QueuedWithdrawal>) =>
  ({ key, since, kind: 'withdrawal', of: of as QueuedWithdrawal }) as const;

it('no request of which one operator has done a part is left out of what waits for the second', () => {
  const items: Item[] = [
    deposit('fresh deposit', { first: null }),
    deposit('confirmed by one', { first }),
    deposit('confirmed by one who is gone', { first: gone }),
    withdrawal('fresh withdrawal', { status: 'requested', approvals: [] }),
    withdrawal('approved by one', { status: 'requested', approvals: approved }),
    withdrawal('to pay', { status: 'approved', approvals: approved }),
    { key: 'plan', since, kind: 'plan', of: {} as never },
  ];
  const keysIn = (view: Parameters<typeof isIn>[0]) =>
    items.filter((item) => isIn(view, item)).map(({ key }) => key);
  expect(keysIn('second')).toEqual(['confirmed by one', 'approved by one', 'plan']);
  expect(keysIn('deposits')).toHaveLength(3);
  expect(keysIn('withdrawals')).toHaveLength(3);
  expect(keysIn('all')).toHaveLength(items.length);
});
