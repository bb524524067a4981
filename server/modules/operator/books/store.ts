import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/postgres/db.ts';

interface DayFlow {
  day: string;
  depositCents: bigint;
  withdrawalCents: bigint;
}

/** What came in and went out on each day (UTC) on which anything did, by the accounts that it came and went through. */
export async function flowsByDay(db: Db | Tx, from: Date): Promise<DayFlow[]> {
  const { rows } = await sql<DayFlow>`
    select to_char(e.at at time zone 'UTC', 'YYYY-MM-DD') as day,
      coalesce(sum(-e.amount_cents) filter (where a.kind = 'clearing'), 0)::bigint as "depositCents",
      coalesce(sum(e.amount_cents) filter (where a.kind = 'payouts'), 0)::bigint as "withdrawalCents"
    from ledger_accounts a
    join ledger_entries e on e.account_id = a.id and e.seq > ledger_entries_before(a.id, ${from})
    where a.kind in ('clearing', 'payouts')
    group by 1 order by 1`.execute(db);
  return rows;
}

/** The method; undefined when there is none such. */
export async function insertHeld(
  tx: Tx,
  held: { methodId: string; amountCents: bigint; by: string; now: Date },
): Promise<{ paymentname: string; coin: string } | undefined> {
  const { rows } = await sql<{ paymentname: string; coin: string }>`
    with method as (select id, paymentname, coin from payment_methods where id = ${held.methodId}),
    entered as (
      insert into operator_holdings (method_id, amount_cents, entered_by, entered_at)
      select id, ${held.amountCents}::bigint, ${held.by}, ${held.now}::timestamptz from method)
    select paymentname, coin from method`.execute(tx);
  return rows[0];
}
