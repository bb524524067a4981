import { addressWaitHours } from '@tallystick/contract/addresses';
import { type Cents, formatUsd } from '@tallystick/contract/money';
import { type Refusal, refuse } from '../../../platform/app-error.ts';
import { hourMs } from '../../../platform/clock.ts';
import { type Destination, isSameAddress, utcMinute } from '../rules.ts';

/** Without a network an address says little: one of Ethereum is one of every chain of its kind. */
export interface NetworkDestination extends Destination {
  network: string;
}

export interface SavedDestination extends NetworkDestination {
  usableFrom: Date;
}

export interface Protection {
  since: Date;
  /** When it ends, if that was asked for. */
  offFrom: Date | null;
}

/** What an investor has decided about where money may go. */
export interface Book {
  protection: Protection;
  saved: readonly SavedDestination[];
}

export const waitMs = addressWaitHours * hourMs;

/** To the instant: what has ended protects nothing, whether or not anybody was told yet. */
export const isProtected = (protection: Protection | null, now: Date): protection is Protection =>
  protection !== null && (protection.offFrom === null || now < protection.offFrom);

export const isSameDestination = (one: NetworkDestination, other: NetworkDestination): boolean =>
  one.network === other.network && isSameAddress(one.address, other.address) && one.tag === other.tag;

/** Where capitals say nothing about an address. In Base58 they are digits like the others. */
const inAnyLetters = /^(0x|bc1|tb1|bcrt1)/i;

/** In other capitals a Base58 address is somebody else's, or nobody's: what is sent there is lost. */
const isSpelled = (saved: NetworkDestination, to: NetworkDestination): boolean =>
  isSameDestination(saved, to) && (saved.address === to.address || inAnyLetters.test(to.address));

const notSaved = refuse(
  'address_not_saved',
  'Your addresses are protected: withdrawals go only to those that you have saved. Save this one first, under Addresses.',
);

/** Why nothing goes to an address while addresses are protected; null when it does. */
export function unsavedRefusal(to: NetworkDestination, book: Book | undefined, now: Date): Refusal | null {
  if (!book || !isProtected(book.protection, now)) return null;
  const saved = book.saved.find((each) => isSpelled(each, to));
  if (!saved) return notSaved;
  if (now >= saved.usableFrom) return null;
  return refuse('address_waits', `This address is new: it waits until ${utcMinute(saved.usableFrom)}.`);
}

/**
 * From when on a new address can be used. At once where nothing protects, or a second factor was shown that whoever has only
 * the mailbox cannot have added since: one that was on when protection began, or has been for as long as the wait.
 */
export function usableFrom(
  { protection, factorSince }: { protection: Protection | null; factorSince: Date | null },
  now: Date,
): Date {
  if (!isProtected(protection, now)) return now;
  const isTrusted =
    factorSince !== null &&
    (factorSince <= protection.since || factorSince.getTime() + waitMs <= now.getTime());
  return isTrusted ? now : new Date(now.getTime() + waitMs);
}

export const waitOver = (now: Date): Date => new Date(now.getTime() + waitMs);

/** Taking an address away takes back nothing that was asked for before: whoever stops a thief has to know. Null: nothing was. */
export function underWayWords({ count, cents }: { count: number; cents: Cents }): string | null {
  if (count === 0) return null;
  const [what, it] =
    count === 1
      ? [`A withdrawal of ${formatUsd(cents)} that was asked for before is`, 'it']
      : [`${count} withdrawals of ${formatUsd(cents)} together that were asked for before are`, 'them'];
  return `${what} still under way there. Log in and cancel ${it}, or write to support at once.`;
}
