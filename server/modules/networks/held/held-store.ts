import type { Network } from '@tallystick/contract/networks';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/postgres/db.ts';
import type { AddressFamily } from '../rules.ts';

/** What lies at all of our addresses on a network. */
export interface HeldUnits {
  units: bigint;
  /** Of that, at cold addresses. */
  coldUnits: bigint;
  /** As of which block, and when that was read: the oldest of several. Null before anything was. */
  height: number | null;
  readAt: Date | null;
  /** Addresses that nobody has looked at yet. */
  unlooked: number;
}

interface HeldTexts extends Omit<HeldUnits, 'units' | 'coldUnits' | 'unlooked'> {
  units: string;
  coldUnits: string;
  unlooked: bigint;
}

/** A cold address counts only as long as it is listed; what deposits come to counts always. */
const counts = (network: Network) => sql`
  (a.purpose <> 'cold' or exists (select from cold_addresses c
    where c.network = ${network} and c.address_id = a.id and c.removed_at is null))`;

/**
 * What was paid to us and not spent, whatever became of it: too small or nobody's, it lies there all the same. The sample
 * payments of a demo stand below the first block.
 */
export const unspent = sql`
  p.height >= 0 and p.output is not null and p.spent_txid is null and p.state <> 'vanished' and p.lost_at is null`;

async function heldInCoins(tx: Tx, network: Network): Promise<HeldTexts | undefined> {
  const { rows } = await sql<HeldTexts>`
    select coalesce(sum(p.units), 0)::text as units,
      coalesce(sum(p.units) filter (where a.purpose = 'cold'), 0)::text as "coldUnits", 0::bigint as unlooked,
      (select height from network_cursors where network = ${network}) as height,
      (select read_at from network_cursors where network = ${network}) as "readAt"
    from network_payments p join network_addresses a on a.id = p.address_id
    where p.network = ${network} and ${unspent} and ${counts(network)}`.execute(tx);
  return rows[0];
}

/** On the XRP Ledger the tags of an address share what it holds. */
async function heldInAccounts(
  tx: Tx,
  network: Network,
  family: AddressFamily,
): Promise<HeldTexts | undefined> {
  const { rows } = await sql<HeldTexts>`
    select coalesce(sum(b.units), 0)::text as units,
      coalesce(sum(b.units) filter (where a.purpose = 'cold'), 0)::text as "coldUnits",
      count(*) filter (where b.address_id is null) as unlooked,
      coalesce(min(b.height) filter (where b.units > 0), max(b.height),
        (select height from network_cursors where network = ${network} and count(a.id) = 0)) as height,
      coalesce(min(b.looked_at) filter (where b.units > 0), max(b.looked_at),
        (select read_at from network_cursors where network = ${network} and count(a.id) = 0)) as "readAt"
    from network_addresses a left join network_balances b on b.network = ${network} and b.address_id = a.id
    where a.family = ${family} and a.tag is null and ${counts(network)}`.execute(tx);
  return rows[0];
}

export async function heldOn(tx: Tx, network: Network, family: AddressFamily): Promise<HeldUnits> {
  const row =
    family === 'bitcoin' ? await heldInCoins(tx, network) : await heldInAccounts(tx, network, family);
  if (!row) throw new Error('a sum has no row');
  return {
    ...row,
    units: BigInt(row.units),
    coldUnits: BigInt(row.coldUnits),
    unlooked: Number(row.unlooked),
  };
}

export interface PriceRow {
  network: Network;
  price: string;
  priceAt: Date;
  priceSource: string;
}

export async function keptPrices(db: Db): Promise<PriceRow[]> {
  const { rows } = await sql<PriceRow>`
    select network, price, price_at as "priceAt", price_source as "priceSource" from network_prices`.execute(
    db,
  );
  return rows;
}

export async function keepPrice(db: Db, { network, price, priceAt, priceSource }: PriceRow): Promise<void> {
  await sql`
    insert into network_prices (network, price, price_at, price_source)
    values (${network}, ${price}, ${priceAt}, ${priceSource})
    on conflict (network) do update set price = excluded.price, price_at = excluded.price_at,
      price_source = excluded.price_source
    where network_prices.price_at < excluded.price_at`.execute(db);
}
