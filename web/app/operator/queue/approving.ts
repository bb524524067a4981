import type { QueuedWithdrawal } from '@tallystick/contract/operator/queue';

/**
 * Why this operator cannot approve a withdrawal, or mark it paid, now; null when nothing is in the way. The server
 * decides again: this only spares a press that could not succeed.
 */
export function approvingIsOff(
  { frozen, status, approvals }: Pick<QueuedWithdrawal, 'frozen' | 'status' | 'approvals'>,
  ledgerFrozen: string | null,
  operatorId: string,
): string | null {
  if (ledgerFrozen !== null) return `All withdrawals are frozen: ${ledgerFrozen}`;
  if (frozen !== null) return `This investor’s withdrawals are frozen: ${frozen}`;
  if (status === 'requested' && approvals.some(({ operator }) => operator === operatorId)) {
    return 'You approved this. It needs a second operator.';
  }
  return null;
}
