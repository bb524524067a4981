import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/postgres/db.ts';

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
