import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/postgres/db.ts';
import type { AddressFamily, AddressPurpose } from './rules.ts';

export interface KeyRow {
  id: string;
  family: AddressFamily;
  key: string;
  path: string;
  nextReceiving: number;
}

const keyColumns = [
  'id',
  sql<AddressFamily>`family`.as('family'),
  'key',
  'path',
  'next_receiving as nextReceiving',
] as const;

/** The key as it is kept; a key that was used before goes on where it stood. */
export async function keepKey(
  tx: Tx,
  { family, key, path }: Pick<KeyRow, 'family' | 'key' | 'path'>,
  now: Date,
): Promise<KeyRow> {
  await tx
    .insertInto('network_keys')
    .values({ family, key, path, made_at: now })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  return tx.selectFrom('network_keys').select(keyColumns).where('key', '=', key).executeTakeFirstOrThrow();
}

export async function keysNamed(db: Db | Tx, ids: string[]): Promise<KeyRow[]> {
  if (ids.length === 0) return [];
  return db.selectFrom('network_keys').select(keyColumns).where('id', 'in', ids).execute();
}

/** The next number of a key, for one alone. */
export async function takeNumber(tx: Tx, keyId: string, branch: 'receiving' | 'change'): Promise<number> {
  const column = branch === 'receiving' ? sql.ref('next_receiving') : sql.ref('next_change');
  const { rows } = await sql<{ number: number }>`
    update network_keys set ${column} = ${column} + 1 where id = ${keyId} returning ${column} - 1 as number`.execute(
    tx,
  );
  const [row] = rows;
  if (!row) throw new Error('a key is not there');
  return row.number;
}

/** Goes on where another key stood that has given out this address: it is the same account, spelled otherwise. */
export async function skipGiven(
  tx: Tx,
  keyId: string,
  { family, match }: Pick<AddressRow, 'family' | 'match'>,
): Promise<void> {
  await sql`
    update network_keys k set next_receiving = greatest(k.next_receiving, other.next_receiving),
      next_change = greatest(k.next_change, other.next_change)
    from network_addresses a join network_keys other on other.id = a.key_id
    where k.id = ${keyId} and a.family = ${family} and a.match = ${match}`.execute(tx);
}

export interface AddressRow {
  id: bigint;
  family: AddressFamily;
  /** As the chain has it: a script, an address in small letters. */
  match: string;
  address: string;
  tag: bigint | null;
  purpose: AddressPurpose;
  ownerId: string | null;
  keyId: string | null;
  branch: number | null;
  index: number | null;
  usedAt: Date | null;
}

const columnsButOwner = [
  'id',
  sql<AddressFamily>`family`.as('family'),
  'match',
  'address',
  'tag',
  sql<AddressPurpose>`purpose`.as('purpose'),
  'key_id as keyId',
  'branch',
  'index',
  'used_at as usedAt',
] as const;
const addressColumns = [...columnsButOwner, 'owner_id as ownerId'] as const;

/** Null when it is there already, with whomever. */
export async function insertAddress(
  tx: Tx,
  row: Omit<AddressRow, 'id' | 'usedAt'>,
  now: Date,
): Promise<AddressRow | null> {
  const { ownerId: owner_id, keyId: key_id, ...rest } = row;
  const made = await tx
    .insertInto('network_addresses')
    .values({ ...rest, owner_id, key_id, made_at: now })
    .onConflict((conflict) => conflict.columns(['family', 'match', 'tag']).doNothing())
    .returning(addressColumns)
    .executeTakeFirst();
  return made ?? null;
}

/** An address of our own that no deposit comes to. */
export async function isCold(
  tx: Tx,
  { family, match }: Pick<AddressRow, 'family' | 'match'>,
): Promise<boolean> {
  const { rows } = await sql`
    select from network_addresses where family = ${family} and match = ${match} and purpose = 'cold'`.execute(
    tx,
  );
  return rows.length > 0;
}

/** What each investor sends to at present: of a key, or with a tag of an address. */
export async function unusedAddress(
  db: Db | Tx,
  ownerId: string,
  of: { keyId: string } | { match: string },
): Promise<AddressRow | null> {
  const query = db
    .selectFrom('network_addresses')
    .select(addressColumns)
    .where('owner_id', '=', ownerId)
    .orderBy('id', 'desc');
  // An address is seen by everybody once it is used; a tag says nothing to others and is its owner's for good.
  const row =
    'keyId' in of
      ? await query.where('key_id', '=', of.keyId).where('used_at', 'is', null).executeTakeFirst()
      : await query.where('match', '=', of.match).executeTakeFirst();
  return row ?? null;
}

/** Everything that is looked for on the chains of a family, from an id on. */
export async function addressesAfter(
  db: Db | Tx,
  family: AddressFamily,
  after: bigint,
): Promise<Pick<AddressRow, 'id' | 'match' | 'tag'>[]> {
  return db
    .selectFrom('network_addresses')
    .select(['id', 'match', 'tag'])
    .where('family', '=', family)
    .where('id', '>', after)
    .orderBy('id')
    .execute();
}

/** What is sent to somebody who has closed the account is nobody's, until two operators say whose it is. */
const openOwner = sql<string | null>`
  (select u.id from users u where u.id = network_addresses.owner_id and u.closed_at is null)`;

export async function addressesNamed(db: Db | Tx, ids: bigint[]): Promise<AddressRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('network_addresses')
    .select([...columnsButOwner, openOwner.as('ownerId')])
    .where('id', '=', sql<bigint>`any (${[...new Set(ids)]}::bigint[])`)
    .execute();
}

export async function markUsed(tx: Tx, ids: bigint[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable('network_addresses')
    .set({ used_at: now })
    .where('id', 'in', ids)
    .where('used_at', 'is', null)
    .execute();
}

/** Which of these are looked for on the chains, in small letters. */
export async function ownAmong(db: Db | Tx, addresses: string[]): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select distinct lower(a.address) as address from unnest(${addresses}::text[]) as asked (address)
    join network_addresses a on lower(a.address) = lower(asked.address)`.execute(db);
  return rows.map(({ address }) => address);
}

/** Of addresses whose owners are told apart by tags: how many have one. */
export async function tagsGiven(db: Db, addresses: string[]): Promise<Map<string, number>> {
  if (addresses.length === 0) return new Map();
  const { rows } = await sql<{ match: string; given: bigint }>`
    select match, count(*) as given from network_addresses
    where family = 'xrp' and match = any (${addresses}::text[]) and owner_id is not null group by match`.execute(
    db,
  );
  return new Map(rows.map(({ match, given }) => [match, Number(given)]));
}
