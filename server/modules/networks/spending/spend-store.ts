import { type Network, networkIds, networks } from '@tallystick/contract/networks';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/postgres/db.ts';

/** What a transaction of ours pays to somebody else. */
export interface SpendRow {
  id: string;
  network: Network;
  txid: string;
  output: number | null;
  /** To whom, as the chain has it. */
  match: string;
  address: string;
  tag: bigint | null;
  units: bigint;
  height: number;
  blockHash: string;
  blockAt: Date;
  seenAt: Date;
  state: 'seen' | 'vanished';
}

type Found = Omit<SpendRow, 'units'> & { units: string };

const columns = sql`
  s.id, s.network, s.txid, s.output, s.match, s.address, s.tag, s.units::text as units, s.height,
  s.block_hash as "blockHash", s.block_at as "blockAt", s.seen_at as "seenAt", s.state`;

const toRow = (row: Found): SpendRow => ({ ...row, units: BigInt(row.units) });

/** What stands in a block; what vanished with another block is there again. */
export async function keepSpends(tx: Tx, rows: SpendRow[]): Promise<void> {
  for (const row of rows) {
    await sql`
      insert into network_spends (id, network, txid, output, match, address, tag, units, height, block_hash, block_at,
        seen_at)
      values (${row.id}, ${row.network}, ${row.txid}, ${row.output}, ${row.match}, ${row.address}, ${row.tag},
        ${String(row.units)}::numeric, ${row.height}, ${row.blockHash}, ${row.blockAt}, ${row.seenAt})
      on conflict (network, txid, output) do update set height = excluded.height, block_hash = excluded.block_hash,
        block_at = excluded.block_at, state = 'seen'`.execute(tx);
  }
}

/** Those in blocks above a height are part of the chain no more; locked in the order of their ids, as by whoever pays. */
export async function takeBackSpends(tx: Tx, network: Network, height: number): Promise<SpendRow[]> {
  const { rows } = await sql<Found>`
    update network_spends s set state = 'vanished'
    where s.id in (select id from network_spends
      where network = ${network} and height > ${height} and state = 'seen' order by id for update)
    returning ${columns}`.execute(tx);
  return rows.map(toRow);
}

/** In the order of their ids, like everything that is locked several at a time. */
export async function lockSpends(tx: Tx, ids: string[]): Promise<SpendRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Found>`
    select ${columns} from network_spends s where s.id = any (${ids}::uuid[]) order by s.id for update`.execute(
    tx,
  );
  return rows.map(toRow);
}

/** Of the given transactions, as far as they are part of the chain. */
export async function spendsOf(tx: Tx, txids: string[]): Promise<SpendRow[]> {
  if (txids.length === 0) return [];
  const { rows } = await sql<Found>`
    select ${columns} from network_spends s where s.txid = any (${txids}::text[]) and s.state = 'seen'`.execute(
    tx,
  );
  return rows.map(toRow);
}

/** All there are: by them an address is found in its index, which begins with the family. */
const families = [...new Set(networkIds.map((id) => networks[id].family))];

/** It has its use; or it went to an address of ours, and coins only changed their place. */
const isExplained = sql`(
  exists (select from payment_claims c where c.network = s.network and c.txid = s.txid
    and (c.output is null or s.output is null or c.output = s.output) and c.final)
  or exists (select from network_addresses a
    where a.family = any (${families}::text[]) and a.match = s.match))`;

/** To these, part of the chain, and without a use so far; the oldest first. */
export async function unclaimedTo(
  db: Db | Tx,
  { network, matches }: { network: Network; matches: string[] },
): Promise<SpendRow[]> {
  if (matches.length === 0) return [];
  const { rows } = await sql<Found>`
    select ${columns} from network_spends s
    where s.network = ${network} and s.match = any (${matches}::text[]) and s.state = 'seen' and not ${isExplained}
    order by s.height, s.txid, s.output`.execute(db);
  return rows.map(toRow);
}

/** The newest that nothing explains, of all networks: among those of which that was so before, and those not looked at. */
export async function newestUnclaimed(db: Db, limit: number): Promise<SpendRow[]> {
  const { rows } = await sql<Found>`
    select ${columns} from network_spends s
    where (s.odd or s.told_at is null) and s.state = 'seen' and not ${isExplained}
    order by s.seen_at desc, s.id limit ${limit}`.execute(db);
  return rows.map(toRow);
}

/** Those that nobody was told of yet, nor had to be. */
export async function untoldSpends(
  db: Db,
  network: Network,
): Promise<(SpendRow & { isExplained: boolean })[]> {
  const { rows } = await sql<Found & { isExplained: boolean }>`
    select ${columns}, ${isExplained} as "isExplained" from network_spends s
    where s.network = ${network} and s.state = 'seen' and s.told_at is null order by s.id`.execute(db);
  return rows.map((row) => ({ ...toRow(row), isExplained: row.isExplained }));
}

/** The newest whose blocks are gone. */
export async function vanishedSpends(db: Db, limit: number): Promise<SpendRow[]> {
  const { rows } = await sql<Found>`
    select ${columns} from network_spends s where s.state = 'vanished' order by s.seen_at desc, s.id limit ${limit}`.execute(
    db,
  );
  return rows.map(toRow);
}

export async function spendsNamed(db: Db | Tx, ids: string[]): Promise<SpendRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Found>`
    select ${columns} from network_spends s where s.id = any (${ids}::uuid[])`.execute(db);
  return rows.map(toRow);
}

/** Of several who would tell of them, one does: those that are given back. The odd ones are found again. */
export async function markTold(db: Db, ids: string[], odd: string[], now: Date): Promise<SpendRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Found>`
    update network_spends s set told_at = ${now}, odd = s.id = any (${odd}::uuid[])
    where s.id = any (${ids}::uuid[]) and s.told_at is null
    returning ${columns}`.execute(db);
  return rows.map(toRow);
}
