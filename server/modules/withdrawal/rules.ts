import { type Cents, formatUsd } from '@tallystick/contract/money';
import { withdrawalCentsMin } from '@tallystick/contract/withdrawal';

export type WithdrawalStatus = 'requested' | 'approved' | 'paid' | 'rejected' | 'cancelled';
export type WithdrawalStep = 'approve' | 'pay' | 'reject' | 'cancel';

/** Why an amount cannot be withdrawn, funds aside; null when it can. */
export function amountRefusal(amountCents: Cents): string | null {
  if (amountCents >= withdrawalCentsMin) return null;
  return `The smallest withdrawal is ${formatUsd(withdrawalCentsMin)}.`;
}

export const dayMs = 24 * 60 * 60 * 1000;

/** More would only fill the operators' queue. */
export const openWithdrawalsMax = 20;

const nextStatus: Record<WithdrawalStep, Partial<Record<WithdrawalStatus, WithdrawalStatus>>> = {
  approve: { requested: 'approved' },
  pay: { approved: 'paid' },
  reject: { requested: 'rejected', approved: 'rejected' },
  cancel: { requested: 'cancelled' },
};

/** Where a step leads from a status; null when it is not possible (any more). */
export function statusAfter(step: WithdrawalStep, status: WithdrawalStatus): WithdrawalStatus | null {
  return nextStatus[step][status] ?? null;
}

/** Some networks write an address in small or capital letters as they please; two that differ in no more are one. */
export const addressKey = (address: string): string => address.toLowerCase();

export function isSameAddress(one: string, other: string): boolean {
  return addressKey(one) === addressKey(other);
}
