import { type Network, networkIds } from '@tallystick/contract/networks';
import { sql } from 'kysely';
import type { Db, ReadDb, Tx } from '../../../platform/postgres/db.ts';
import type { Book, Protection, SavedDestination } from './rules.ts';

export interface SavedAddressRow extends SavedDestination {
  id: string;
  label: string;
  network: Network;
  createdAt: Date;
}

export interface ListedAddress extends SavedAddressRow {
  lastPaidAt: Date | null;
}

const columns = [
  'id',
  'label',
  sql<Network>`network`.as('network'),
  'address',
  'tag',
  'created_at as createdAt',
  'usable_from as usableFrom',
] as const;

/** One investor's, oldest first. */
export async function savedOf(db: ReadDb, userId: string): Promise<SavedAddressRow[]> {
  return db
    .selectFrom('saved_addresses')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** By their names, each with when money last went there. Without those of a network that this version does not know. */
export async function listedOf(db: ReadDb, userId: string): Promise<ListedAddress[]> {
  const { rows } = await sql<ListedAddress>`
    select s.id, s.label, s.network, s.address, s.tag, s.created_at as "createdAt", s.usable_from as "usableFrom",
      (select max(w.ended_at) from withdrawals w where w.user_id = s.user_id and w.status = 'paid'
        and w.network = s.network and lower(w.address) = lower(s.address)
        and coalesce(w.tag, -1) = coalesce(s.tag, -1)) as "lastPaidAt"
    from saved_addresses s where s.user_id = ${userId} and s.network = any (${networkIds}::text[])
    order by lower(s.label), s.created_at, s.id`.execute(db);
  return rows;
}

interface NewAddress extends Omit<SavedAddressRow, 'id'> {
  userId: string;
  /** Takes it away again, until then. */
  stop: { hash: Buffer; until: Date } | null;
}

export async function insertAddress(tx: Tx, row: NewAddress): Promise<SavedAddressRow> {
  return tx
    .insertInto('saved_addresses')
    .values({
      user_id: row.userId,
      label: row.label,
      network: row.network,
      address: row.address,
      tag: row.tag,
      created_at: row.createdAt,
      usable_from: row.usableFrom,
      stop_hash: row.stop?.hash ?? null,
      stop_until: row.stop?.until ?? null,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

interface OfInvestor {
  userId: string;
  addressId: string;
}

/** False when there is no such address of theirs. */
export async function nameAddress(
  tx: Tx,
  { userId, addressId, label }: OfInvestor & { label: string },
): Promise<boolean> {
  const result = await tx
    .updateTable('saved_addresses')
    .set({ label })
    .where('id', '=', addressId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function deleteAddress(
  tx: Tx,
  { userId, addressId }: OfInvestor,
): Promise<SavedAddressRow | null> {
  const row = await tx
    .deleteFrom('saved_addresses')
    .where('id', '=', addressId)
    .where('user_id', '=', userId)
    .returning(columns)
    .executeTakeFirst();
  return row ?? null;
}

/** What was asked for to go there, and is neither paid nor given back: how many withdrawals, and how much. */
export async function underWayTo(
  tx: Tx,
  userId: string,
  { network, address, tag }: SavedDestination,
): Promise<{ count: number; cents: bigint }> {
  const { rows } = await sql<{ count: number; cents: bigint }>`
    select count(*)::int as count, coalesce(sum(amount_cents), 0)::bigint as cents from withdrawals
    where user_id = ${userId} and status in ('requested', 'approved') and network = ${network}
      and lower(address) = lower(${address}) and coalesce(tag, -1) = coalesce(${tag}::bigint, -1)`.execute(
    tx,
  );
  return rows[0] ?? { count: 0, cents: 0n };
}

/** Whose link it is, and what it would take away; null when it is nobody's, or no longer good. */
export async function addressOfLink(
  db: Db | Tx,
  hash: Buffer,
  now: Date,
): Promise<{ userId: string; addressId: string } | null> {
  const row = await db
    .selectFrom('saved_addresses')
    .select(['user_id as userId', 'id as addressId'])
    .where('stop_hash', '=', hash)
    .where('stop_until', '>', now)
    .executeTakeFirst();
  return row ?? null;
}

export async function protectionOf(db: ReadDb, userId: string): Promise<Protection | null> {
  const row = await db
    .selectFrom('address_protections')
    .select(['since', 'off_from as offFrom'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ?? null;
}

/** Takes the place of one that has ended. */
export async function beginProtection(tx: Tx, userId: string, now: Date): Promise<void> {
  const begun = { since: now, off_from: null, stop_hash: null };
  await tx
    .insertInto('address_protections')
    .values({ user_id: userId, ...begun })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(begun))
    .execute();
}

/** Its end and the link that stops that; null: it goes on. */
export async function setProtectionEnd(
  tx: Tx,
  userId: string,
  end: { offFrom: Date; stopHash: Buffer } | null,
): Promise<void> {
  await tx
    .updateTable('address_protections')
    .set({ off_from: end?.offFrom ?? null, stop_hash: end?.stopHash ?? null })
    .where('user_id', '=', userId)
    .execute();
}

export async function protectionOfLink(db: Db | Tx, hash: Buffer, now: Date): Promise<string | null> {
  const row = await db
    .selectFrom('address_protections')
    .select('user_id as userId')
    .where('stop_hash', '=', hash)
    .where('off_from', '>', now)
    .executeTakeFirst();
  return row?.userId ?? null;
}

/** Those whose end has come; whose they were. */
export async function deleteEnded(tx: Tx, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    delete from address_protections p where p.off_from <= ${now} and p.user_id in (
      select user_id from address_protections where off_from <= ${now} order by off_from limit ${limit}
      for update skip locked)
    returning p.user_id as "userId"`.execute(tx);
  return rows.map(({ userId }) => userId);
}

/** Of those of the given investors who protect their addresses. Hardly anyone does: then nothing more is read. */
export async function booksOf(db: Db | Tx, userIds: string[]): Promise<Map<string, Book>> {
  const protecting = await db
    .selectFrom('address_protections')
    .select(['user_id as userId', 'since', 'off_from as offFrom'])
    .where('user_id', 'in', userIds)
    .execute();
  if (protecting.length === 0) return new Map();
  const saved = await db
    .selectFrom('saved_addresses')
    .select(['user_id as userId', 'network', 'address', 'tag', 'usable_from as usableFrom'])
    .where(
      'user_id',
      'in',
      protecting.map(({ userId }) => userId),
    )
    .execute();
  const byUser = Map.groupBy(saved, ({ userId }) => userId);
  return new Map(
    protecting.map(({ userId, ...protection }) => [userId, { protection, saved: byUser.get(userId) ?? [] }]),
  );
}

/** All of one investor's, for good. */
export async function deleteBook(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('saved_addresses').where('user_id', '=', userId).execute();
  await tx.deleteFrom('address_protections').where('user_id', '=', userId).execute();
}
