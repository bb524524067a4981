import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';

/** Investors whose withdrawals are frozen, of the given ones, and why. */
export async function frozenAmong(db: Db | Tx, userIds: string[]): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('withdrawal_freezes')
    .select(['user_id as userId', 'reason'])
    .where('user_id', 'in', userIds)
    .execute();
  return new Map(rows.map(({ userId, reason }) => [userId, reason]));
}

export async function freezeOf(db: Db | Tx, userId: string) {
  const row = await db
    .selectFrom('withdrawal_freezes')
    .select(['reason', 'frozen_by as frozenBy', 'frozen_at as frozenAt'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ?? null;
}

/** False when they are frozen already. Null when there is no such person. */
export async function insertFreeze(
  tx: Tx,
  freeze: { userId: string; reason: string; by: string; now: Date },
): Promise<boolean | null> {
  const { rows } = await sql<{ known: boolean; frozen: boolean }>`
    with person as (select id from users where id = ${freeze.userId}), made as (
      insert into withdrawal_freezes (user_id, reason, frozen_by, frozen_at)
      select id, ${freeze.reason}, ${freeze.by}, ${freeze.now}::timestamptz from person
      on conflict (user_id) do nothing returning user_id)
    select exists (select from person) as known, exists (select from made) as frozen`.execute(tx);
  const [row] = rows;
  return row?.known ? row.frozen : null;
}

export async function deleteFreeze(tx: Tx, userId: string): Promise<boolean> {
  const result = await tx.deleteFrom('withdrawal_freezes').where('user_id', '=', userId).executeTakeFirst();
  return result.numDeletedRows === 1n;
}

export interface ThresholdRow {
  id: string;
  amountCents: bigint;
  askedBy: string;
  askedAt: Date;
  decidedAt: Date | null;
  decidedBy: string | null;
}

const thresholdColumns = [
  'id',
  'amount_cents as amountCents',
  'asked_by as askedBy',
  'asked_at as askedAt',
  'decided_at as decidedAt',
  'decided_by as decidedBy',
] as const;

/** The one that counts; null while nobody has set any. */
export async function agreedThreshold(db: Db | Tx): Promise<bigint | null> {
  const row = await db
    .selectFrom('withdrawal_thresholds')
    .select('amount_cents as amountCents')
    .where('agreed', '=', true)
    .orderBy('decided_number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.amountCents ?? null;
}

export async function waitingThreshold(db: Db | Tx): Promise<ThresholdRow | null> {
  const row = await db
    .selectFrom('withdrawal_thresholds')
    .select(thresholdColumns)
    .where('decided_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

const nextDecision = sql<bigint>`nextval('withdrawal_threshold_decisions')`;

/** One at a time decides what the threshold is: it is compared with the one before. */
export async function lockThresholds(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('withdrawal_thresholds', 0))`.execute(tx);
}

/** False when another one waits already. */
export async function insertThreshold(
  tx: Tx,
  threshold: { amountCents: bigint; askedBy: string; now: Date; agreed: boolean },
): Promise<boolean> {
  const { amountCents, askedBy, now, agreed } = threshold;
  const decided = agreed
    ? { decided_by: askedBy, decided_at: now, agreed, decided_number: nextDecision }
    : {};
  const result = await tx
    .insertInto('withdrawal_thresholds')
    .values({ amount_cents: amountCents, asked_by: askedBy, asked_at: now, ...decided })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function lockThreshold(tx: Tx, id: string): Promise<ThresholdRow | null> {
  const row = await tx
    .selectFrom('withdrawal_thresholds')
    .select(thresholdColumns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function decideThreshold(
  tx: Tx,
  id: string,
  decision: { agreed: boolean; by: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('withdrawal_thresholds')
    .set({
      agreed: decision.agreed,
      decided_by: decision.by,
      decided_at: decision.now,
      ...(decision.agreed && { decided_number: nextDecision }),
    })
    .where('id', '=', id)
    .execute();
}
