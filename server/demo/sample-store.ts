import type { FundingStatus } from '@tallystick/contract/funding';
import type { Network } from '@tallystick/contract/networks';
import { sql } from 'kysely';
import type { Db, Tx } from '../platform/postgres/db.ts';

/** A request, with what a sample payment of it has to know. */
export interface SampleRequest {
  id: string;
  userId: string;
  transactionid: string;
  paymentaddress: string;
  amountCents: bigint;
  status: FundingStatus;
  firstConfirmedBy: string | null;
  /** Of the payment that it belongs to already. */
  paidBy: string | null;
  coin: string;
  sample: boolean;
}

export async function lockRequest(tx: Tx, id: string): Promise<SampleRequest | null> {
  const { rows } = await sql<SampleRequest>`
    select f.id, f.user_id as "userId", f.transactionid, f.paymentaddress, f.amount_cents as "amountCents", f.status,
      f.first_confirmed_by as "firstConfirmedBy", p.txid as "paidBy", m.coin, m.sample
    from funding_requests f
    join payment_methods m on m.id = f.method_id
    left join network_payments p on p.id = f.payment_id
    where f.id = ${id} for update of f`.execute(tx);
  return rows[0] ?? null;
}

interface SampleAddress {
  family: string;
  match: string;
  address: string;
  tag: bigint | null;
  ownerId: string;
}

/** Where an investor's sample payments go; the same one every time. */
export async function keepAddress(
  tx: Tx,
  { family, match, address, tag, ownerId }: SampleAddress,
  now: Date,
): Promise<bigint> {
  await sql`
    insert into network_addresses (family, match, address, tag, purpose, owner_id, made_at)
    values (${family}, ${match}, ${address}, ${tag}, 'deposit', ${ownerId}, ${now})
    on conflict (family, match, tag) do nothing`.execute(tx);
  const { rows } = await sql<{ id: bigint }>`
    select id from network_addresses
    where family = ${family} and match = ${match} and tag is not distinct from ${tag}::bigint`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error('an address that was made is not there');
  return row.id;
}

interface SamplePayment {
  id: string;
  network: Network;
  txid: string;
  output: number | null;
  addressId: bigint;
  units: bigint;
  height: number;
  blockHash: string;
  blockAt: Date;
}

/** As whoever reads a chain keeps what it shows, and for this one request alone. */
export async function keepPayment(
  tx: Tx,
  requestId: string,
  payment: SamplePayment,
  now: Date,
): Promise<void> {
  const { id, network, txid, output, addressId, units, height, blockHash, blockAt } = payment;
  await sql`
    insert into network_payments (id, network, txid, output, address_id, units, height, block_hash, block_at, seen_at)
    values (${id}, ${network}, ${txid}, ${output}, ${addressId}, ${String(units)}::numeric, ${height}, ${blockHash},
      ${blockAt}, ${now})`.execute(tx);
  await sql`update funding_requests set payment_id = ${id} where id = ${requestId}`.execute(tx);
}

/** The networks on which sample payments wait to be confirmed: their blocks lie below those of every real chain. */
export async function networksWaiting(db: Db): Promise<Network[]> {
  const { rows } = await sql<{ network: Network }>`
    select distinct network from network_payments where state = 'seen' and height < 0`.execute(db);
  return rows.map(({ network }) => network);
}

/** Which step of time an operator's last code was of, by the address. */
export async function usedSteps(db: Db): Promise<Map<string, number>> {
  const rows = await db.selectFrom('operators').select(['email', 'totp_last_step as step']).execute();
  return new Map(rows.map(({ email, step }) => [email, Number(step)]));
}
