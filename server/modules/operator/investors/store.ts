import type { MaturityOutcome } from '@tallystick/contract/investment';
import type { NetworkFacts } from '@tallystick/contract/networks';
import { sql } from 'kysely';
import type { ReadDb } from '../../../platform/postgres/db.ts';

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
  closedAt: Date | null;
  /** Of a closed account: then its address is forgotten, too. */
  emailUntil: Date | null;
}

const likeEscaped = (text: string) => text.replace(/[\\%_]/g, (character) => `\\${character}`);

const investorColumns = sql`
  u.id as "userId", u.fullname, u.email, u.verified_at is not null as verified, u.created_at as since,
  coalesce(w.balance_cents, 0) as "walletCents", coalesce(i.balance_cents, 0) as "investedCents",
  coalesce(o.balance_cents, 0) as "withdrawingCents", z.user_id is not null as frozen,
  u.closed_at as "closedAt", u.forget_email_at as "emailUntil"`;
const investorTables = sql`
  users u
  left join ledger_accounts w on w.kind = 'wallet' and w.owner_id = u.id
  left join ledger_accounts i on i.kind = 'invested' and i.owner_id = u.id
  left join ledger_accounts o on o.kind = 'withdrawing' and o.owner_id = u.id
  left join withdrawal_freezes z on z.user_id = u.id`;

/** By a part of the name or the e-mail, or by the whole of an id, a transaction id, an address or a tag of theirs. */
function matching(search: string | undefined) {
  const wanted = search?.trim();
  if (!wanted) return sql`true`;
  const part = `%${likeEscaped(wanted)}%`;
  const whole = wanted.toUpperCase();
  const tag = /^\d{1,10}$/.test(wanted) ? wanted : null;
  return sql`(u.fullname ilike ${part} or u.email ilike ${part} or u.id::text = ${wanted.toLowerCase()}
    or u.id in (
      select user_id from funding_requests where transactionid = ${whole}
      union all select user_id from withdrawals where transactionid = ${whole}
      union all select user_id from investments where transactionid = ${whole}
      union all select user_id from ledger_corrections where transactionid = ${whole}
      union all select coalesce(i.user_id, w.user_id) from ledger_movements m
        left join investments i on i.transactionid = m.reference
        left join withdrawals w on w.transactionid = m.reference
        where m.transactionid = ${whole}
      union all select owner_id from network_addresses where lower(address) = ${wanted.toLowerCase()} and tag is null
      union all select owner_id from network_addresses where tag = ${tag}::bigint))`;
}

