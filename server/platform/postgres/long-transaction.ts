import type pg from 'pg';
import { copyOn } from './copy.ts';
import { type Db, poolOf, type Tx, transactionOn } from './db.ts';

/** A statement that takes longer is not waited for, whatever it does. */
const statementMsMax = 60 * 60_000;

/**
 * Work that may take minutes on one snapshot of the database, on one connection, by one server at a time. What comes
 * `before` the snapshot is no transaction: it sees what others do meanwhile. Null when another is at it.
 */
export async function inLongTransaction<Before, T>(
  db: Db,
  name: string,
  { before, work }: { before(tx: Tx): Promise<Before>; work(tx: Tx, before: Before): Promise<T> },
): Promise<T | null> {
  const client = await poolOf(db).connect();
  const query = ((asked: string | pg.QueryConfig, values?: unknown[]) => {
    const statement = typeof asked === 'string' ? { text: asked } : asked;
    return client.query({ ...statement, ...(values && { values }), query_timeout: statementMsMax });
  }) as typeof client.query;
  const tx = transactionOn({
    query,
    send: (statement) => ('rows' in statement ? copyOn(client, statement) : query(statement)),
    release() {},
  });
  let isBroken = false;
  try {
    const lock = await client.query('select pg_try_advisory_lock(hashtextextended($1, 0)) as free', [name]);
    if (!lock.rows[0].free) return null;
    try {
      const known = await before(tx);
      await client.query('begin isolation level repeatable read');
      // Between two statements something is computed; it is heard of, or the connection breaks.
      await client.query(`set local statement_timeout = ${statementMsMax}`);
      await client.query(`set local idle_in_transaction_session_timeout = ${statementMsMax}`);
      const result = await work(tx, known);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]);
    }
  } catch (error) {
    isBroken = true;
    throw error;
  } finally {
    client.release(isBroken);
  }
}
