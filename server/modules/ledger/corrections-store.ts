import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/postgres/db.ts';

export interface CorrectionRow {
  id: string;
  userId: string;
  amountCents: bigint;
  reason: string;
  askedBy: string;
  askedAt: Date;
  decidedBy: string | null;
  decidedAt: Date | null;
  transactionid: string | null;
}

const columns = [
  'id',
  'user_id as userId',
  'amount_cents as amountCents',
  'reason',
  'asked_by as askedBy',
  'asked_at as askedAt',
  'decided_by as decidedBy',
  'decided_at as decidedAt',
  'transactionid',
] as const;

type NewCorrection = Pick<CorrectionRow, 'userId' | 'amountCents' | 'reason' | 'askedBy' | 'askedAt'>;

/**
 * Asked under a key that was seen before it is the first one again. Null when there is no such person, or no more: who is
 * closing the account at this moment is waited for.
 */
export async function insertCorrection(
  tx: Tx,
  askKey: string,
  correction: NewCorrection,
): Promise<{ row: CorrectionRow; isNew: boolean } | null> {
  const { rows } = await sql<{ id: string }>`
    insert into ledger_corrections (ask_key, user_id, amount_cents, reason, asked_by, asked_at)
    select ${askKey}, u.id, ${correction.amountCents}::bigint, ${correction.reason}, ${correction.askedBy},
      ${correction.askedAt}::timestamptz
    from users u where u.id = ${correction.userId} and u.closed_at is null for share of u
    on conflict (ask_key) do nothing
    returning id`.execute(tx);
  const row = await tx
    .selectFrom('ledger_corrections')
    .select(columns)
    .where('ask_key', '=', askKey)
    .executeTakeFirst();
  return row ? { row, isNew: rows.length > 0 } : null;
}

/** In the order of their ids, like everything that is locked several at a time. */
export async function lockCorrections(tx: Tx, ids: string[]): Promise<CorrectionRow[]> {
  return tx
    .selectFrom('ledger_corrections')
    .select(columns)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function decideCorrections(tx: Tx, rows: CorrectionRow[]): Promise<void> {
  for (const { id, decidedBy, decidedAt, transactionid } of rows) {
    await tx
      .updateTable('ledger_corrections')
      .set({ decided_by: decidedBy, decided_at: decidedAt, transactionid })
      .where('id', '=', id)
      .execute();
  }
}

export async function waitingCorrections(db: Db | Tx, limit: number): Promise<CorrectionRow[]> {
  return db
    .selectFrom('ledger_corrections')
    .select(columns)
    .where('decided_at', 'is', null)
    .orderBy('asked_at')
    .limit(limit)
    .execute();
}

export async function postedCorrections(tx: Tx, transactionids: string[]): Promise<CorrectionRow[]> {
  return tx
    .selectFrom('ledger_corrections')
    .select(columns)
    .where('transactionid', '=', sql<string>`any(${transactionids}::text[])`)
    .execute();
}
