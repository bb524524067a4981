import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres/db.ts';

interface InvestorRow {
  userId: string;
  fullname: string;
  email: string;
  verified: boolean;
  since: Date;
  walletCents: bigint;
  investedCents: bigint;
  withdrawingCents: bigint;
  frozen: boolean;
}

const likeEscaped = (text: string) => text.replace(/[\\%_]/g, (character) => `\\${character}`);

const investorColumns = sql`
  u.id as "userId", u.fullname, u.email, u.verified_at is not null as verified, u.created_at as since,
  coalesce(w.balance_cents, 0) as "walletCents", coalesce(i.balance_cents, 0) as "investedCents",
  coalesce(o.balance_cents, 0) as "withdrawingCents", z.user_id is not null as frozen`;
const investorTables = sql`
  users u
  left join ledger_accounts w on w.kind = 'wallet' and w.owner_id = u.id
  left join ledger_accounts i on i.kind = 'invested' and i.owner_id = u.id
  left join ledger_accounts o on o.kind = 'withdrawing' and o.owner_id = u.id
  left join withdrawal_freezes z on z.user_id = u.id`;

/** By a part of the name or the address, or by the whole of an id or a transaction id. */
function matching(search: string | undefined) {
  const wanted = search?.trim();
  if (!wanted) return sql`true`;
  const part = `%${likeEscaped(wanted)}%`;
  const whole = wanted.toUpperCase();
  return sql`(u.fullname ilike ${part} or u.email ilike ${part} or u.id::text = ${wanted.toLowerCase()}
    or u.id in (
      select user_id from funding_requests where transactionid = ${whole}
      union all select user_id from withdrawals where transactionid = ${whole}
      union all select user_id from investments where transactionid = ${whole} or settled_transactionid = ${whole}
      union all select a.owner_id from ledger_movements m
        join ledger_entries e on e.movement_id = m.id
        join ledger_accounts a on a.id = e.account_id
        where m.transactionid = ${whole} and a.kind in ('wallet', 'withdrawing')))`;
}

export async function pageOfInvestors(
  db: Db,
  search: string | undefined,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; investors: InvestorRow[] }> {
  const counted = await sql<{ total: bigint }>`
    select count(*) as total from users u where ${matching(search)}`.execute(db);
  const { rows } = await sql<InvestorRow>`
    select ${investorColumns} from ${investorTables} where ${matching(search)}
    order by u.created_at desc, u.id offset ${offset} limit ${limit}`.execute(db);
  return { total: Number(counted.rows[0]?.total ?? 0n), investors: rows };
}

export async function findInvestor(db: Db, userId: string): Promise<InvestorRow | null> {
  const { rows } = await sql<InvestorRow>`
    select ${investorColumns} from ${investorTables} where u.id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

export interface StatementRow {
  accountId: string;
  seq: bigint;
  at: Date;
  label: string;
  kind: string;
  transactionid: string;
  amountCents: bigint;
  balanceAfterCents: bigint;
  hash: Buffer;
  reason: string | null;
  /** Who decided about it, where a person did; null when the investor or the clock did. */
  decidedBy: string | null;
  planname: string | null;
  durationDays: number | null;
  methodname: string | null;
}

export interface Period {
  from: Date | null;
  /** The first instant that no longer belongs to it. */
  before: Date | null;
  label: string | undefined;
}

const inPeriod = ({ from, before, label }: Period) => sql`
  (${from}::timestamptz is null or e.at >= ${from}) and (${before}::timestamptz is null or e.at < ${before})
  and (${label ?? null}::text is null or e.label = ${label ?? null})`;

const walletOf = (userId: string) =>
  sql`(select id from ledger_accounts where kind = 'wallet' and owner_id = ${userId})`;

/** The wallet's entries of a period, newest first, each with who and what stands behind it. */
export async function statementEntries(
  db: Db,
  userId: string,
  period: Period,
  { below, offset, limit }: { below: bigint | null; offset: number; limit: number },
): Promise<StatementRow[]> {
  const { rows } = await sql<StatementRow>`
    select e.account_id as "accountId", e.seq, e.at, e.label, m.kind, m.transactionid, e.amount_cents as "amountCents",
      e.balance_after_cents as "balanceAfterCents", e.hash, m.reason,
      coalesce(f.decided_by, c.decided_by, case when m.kind = 'withdrawal-returned' then w.ended_by end) as "decidedBy",
      i.planname, i.duration_days as "durationDays", w.methodname
    from ledger_entries e
    join ledger_movements m on m.id = e.movement_id
    left join funding_requests f on f.transactionid = m.transactionid
    left join ledger_corrections c on c.transactionid = m.transactionid
    left join withdrawals w on w.transactionid = coalesce(m.reference, m.transactionid)
    left join investments i on i.transactionid = coalesce(m.reference, m.transactionid)
    where e.account_id = ${walletOf(userId)} and ${inPeriod(period)}
      and (${below}::bigint is null or e.seq < ${below})
    order by e.seq desc offset ${offset} limit ${limit}`.execute(db);
  return rows;
}

/** How many entries a period has, and what the wallet held before it. */
export async function statementSums(db: Db, userId: string, period: Period) {
  const { rows } = await sql<{ total: bigint; earlier: bigint; broughtForwardCents: bigint | null }>`
    select
      (select count(*) from ledger_entries e where e.account_id = ${walletOf(userId)} and ${inPeriod(period)}) as total,
      (select count(*) from ledger_entries e
        where e.account_id = ${walletOf(userId)} and e.at < ${period.from}) as earlier,
      (select e.balance_after_cents from ledger_entries e
        where e.account_id = ${walletOf(userId)} and e.at < ${period.from}
        order by e.seq desc limit 1) as "broughtForwardCents"`.execute(db);
  const [row] = rows;
  return {
    total: Number(row?.total ?? 0n),
    earlier: Number(row?.earlier ?? 0n),
    broughtForwardCents: row?.broughtForwardCents ?? 0n,
  };
}
