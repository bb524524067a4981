import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/postgres/db.ts';
import { untilDone } from '../../platform/postgres/prune.ts';

export interface User {
  id: string;
  /** Empty while it is asked for anew. */
  fullname: string;
  email: string;
  passwordHash: string;
  verifiedAt: Date | null;
  signedInBefore: boolean;
}

const userColumns = [
  'users.id',
  'users.fullname',
  'users.email',
  'users.password_hash as passwordHash',
  'users.verified_at as verifiedAt',
  'users.signed_in_before as signedInBefore',
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

/** To whoever asks for one, an account that was closed is none. */
const users = (db: Db | Tx) => db.selectFrom('users').select(userColumns).where('closed_at', 'is', null);

export async function findUserByEmail(db: Db | Tx, emailKey: string): Promise<User | null> {
  return (await users(db).where('email_key', '=', emailKey).executeTakeFirst()) ?? null;
}

export async function findUser(db: Db | Tx, userId: string): Promise<User | null> {
  return (await users(db).where('id', '=', userId).executeTakeFirst()) ?? null;
}

/** Holds the account's row, so that what counts "so far" on this account is counted by one at a time. */
export async function lockUser(tx: Tx, userId: string): Promise<User | null> {
  return (await users(tx).where('id', '=', userId).forNoKeyUpdate().executeTakeFirst()) ?? null;
}

export async function markVerified(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx
    .updateTable('users')
    .set({ verified_at: now })
    .where('id', '=', userId)
    .where('verified_at', 'is', null)
    .execute();
}

export async function markSignedIn(tx: Tx, userId: string): Promise<void> {
  await tx.updateTable('users').set({ signed_in_before: true }).where('id', '=', userId).execute();
}

export async function setFullname(tx: Tx, userId: string, fullname: string): Promise<void> {
  await tx.updateTable('users').set({ fullname }).where('id', '=', userId).execute();
}

export async function setPasswordHash(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute();
}

/** The database's clock, which all servers share, as for money; only a test's own clock goes before it. */
export const moneyTime = (testNow: Date | null) => sql<Date>`coalesce(${testNow}::timestamptz, now())`;

/** From now on, and for so long, money goes only where it went before. */
export async function holdNewAddresses(
  tx: Tx,
  userId: string,
  { waitMs, testNow }: { waitMs: number; testNow: Date | null },
): Promise<Date> {
  const until = sql<Date>`${moneyTime(testNow)} + ${waitMs}::float8 * interval '1 millisecond'`;
  const { rows } = await sql<{ until: Date }>`
    update users set new_addresses_after = ${until} where id = ${userId}
    returning new_addresses_after as until`.execute(tx);
  if (!rows[0]) throw new Error('there is no such user');
  return rows[0].until;
}

/** Until when new addresses wait, for those of the given people for whom they do. */
export async function newAddressesAfter(
  db: Db | Tx,
  userIds: string[],
  testNow: Date | null,
): Promise<Map<string, Date>> {
  const { rows } = await sql<{ id: string; until: Date }>`
    select id, new_addresses_after as until from users
    where id = any (${userIds}::uuid[]) and new_addresses_after > ${moneyTime(testNow)}`.execute(db);
  return new Map(rows.map(({ id, until }) => [id, until]));
}

/** Who signed up and never proved the address, as long as nothing hangs on the account; the database says after how long. */
export async function deleteUnproven(db: Db): Promise<void> {
  await untilDone(async (rowsMax) => {
    const { rows } = await sql<{ gone: number }>`select forget_unproven_users(${rowsMax}) as gone`.execute(
      db,
    );
    return rows[0]?.gone ?? 0;
  });
}
