import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/postgres/db.ts';
import { prune } from '../../../platform/postgres/prune.ts';
import { deletePasskeysOf } from '../factors/passkey-store.ts';
import { moneyTime } from '../store.ts';
import type { EndedHow } from './rules.ts';

export interface RemovalRow {
  id: string;
  userId: string;
  reason: string;
  askedBy: string;
  askedAt: Date;
  agreedBy: string | null;
  agreedAt: Date | null;
  dueAt: Date | null;
  reminded: number;
  endedBy: string | null;
  endedAt: Date | null;
  endedHow: EndedHow | null;
}

const columns = sql`r.id, r.user_id as "userId", r.reason, r.asked_by as "askedBy", r.asked_at as "askedAt",
  r.agreed_by as "agreedBy", r.agreed_at as "agreedAt", r.due_at as "dueAt", r.reminded,
  r.ended_by as "endedBy", r.ended_at as "endedAt", r.ended_how as "endedHow"`;

/** False when one is under way for this investor. */
export async function insertRemoval(
  tx: Tx,
  removal: Pick<RemovalRow, 'userId' | 'reason' | 'askedBy' | 'askedAt'>,
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    insert into factor_removals (user_id, reason, asked_by, asked_at)
    values (${removal.userId}, ${removal.reason}, ${removal.askedBy}, ${removal.askedAt})
    on conflict (user_id) where ended_at is null do nothing
    returning id`.execute(tx);
  return rows.length > 0;
}

export async function findRemoval(db: Db | Tx, id: string): Promise<RemovalRow | null> {
  const { rows } = await sql<RemovalRow>`select ${columns} from factor_removals r where r.id = ${id}`.execute(
    db,
  );
  return rows[0] ?? null;
}

export async function lockRemoval(tx: Tx, id: string): Promise<RemovalRow | null> {
  const { rows } = await sql<RemovalRow>`
    select ${columns} from factor_removals r where r.id = ${id} for no key update`.execute(tx);
  return rows[0] ?? null;
}

/** By the database's clock, which all servers share. */
export async function isDue(tx: Tx, id: string, testNow: Date | null): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select due_at <= ${moneyTime(testNow)} as due from factor_removals where id = ${id}`.execute(tx);
  return rows[0]?.due ?? false;
}

/** Whatever became of it: who opens the link again is told. */
export async function findRemovalByLink(db: Db | Tx, stopHash: Buffer): Promise<RemovalRow | null> {
  const { rows } = await sql<RemovalRow>`
    select ${columns} from factor_removals r where ${stopHash}::bytea = any (r.stop_hashes)`.execute(db);
  return rows[0] ?? null;
}

/** What is under way for an investor, asked for or agreed to. */
export async function openRemovalOf(db: Db | Tx, userId: string): Promise<RemovalRow | null> {
  const { rows } = await sql<RemovalRow>`
    select ${columns} from factor_removals r where r.user_id = ${userId} and r.ended_at is null`.execute(db);
  return rows[0] ?? null;
}

/** What waits for a second operator, the oldest first. */
export async function waitingRemovals(db: Db | Tx, limit: number): Promise<RemovalRow[]> {
  const { rows } = await sql<RemovalRow>`
    select ${columns} from factor_removals r where r.ended_at is null and r.agreed_at is null
    order by r.asked_at, r.id limit ${limit}`.execute(db);
  return rows;
}

/** What is agreed to and not over, what is due first before the others. */
export async function agreedRemovals(db: Db | Tx): Promise<RemovalRow[]> {
  const { rows } = await sql<RemovalRow>`
    select ${columns} from factor_removals r where r.ended_at is null and r.agreed_at is not null
    order by r.due_at, r.id`.execute(db);
  return rows;
}

export async function agreeToRemoval(
  tx: Tx,
  id: string,
  { by, now, dueAt }: { by: string; now: Date; dueAt: Date },
): Promise<void> {
  await tx
    .updateTable('factor_removals')
    .set({ agreed_by: by, agreed_at: now, due_at: dueAt })
    .where('id', '=', id)
    .execute();
}

/** One more letter, with a link of its own. The links of the letters before go on working. */
export async function addStopLink(tx: Tx, id: string, stopHash: Buffer, reminded: number): Promise<void> {
  await sql`update factor_removals set stop_hashes = stop_hashes || ${stopHash}::bytea, reminded = ${reminded}
    where id = ${id}`.execute(tx);
}

/** Null when nothing is under way for this investor. */
export async function endOpenRemoval(
  tx: Tx,
  userId: string,
  { how, by, now }: { how: EndedHow; by: string; now: Date },
): Promise<RemovalRow | null> {
  const { rows } = await sql<RemovalRow>`
    update factor_removals r set ended_by = ${by}, ended_at = ${now}, ended_how = ${how}
    where r.user_id = ${userId} and r.ended_at is null returning ${columns}`.execute(tx);
  return rows[0] ?? null;
}

/** Everything that an account shows itself with beside its password, and what is under way with it. */
export async function deleteFactorsOf(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx.deleteFrom('authenticators').where('user_id', '=', userId).execute();
  await deletePasskeysOf(tx, { userId });
  await tx.deleteFrom('user_recovery_codes').where('user_id', '=', userId).execute();
  await tx
    .updateTable('factor_flows')
    .set({ ended_at: now })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .execute();
}

export async function deleteRemovalsBefore(db: Db, endedBefore: Date): Promise<void> {
  await prune(db, 'factor_removals', sql`ended_at < ${endedBefore}`);
}
