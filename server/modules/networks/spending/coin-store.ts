import type { Network } from '@tallystick/contract/networks';
import { sql } from 'kysely';
import type { Spend } from '../../../platform/chains/chain.ts';
import type { Db, Tx } from '../../../platform/postgres/db.ts';

const isThere = sql`p.output is not null and p.state <> 'vanished' and p.lost_at is null`;

/** All coins that a transaction could spend, each as `outpointKey` writes it. */
export async function unspentKeys(db: Db | Tx, network: Network): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select p.txid || ':' || p.output as key from network_payments p
    where p.network = ${network} and p.spent_txid is null and ${isThere}`.execute(db);
  return rows.map(({ key }) => key);
}

export async function markSpent(tx: Tx, network: Network, spends: Spend[], height: number): Promise<void> {
  for (const { txid, from } of spends) {
    await sql`
      update network_payments p set spent_txid = ${txid}, spent_height = ${height}
      where p.network = ${network} and p.output is not null and p.txid || ':' || p.output = any (${from}::text[])
        and p.txid = any (${from.map((key) => key.split(':')[0])}::text[])`.execute(tx);
  }
}

/** What was spent in blocks above a height is not any more. */
export async function unspend(tx: Tx, network: Network, height: number): Promise<void> {
  await sql`
    update network_payments set spent_txid = null, spent_height = null
    where network = ${network} and spent_height > ${height}`.execute(tx);
}

/** A coin of ours at an address of a key. */
export interface CoinRow {
  paymentId: string;
  txid: string;
  output: number;
  units: bigint;
  keyId: string;
  branch: number;
  index: number;
  match: string;
  path: string;
}

const spendable = (network: Network, heightMax: number) => sql`
    from network_payments p
    join network_addresses a on a.id = p.address_id
    join network_keys k on k.id = a.key_id
    where p.network = ${network} and p.spent_txid is null and ${isThere} and p.height <= ${heightMax}`;

/** Those that somebody with the key could spend now; the newest of them in a given block. */
export async function spendableCoins(tx: Db | Tx, network: Network, heightMax: number): Promise<CoinRow[]> {
  const { rows } = await sql<Omit<CoinRow, 'units'> & { units: string }>`
    select p.id as "paymentId", p.txid, p.output, p.units::text as units, a.key_id as "keyId", a.branch, a.index, a.match,
      k.path || '/' || a.branch || '/' || a.index as path
    ${spendable(network, heightMax)}`.execute(tx);
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

/** All of these together, without some. */
export async function spendableSum(
  db: Db,
  { network, heightMax, except }: { network: Network; heightMax: number; except: string[] },
): Promise<bigint> {
  const { rows } = await sql<{ units: string }>`
    select coalesce(sum(p.units), 0)::text as units ${spendable(network, heightMax)}
      and p.id <> all (${except}::uuid[])`.execute(db);
  return BigInt(rows[0]?.units ?? 0);
}

/** How it is with a coin that a sheet spends. */
export interface CoinState {
  paymentId: string;
  txid: string;
  output: number;
  units: bigint;
  path: string | null;
  /** Its block is part of the chain. */
  isThere: boolean;
  spentTxid: string | null;
  spentHeight: number | null;
}

export async function coinsNamed(db: Db | Tx, paymentIds: string[]): Promise<CoinState[]> {
  if (paymentIds.length === 0) return [];
  const { rows } = await sql<Omit<CoinState, 'units'> & { units: string }>`
    select p.id as "paymentId", p.txid, p.output, p.units::text as units,
      k.path || '/' || a.branch || '/' || a.index as path, (${isThere}) as "isThere", p.spent_txid as "spentTxid",
      p.spent_height as "spentHeight"
    from network_payments p
    join network_addresses a on a.id = p.address_id
    left join network_keys k on k.id = a.key_id
    where p.id = any (${paymentIds}::uuid[])`.execute(db);
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

/** A change address of a key that nothing was paid to, and that no transaction that somebody has seen pays to. */
export async function unusedChange(
  tx: Tx,
  keyId: string,
): Promise<{ id: bigint; branch: number; index: number } | null> {
  const { rows } = await sql<{ id: bigint; branch: number; index: number }>`
    select a.id, a.branch, a.index from network_addresses a
    where a.key_id = ${keyId} and a.purpose = 'change'
      and not exists (select from network_payments p where p.address_id = a.id)
      and not exists (select from payout_sheets s where s.change_address_id = a.id and s.state <> 'expired')
    order by a.index limit 1`.execute(tx);
  return rows[0] ?? null;
}
