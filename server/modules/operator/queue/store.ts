import type { QueuedWithdrawal } from '@tallystick/contract/operator/queue';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/postgres/db.ts';

export interface Person {
  userId: string;
  fullname: string;
  email: string;
}

export interface QueuedDepositRow extends Person {
  id: string;
  transactionid: string;
  paymentname: string;
  coin: string;
  network: string;
  sample: boolean;
  /** False: the payment came without a request. */
  announced: boolean;
  paymentaddress: string;
  tag: bigint | null;
  amountCents: bigint;
  coinAmount: string | null;
  requestedAt: Date;
  walletCents: bigint;
  confirmedBefore: bigint;
  rejectedBefore: bigint;
  largestCents: bigint | null;
  /** For the same investor, within the last day. */
  confirmedTodayCents: bigint;
  firstConfirmedBy: string | null;
  firstConfirmedAt: Date | null;
  secondBecause: string | null;
  receivedCents: bigint | null;
  chainTxid: string | null;
  chainOutput: number | null;
  paymentId: string | null;
  /** Of its way in: after how many confirmations it counts, null for the usual number. */
  confirmations: number | null;
}

/** Oldest first, each with what the investor did before. */
export async function queuedDeposits(db: Db, limit: number, since: Date): Promise<QueuedDepositRow[]> {
  const { rows } = await sql<QueuedDepositRow>`
    select f.id, f.transactionid, f.paymentname, m.coin, m.network, m.sample, f.announced, f.paymentaddress, f.tag,
      f.amount_cents as "amountCents",
      f.coin_amount as "coinAmount", f.requested_at as "requestedAt",
      u.id as "userId", u.fullname, u.email, coalesce(a.balance_cents, 0) as "walletCents",
      earlier.confirmed as "confirmedBefore", earlier.rejected as "rejectedBefore", earlier.largest as "largestCents",
      earlier.today as "confirmedTodayCents", f.first_confirmed_by as "firstConfirmedBy",
      f.first_confirmed_at as "firstConfirmedAt", f.second_because as "secondBecause",
      f.received_cents as "receivedCents", f.chain_txid as "chainTxid", f.chain_output as "chainOutput",
      f.payment_id as "paymentId", m.confirmations
    from funding_requests f
    join users u on u.id = f.user_id
    join payment_methods m on m.id = f.method_id
    left join ledger_accounts a on a.kind = 'wallet' and a.owner_id = u.id
    cross join lateral (
      select count(*) filter (where e.status = 'confirmed') as confirmed,
        count(*) filter (where e.status = 'rejected') as rejected,
        max(e.received_cents) filter (where e.status = 'confirmed') as largest,
        coalesce(sum(e.received_cents) filter (where e.status = 'confirmed' and e.decided_at > ${since}), 0)::bigint
          as today
      from funding_requests e where e.user_id = u.id) as earlier
    where f.status = 'pending'
    order by f.requested_at, f.id
    limit ${limit}`.execute(db);
  return rows;
}

export interface QueuedWithdrawalRow extends Person {
  id: string;
  transactionid: string;
  methodname: string;
  network: string;
  address: string;
  amountCents: bigint;
  status: QueuedWithdrawal['status'];
  requestedAt: Date;
  firstApprovedBy: string | null;
  firstApprovedAt: Date | null;
  approvedBy: string | null;
  approvedAt: Date | null;
  walletCents: bigint;
  /** How often this investor was paid there, and when the last time. */
  addressUsed: bigint;
  lastPaidAt: Date | null;
  /** When it was first saved or asked for. */
  firstSeenAt: Date;
  savedAs: string | null;
  savedAt: Date | null;
  /** The investor lets money go nowhere but to saved addresses. */
  isProtected: boolean;
  frozenBecause: string | null;
  /** Why one operator is not enough, as it was when the first approved. */
  secondBecause: string | null;
  /** Approved within the last day: for the same investor, and to the same address. */
  investorTodayCents: bigint;
  addressTodayCents: bigint;
  tag: bigint | null;
  /** The number of the open sheet that it is on. */
  sheet: number | null;
  /** The first of two who say that it was paid, and with what. */
  firstPaidBy: string | null;
  firstPaidAt: Date | null;
  chainTxid: string | null;
  chainOutput: number | null;
}

const approvedToday = (same: RawBuilder<unknown>, since: Date) => sql`(
  select coalesce(sum(e.amount_cents), 0)::bigint from withdrawals e
  where ${same} and e.approved_at > ${since} and e.status in ('approved', 'paid'))`;

