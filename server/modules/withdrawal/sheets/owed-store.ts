import type { Network } from '@tallystick/contract/networks';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/postgres/db.ts';
import type { Owed } from './rules.ts';

type OwedOn = Owed & { network: Network };

/** What is owed to withdrawals that are not paid, by whichever sheet. */
async function owedWhere(db: Db | Tx, condition: ReturnType<typeof sql>): Promise<OwedOn[]> {
  const { rows } = await sql<Omit<OwedOn, 'units'> & { units: string }>`
    select i.withdrawal_id as "withdrawalId", i.match, i.tag, i.units::text as units, s.made_at as "madeAt", s.txid,
      i.position, i.open, s.network
    from withdrawals w join payout_items i on i.withdrawal_id = w.id join payout_sheets s on s.id = i.sheet_id
    where w.status = 'approved' and ${condition} order by s.number`.execute(db);
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

export const allOwed = (db: Db | Tx, network: Network): Promise<OwedOn[]> =>
  owedWhere(db, sql`w.network = ${network}`);
export const owedTo = async (tx: Tx, withdrawalIds: string[]): Promise<OwedOn[]> =>
  withdrawalIds.length === 0 ? [] : owedWhere(tx, sql`w.id = any (${withdrawalIds}::uuid[])`);

/** Transactions that pay several withdrawals, of the given ones. */
export async function sharedBySheets(tx: Tx, txids: string[]): Promise<string[]> {
  if (txids.length === 0) return [];
  const { rows } = await sql<{ txid: string }>`
    select s.txid from payout_sheets s join payout_items i on i.sheet_id = s.id
    where s.txid = any (${txids}::text[]) group by s.txid having count(*) > 1`.execute(tx);
  return rows.map(({ txid }) => txid);
}

/** Of these withdrawals, those that somebody could pay together with others by one transaction. */
export async function paidTogether(tx: Tx, withdrawalIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select i.withdrawal_id as id from payout_items i join payout_sheets s on s.id = i.sheet_id
    where i.withdrawal_id = any (${withdrawalIds}::uuid[]) and s.txid is not null and s.claimed_at is not null
      and exists (select from payout_items o where o.sheet_id = s.id and o.position <> i.position)`.execute(
    tx,
  );
  return new Set(rows.map(({ id }) => id));
}
