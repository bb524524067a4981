import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/postgres/db.ts';

/** All figures as they were at one moment. */
export async function takeSnapshot(tx: Tx): Promise<void> {
  await sql`set transaction isolation level repeatable read read only`.execute(tx);
}

/**
 * What an account held at a past moment. Most have stood still since; of the others the entries tell, which are in the
 * order of time.
 */
const balanceAt = (at: Date, account = sql.ref('a')) => sql`
  case when ${account}.last_entry_at <= ${at}::timestamptz then ${account}.balance_cents else coalesce((
    select e.balance_after_cents from ledger_entries e where e.account_id = ${account}.id
      and e.seq = ledger_entries_before(${account}.id, ${at}::timestamptz + interval '1 microsecond')), 0) end`;

/**
 * What was in an investment at a past moment. A movement may be dated up to a minute after what it is about, so that the
 * entries of an account are in order: close to the moment the movement itself is asked, or the investment would be counted
 * while its money is not, or the other way round.
 */
const openAt = (at: Date) => sql`
  i.opened_at <= ${at}::timestamptz
  and (i.opened_at <= ${at}::timestamptz - interval '1 minute'
    or (select m.at from ledger_movements m where m.transactionid = i.transactionid) <= ${at}::timestamptz)
  and (i.settled_at is null or i.settled_at > ${at}::timestamptz
    or (i.settled_at > ${at}::timestamptz - interval '1 minute'
      and (select m.at from ledger_movements m where m.transactionid = i.settled_transactionid) > ${at}::timestamptz))`;

/** Null for as it stands, which an index knows. */
const open = (asOf: Date | null) => (asOf === null ? sql`i.settled_at is null` : openAt(asOf));

/** Linear, floored to the cent, investment by investment. */
const accruedBy = (now: Date) => sql`
  case when ${now}::timestamptz <= i.opened_at then 0
    when ${now}::timestamptz >= i.matures_at then i.profit_cents
    else div(i.profit_cents::numeric * floor(extract(epoch from ${now}::timestamptz - i.opened_at) * 1000),
      extract(epoch from i.matures_at - i.opened_at) * 1000) end`;

/** What each kind of account holds together, or has held. */
export async function sumsByKind(db: Db | Tx, asOf: Date | null = null): Promise<Map<string, bigint>> {
  const balance = asOf === null ? sql`a.balance_cents` : balanceAt(asOf);
  const { rows } = await sql<{ kind: string; cents: bigint }>`
    select a.kind, sum(${balance})::bigint as cents from ledger_accounts a group by a.kind`.execute(db);
  return new Map(rows.map(({ kind, cents }) => [kind, cents]));
}

/** Profit so far of everything that is, or was, in an investment. */
export async function accruedCents(db: Db | Tx, now: Date, asOf: Date | null = null): Promise<bigint> {
  const { rows } = await sql<{ cents: bigint }>`
    select coalesce(sum(${accruedBy(now)}), 0)::bigint as cents from investments i where ${open(asOf)}`.execute(
    db,
  );
  return rows[0]?.cents ?? 0n;
}

export interface DueWeek {
  /** The Monday it begins with, in UTC; null for everything after the last week that was asked for. */
  monday: Date | null;
  principalCents: bigint;
  profitCents: bigint;
  /** What of both its owners chose to invest again, unless they were told that it will be paid out. */
  againCents: bigint;
  count: bigint;
}

/** What falls due, week by week. What is overdue falls into the first. */
export async function dueByWeek(
  db: Db | Tx,
  firstMonday: Date,
  weeks: number,
  asOf: Date | null = null,
): Promise<DueWeek[]> {
  const { rows } = await sql<DueWeek>`
    with due as (
      select greatest(0, floor(extract(epoch from i.matures_at - ${firstMonday}::timestamptz) / 604800))::int as week,
        i.amount_cents, i.profit_cents, case when c.told_reason is not null then 0
          when c.choice = 'everything' then i.amount_cents + i.profit_cents
          when c.choice = 'principal' then i.amount_cents else 0 end as again_cents
      from investments i left join maturity_choices c on c.investment_id = i.id where ${open(asOf)})
    select case when week < ${weeks}::int
        then ${firstMonday}::timestamptz + make_interval(secs => least(week, ${weeks}::int) * 604800) end as monday,
      sum(amount_cents)::bigint as "principalCents", sum(profit_cents)::bigint as "profitCents",
      sum(again_cents)::bigint as "againCents", count(*) as count
    from due group by 1 order by 1 nulls last`.execute(db);
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

/** Whoever has proven their address, or has ever had money here. */
const investors = sql`
  users u where u.verified_at is not null
    or exists (select from ledger_accounts a where a.kind = 'wallet' and a.owner_id = u.id)`;

export async function countInvestors(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`select count(*) as count from ${investors}`.execute(tx);
  return Number(rows[0]?.count ?? 0n);
}

/**
 * Who is owed what, in the bytes that leaves are made of: who, the four amounts, and an e-mail address behind its length.
 * Read on with `nextInvestors`.
 */
export async function openInvestors(tx: Tx, at: Date): Promise<void> {
  const account = (kind: string) => sql`
    left join ledger_accounts ${sql.ref(kind)} on ${sql.ref(kind)}.kind = ${kind} and ${sql.ref(kind)}.owner_id = u.id`;
  await sql`
    declare proof_investors no scroll cursor for
    select uuid_send(u.id) || int8send(${balanceAt(at, sql.ref('wallet'))})
      || int8send(${balanceAt(at, sql.ref('invested'))}) || int8send(coalesce(p.cents, 0))
      || int8send(${balanceAt(at, sql.ref('withdrawing'))})
      || int2send(octet_length(convert_to(u.email, 'UTF8'))::int2) || convert_to(u.email, 'UTF8') as packed
    from (select u.id, u.email from ${investors}) as u
    ${account('wallet')} ${account('invested')} ${account('withdrawing')}
    left join (
      select i.user_id, sum(${accruedBy(at)})::bigint as cents from investments i where ${openAt(at)} group by i.user_id
    ) as p on p.user_id = u.id`.execute(tx);
}

export async function nextInvestors(tx: Tx, count: number): Promise<Buffer[]> {
  const { rows } = await sql<{
    packed: Buffer;
  }>`fetch ${sql.raw(String(count))} from proof_investors`.execute(tx);
  return rows.map(({ packed }) => packed);
}
