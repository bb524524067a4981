import { expect, test } from 'vitest';
import { approvingIsOff } from './approving.ts';

const me = 'a';
const fresh = { frozen: null, status: 'requested' as const, approvals: [] };
const mine = { operator: me, name: 'Ada', at: '2026-11-15T12:00:00Z' };

test('nothing is in the way of a fresh request, nor of one that the other operator approved', () => {
  expect(approvingIsOff(fresh, null, me)).toBeNull();
  expect(approvingIsOff({ ...fresh, approvals: [{ ...mine, operator: 'b' }] }, null, me)).toBeNull();
});

test('nobody is the second operator to themselves', () => {
  expect(approvingIsOff({ ...fresh, approvals: [mine] }, null, me)).toContain('second operator');
});

test('whoever approved it may mark it paid', () => {
  expect(approvingIsOff({ ...fresh, status: 'approved', approvals: [mine] }, null, me)).toBeNull();
});

test('a freeze says why, that of all withdrawals first', () => {
  const frozen = { ...fresh, frozen: 'Address reported as stolen.' };
  expect(approvingIsOff(frozen, null, me)).toContain('Address reported as stolen.');
  expect(approvingIsOff(frozen, 'The check of the ledger failed.', me)).toContain(
    'The check of the ledger failed.',
  );
});
