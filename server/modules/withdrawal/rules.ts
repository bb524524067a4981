import { type Cents, formatUsd } from '@tallystick/contract/money';
import { type WithdrawalStatus, withdrawalCentsMin } from '@tallystick/contract/withdrawal';

export type WithdrawalStep = 'approve' | 'pay' | 'reject' | 'cancel';

/** Why an amount cannot be withdrawn, funds aside; null when it can. */
export function amountRefusal(amountCents: Cents): string | null {
  if (amountCents >= withdrawalCentsMin) return null;
  return `The smallest withdrawal is ${formatUsd(withdrawalCentsMin)}.`;
}

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

/** Where money goes. With another tag it is somebody else's, though the address is the same. */
export interface Destination {
  address: string;
  tag: bigint | null;
}

/** Who may not be paid elsewhere yet: until when, and where they were paid before. */
export interface AddressWait {
  until: Date;
  paidBefore: Destination[];
}

/** As a person reads it. */
export function utcMinute(at: Date): string {
  // Mon, 16 Nov 2026 16:51:00 GMT
  const words = at.toUTCString();
  return `${words.slice(5, 16).replace(/^0/, '')}, ${words.slice(17, 22)} UTC`;
}

/** Why an address cannot be paid to yet, in words for the person who typed it; null when it can. */
export function newAddressRefusal(
  { address, tag }: Destination,
  wait: AddressWait | undefined,
): string | null {
  const isKnown = (paid: Destination) => isSameAddress(paid.address, address) && paid.tag === tag;
  if (!wait || wait.paidBefore.some(isKnown)) return null;
  return `New addresses wait until ${utcMinute(wait.until)}, because your password was reset or your second factors were removed. An address that you were paid to before works at once.`;
}

/** Some networks write an address in small or capital letters as they please; two that differ in no more are one. */
export const addressKey = (address: string): string => address.toLowerCase();

export function isSameAddress(one: string, other: string): boolean {
  return addressKey(one) === addressKey(other);
}
