import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';

export interface User {
  id: string;
  fullname: string;
  email: string;
  passwordHash: string;
  verifiedAt: Date | null;
}

const userColumns = [
  'users.id',
  'users.fullname',
  'users.email',
  'users.password_hash as passwordHash',
  'users.verified_at as verifiedAt',
] as const;

interface NewUser {
  fullname: string;
  email: string;
  emailKey: string;
  passwordHash: string;
  now: Date;
}

/** Null when the address is taken: the unique index decides, so that two at once cannot both win. */
export async function insertUser(tx: Tx, user: NewUser): Promise<User | null> {
  const row = await tx
    .insertInto('users')
    .values({
      fullname: user.fullname,
      email: user.email,
      email_key: user.emailKey,
      password_hash: user.passwordHash,
      created_at: user.now,
    })
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returning(userColumns)
    .executeTakeFirst();
  return row ?? null;
}

export async function findUserByEmail(db: Db | Tx, emailKey: string): Promise<User | null> {
  const row = await db
    .selectFrom('users')
    .select(userColumns)
    .where('email_key', '=', emailKey)
    .executeTakeFirst();
  return row ?? null;
}

export async function findUser(db: Db | Tx, userId: string): Promise<User | null> {
  const row = await db.selectFrom('users').select(userColumns).where('id', '=', userId).executeTakeFirst();
  return row ?? null;
}

export async function findUsers(db: Db | Tx, userIds: string[]): Promise<User[]> {
  return db.selectFrom('users').select(userColumns).where('id', 'in', userIds).execute();
}

/** Holds the account's row, so that what counts "so far" on this account is counted by one at a time. */
export async function lockUser(tx: Tx, userId: string): Promise<User | null> {
  const row = await tx
    .selectFrom('users')
    .select(userColumns)
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function markVerified(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx
    .updateTable('users')
    .set({ verified_at: now })
    .where('id', '=', userId)
    .where('verified_at', 'is', null)
    .execute();
}

export async function setFullname(tx: Tx, userId: string, fullname: string): Promise<void> {
  await tx.updateTable('users').set({ fullname }).where('id', '=', userId).execute();
}

export async function setPasswordHash(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute();
}

interface NewSession {
  userId: string;
  bearerHash: Buffer;
  cookieHash: Buffer;
  clientAddress: string;
  userAgent: string;
  now: Date;
  expiresAt: Date;
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx
    .insertInto('sessions')
    .values({
      user_id: session.userId,
      bearer_hash: session.bearerHash,
      cookie_hash: session.cookieHash,
      client_address: session.clientAddress,
      user_agent: session.userAgent,
      created_at: session.now,
      seen_at: session.now,
      expires_at: session.expiresAt,
    })
    .execute();
}

/** Whether an account was signed in with this browser before, as far as sessions are remembered. */
export async function knownBrowser(
  tx: Tx,
  userId: string,
  userAgent: string,
): Promise<'first' | 'known' | 'new'> {
  const { rows } = await sql<{ known: boolean | null }>`
    select bool_or(user_agent = ${userAgent}) as known from sessions where user_id = ${userId}`.execute(tx);
  const known = rows[0]?.known ?? null;
  if (known === null) return 'first';
  return known ? 'known' : 'new';
}

export interface SessionRow {
  id: string;
  userId: string;
  seenAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
}

export async function findSession(
  db: Db | Tx,
  carrier: 'bearer_hash' | 'cookie_hash',
  hash: Buffer,
): Promise<SessionRow | null> {
  const row = await db
    .selectFrom('sessions')
    .select([
      'id',
      'user_id as userId',
      'seen_at as seenAt',
      'expires_at as expiresAt',
      'ended_at as endedAt',
    ])
    .where(carrier, '=', hash)
    .executeTakeFirst();
  return row ?? null;
}

export async function touchSession(db: Db | Tx, sessionId: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ seen_at: now }).where('id', '=', sessionId).execute();
}

export async function openSessionsOf(db: Db | Tx, userId: string, seenAfter: Date, now: Date) {
  return db
    .selectFrom('sessions')
    .select([
      'id',
      'user_agent as userAgent',
      'client_address as clientAddress',
      'created_at as createdAt',
      'seen_at as seenAt',
    ])
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where('seen_at', '>', seenAfter)
    .orderBy('seen_at', 'desc')
    .limit(100)
    .execute();
}

/** One of a user's own sessions; false when it is not theirs or has ended. */
export async function endOwnSession(tx: Tx, userId: string, sessionId: string, now: Date): Promise<boolean> {
  const result = await tx
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Ends what is open for a user; one session may be spared: the one that asks. */
export async function endSessionsOf(
  tx: Tx,
  userId: string,
  now: Date,
  sparedId: string | null,
): Promise<void> {
  let query = tx
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null);
  if (sparedId) query = query.where('id', '!=', sparedId);
  await query.execute();
}

export async function deleteSessionsBefore(tx: Tx, expiredBefore: Date): Promise<void> {
  await tx.deleteFrom('sessions').where('expires_at', '<', expiredBefore).execute();
}