export async function queuedWithdrawals(
  db: Db,
  limit: number,
  { since, now }: { since: Date; now: Date },
): Promise<QueuedWithdrawalRow[]> {
  const { rows } = await sql<QueuedWithdrawalRow>`
    select w.id, w.transactionid, w.methodname, w.network, w.address, w.amount_cents as "amountCents", w.status,
      w.requested_at as "requestedAt", w.first_approved_by as "firstApprovedBy",
      w.first_approved_at as "firstApprovedAt", w.approved_by as "approvedBy", w.approved_at as "approvedAt",
      u.id as "userId", u.fullname, u.email, coalesce(a.balance_cents, 0) as "walletCents",
      seen.used as "addressUsed", seen.paid_at as "lastPaidAt", least(seen.asked_at, b.created_at) as "firstSeenAt",
      b.label as "savedAs", b.created_at as "savedAt", p.user_id is not null as "isProtected", z.reason as "frozenBecause", w.second_because as "secondBecause", w.tag,
      s.number as sheet, w.first_paid_by as "firstPaidBy", w.first_paid_at as "firstPaidAt", w.chain_txid as "chainTxid",
      w.chain_output as "chainOutput",
      ${approvedToday(sql`e.user_id = w.user_id`, since)} as "investorTodayCents",
      ${approvedToday(sql`lower(e.address) = lower(w.address)`, since)} as "addressTodayCents"
    from withdrawals w
    join users u on u.id = w.user_id
    left join ledger_accounts a on a.kind = 'wallet' and a.owner_id = u.id
    left join withdrawal_freezes z on z.user_id = u.id
    left join payout_items i on i.withdrawal_id = w.id and i.open
    left join payout_sheets s on s.id = i.sheet_id
    left join saved_addresses b on b.user_id = u.id and b.network = w.network and lower(b.address) = lower(w.address)
      and coalesce(b.tag, -1) = coalesce(w.tag, -1)
    left join address_protections p on p.user_id = u.id and (p.off_from is null or p.off_from > ${now})
    cross join lateral (
      select count(*) filter (where e.status = 'paid') as used,
        max(e.ended_at) filter (where e.status = 'paid') as paid_at, min(e.requested_at) as asked_at
      from withdrawals e where e.user_id = u.id and e.network = w.network and lower(e.address) = lower(w.address)
        and coalesce(e.tag, -1) = coalesce(w.tag, -1)) as seen
    where w.status in ('requested', 'approved')
    order by w.requested_at, w.id
    limit ${limit}`.execute(db);
  return rows;
}

export interface QueueSum {
  kind: 'deposits' | 'requested' | 'approved' | 'needingtwo';
  count: bigint;
  cents: bigint;
}

/** What an operator decided without a second one: deposits confirmed, withdrawals approved. */
export async function decidedAlone(
  db: Db,
  operatorId: string,
  since: Date,
): Promise<{ confirmedCents: bigint; approvedCents: bigint }> {
  const { rows } = await sql<{ confirmedCents: bigint; approvedCents: bigint }>`
    select
      (select coalesce(sum(received_cents), 0)::bigint from funding_requests where decided_by = ${operatorId}
        and status = 'confirmed' and first_confirmed_by is null and decided_at > ${since}) as "confirmedCents",
      (select coalesce(sum(amount_cents), 0)::bigint from withdrawals where approved_by = ${operatorId}
        and first_approved_by is null and approved_at > ${since} and status in ('approved', 'paid'))
        as "approvedCents"`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a sum answers one row');
  return row;
}

/** Of everything that waits, however long the lists are; which need two depends on who would be the first. */
export async function queueSums(
  db: Db,
  { thresholdCents, aloneCents, since }: { thresholdCents: bigint; aloneCents: bigint; since: Date },
): Promise<QueueSum[]> {
  const { rows } = await sql<QueueSum>`
    select 'deposits' as kind, count(*) as count, coalesce(sum(amount_cents), 0)::bigint as cents
      from funding_requests where status = 'pending'
    union all
    select status, count(*), coalesce(sum(amount_cents), 0)::bigint
      from withdrawals where status in ('requested', 'approved') group by status
    union all
    select 'needingtwo', count(*), coalesce(sum(w.amount_cents), 0)::bigint
      from withdrawals w where w.status = 'requested' and (w.first_approved_by is not null
        or w.amount_cents + greatest(${aloneCents}::bigint,
          ${approvedToday(sql`e.user_id = w.user_id`, since)},
          ${approvedToday(sql`lower(e.address) = lower(w.address)`, since)}) > ${thresholdCents})`.execute(
    db,
  );
  return rows;
}

export async function peopleByIds(db: Db, userIds: string[]): Promise<Map<string, Person>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id as userId', 'fullname', 'email'])
    .where('id', 'in', userIds)
    .execute();
  return new Map(rows.map((row) => [row.userId, row]));
}
