import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/postgres/db.ts';
import { prune } from '../../../platform/postgres/prune.ts';
import type { Held } from './rules.ts';

/** What an account has on, what one of its sessions has shown, and which withdrawals ask for more. */
export interface Standing extends Held {
  steppedUpAt: Date | null;
  aboveCents: bigint;
}

/** One statement: it is asked before money leaves. Without a session, nothing was shown in it. */
export async function standingOf(
  db: Db | Tx,
  { userId, sessionId }: { userId: string; sessionId: string | null },
): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select exists (select from authenticators a where a.user_id = u.id and a.confirmed_at is not null) as authenticator,
      (select count(*)::int from passkeys p where p.user_id = u.id) as passkeys,
      (select count(*)::int from user_recovery_codes c where c.user_id = u.id and c.used_at is null) as "codesLeft",
      (select s.stepped_up_at from sessions s
        where s.id = ${sessionId}::uuid and s.user_id = u.id and s.ended_at is null) as "steppedUpAt",
      u.step_up_above_cents as "aboveCents"
    from users u where u.id = ${userId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('there is no such user');
  return { ...row, aboveCents: BigInt(row.aboveCents) };
}

/** Since when the oldest of the factors that an account has now has been there; null where none is on. */
export async function factorSince(db: Db | Tx, userId: string): Promise<Date | null> {
  const { rows } = await sql<{ since: Date | null }>`
    select least(
      (select min(confirmed_at) from authenticators where user_id = ${userId}),
      (select min(created_at) from passkeys where user_id = ${userId})) as since`.execute(db);
  return rows[0]?.since ?? null;
}

export async function setStepUpAbove(tx: Tx, userId: string, cents: bigint): Promise<void> {
  await tx.updateTable('users').set({ step_up_above_cents: cents }).where('id', '=', userId).execute();
}

export async function markSteppedUp(
  tx: Tx,
  { userId, sessionId }: { userId: string; sessionId: string },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ stepped_up_at: now })
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .execute();
}

/** What was shown in the account's other sessions counts no more. */
export async function forgetStepUps(tx: Tx, userId: string, sparedSessionId: string): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ stepped_up_at: null })
    .where('user_id', '=', userId)
    .where('id', '!=', sparedSessionId)
    .where('stepped_up_at', 'is not', null)
    .execute();
}

interface AuthenticatorRow {
  id: string;
  sealed: string;
  lastStep: bigint;
  confirmedAt: Date | null;
  usedAt: Date | null;
}

/** The one that works, or the one that is being set up. */
export async function findAuthenticator(
  db: Db | Tx,
  userId: string,
  which: 'confirmed' | 'begun',
): Promise<AuthenticatorRow | null> {
  const row = await db
    .selectFrom('authenticators')
    .select(['id', 'sealed', 'last_step as lastStep', 'confirmed_at as confirmedAt', 'used_at as usedAt'])
    .where('user_id', '=', userId)
    .where('confirmed_at', which === 'confirmed' ? 'is not' : 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertAuthenticator(
  tx: Tx,
  { userId, sealed, now }: { userId: string; sealed: string; now: Date },
): Promise<void> {
  await tx.insertInto('authenticators').values({ user_id: userId, sealed, created_at: now }).execute();
}

/** False when there was none. */
export async function deleteAuthenticator(
  tx: Tx,
  userId: string,
  which: 'confirmed' | 'begun',
): Promise<boolean> {
  const result = await tx
    .deleteFrom('authenticators')
    .where('user_id', '=', userId)
    .where('confirmed_at', which === 'confirmed' ? 'is not' : 'is', null)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function confirmAuthenticator(tx: Tx, id: string, step: bigint, now: Date): Promise<void> {
  await tx
    .updateTable('authenticators')
    .set({ confirmed_at: now, last_step: step })
    .where('id', '=', id)
    .execute();
}

/** False when a later step was used meanwhile. */
export async function useStep(tx: Tx, id: string, step: bigint, now: Date): Promise<boolean> {
  const result = await tx
    .updateTable('authenticators')
    .set({ last_step: step, used_at: now })
    .where('id', '=', id)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function replaceRecoveryCodes(tx: Tx, userId: string, hashes: Buffer[]): Promise<void> {
  await tx.deleteFrom('user_recovery_codes').where('user_id', '=', userId).execute();
  if (hashes.length === 0) return;
  const rows = hashes.map((hash) => ({ user_id: userId, code_hash: hash }));
  await tx.insertInto('user_recovery_codes').values(rows).execute();
}

/** False when there is no such code, or it was used. */
export async function takeRecoveryCode(tx: Tx, userId: string, hash: Buffer, now: Date): Promise<boolean> {
  const result = await tx
    .updateTable('user_recovery_codes')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Begun and never shown to work. */
export async function deleteBegunBefore(db: Db, before: Date): Promise<void> {
  await prune(db, 'authenticators', sql`confirmed_at is null and created_at < ${before}`);
}
