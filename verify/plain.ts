/** Numbers and times as the formats write them: one spelling each. Null for every other. */

/** 2^63 − 1: no amount, and no sum of amounts, is larger. */
export const amountMax = 2n ** 63n - 1n;

export function wholeOf(text: string): bigint | null {
  return /^(0|[1-9][0-9]{0,18})$/.test(text) && BigInt(text) <= amountMax ? BigInt(text) : null;
}

/** As `wholeOf`, with a minus allowed where it means something. */
export function signedOf(text: string): bigint | null {
  const size = wholeOf(text.startsWith('-') ? text.slice(1) : text);
  if (size === null || !text.startsWith('-')) return size;
  return size === 0n ? null : -size;
}

/** A count that a number holds exactly. */
export function countOf(text: string): number | null {
  const whole = wholeOf(text);
  return whole !== null && whole <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(whole) : null;
}

/** Milliseconds since 1970 of `2026-01-31T00:00:00Z`. */
export function secondOf(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) return null;
  return momentOf(text.replace('Z', '.000Z'));
}

/** Milliseconds since 1970 of `2026-01-31T00:00:00.000Z`. */
export function momentOf(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return null;
  const moment = Date.parse(text);
  // The 31st of February would be another day.
  return Number.isNaN(moment) || new Date(moment).toISOString() !== text ? null : moment;
}

/** What is wrong, in words for the person who reads it. */
export interface Wrong {
  wrong: string;
}

export const isWrong = (result: object): result is Wrong => 'wrong' in result;

/** `123456n` is `$1,234.56`. */
export function dollars(cents: bigint): string {
  const size = cents < 0n ? -cents : cents;
  const whole = String(size / 100n).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${cents < 0n ? '\u2212' : ''}$${whole}.${String(size % 100n).padStart(2, '0')}`;
}

/** `1 entry`, `1,204 entries`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${String(count).replace(/\B(?=(\d{3})+$)/g, ',')} ${count === 1 ? one : many}`;
}

/** Hundredths of a percent: `11028n` is `110.28%`. */
export const percent = (points: bigint): string =>
  `${points / 100n}.${String(points % 100n).padStart(2, '0')}%`;

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `16 Mar 2026`, in UTC. */
export function dayOf(moment: number): string {
  const date = new Date(moment);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** `16 Mar 2026, 09:40:00 UTC`. */
export function dated(moment: number): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return 'an unknown time';
  return `${dayOf(moment)}, ${date.toISOString().slice(11, 19)} UTC`;
}
