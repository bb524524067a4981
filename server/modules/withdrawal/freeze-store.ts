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

export async function countFrozen(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('withdrawal_freezes')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

const freezeColumns = [
  'reason',
  'frozen_by as frozenBy',
  'frozen_at as frozenAt',
  'after_loss as afterLoss',
  'first_unfrozen_by as firstUnfrozenBy',
] as const;

export async function freezeOf(db: Db | Tx, userId: string) {
  const row = await db
    .selectFrom('withdrawal_freezes')
    .select(freezeColumns)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ?? null;
}

export async function lockFreeze(tx: Tx, userId: string) {
  const row = await tx
    .selectFrom('withdrawal_freezes')
    .select(freezeColumns)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** However they were frozen before: from now on two have to agree that money may go out. */
export async function freezeForTwo(tx: Tx, userId: string, reason: string): Promise<void> {
  await tx
    .updateTable('withdrawal_freezes')
    .set({ reason, after_loss: true, first_unfrozen_by: null, first_unfrozen_at: null })
    .where('user_id', '=', userId)
    .execute();
}

export async function unfreezeFirst(tx: Tx, userId: string, by: string, now: Date): Promise<void> {
  await tx
    .updateTable('withdrawal_freezes')
    .set({ first_unfrozen_by: by, first_unfrozen_at: now })
    .where('user_id', '=', userId)
    .execute();
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

export async function deleteFreeze(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('withdrawal_freezes').where('user_id', '=', userId).execute();
}
