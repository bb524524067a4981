import { investorAccounts } from '@tallystick/contract/ledger';
import { sql } from 'kysely';
import type { Db, ReadDb, Tx } from '../../../platform/postgres/db.ts';
import type { AccountKind, PaperEntry, PaperInvestment, PaperWithdrawal, Period } from './rules.ts';

/** By the database's clock, which dates the money; a test's own goes before it. */
export async function timeOf(db: Db | Tx, givenTime: Date | null): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`
    select date_trunc('milliseconds', coalesce(${givenTime}::timestamptz, clock_timestamp())) as now`.execute(
    db,
  );
  return rows[0]?.now as Date;
}

export interface Holder {
  fullname: string;
  email: string;
  since: Date;
}

/** Sample people have a past that is older than their account. */
export async function findHolder(db: ReadDb, userId: string): Promise<Holder | null> {
  const { rows } = await sql<Holder>`
    select case when u.closed_at is null then u.fullname else 'Closed account' end as fullname, u.email, least(u.created_at, (
      select min(e.at) from ledger_accounts a join ledger_entries e on e.account_id = a.id and e.seq = 1
      where a.owner_id = u.id and a.kind = any (${investorAccounts}::text[]))) as since
    from users u where u.id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

/** Which numbers of the accounts' entries lie in a period: those of an account are in the order of time. */
const numbered = (userId: string, { start, end }: Pick<Period, 'start' | 'end'>) => sql`(
  select a.id, a.kind, ledger_entries_before(a.id, ${start}::timestamptz) as after,
    ledger_entries_before(a.id, ${end}::timestamptz) as until
  from ledger_accounts a
  where a.owner_id = ${userId} and a.kind = any (${investorAccounts}::text[]))`;

export async function countEntries(
  db: ReadDb,
  userId: string,
  period: Pick<Period, 'start' | 'end'>,
): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`
    select coalesce(sum(n.until - n.after), 0)::bigint as count
    from ${numbered(userId, period)} as n`.execute(db);
  return Number(rows[0]?.count ?? 0n);
}

export interface ChainRow {
  kind: AccountKind;
  accountId: string;
  after: bigint;
  openingHash: Buffer | null;
  openingCents: bigint | null;
  until: bigint;
  closingHash: Buffer | null;
  closingCents: bigint | null;
  inCents: bigint;
  outCents: bigint;
}

export async function chainsOf(db: ReadDb, userId: string, period: Period): Promise<ChainRow[]> {
  const { rows } = await sql<ChainRow>`
    select n.kind, n.id as "accountId", n.after, o.hash as "openingHash", o.balance_after_cents as "openingCents",
      n.until, c.hash as "closingHash", c.balance_after_cents as "closingCents", s."inCents", s."outCents"
    from ${numbered(userId, period)} as n
    left join ledger_entries o on o.account_id = n.id and o.seq = n.after
    left join ledger_entries c on c.account_id = n.id and c.seq = n.until
    cross join lateral (
      select coalesce(sum(e.amount_cents) filter (where e.amount_cents > 0), 0)::bigint as "inCents",
        coalesce(sum(e.amount_cents) filter (where e.amount_cents < 0), 0)::bigint as "outCents"
      from ledger_entries e where e.account_id = n.id and e.seq > n.after and e.seq <= n.until) as s`.execute(
    db,
  );
  return rows;
}

/** In the order in which they were written. */
export async function entriesBetween(
  db: ReadDb,
  accountId: string,
  { after, until, limit }: { after: bigint; until: bigint; limit: number },
): Promise<PaperEntry[]> {
  const { rows } = await sql<PaperEntry>`
    select e.seq, e.at, m.transactionid, e.label, m.reason, e.amount_cents as "amountCents",
      e.balance_after_cents as "balanceAfterCents", e.hash
    from ledger_entries e join ledger_movements m on m.id = e.movement_id
    where e.account_id = ${accountId} and e.seq > ${after} and e.seq <= ${until}
    order by e.seq limit ${limit}`.execute(db);
  return rows;
}

/**
 * A movement may be dated up to a minute after what it is about, so that the entries of an account are in order. So it is
 * asked about each thing whether its *entry* lies in the period: else an investment would be counted while its money is
 * not, or the other way round.
 */
const opened = (transactionid: string, { end }: Period) => sql`
  (select m.at from ledger_movements m where m.transactionid = ${sql.ref(transactionid)}) < ${end}::timestamptz`;

/** What was running at any time of a period, the oldest first, as it stood at the end. */
export async function investmentsIn(
  db: ReadDb,
  userId: string,
  period: Period,
  limit: number,
): Promise<PaperInvestment[]> {
  const { start, end } = period;
  const { rows } = await sql<PaperInvestment>`
    select i.transactionid, i.planname, i.amount_cents as "amountCents", i.roi_points as "roiPoints",
      i.duration_days as "durationDays", i.profit_cents as "profitCents", i.opened_at as "openedAt",
      i.matures_at as "maturesAt", case when p.at < ${end}::timestamptz then p.at end as "settledAt",
      case when p.at < ${end}::timestamptz then l.profit_cents end as "leftProfitCents",
      case when p.at < ${end}::timestamptz then l.fee_cents end as "leftFeeCents"
    from investments i left join ledger_movements p on p.transactionid = i.settled_transactionid
    left join investment_exits l on l.investment_id = i.id
    where i.user_id = ${userId} and i.opened_at < ${end}::timestamptz and ${opened('i.transactionid', period)}
      and (p.at is null or p.at >= ${start}::timestamptz)
    order by i.opened_at, i.id limit ${limit}`.execute(db);
  return rows;
}

/** Whose money was held at the end of a period, the oldest first. */
export async function withdrawalsAt(
  db: ReadDb,
  userId: string,
  period: Period,
  limit: number,
): Promise<PaperWithdrawal[]> {
  const { end } = period;
  const { rows } = await sql<PaperWithdrawal>`
    select w.transactionid, w.requested_at as "requestedAt", w.methodname, w.address, w.amount_cents as "amountCents"
    from withdrawals w
    where w.user_id = ${userId} and w.requested_at < ${end}::timestamptz and ${opened('w.transactionid', period)}
      and (w.ended_at is null or w.ended_at >= ${end}::timestamptz
        or (w.ended_at >= ${end}::timestamptz - interval '1 minute' and exists (
          select from ledger_accounts a
          join ledger_entries e on e.account_id = a.id and e.seq > ledger_entries_before(a.id, ${end}::timestamptz)
            and e.seq <= ledger_entries_before(a.id, ${end}::timestamptz + interval '2 minutes')
          join ledger_movements m on m.id = e.movement_id and m.reference = w.transactionid
          where a.kind = 'withdrawing' and a.owner_id = w.user_id)))
    order by w.requested_at, w.id limit ${limit}`.execute(db);
  return rows;
}
