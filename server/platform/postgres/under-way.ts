import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { AppError } from '../app-error.ts';
import type { Db, Tx } from './db.ts';

const lookMs = 50;

/**
 * The transactions that are under way in this database, whoever's. Each is named there until what it has written can be
 * read. A backup only reads, and takes long; what has no user is the database's own.
 */
async function transactionsUnderWay(db: Db | Tx, passedOver: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select l.virtualtransaction as id from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'virtualxid' and l.mode = 'ExclusiveLock' and l.pid <> pg_backend_pid()
      and a.datname = current_database() and a.usesysid is not null and a.application_name <> 'pg_dump'
      and not exists (select from pg_locks c where c.pid = l.pid and c.locktype = 'advisory' and c.granted
        and (c.classid::bigint << 32 | c.objid::bigint)
          in (select hashtextextended(name, 0) from unnest(${passedOver}::text[]) as name))`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

interface Waiting {
  /** Those who hold a lock of this name are not waited for. */
  passedOver: readonly string[];
  msMax: number;
  /** Told when it takes longer. */
  refusal: string;
}

/**
 * Waits until every transaction has ended that is under way now. What any of them has dated before is seen by whoever
 * reads afterwards. No lock is held that somebody could wait for.
 */
export async function thoseUnderWayEnd(db: Db | Tx, { passedOver, msMax, refusal }: Waiting): Promise<void> {
  const begun = await transactionsUnderWay(db, passedOver);
  const until = performance.now() + msMax;
  for (
    let others = begun;
    !begun.isDisjointFrom(others);
    others = await transactionsUnderWay(db, passedOver)
  ) {
    if (performance.now() > until) throw new AppError('busy', refusal, { retryAfterSeconds: 10 });
    await delay(lookMs);
  }
}
