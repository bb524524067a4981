import { stepUpMinutes } from '@tallystick/contract/factors';
import { minuteMs } from '../../../platform/clock.ts';
import { sha256 } from '../rules.ts';

/** By what a session was begun, or stepped up. */
export type Factor = 'passkey' | 'code' | 'recovery';

export const factorRules = {
  stepUpMs: stepUpMinutes * minuteMs,
  /** The next request may reach another server, whose clock is a little behind. */
  clocksApartMs: minuteMs,
  /** As long as a mailed code: mail takes its time. */
  linkMs: 10 * minuteMs,
  linksPerAccount: { limit: 10, windowMs: 60 * minuteMs },
  /** Whoever comes may ask for a passkey, and each question is a row until the next day. */
  questionsPerAddress: { limit: 100, windowMs: 10 * minuteMs },
  /** Of one flow; what an account and an address may try is counted beside it. */
  triesPerFlow: 5,
} as const;

/** What an account has on. */
export interface Held {
  authenticator: boolean;
  passkeys: number;
  codesLeft: number;
}

/** A recovery code stands in for a factor that is lost: by itself it is none. */
export const hasFactor = ({ authenticator, passkeys }: Held): boolean => authenticator || passkeys > 0;

/** How an account shows its second factor; nothing where none is on. */
export function waysOf(held: Held): Factor[] {
  if (!hasFactor(held)) return [];
  return [
    ...(held.passkeys > 0 ? (['passkey'] as const) : []),
    ...(held.authenticator ? (['code'] as const) : []),
    ...(held.codesLeft > 0 ? (['recovery'] as const) : []),
  ];
}

/** How a session of such an account steps up. */
export const stepUpWays = (held: Held) => (hasFactor(held) ? waysOf(held) : ['mail' as const]);

/** Until when a session may do what asks for step-up; null when it may not now. */
export function steppedUpUntil(steppedUpAt: Date | null, now: Date): Date | null {
  if (!steppedUpAt || steppedUpAt.getTime() - now.getTime() > factorRules.clocksApartMs) return null;
  const until = new Date(steppedUpAt.getTime() + factorRules.stepUpMs);
  return now < until ? until : null;
}

/** How much may be on its way out of an account without step-up; null where nothing asks for it. */
export const unaskedCents = (held: Held, aboveCents: bigint): bigint | null =>
  hasFactor(held) ? aboveCents : null;

/**
 * A passkey counts its uses, or always says zero. One that does not go on was copied, and the copy may be what we are
 * shown.
 */
export const isRolledBack = (kept: bigint, shown: bigint): boolean => kept > 0n && shown <= kept;

/** A flow belongs to the password it began with. The mark tells nothing of it, nor of its hash. */
export const passwordMark = (passwordHash: string): Buffer => sha256(passwordHash);

/** A code cannot be told from one that was typed into a false page; a passkey knows whom it speaks to. */
export const stepsUpAtSignIn = (factor: Factor): boolean => factor === 'passkey';

const loopbackAddresses = ['127.0.0.1', '[::1]'];

/** For whom passkeys are made. Browsers make none for a bare address: on one's own machine it is the machine's name. */
export function relyingPartyOf(siteUrl: string): { id: string; origins: string[] } {
  const { hostname, origin, protocol, port } = new URL(siteUrl);
  if (!loopbackAddresses.includes(hostname)) return { id: hostname, origins: [origin] };
  return { id: 'localhost', origins: [`${protocol}//localhost${port && `:${port}`}`] };
}
