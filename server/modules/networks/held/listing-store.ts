import type { Network } from '@tallystick/contract/networks';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/postgres/db.ts';
import type { AddressFamily } from '../rules.ts';
import { unspent } from './held-store.ts';

/** An address that deposits or our own change come to, and what lies there. */
export interface HoldingAddress {
  address: string;
  units: bigint;
  /** From a key, for one investor or for change; else everybody sees it. */
  derived: boolean;
}

const readAtOnce = 1000;

/** Those that hold something, in the order of their bytes, as many as there are. Cold ones are listed by themselves. */
export async function* holdingAddresses(
  tx: Tx,
  network: Network,
  family: AddressFamily,
): AsyncGenerator<HoldingAddress> {
  const holding =
    family === 'bitcoin'
      ? sql`select a.address, sum(p.units)::text as units, a.key_id is not null as derived
          from network_payments p join network_addresses a on a.id = p.address_id
          where p.network = ${network} and ${unspent} and a.purpose <> 'cold' group by a.id`
      : sql`select a.address, b.units::text as units, a.key_id is not null as derived
          from network_addresses a join network_balances b on b.network = ${network} and b.address_id = a.id
          where a.family = ${family} and a.tag is null and a.purpose <> 'cold' and b.units > 0`;
  await sql`
    declare holding_addresses no scroll cursor for
    select * from (${holding}) as holding order by address collate "C"`.execute(tx);
  for (let hasMore = true; hasMore; ) {
    const { rows } = await sql<{ address: string; units: string; derived: boolean }>`
      fetch ${sql.raw(String(readAtOnce))} from holding_addresses`.execute(tx);
    for (const row of rows) yield { ...row, units: BigInt(row.units) };
    hasMore = rows.length === readAtOnce;
  }
  await sql`close holding_addresses`.execute(tx);
}

/** Every key that addresses of a network were given out from, by its text. */
export async function keysOfFamily(tx: Tx, family: AddressFamily): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from network_keys where family = ${family} order by key`.execute(tx);
  return rows.map(({ key }) => key);
}
