import type { Network } from '@tallystick/contract/networks';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/postgres/db.ts';
import type { AddressFamily } from './rules.ts';

/** What an address held when it was looked at, and what of it was counted as payments. */
export interface LookedAt {
  addressId: bigint;
  match: string;
  /** Null for what is nobody's: one address for everyone, or one of our own. */
  ownerId: string | null;
  units: bigint;
  counted: bigint;
  height: number;
}

type Texts<Row> = Omit<Row, 'units' | 'counted'> & { units: string; counted: string };

/**
 * Addresses that nobody has looked at since, or where something came or went after that, those of longest ago first. On
 * the XRP Ledger all tags of an address share what it holds.
 */
export async function addressesDue(
  tx: Tx,
  network: Network,
  { family, since, limit }: { family: AddressFamily; since: Date; limit: number },
): Promise<LookedAt[]> {
  const { rows } = await sql<Texts<LookedAt>>`
    select a.id as "addressId", a.match, a.owner_id as "ownerId", coalesce(b.units, 0)::text as units,
      coalesce(b.counted, 0)::text as counted, coalesce(b.height, 0) as height
    from network_addresses a left join network_balances b on b.network = ${network} and b.address_id = a.id
    where a.family = ${family} and a.tag is null
      and (b.looked_at is null or b.looked_at < ${since} or b.due)
    order by coalesce(b.due, false) desc, b.looked_at nulls first, a.id limit ${limit}`.execute(tx);
  return rows.map((row) => ({ ...row, units: BigInt(row.units), counted: BigInt(row.counted) }));
}

/** Something came to these, or went from there. */
export async function lookAgain(
  tx: Tx,
  { network, family }: { network: Network; family: AddressFamily },
  matches: string[],
): Promise<void> {
  if (matches.length === 0) return;
  await sql`
    update network_balances b set due = true from network_addresses a
    where b.network = ${network} and a.id = b.address_id and a.family = ${family}
      and a.match = any (${matches}::text[])`.execute(tx);
}

/** What was counted up to a block, of the given addresses. */
export async function countedAt(
  tx: Tx,
  network: Network,
  { addressIds, height }: { addressIds: bigint[]; height: number },
): Promise<Map<bigint, bigint>> {
  const { rows } = await sql<{ id: bigint; units: string }>`
    select address_id as id, sum(units)::text as units from network_payments
    where network = ${network} and address_id = any (${addressIds}::bigint[]) and height <= ${height}
      and state <> 'vanished' and lost_at is null
    group by address_id`.execute(tx);
  return new Map(rows.map(({ id, units }) => [id, BigInt(units)]));
}

export async function keepBalances(tx: Tx, network: Network, rows: LookedAt[], now: Date): Promise<void> {
  await sql`
    insert into network_balances (network, address_id, units, counted, height, looked_at)
    select ${network}, *, ${now}::timestamptz from unnest(
      ${rows.map((r) => r.addressId)}::bigint[], ${rows.map((r) => String(r.units))}::numeric[],
      ${rows.map((r) => String(r.counted))}::numeric[], ${rows.map((r) => r.height)}::integer[])
    on conflict (network, address_id) do update set units = excluded.units, counted = excluded.counted,
      height = excluded.height, looked_at = excluded.looked_at, due = false`.execute(tx);
}

/** Coins that came to an address without a payment that was seen. */
export interface SurplusRow {
  id: string;
  network: Network;
  addressId: bigint;
  address: string;
  ownerId: string | null;
  units: bigint;
  heightFrom: number;
  heightTo: number;
  foundAt: Date;
}

export async function insertSurplus(
  tx: Tx,
  row: Pick<SurplusRow, 'network' | 'addressId' | 'units' | 'heightFrom' | 'heightTo' | 'foundAt'>,
): Promise<void> {
  await sql`
    insert into network_surpluses (network, address_id, units, height_from, height_to, found_at)
    values (${row.network}, ${row.addressId}, ${String(row.units)}::numeric, ${row.heightFrom}, ${row.heightTo},
      ${row.foundAt})`.execute(tx);
}

export async function openSurpluses(db: Db): Promise<SurplusRow[]> {
  const { rows } = await sql<Omit<SurplusRow, 'units'> & { units: string }>`
    select s.id, s.network, s.address_id as "addressId", a.address, a.owner_id as "ownerId", s.units::text as units,
      s.height_from as "heightFrom", s.height_to as "heightTo", s.found_at as "foundAt"
    from network_surpluses s join network_addresses a on a.id = s.address_id
    where s.ended_at is null order by s.found_at, s.id`.execute(db);
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

/** Null when it has ended, or was never there; else whose address it is at. */
export async function endSurplus(
  tx: Tx,
  { id, note, by, now }: { id: string; note: string; by: string; now: Date },
): Promise<{ ownerId: string | null; network: string; units: string } | null> {
  const { rows } = await sql<{ ownerId: string | null; network: string; units: string }>`
    update network_surpluses s set ended_at = ${now}, ended_by = ${by}, note = ${note}
    from network_addresses a where s.id = ${id} and s.ended_at is null and a.id = s.address_id
    returning a.owner_id as "ownerId", s.network, s.units::text as units`.execute(tx);
  return rows[0] ?? null;
}
