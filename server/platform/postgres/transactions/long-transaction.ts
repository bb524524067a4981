import type pg from 'pg';
import { type Db, pools, type Tx, transactionOn } from '../db.ts';
import { together } from '../wire/together.ts';

/** A statement that takes longer is not waited for, whatever it does. */
const statementMsMax = 60 * 60_000;

const tryLock = 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as free';

interface LongWork<Before, T> {
  before(tx: Tx): Promise<Before>;
  work(tx: Tx, before: Before): Promise<T>;
  /** Whoever waits for it has changed their mind: nothing of it stays. */
  signal?: AbortSignal;
}

/**
 * Work that may take minutes on one snapshot of the database, on one connection, by one server at a time. What comes
 * `before` the snapshot is no transaction: it sees what others do meanwhile, who may be at the same. Null when another is at
 * the work itself. The lock is one of the transaction and not of a session, which PgBouncer would not keep together.
 */
export async function inLongTransaction<Before, T>(
  db: Db,
  name: string,
  { before, work, signal }: LongWork<Before, T>,
): Promise<T | null> {
  const client = await pools.get(db)?.connect();
  if (!client) throw new Error('a long transaction cannot begin inside another');
  const query = ((asked: string | pg.QueryConfig, values?: unknown[]) => {
    const statement = typeof asked === 'string' ? { text: asked } : asked;
    const patient = { ...statement, ...(values && { values }), answerMsMax: statementMsMax };
    return client.query(patient);
  }) as typeof client.query;
  const tx = transactionOn({
    query,
    // Not prepared for a next time: it may be hours until then, and a table of its own is gone by then.
    send: (statements) => together(client, statements, { keepsPrepared: false, msMax: statementMsMax }),
    release() {},
  });
  let isBroken = false;
  // Whatever is under way there fails with its connection.
  const giveUp = () => void client.end().catch(() => {});
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    const known = await before(tx);
    await client.query('begin isolation level repeatable read');
    // Between two statements something is computed; it is heard of, or the connection breaks.
    await client.query(`set local statement_timeout = ${statementMsMax}`);
    await client.query(`set local idle_in_transaction_session_timeout = ${statementMsMax}`);
    const lock = await client.query(tryLock, [name]);
    const result = lock.rows[0].free ? await work(tx, known) : null;
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new Error('the transaction had failed before its end');
    return result;
  } catch (error) {
    // It is undone with its connection.
    isBroken = true;
    throw error;
  } finally {
    signal?.removeEventListener('abort', giveUp);
    client.release(isBroken);
  }
}
