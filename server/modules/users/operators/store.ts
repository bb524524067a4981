import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/postgres/db.ts';
import { prune } from '../../../platform/postgres/prune.ts';

export interface OperatorRow {
  id: string;
  name: string;
  email: string;
  passwordHash: string;
  totpSealed: string | null;
  totpConfirmedAt: Date | null;
  totpLastStep: bigint;
  createdAt: Date;
  disabledAt: Date | null;
}

const columns = [
  'operators.id',
  'operators.name',
  'operators.email',
  'operators.password_hash as passwordHash',
  'operators.totp_sealed as totpSealed',
  'operators.totp_confirmed_at as totpConfirmedAt',
  'operators.totp_last_step as totpLastStep',
  'operators.created_at as createdAt',
  'operators.disabled_at as disabledAt',
] as const;

const operators = (db: Db | Tx) => db.selectFrom('operators').select(columns);

/** Only those who may still sign in. */
const active = (db: Db | Tx) => operators(db).where('disabled_at', 'is', null);

export async function findOperatorByEmail(db: Db | Tx, emailKey: string): Promise<OperatorRow | null> {
  return (await active(db).where('email_key', '=', emailKey).executeTakeFirst()) ?? null;
}

export async function findOperator(db: Db | Tx, operatorId: string): Promise<OperatorRow | null> {
  return (await active(db).where('id', '=', operatorId).executeTakeFirst()) ?? null;
}

/** One that was confirmed and then removed has left no secret. */
export const hasAuthenticator = ({ totpSealed, totpConfirmedAt }: OperatorRow): boolean =>
  totpSealed !== null && totpConfirmedAt !== null;

export async function lockOperator(tx: Tx, operatorId: string): Promise<OperatorRow | null> {
  return (await active(tx).where('id', '=', operatorId).forNoKeyUpdate().executeTakeFirst()) ?? null;
}

export async function allOperators(db: Db | Tx): Promise<OperatorRow[]> {
  return operators(db).orderBy('created_at').orderBy('id').execute();
}

/** Null when the name or the address is taken. */
export async function insertOperator(
  db: Db | Tx,
  operator: { name: string; email: string; emailKey: string; passwordHash: string; now: Date },
): Promise<{ id: string } | null> {
  const row = await db
    .insertInto('operators')
    .values({
      name: operator.name,
      email: operator.email,
      email_key: operator.emailKey,
      password_hash: operator.passwordHash,
      created_at: operator.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row ?? null;
}

export async function setOperatorPasswordHash(tx: Tx, operatorId: string, hash: string): Promise<void> {
  await tx.updateTable('operators').set({ password_hash: hash }).where('id', '=', operatorId).execute();
}

/** Names alone: nothing secret is read to tell who did what. */
export async function namesOfOperators(db: Db | Tx): Promise<{ id: string; name: string }[]> {
  return db.selectFrom('operators').select(['id', 'name']).orderBy('created_at').orderBy('id').execute();
}

export async function disableOperator(tx: Tx, operatorId: string, now: Date): Promise<void> {
  await tx.updateTable('operators').set({ disabled_at: now }).where('id', '=', operatorId).execute();
}

export async function setTotp(
  tx: Db | Tx,
  operatorId: string,
  totp: { sealed: string | null; confirmedAt: Date | null; lastStep: bigint },
): Promise<void> {
  await tx
    .updateTable('operators')
    .set({ totp_sealed: totp.sealed, totp_confirmed_at: totp.confirmedAt, totp_last_step: totp.lastStep })
    .where('id', '=', operatorId)
    .execute();
}

export async function replaceRecoveryCodes(tx: Tx, operatorId: string, hashes: Buffer[]): Promise<void> {
  await tx.deleteFrom('operator_recovery_codes').where('operator_id', '=', operatorId).execute();
  if (hashes.length === 0) return;
  await tx
    .insertInto('operator_recovery_codes')
    .values(hashes.map((hash) => ({ operator_id: operatorId, code_hash: hash })))
    .execute();
}

/** False when there is no such code, or it was used. */
export async function takeRecoveryCode(
  tx: Tx,
  operatorId: string,
  hash: Buffer,
  now: Date,
): Promise<boolean> {
  const result = await tx
    .updateTable('operator_recovery_codes')
    .set({ used_at: now })
    .where('operator_id', '=', operatorId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function countRecoveryCodes(db: Db | Tx, operatorId: string): Promise<number> {
  const row = await db
    .selectFrom('operator_recovery_codes')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('operator_id', '=', operatorId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function insertOperatorSession(
  tx: Tx,
  session: {
    operatorId: string;
    cookieHash: Buffer;
    clientAddress: string;
    userAgent: string;
    now: Date;
    expiresAt: Date;
  },
): Promise<void> {
  await tx
    .insertInto('operator_sessions')
    .values({
      operator_id: session.operatorId,
      cookie_hash: session.cookieHash,
      client_address: session.clientAddress,
      user_agent: session.userAgent,
      created_at: session.now,
      seen_at: session.now,
      expires_at: session.expiresAt,
    })
    .execute();
}

/** A session of someone who was disabled since is none. */
export async function findOperatorSession(db: Db | Tx, cookieHash: Buffer) {
  const row = await db
    .selectFrom('operator_sessions')
    .innerJoin('operators', 'operators.id', 'operator_sessions.operator_id')
    .select([
      'operator_sessions.id',
      'operator_sessions.operator_id as operatorId',
      'operators.name',
      'operators.email',
      'operator_sessions.seen_at as seenAt',
      'operator_sessions.expires_at as expiresAt',
      'operator_sessions.ended_at as endedAt',
    ])
    .where('cookie_hash', '=', cookieHash)
    .where('operators.disabled_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

export async function isOperatorSessionOpen(tx: Tx, sessionId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('operator_sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

export async function touchOperatorSession(db: Db, sessionId: string, now: Date): Promise<void> {
  await db.updateTable('operator_sessions').set({ seen_at: now }).where('id', '=', sessionId).execute();
}

export async function endEveryOperatorSession(tx: Tx, now: Date): Promise<void> {
  await tx.updateTable('operator_sessions').set({ ended_at: now }).where('ended_at', 'is', null).execute();
}

/** One session, that of a cookie, or all of an operator's; one of them may be spared: the one that asks. */
export async function endOperatorSessions(
  tx: Tx,
  which: { sessionId: string } | { cookieHash: Buffer } | { operatorId: string; sparedSessionId?: string },
  now: Date,
): Promise<void> {
  const query = tx.updateTable('operator_sessions').set({ ended_at: now }).where('ended_at', 'is', null);
  if ('sessionId' in which) await query.where('id', '=', which.sessionId).execute();
  else if ('cookieHash' in which) await query.where('cookie_hash', '=', which.cookieHash).execute();
  else {
    const theirs = query.where('operator_id', '=', which.operatorId);
    const { sparedSessionId } = which;
    await (sparedSessionId ? theirs.where('id', '!=', sparedSessionId) : theirs).execute();
  }
}

export async function deleteOperatorSessionsBefore(db: Db, expiredBefore: Date): Promise<void> {
  await prune(db, 'operator_sessions', sql`expires_at < ${expiredBefore}`);
}
