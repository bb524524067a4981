export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Time comes from here, so that a test can move it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A prime, so that whole days apart are places apart. */
const spelt = { ms: new Float64Array(61).fill(Number.NaN), texts: new Array<string>(61).fill('') };

/** As `toISOString`, which takes a microsecond: what is moved or answered together names the same few moments over and over. */
export function isoOf(at: Date): string {
  const ms = at.getTime();
  const place = Math.abs(ms) % spelt.texts.length;
  if (spelt.ms[place] !== ms) {
    spelt.texts[place] = at.toISOString();
    spelt.ms[place] = ms;
  }
  return spelt.texts[place] as string;
}

/** What a test's own clock says; null where it is for the database to tell the time. */
export const testTime = (clock: Clock): Date | null => (clock === systemClock ? null : clock.now());

/** Money is not dated by a clock that cannot be right: it stands still, and whoever asks is told to come back. */
export class WrongClock extends Error {}
