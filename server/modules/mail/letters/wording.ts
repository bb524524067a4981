import { readUserAgent } from '@tallystick/contract/device';
import { type Cents, formatUsd } from '@tallystick/contract/money';
import { z } from 'zod';

/** Controls, line breaks and direction marks could forge a header or reorder what is read; joiners are part of real names. */
const unseen = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const linkLike = /:\/\/|@|www\.|\S\.\p{L}{2,}/iu;
const nameLengthMax = 100;
const addressLengthMax = 200;
const reasonLengthMax = 500;

/** A name on one line, as it may stand in a header or a sentence. */
export function oneLine(text: string, lengthMax = nameLengthMax): string {
  const line = text.replace(unseen, ' ').replace(/\s+/gu, ' ').trim();
  return [...line].slice(0, lengthMax).join('').trim();
}

/** What stands on a chain, an address or the id of a transaction, is longer than a name. */
export const chainLine = (text: string) => oneLine(text, addressLengthMax);

/** What an operator gave as the reason, as one line: a letter has no room for a page. */
export const reasonLine = (reason: string) => oneLine(reason, reasonLengthMax);

/**
 * Anyone can sign up with another person's address and a "name" that is an advertisement with a link, and mail
 * programs make links of anything that looks like one: such a name is not repeated in our letter.
 */
export function greeting(name: string): string {
  const shown = oneLine(name);
  return shown === '' || linkLike.test(shown) ? 'Hello' : `Hello ${shown}`;
}

/**
 * 'Firefox on Linux'. Any program may call itself anything, also a sentence meant for the reader, so its own words
 * are never repeated.
 */
export function deviceOf(userAgent: string): string {
  const { browser, system } = readUserAgent(userAgent);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? 'Not recognised';
}

/** '5 Nov 2026, 14:32 UTC' */
export function utcTime(instant: string): string {
  const words = new Date(instant).toUTCString();
  return `${words.slice(5, 16).replace(/^0/, '')}, ${words.slice(17, 22)} UTC`;
}

/** Cents in a queued letter: JSON has no integers of that size, so they travel as their digits. */
export const CentsText = z.string().regex(/^\d+$/);
export const SignedCentsText = z.string().regex(/^-?\d+$/);

/** What such digits say: `$5.00`. */
export const usd = (centsText: string) => formatUsd(BigInt(centsText));

/** `+$5.00` or `−$5.00`, where the direction is the news. */
export const signedUsd = (cents: Cents) => `${cents > 0n ? '+' : ''}${formatUsd(cents)}`;
