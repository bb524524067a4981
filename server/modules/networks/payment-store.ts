import type { Network } from '@tallystick/contract/networks';
import { sql } from 'kysely';
import type { Db, ReadDb, Tx } from '../../platform/postgres/db.ts';
import type { PaymentState } from './rules.ts';

export interface PaymentRow {
  id: string;
  network: Network;
  txid: string;
  output: number | null;
  addressId: bigint;
  units: bigint;
  height: number;
  blockHash: string;
  blockAt: Date;
  seenAt: Date;
  /** Dollars for one coin, where one was known. */
  price: string | null;
  priceAt: Date | null;
  priceSource: string | null;
  cents: bigint | null;
  /** When it was found to count, and its owner was written to. */
  noticedAt: Date | null;
  state: PaymentState;
  lostAt: Date | null;
}

/** As whatever was just seen in a block. */
export const unpriced = {
  price: null,
  priceAt: null,
  priceSource: null,
  cents: null,
  noticedAt: null,
  lostAt: null,
} as const;

const columns = sql`
  p.id, p.network, p.txid, p.output, p.address_id as "addressId", p.units::text as units, p.height,
  p.block_hash as "blockHash", p.block_at as "blockAt", p.seen_at as "seenAt", p.price, p.price_at as "priceAt",
  p.price_source as "priceSource", p.cents,
  p.noticed_at as "noticedAt", p.state, p.lost_at as "lostAt"`;

const toRow = (row: Omit<PaymentRow, 'units'> & { units: string }): PaymentRow => ({
  ...row,
  units: BigInt(row.units),
});

async function paymentsWhere(db: ReadDb, condition: ReturnType<typeof sql>): Promise<PaymentRow[]> {
  const { rows } = await sql<Omit<PaymentRow, 'units'> & { units: string }>`
    select ${columns} from network_payments p where ${condition} order by p.height, p.id`.execute(db);
  return rows.map(toRow);
}

/** What stands in a block; what vanished with another block and is in this one now is there again, at its first price. */
export async function keepPayments(tx: Tx, rows: PaymentRow[]): Promise<void> {
  for (const row of rows) {
    await sql`
      insert into network_payments (id, network, txid, output, address_id, units, height, block_hash, block_at, seen_at,
        price, price_at, price_source, cents, state)
      values (${row.id}, ${row.network}, ${row.txid}, ${row.output}, ${row.addressId}, ${String(row.units)}::numeric,
        ${row.height}, ${row.blockHash}, ${row.blockAt}, ${row.seenAt}, ${row.price}, ${row.priceAt}, ${row.priceSource},
        ${row.cents}, ${row.state})
      on conflict (network, txid, output) do update set height = excluded.height, block_hash = excluded.block_hash,
        block_at = excluded.block_at, lost_at = null,
        state = case when network_payments.state = 'vanished' then excluded.state else network_payments.state end`.execute(
      tx,
    );
  }
}

/** Seen and not credited yet. */
export const openPayments = (db: Db | Tx, network: Network): Promise<PaymentRow[]> =>
  paymentsWhere(db, sql`p.network = ${network} and p.state = 'seen'`);

export const paymentsNamed = (db: ReadDb, ids: string[]): Promise<PaymentRow[]> =>
  paymentsWhere(db, sql`p.id = any (${ids}::uuid[])`);

/** Of the given transactions. */
export const paymentsOf = (db: Db | Tx, txids: string[]): Promise<PaymentRow[]> =>
  paymentsWhere(db, sql`p.txid = any (${txids}::text[])`);

/** In blocks above a height, which are part of the chain no more. */
export const paymentsAbove = (db: Db | Tx, network: Network, height: number): Promise<PaymentRow[]> =>
  paymentsWhere(
    db,
    sql`p.network = ${network} and p.height > ${height} and p.state <> 'vanished'
      and p.lost_at is null`,
  );

export async function takeBack(tx: Tx, rows: PaymentRow[], now: Date): Promise<void> {
  const ids = (credited: boolean) =>
    rows.filter(({ state }) => (state === 'credited') === credited).map(({ id }) => id);
  await sql`update network_payments set state = 'vanished' where id = any (${ids(false)}::uuid[])`.execute(
    tx,
  );
  await sql`update network_payments set lost_at = ${now} where id = any (${ids(true)}::uuid[])`.execute(tx);
}

export async function hasUnpriced(db: Db, network: Network): Promise<boolean> {
  const { rows } = await sql`
    select from network_payments where network = ${network} and state = 'seen' and price is null limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** The price of the newest payment that has one since then. */
export async function lastPrice(db: Db, network: Network, since: Date): Promise<string | null> {
  const { rows } = await sql<{ price: string }>`
    select price from network_payments where network = ${network} and price_at > ${since}
    order by height desc, price_at desc limit 1`.execute(db);
  return rows[0]?.price ?? null;
}

/** Seen, and no price was known yet. */
export async function lockUnpriced(tx: Tx, network: Network): Promise<PaymentRow[]> {
  const { rows } = await sql<Omit<PaymentRow, 'units'> & { units: string }>`
    select ${columns} from network_payments p where p.network = ${network} and p.state = 'seen' and p.price is null
    order by p.id for update`.execute(tx);
  return rows.map(toRow);
}

/** One price for all of them, and what each came to. */
export async function setPrices(
  tx: Tx,
  { price, priceAt, priceSource }: { price: string; priceAt: Date; priceSource: string },
  rows: { id: string; cents: bigint }[],
): Promise<void> {
  await sql`
    update network_payments p set price = ${price}, price_at = ${priceAt}, price_source = ${priceSource}, cents = v.cents
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ cents }) => cents)}::bigint[]) as v (id, cents)
    where p.id = v.id and p.price is null`.execute(tx);
}

/** In the order of their ids, like everything that is locked several at a time. */
export async function lockPayments(tx: Tx, ids: string[]): Promise<PaymentRow[]> {
  const { rows } = await sql<Omit<PaymentRow, 'units'> & { units: string }>`
    select ${columns} from network_payments p where p.id = any (${ids}::uuid[]) order by p.id for update`.execute(
    tx,
  );
  return rows.map(toRow);
}

/** From now on it counts; what was told once is not told again when it comes back with another block. */
export async function markNoticed(tx: Tx, id: string, now: Date): Promise<void> {
  await sql`
    update network_payments set noticed_at = coalesce(noticed_at, ${now}) where id = ${id}`.execute(tx);
}

export async function markPayments(tx: Tx, ids: string[], state: PaymentState): Promise<void> {
  if (ids.length === 0) return;
  await sql`update network_payments set state = ${state} where id = any (${ids}::uuid[])`.execute(tx);
}

/** Those that are worth less than what is credited, and stand as they were seen. */
export async function setAside(db: Db, ids: string[], leastCents: bigint): Promise<void> {
  await sql`
    update network_payments set state = 'dust'
    where id = any (${ids}::uuid[]) and state = 'seen' and (cents < ${leastCents} or cents = 0)`.execute(db);
}
