import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/postgres/db.ts';

interface Closing {
  userId: string;
  /** Of a password that nobody knows. */
  passwordHash: string;
  now: Date;
  forgetEmailAt: Date;
}

/** The row stays, without the name; the caller holds it. */
export async function closeUser(
  tx: Tx,
  { userId, passwordHash, now, forgetEmailAt }: Closing,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      fullname: '',
      password_hash: passwordHash,
      new_addresses_after: null,
      step_up_above_cents: 0n,
      closed_at: now,
      forget_email_at: forgetEmailAt,
    })
    .where('id', '=', userId)
    .execute();
}

/** Everything that could be shown to get in, and every browser that was known. */
export async function deleteWaysIn(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('factor_flows').where('user_id', '=', userId).execute();
  await tx.deleteFrom('factor_removals').where('user_id', '=', userId).execute();
  await tx.deleteFrom('user_recovery_codes').where('user_id', '=', userId).execute();
  await tx.deleteFrom('authenticators').where('user_id', '=', userId).execute();
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute();
  await tx.deleteFrom('codes').where('user_id', '=', userId).execute();
  await tx.deleteFrom('reset_flows').where('user_id', '=', userId).execute();
}

export interface Addressee {
  id: string;
  fullname: string;
  email: string;
}

/** Who can be written to: also somebody who has closed the account since, as long as the address is kept. */
export async function findAddressees(tx: Tx, userIds: string[]): Promise<Addressee[]> {
  return tx
    .selectFrom('users')
    .select(['id', 'fullname', 'email'])
    .where('id', 'in', userIds)
    .where('email', '!=', '')
    .execute();
}

export async function closedAmong(db: Db | Tx, userIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from users where id = any (${userIds}::uuid[]) and closed_at is not null`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Those whose time has come; others may be at the same. */
export async function lockToForget(
  tx: Tx,
  now: Date,
  limit: number,
): Promise<Pick<Addressee, 'id' | 'email'>[]> {
  const { rows } = await sql<Pick<Addressee, 'id' | 'email'>>`
    select id, email from users where forget_email_at <= ${now} order by forget_email_at limit ${limit}
    for update skip locked`.execute(tx);
  return rows;
}

/**
 * From now on somebody else may sign up with it. When it was is told by the database's clock, as the statements of the
 * books are dated: which of them had the address in it is known by that.
 */
export async function forgetEmail(tx: Tx, { id, sealed }: { id: string; sealed: string }): Promise<void> {
  await sql`
    update users set email = '', email_key = 'closed ' || id, email_sealed = ${sealed}, forget_email_at = null,
      email_forgotten_at = clock_timestamp()
    where id = ${id}`.execute(tx);
}
