export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Time comes from here, so that a test can move it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** What a test's own clock says; null where it is for the database to tell the time. */
export const testTime = (clock: Clock): Date | null => (clock === systemClock ? null : clock.now());

/** Money is not dated by a clock that cannot be right: it stands still, and whoever asks is told to come back. */
export class WrongClock extends Error {}
