import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/postgres/db.ts';
import type { Movement } from './rules.ts';

/** A movement as those read it who act on what has happened. */
export interface JournalMovement extends Pick<Movement, 'transactionid' | 'kind' | 'at' | 'reference'> {
  number: bigint;
}

/** The newest number that was drawn, whether or not its movement will stay. */
export async function lastNumberDrawn(db: Db | Tx): Promise<bigint> {
  const { rows } = await sql<{ number: bigint }>`
    select case when is_called then last_value else 0 end as number from ledger_movements_number_seq`.execute(
    db,
  );
  return rows[0]?.number ?? 0n;
}

/**
 * The transactions that are writing movements. Each holds the table's lock from before it draws a number until what it
 * has written can be read, or is gone.
 */
export async function writersUnderWay(db: Db | Tx): Promise<Set<string>> {
  const { rows } = await sql<{ writer: string }>`
    select virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = 'ledger_movements'::regclass and mode = 'RowExclusiveLock'
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return new Set(rows.map(({ writer }) => writer));
}

export async function readUntil(db: Db | Tx, name: string): Promise<bigint> {
  const row = await db
    .selectFrom('ledger_readers')
    .select('read_to as readTo')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return row.readTo;
}

/** How far it has come, held for this transaction; null while another server reads. */
export async function lockReader(tx: Tx, name: string): Promise<bigint | null> {
  const row = await tx
    .selectFrom('ledger_readers')
    .select('read_to as readTo')
    .where('name', '=', name)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row?.readTo ?? null;
}

export async function markRead(tx: Tx, name: string, readTo: bigint): Promise<void> {
  await tx.updateTable('ledger_readers').set({ read_to: readTo }).where('name', '=', name).execute();
}

export async function movementsAfter(
  tx: Tx,
  { after, upTo }: { after: bigint; upTo: bigint },
  limit: number,
): Promise<JournalMovement[]> {
  return tx
    .selectFrom('ledger_movements')
    .select(['number', 'transactionid', 'kind', 'at', 'reference'])
    .where('number', '>', after)
    .where('number', '<=', upTo)
    .orderBy('number')
    .limit(limit)
    .execute();
}
