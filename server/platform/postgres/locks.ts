import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Logger } from '../logger.ts';
import { NotNow } from '../start-refusal.ts';
import type { Tx } from './db.ts';

/**
 * Lets one transaction at a time decide about each of these things, on whichever server: who had to wait here sees what
 * the one before has written. All at once and in the order of the locks' numbers, so that nobody waits in a circle.
 */
export async function lockNames(tx: Tx, names: string[]): Promise<void> {
  if (names.length === 0) return;
  await sql`
    select pg_advisory_xact_lock(number) from (
      select distinct hashtextextended(name, 0) as number from unnest(${names}::text[]) as t (name) order by number
    ) as numbers`.execute(tx);
}

/** The same for one that is not worth waiting for: false while another decides about it. */
export async function lockIfFree(tx: Tx, name: string): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as free`.execute(tx);
  return rows[0]?.free ?? false;
}

interface Held {
  /** The number of a lock, in SQL. */
  lock: string;
  /** What it is the lock of. */
  what: string;
  logger: Logger | undefined;
  /** Who waits for less says nothing. */
  afterMs?: number | undefined;
}

/** Not what it has said: a password's verifier may stand in that. */
const holder = (lock: string) => `
  select pid, host(client_addr) as address, backend_start as since, state, wait_event as "waitsFor"
  from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and granted and objsubid = 1
    and pg_locks.database = (select oid from pg_database where datname = current_database())
    and (classid::bigint << 32 | objid::bigint) = ${lock}`;

/** Whoever starts and waits for another process says so, once, and for which. */
export async function sayingWhoHolds<T>(
  owner: pg.Pool,
  { lock, what, logger, afterMs = 2_000 }: Held,
  wait: () => Promise<T>,
): Promise<T> {
  const say = async () => {
    // Nobody may be there any more, or to be asked: then that is all there is to say.
    const held = await owner.query(holder(lock)).catch(() => null);
    logger?.warn({ holder: held?.rows[0] ?? null }, `waiting for another process that holds ${what}`);
  };
  const timer = setTimeout(() => void say(), afterMs);
  try {
    return await wait();
  } finally {
    clearTimeout(timer);
  }
}

/** As long as whoever is before us may take. */
const waitMsMax = 10 * 60_000;
const lookMs = 250;

/** What is done before the first request. Whoever holds it writes nothing in that transaction. */
export const prepareLock = 'prepare';

const tryLock = 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as free';

/**
 * Lets one process at a time do something that is many transactions. The lock is one of a transaction that waits, not of
 * a session, which PgBouncer would not keep together; it ends with its connection, whatever became of the work. Those
 * who wait ask again and again: a statement that waits would look like somebody who writes.
 */
export async function oneAtATime<T>(
  owner: pg.Pool,
  name: string,
  work: () => Promise<T>,
  { logger, signal }: { logger?: Logger; signal?: AbortSignal | undefined } = {},
): Promise<T> {
  const client = await owner.connect();
  const untilFree = async () => {
    for (const until = performance.now() + waitMsMax; ; await delay(lookMs, undefined, { signal })) {
      await client.query('begin');
      const { rows } = await client.query<{ free: boolean }>(tryLock, [name]);
      if (rows[0]?.free) return;
      await client.query('rollback');
      if (performance.now() > until) throw new NotNow(`Another process has held ${name} for minutes.`);
    }
  };
  const held = {
    lock: `hashtextextended(${client.escapeLiteral(name)}, 0)`,
    what: `the lock of ${name}`,
    logger,
  };
  try {
    await sayingWhoHolds(owner, held, untilFree);
    // One that stands still while it holds it keeps nobody from starting for ever.
    await client.query(`set local idle_in_transaction_session_timeout = ${waitMsMax / 2}`);
    return await work();
  } finally {
    client.release(true);
  }
}
