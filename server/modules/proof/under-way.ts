import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/postgres/db.ts';
import { transactionsUnderWay } from './store.ts';

const lookMs = 50;

/**
 * Waits until every transaction has ended that is under way now, whoever's. What any of them has dated before is seen by
 * whoever reads afterwards. No lock is held that somebody could wait for.
 */
export async function thoseUnderWayEnd(
  db: Db | Tx,
  { msMax, refusal }: { msMax: number; refusal: string },
): Promise<void> {
  const begun = await transactionsUnderWay(db);
  const until = performance.now() + msMax;
  for (let others = begun; !begun.isDisjointFrom(others); others = await transactionsUnderWay(db)) {
    if (performance.now() > until) throw new AppError('busy', refusal, { retryAfterSeconds: 10 });
    await delay(lookMs);
  }
}
