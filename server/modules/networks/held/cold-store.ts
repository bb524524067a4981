import type { Network } from '@tallystick/contract/networks';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/postgres/db.ts';
import type { AddressFamily, AddressPurpose } from '../rules.ts';
import { unspent } from './held-store.ts';

/** What one operator asks for and another agrees to: that an address of our own counts, or counts no more. */
export interface ColdChangeRow {
  id: string;
  network: Network;
  address: string;
  match: string;
  label: string;
  removes: boolean;
  /** Coins that lay there before anybody looked, each as `outpointKey` writes it. */
  coins: string[];
  askedBy: string;
  askedAt: Date;
  decidedBy: string | null;
  decidedAt: Date | null;
}

export type ColdDraft = Pick<ColdChangeRow, 'network' | 'address' | 'match' | 'label' | 'removes' | 'coins'>;

const columns = [
  'id',
  sql<Network>`network`.as('network'),
  'address',
  'match',
  'label',
  'removes',
  'coins',
  'asked_by as askedBy',
  'asked_at as askedAt',
  'decided_by as decidedBy',
  'decided_at as decidedAt',
] as const;

/** False when another change of this address waits already. */
export async function insertColdChange(
  tx: Tx,
  draft: ColdDraft,
  { askedBy, now }: { askedBy: string; now: Date },
): Promise<boolean> {
  const result = await tx
    .insertInto('cold_address_changes')
    .values({ ...draft, asked_by: askedBy, asked_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function lockColdChange(tx: Tx, id: string): Promise<ColdChangeRow | undefined> {
  return tx
    .selectFrom('cold_address_changes')
    .select(columns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function waitingColdChanges(db: Db): Promise<ColdChangeRow[]> {
  return db
    .selectFrom('cold_address_changes')
    .select(columns)
    .where('decided_at', 'is', null)
    .orderBy('asked_at')
    .execute();
}

export async function decideColdChange(
  tx: Tx,
  id: string,
  { agreed, by, now }: { agreed: boolean; by: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('cold_address_changes')
    .set({ agreed, decided_by: by, decided_at: now })
    .where('id', '=', id)
    .execute();
}

/** An address that is looked for already; on the XRP Ledger also with somebody's tag. */
export async function knownAddress(
  tx: Tx,
  family: AddressFamily,
  match: string,
): Promise<{ id: bigint; purpose: AddressPurpose } | undefined> {
  const { rows } = await sql<{ id: bigint; purpose: AddressPurpose }>`
    select id, purpose from network_addresses where family = ${family} and match = ${match}
    order by tag nulls first limit 1`.execute(tx);
  return rows[0];
}

/** From now on it counts. One that was listed before was looked for ever since. */
export async function listAddress(
  tx: Tx,
  row: {
    network: Network;
    addressId: bigint;
    label: string;
    heightFrom: number;
    changeId: string;
    now: Date;
  },
): Promise<void> {
  await sql`
    insert into cold_addresses (network, address_id, label, height_from, change_id, listed_at)
    values (${row.network}, ${row.addressId}, ${row.label}, ${row.heightFrom}, ${row.changeId}, ${row.now})
    on conflict (network, address_id) do update set label = excluded.label, change_id = excluded.change_id,
      listed_at = excluded.listed_at, removed_at = null`.execute(tx);
}

export async function removeAddress(
  tx: Tx,
  { network, match, id }: Pick<ColdChangeRow, 'network' | 'match' | 'id'>,
  now: Date,
): Promise<void> {
  await sql`
    update cold_addresses c set removed_at = ${now}, change_id = ${id} from network_addresses a
    where c.network = ${network} and a.id = c.address_id and a.match = ${match}`.execute(tx);
}

/** An address of our own that counts. */
export interface ColdRow {
  /** Of the decision that listed it. */
  id: string;
  network: Network;
  address: string;
  match: string;
  label: string;
  heightFrom: number;
  coinsNamed: number;
  listedAt: Date;
  listedBy: string;
  agreedBy: string;
  /** Null before it was looked at. */
  units: bigint | null;
  height: number | null;
}

export async function listedAddresses(db: Db | Tx): Promise<ColdRow[]> {
  const { rows } = await sql<Omit<ColdRow, 'units'> & { units: string | null }>`
    select c.change_id as id, c.network, a.address, a.match, c.label, c.height_from as "heightFrom",
      cardinality(l.coins) as "coinsNamed", c.listed_at as "listedAt", l.asked_by as "listedBy",
      l.decided_by as "agreedBy",
      case a.family when 'bitcoin' then (
          select coalesce(sum(p.units), 0) from network_payments p
          where p.network = c.network and p.address_id = a.id and ${unspent})::text
        else b.units::text end as units,
      case a.family when 'bitcoin' then r.height else b.height end as height
    from cold_addresses c
    join network_addresses a on a.id = c.address_id
    join cold_address_changes l on l.id = c.change_id
    left join network_balances b on b.network = c.network and b.address_id = a.id
    left join network_cursors r on r.network = c.network
    where c.removed_at is null order by c.listed_at, a.id`.execute(db);
  return rows.map((row) => ({ ...row, units: row.units === null ? null : BigInt(row.units) }));
}
