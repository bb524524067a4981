import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/postgres/db.ts';

/** All figures as they were at one moment. */
export async function takeSnapshot(tx: Tx): Promise<void> {
  await sql`set transaction isolation level repeatable read read only`.execute(tx);
}

/** What each kind of account holds together. */
export async function sumsByKind(db: Db | Tx): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ kind: string; cents: bigint }>`
    select kind, sum(balance_cents)::bigint as cents from ledger_accounts group by kind`.execute(db);
  return new Map(rows.map(({ kind, cents }) => [kind, cents]));
}

/** Profit so far of everything that is open: linear, floored to the cent, investment by investment. */
export async function accruedCents(db: Db | Tx, now: Date): Promise<bigint> {
  const { rows } = await sql<{ cents: bigint }>`
    select coalesce(sum(case
      when ${now}::timestamptz <= opened_at then 0
      when ${now}::timestamptz >= matures_at then profit_cents
      else floor(profit_cents::numeric * floor(extract(epoch from ${now}::timestamptz - opened_at) * 1000)
        / (extract(epoch from matures_at - opened_at) * 1000))
      end), 0)::bigint as cents
    from investments where settled_at is null`.execute(db);
  return rows[0]?.cents ?? 0n;
}

interface DueWeek {
  /** The Monday it begins with, in UTC; null for everything after the last week that was asked for. */
  monday: Date | null;
  principalCents: bigint;
  profitCents: bigint;
  count: bigint;
}

/** What falls due, week by week. What is overdue falls into the first. */
export async function dueByWeek(db: Db | Tx, firstMonday: Date, weeks: number): Promise<DueWeek[]> {
  const { rows } = await sql<DueWeek>`
    with due as (
      select greatest(0, floor(extract(epoch from matures_at - ${firstMonday}::timestamptz) / 604800))::int as week,
        amount_cents, profit_cents
      from investments where settled_at is null)
    select case when week < ${weeks}::int
        then ${firstMonday}::timestamptz + make_interval(secs => least(week, ${weeks}::int) * 604800) end as monday,
      sum(amount_cents)::bigint as "principalCents", sum(profit_cents)::bigint as "profitCents", count(*) as count
    from due group by 1 order by 1 nulls last`.execute(db);
  return rows;
}

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

interface HeldRow {
  methodId: string;
  paymentname: string;
  coin: string;
  amountCents: bigint | null;
  enteredAt: Date | null;
  enteredBy: string | null;
}

/** What was last entered as held, for every way in that is offered or holds something. */
export async function heldByMethod(db: Db | Tx): Promise<HeldRow[]> {
  const { rows } = await sql<HeldRow>`
    select m.id as "methodId", m.paymentname, m.coin, h.amount_cents as "amountCents", h.entered_at as "enteredAt",
      h.entered_by as "enteredBy"
    from payment_methods m
    left join lateral (
      select * from operator_holdings where method_id = m.id order by id desc limit 1) as h on true
    where m.active or h.amount_cents > 0
    order by m.position`.execute(db);
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