export async function pageOfInvestors(
  db: ReadDb,
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

export async function findInvestor(db: ReadDb, userId: string): Promise<InvestorRow | null> {
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
  /** What came of what was chosen for the end, of an investment that was paid back. */
  outcome: MaturityOutcome | null;
  /** Opened with what another one paid. */
  isAgain: boolean;
}

export interface Period {
  from: Date | null;
  /** The first instant that no longer belongs to it. */
  before: Date | null;
  label: string | undefined;
}

/** An account's entries are in the order of time: a period is a range of their numbers. */
const periodOf = (userId: string, { from, before }: Period) => sql`(
  select a.id, coalesce(ledger_entries_before(a.id, ${from}::timestamptz), 0) as after,
    coalesce(ledger_entries_before(a.id, ${before}::timestamptz), a.entry_count) as until
  from ledger_accounts a where a.kind = 'wallet' and a.owner_id = ${userId})`;
const labelled = ({ label }: Period) => sql`(${label ?? null}::text is null or e.label = ${label ?? null})`;

/** The wallet's entries of a period, newest first, each with who and what stands behind it. */
export async function statementEntries(
  db: ReadDb,
  userId: string,
  period: Period,
  { below, offset, limit }: { below: bigint | null; offset: number; limit: number },
): Promise<StatementRow[]> {
  const { rows } = await sql<StatementRow>`
    select e.account_id as "accountId", e.seq, e.at, e.label, m.kind, m.transactionid, e.amount_cents as "amountCents",
      e.balance_after_cents as "balanceAfterCents", e.hash, m.reason,
      coalesce(f.decided_by, c.decided_by, case when m.kind = 'withdrawal-returned' then w.ended_by end) as "decidedBy",
      i.planname, i.duration_days as "durationDays", w.methodname,
      case when m.kind = 'maturity' then h.outcome end as outcome,
      m.kind = 'investment' and exists (select from maturity_choices x where x.reinvested_id = i.id) as "isAgain"
    from ${periodOf(userId, period)} as p
    join ledger_entries e on e.account_id = p.id and e.seq > p.after and e.seq <= p.until
    join ledger_movements m on m.id = e.movement_id
    left join funding_requests f on f.transactionid = m.transactionid
    left join ledger_corrections c on c.transactionid = m.transactionid
    left join withdrawals w on w.transactionid = coalesce(m.reference, m.transactionid)
    left join investments i on i.transactionid = coalesce(m.reference, m.transactionid)
    left join maturity_choices h on h.investment_id = i.id
    where ${labelled(period)} and (${below}::bigint is null or e.seq < ${below})
    order by e.seq desc offset ${offset} limit ${limit}`.execute(db);
  return rows;
}

/** How many entries a period has, and what the wallet held before it. */
export async function statementSums(db: ReadDb, userId: string, period: Period) {
  const { rows } = await sql<{ total: bigint; earlier: bigint; broughtForwardCents: bigint | null }>`
    select p.after as earlier,
      case when ${period.label ?? null}::text is null then greatest(p.until - p.after, 0) else (
        select count(*) from ledger_entries e
        where e.account_id = p.id and e.seq > p.after and e.seq <= p.until and ${labelled(period)}) end as total,
      (select e.balance_after_cents from ledger_entries e
        where e.account_id = p.id and e.seq = p.after) as "broughtForwardCents"
    from ${periodOf(userId, period)} as p`.execute(db);
  const [row] = rows;
  return {
    total: Number(row?.total ?? 0n),
    earlier: Number(row?.earlier ?? 0n),
    broughtForwardCents: row?.broughtForwardCents ?? 0n,
  };
}

export interface GivenAddressRow {
  id: bigint;
  family: NetworkFacts['family'];
  address: string;
  tag: bigint | null;
  path: string | null;
  givenAt: Date;
  usedAt: Date | null;
}

export interface WithdrawalAddressRow {
  network: string;
  address: string;
  tag: bigint | null;
  savedAs: string | null;
  savedAt: Date | null;
  usableFrom: Date | null;
  firstSeenAt: Date;
  lastPaidAt: Date | null;
  timesPaid: number;
}

/** Where money went, or may go: each address once, however it was written. */
export async function withdrawalAddressesOf(
  db: ReadDb,
  userId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; addresses: WithdrawalAddressRow[] }> {
  const { rows } = await sql<WithdrawalAddressRow & { total: number }>`
    with seen as (
      select network, lower(address) as key, coalesce(tag, -1) as tag_key, min(address) as address,
        min(requested_at) as asked_at, max(ended_at) filter (where status = 'paid') as paid_at,
        count(*) filter (where status = 'paid') as paid
      from withdrawals where user_id = ${userId} group by 1, 2, 3),
    saved as (
      select network, lower(address) as key, coalesce(tag, -1) as tag_key, address, label, created_at, usable_from
      from saved_addresses where user_id = ${userId}),
    together as (
      select network, coalesce(b.address, w.address) as address, nullif(tag_key, -1) as tag, b.label as "savedAs",
        b.created_at as "savedAt", b.usable_from as "usableFrom", least(w.asked_at, b.created_at) as "firstSeenAt",
        w.paid_at as "lastPaidAt", coalesce(w.paid, 0)::int as "timesPaid"
      from seen w full join saved b using (network, key, tag_key))
    select *, (select count(*)::int from together) as total from together
    order by coalesce("lastPaidAt", "firstSeenAt") desc, network, address, tag offset ${offset} limit ${limit}`.execute(
    db,
  );
  return { total: rows[0]?.total ?? 0, addresses: rows };
}

export async function addressesOf(
  db: ReadDb,
  userId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; addresses: GivenAddressRow[] }> {
  const counted = await sql<{ total: bigint }>`
    select count(*) as total from network_addresses where owner_id = ${userId}`.execute(db);
  const { rows } = await sql<GivenAddressRow>`
    select a.id, a.family, a.address, a.tag, k.path || '/' || a.branch || '/' || a.index as path,
      a.made_at as "givenAt", a.used_at as "usedAt"
    from network_addresses a left join network_keys k on k.id = a.key_id
    where a.owner_id = ${userId} order by a.id desc offset ${offset} limit ${limit}`.execute(db);
  return { total: Number(counted.rows[0]?.total ?? 0n), addresses: rows };
}
