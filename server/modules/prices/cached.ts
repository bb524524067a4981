import { type Clock, dayMs } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { RateLimited } from './client.ts';
import { backOffMs } from './rules.ts';

interface CachedOptions<T> {
  load(): Promise<T>;
  everyMs: number;
  clock: Clock;
  logger: Logger;
}

interface Kept<T> {
  value: T;
  at: number;
}

/** Older than this an answer says nothing about today and is not shown any more. */
const keptMsMax = dayMs;

/**
 * One call upstream in a while, however many ask. Whoever asks gets the last good answer at once, while a fresh one is
 * fetched behind it; only the very first waits. Failures space the calls out.
 */
export function createCached<T>({ load, everyMs, clock, logger }: CachedOptions<T>) {
  let kept: Kept<T> | null = null;
  let flight: Promise<void> | null = null;
  let failures = 0;
  let notBefore = Number.NEGATIVE_INFINITY;

  async function refresh(): Promise<void> {
    try {
      kept = { value: await load(), at: clock.now().getTime() };
      failures = 0;
      notBefore = kept.at + everyMs;
    } catch (error) {
      failures += 1;
      const askedForMs = error instanceof RateLimited ? error.retryAfterMs : null;
      notBefore = clock.now().getTime() + backOffMs(failures, everyMs, askedForMs);
      logger.warn({ reason: (error as Error).message, failures }, 'Error fetching crypto rates:');
    } finally {
      flight = null;
    }
  }

  function known(): { value: T; ageMs: number } | null {
    if (!flight && clock.now().getTime() >= notBefore) flight = refresh();
    if (!kept) return null;
    const ageMs = clock.now().getTime() - kept.at;
    return ageMs <= keptMsMax ? { value: kept.value, ageMs } : null;
  }

  return {
    /** What is known at this moment, without waiting for anything. */
    known,

    async get(): Promise<{ value: T; ageMs: number } | null> {
      const atOnce = known();
      if (atOnce || kept) return atOnce;
      await flight;
      return known();
    },
  };
}
