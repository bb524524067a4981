import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { domainToASCII, domainToUnicode } from 'node:url';
import { coins } from '@tallystick/contract/networks';
import { type CodePurpose, NewPassword } from '@tallystick/contract/users';
import { dictionary } from '@zxcvbn-ts/language-common';
import { dayMs, hourMs, minuteMs } from '../../platform/clock.ts';

const secondMs = 1000;

/** Whose code it is and for what; a reset's works only in the browser that asked for it. */
export interface CodeOf {
  userId: string;
  purpose: CodePurpose;
  flowId: string | null;
}

export const codeRules = {
  codeLifeMs: 10 * minuteMs,
  linkLifeMs: dayMs,
  flowLifeMs: hourMs,
  triesPerCode: 5,
  issueGapMs: minuteMs,
  issuesPerDay: 5,
  issuesPerAddress: { limit: 20, windowMs: hourMs },
  wrongTriesPerAccount: { limit: 15, windowMs: dayMs },
  /** All accounts together. One guess in ten thousand is right, so this keeps a botnet's luck below one account in ten days. */
  wrongTriesOfAll: { limit: 1000, windowMs: dayMs },
  dayMs,
} as const;

const fromTheFifth = { from: 5, firstDelayMs: 30 * secondMs, delayMsMax: hourMs };

export const signInRules = {
  perAddress: { ...fromTheFifth, windowMs: hourMs },
  /** One account tried from one address, or from one device. */
  perPair: { ...fromTheFifth, windowMs: dayMs },
  /**
   * One account tried by strangers, of whom each address counts five times a day: it takes many addresses to get here,
   * and then only strangers wait.
   */
  perAccount: { from: 25, firstDelayMs: 30 * secondMs, delayMsMax: 15 * minuteMs, windowMs: dayMs },
} as const;

export const deviceRules = {
  /** Of one person; the least recently used are forgotten first. */
  keptMax: 50,
  /** As long as browsers keep a cookie at most. */
  lifeMs: 400 * dayMs,
} as const;

/** After a reset, which whoever reads the mailbox can do, the owner has a day to notice before money goes elsewhere. */
export const newAddressesWaitMs = dayMs;

/** How stale `seen_at` may get before a request writes it again: a read should not cost a write each time. */
export const seenEveryMs = minuteMs;

/**
 * The form in which two spellings of one address are equal. Lower-cased, never upper-cased: upper-casing would turn
 * a dotless i into I and make two people's addresses one. Mail always goes to the stored spelling, not to the typed
 * one, so a look-alike can at most knock at the right person's door.
 */
export function emailKey(email: string): string {
  const folded = email.trim().normalize('NFKC').toLowerCase().normalize('NFKC');
  const at = folded.lastIndexOf('@');
  const domain = folded.slice(at + 1);
  return `${folded.slice(0, at)}@${domainToASCII(domain) || domain}`;
}

/**
 * Why an address cannot be a new account's, beyond what the contract refuses already; null when it can. A domain that
 * is not its own plain spelling could be the same mailbox as another's, or no mailbox at all.
 */
export function emailRefusal(email: string): string | null {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const ascii = domainToASCII(domain);
  if (ascii && (ascii === domain || domainToUnicode(ascii) === domain)) return null;
  return 'Write the part after the @ in its usual form, like example.com.';
}

/** The list is in order of use; beyond this rank a word is no longer among an attacker's first guesses. */
const commonPasswordRankMax = 10_000;
const commonPasswords = new Set(dictionary['passwords-common'].slice(0, commonPasswordRankMax));

/** What whoever attacks this house tries first, beside the coins; docs/security.md has the list, too. */
export const houseWords = [
  'tally',
  'stick',
  'crypto',
  'coin',
  'invest',
  'investor',
  'investment',
  'money',
  'wallet',
  'deposit',
  'withdraw',
  'withdrawal',
  'profit',
  'plan',
  'admin',
  'operator',
  'password',
  'my',
  'the',
];
const triedFirst = [
  ...houseWords,
  ...coins.flatMap(({ name, ticker }) => [name, ticker]).map((name) => name.toLowerCase()),
];

/** Whether nothing but such words is left without digits and signs, as of Bitcoin-Wallet2026! */
function isOfHouseWords(password: string): boolean {
  const letters = password.toLowerCase().replace(/\P{L}/gu, '');
  const ends = new Set([0]);
  // A set hands out what was added meanwhile, too: each place is begun from once.
  for (const at of ends) {
    for (const word of triedFirst) if (letters.startsWith(word, at)) ends.add(at + word.length);
  }
  return letters !== '' && ends.has(letters.length);
}

/** Why a password cannot be chosen, in words for the person choosing; null when it can. */
export function passwordRefusal(password: string): string | null {
  const shape = NewPassword.safeParse(password);
  if (!shape.success) return shape.error.issues[0]?.message ?? 'Choose another password.';
  if (commonPasswords.has(password.toLowerCase())) {
    return 'This password is among the most used ones and would be guessed first. Choose another.';
  }
  if (isOfHouseWords(password)) {
    return 'This password is made of words that would be tried here first. Choose another.';
  }
  return null;
}

export function sha256(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** The same in digits, for what every request asks for: a buffer of its own costs more than the hash. */
export const sha256Hex = (secret: string): string => hash('sha256', secret);

interface CodeBinding extends CodeOf {
  key: Buffer;
  code: string;
}

/** Four digits are quickly tried by whoever can read the table; under a secret key they are not. */
export function codeHmac({ key, userId, purpose, flowId, code }: CodeBinding): Buffer {
  return createHmac('sha256', key)
    .update([userId, purpose, flowId ?? '', code].join('\n'))
    .digest();
}

export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

interface SessionTimes {
  seenAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
}

export function sessionIsAlive(session: SessionTimes, idleMs: number, now: Date): boolean {
  if (session.endedAt) return false;
  return now < session.expiresAt && now.getTime() - session.seenAt.getTime() < idleMs;
}

interface Issued {
  firstIssuedAt: Date | null;
  lastIssuedAt: Date | null;
  issuedToday: number;
}

/** How long until another code may be mailed; zero when it may be now. */
export function waitBeforeIssue(issued: Issued, now: Date): number {
  if (!issued.firstIssuedAt || !issued.lastIssuedAt) return 0;
  if (issued.issuedToday >= codeRules.issuesPerDay) {
    return codeRules.dayMs - (now.getTime() - issued.firstIssuedAt.getTime());
  }
  return Math.max(0, codeRules.issueGapMs - (now.getTime() - issued.lastIssuedAt.getTime()));
}
