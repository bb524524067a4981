import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/postgres/db.ts';
import { prune } from '../../platform/postgres/prune.ts';
import type { Account, Entry } from './rules.ts';
import { accountColumns } from './store.ts';

/** All accounts as they were at one moment: the caller's transaction reads a snapshot. */
export async function accountsForCheck(tx: Tx): Promise<Account[]> {
  return tx.selectFrom('ledger_accounts').select(accountColumns).orderBy('id').execute();
}

/** As much of an entry as its hash is made of, and the hash. */
export type CheckedEntry = Omit<Entry, 'movementId' | 'balanceBeforeCents' | 'hash'> & {
  transactionid: string;
  hash: Buffer;
};

export type EntryPlace = Pick<Entry, 'accountId' | 'seq'>;
export const firstPlace: EntryPlace = { accountId: '00000000-0000-0000-0000-000000000000', seq: 0n };

/** Those that follow a place, one account after the other, each in the order in which it was written. */
export async function entriesInOrder(tx: Tx, after: EntryPlace, limit: number): Promise<CheckedEntry[]> {
  const { rows } = await sql<CheckedEntry>`
    select e.account_id as "accountId", e.seq, e.at, e.label, m.transactionid, e.amount_cents as "amountCents",
      e.balance_after_cents as "balanceAfterCents", e.hash
    from ledger_entries e join ledger_movements m on m.id = e.movement_id
    where (e.account_id, e.seq) > (${after.accountId}::uuid, ${after.seq}::bigint)
    order by e.account_id, e.seq
    limit ${limit}`.execute(tx);
  return rows;
}

/** Only one reads the whole journal at a time; false when another does. */
export async function beginCheck(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('ledger_checks', 0)) as free`.execute(tx);
  return rows[0]?.free ?? false;
}

export async function takeSnapshot(tx: Tx): Promise<void> {
  await sql`set transaction isolation level repeatable read read only`.execute(tx);
  // The journal grows; reading all of it may take longer than any request may.
  await sql`set local statement_timeout = 0`.execute(tx);
}

/**
 * Movements that do not balance, whose entries, accounts or own row are gone, or whose time and that of their entries
 * differ. Times are written in whole milliseconds; a finer one, which the chain cannot see, is not ours.
 */
export async function brokenMovements(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select coalesce(m.id, e.movement_id) as id
    from ledger_entries e
    full join ledger_movements m on m.id = e.movement_id
    left join ledger_accounts a on a.id = e.account_id
    group by 1
    having sum(e.amount_cents) is distinct from 0
      or bool_or(a.id is null or e.at is distinct from m.at or m.at <> date_trunc('milliseconds', m.at))
    order by 1
    limit 100`.execute(tx);
  return rows.map(({ id }) => id);
}

export async function insertCheck(
  tx: Tx,
  check: { at: Date; accounts: bigint; entries: bigint; findings: string[] },
): Promise<void> {
  await tx
    .insertInto('ledger_checks')
    .values({ ...check, findings: JSON.stringify(check.findings) })
    .execute();
}

export async function lastCheck(db: Db | Tx) {
  const row = await db
    .selectFrom('ledger_checks')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** The newest and those that found something are kept for good. By the clock of the database, which keeps younger ones, whoever asks. */
export async function deleteOldChecks(db: Db): Promise<void> {
  const isOver = sql`(findings = '[]' and at < now() - interval '90 days'
    and id < (select max(id) from ledger_checks))`;
  await prune(db, 'ledger_checks', isOver);
}

/** Keeps the first reason: that is where someone has to look. */
export async function freeze(tx: Tx, reason: string, now: Date): Promise<boolean> {
  const result = await tx
    .updateTable('ledger_freeze')
    .set({ frozen_at: now, reason })
    .where('frozen_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Holds the freeze, so that a check that finishes at the same moment comes before or after, never between. */
export async function lockFreeze(tx: Tx): Promise<void> {
  await tx.selectFrom('ledger_freeze').select('only_row').forUpdate().execute();
}

export async function unfreeze(tx: Tx): Promise<void> {
  await tx.updateTable('ledger_freeze').set({ frozen_at: null, reason: null }).execute();
}

export async function freezeReason(db: Db | Tx): Promise<string | null> {
  const row = await db.selectFrom('ledger_freeze').select(['frozen_at', 'reason']).executeTakeFirst();
  return row?.frozen_at ? (row.reason ?? 'frozen') : null;
}
