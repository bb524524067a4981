import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import type { EmbeddedPostgres } from './embedded-postgres.ts';

const lookMs = 250;
const retryMs = 1_000;
/** So many starts within so long a time are no accidents any more. */
const startsMax = 5;
const withinMs = 60_000;

type Supervised = Pick<EmbeddedPostgres, 'isRunning' | 'startAgain' | 'stop'>;

/**
 * Nobody else looks after a database that came with the package: when it ends by itself it is started again at the same
 * address, so that connections heal. One that keeps ending is given up, and `lost` says so.
 */
export function supervise(
  postgres: Supervised,
  logger: Logger,
): { lost: Promise<Error>; stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const starts: number[] = [];
  const pause = (ms: number) => delay(ms, undefined, { signal, ref: false }).catch(() => {});

  async function bringBack(): Promise<Error | null> {
    let why = 'it keeps ending';
    while (!signal.aborted && !postgres.isRunning()) {
      const now = performance.now();
      while (starts[0] !== undefined && now - starts[0] > withinMs) starts.shift();
      if (starts.length >= startsMax)
        return new Error(`The embedded PostgreSQL cannot be kept running: ${why}`);
      starts.push(now);
      logger.error(
        { alert: true, start: starts.length },
        'the embedded PostgreSQL has ended; starting it again',
      );
      try {
        await postgres.startAgain();
        logger.warn('the embedded PostgreSQL runs again');
      } catch (error) {
        why = (error as Error).message;
        logger.error({ err: error }, 'the embedded PostgreSQL did not start');
        await pause(retryMs);
      }
    }
    return null;
  }

  let watching: Promise<Error | null>;
  async function watch(): Promise<Error | null> {
    while (!signal.aborted) {
      await pause(lookMs);
      const lost = await bringBack();
      if (lost) return lost;
    }
    return null;
  }

  const lost = new Promise<Error>((resolve) => {
    watching = watch();
    watching.then((error) => error && resolve(error));
  });
  return {
    lost,
    async stop() {
      stopping.abort();
      // A start that is under way is waited for, so that no database is left behind.
      await watching;
      await postgres.stop();
    },
  };
}
