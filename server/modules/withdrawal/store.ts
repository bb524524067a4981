import { type Network, networkIds } from '@tallystick/contract/networks';
import type { WithdrawalStatus } from '@tallystick/contract/withdrawal';
import { type SqlBool, sql } from 'kysely';
import type { Db, ReadDb, Tx } from '../../platform/postgres/db.ts';
import type { Destination } from './rules.ts';

export interface WithdrawalMethodRow {
  id: string;
  methodname: string;
  network: Network;
  position: number;
  active: boolean;
}

const methodColumns = [
  'id',
  'methodname',
  sql<Network>`network`.as('network'),
  'position',
  'active',
] as const;

/** Without those over a network that this version does not know, or no more: nobody could check an address there. */
export async function activeMethods(db: Db | Tx): Promise<WithdrawalMethodRow[]> {
  return db
    .selectFrom('withdrawal_methods')
    .select(methodColumns)
    .where('active', '=', true)
    .where('network', 'in', networkIds)
    .orderBy('position')
    .execute();
}

export async function allMethods(db: Db | Tx): Promise<WithdrawalMethodRow[]> {
  return db.selectFrom('withdrawal_methods').select(methodColumns).orderBy('position').execute();
}

/** Null when the name is taken. */
export async function insertMethod(
  tx: Tx,
  method: Pick<WithdrawalMethodRow, 'methodname' | 'network'>,
  now: Date,
): Promise<string | null> {
  const { methodname, network } = method;
  const row = await tx
    .insertInto('withdrawal_methods')
    .values((eb) => ({
      methodname,
      network,
      created_at: now,
      position: eb
        .selectFrom('withdrawal_methods')
        .select(sql<number>`coalesce(max(position) + 1, 0)`.as('next')),
    }))
    .onConflict((conflict) => conflict.column('methodname').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** False when it is so already, or there is no such method. */
export async function switchMethod(tx: Tx, methodId: string, active: boolean): Promise<boolean> {
  const result = await tx
    .updateTable('withdrawal_methods')
    .set({ active })
    .where('id', '=', methodId)
    .where('active', '!=', active)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export interface WithdrawalRow {
  id: string;
  userId: string;
  methodId: string;
  transactionid: string;
  methodname: string;
  network: string;
  address: string;
  /** On the XRP Ledger: the destination tag. */
  tag: bigint | null;
  amountCents: bigint;
  status: WithdrawalStatus;
  chainTxid: string | null;
  /** Which output of a Bitcoin transaction it is, where one transaction pays several. */
  chainOutput: number | null;
  /** Of two who say that it was paid, where the chain does not show it, the first. */
  firstPaidBy: string | null;
  firstPaidAt: Date | null;
  /** What the chain shows as its payment, where it was marked by itself. */
  spendId: string | null;
  reason: string | null;
  requestedAt: Date;
  /** Of two approvals, where two are needed, the first. */
  firstApprovedAt: Date | null;
  firstApprovedBy: string | null;
  /** Why one was not enough. */
  secondBecause: string | null;
  approvedAt: Date | null;
  approvedBy: string | null;
  endedAt: Date | null;
  endedBy: string | null;
}

/** Where a withdrawal stands that was just asked for. */
export const asked = {
  status: 'requested',
  chainTxid: null,
  chainOutput: null,
  firstPaidBy: null,
  firstPaidAt: null,
  spendId: null,
  reason: null,
  firstApprovedAt: null,
  firstApprovedBy: null,
  secondBecause: null,
  approvedAt: null,
  approvedBy: null,
  endedAt: null,
  endedBy: null,
} as const;

const columns = [
  'id',
  'user_id as userId',
  'method_id as methodId',
  'transactionid',
  'methodname',
  'network',
  'address',
  'tag',
  'amount_cents as amountCents',
  sql<WithdrawalStatus>`status`.as('status'),
  'chain_txid as chainTxid',
  'chain_output as chainOutput',
  'first_paid_by as firstPaidBy',
  'first_paid_at as firstPaidAt',
  'spend_id as spendId',
  'reason',
  'requested_at as requestedAt',
  'first_approved_at as firstApprovedAt',
  'first_approved_by as firstApprovedBy',
  'second_because as secondBecause',
  'approved_at as approvedAt',
  'approved_by as approvedBy',
  'ended_at as endedAt',
  'ended_by as endedBy',
] as const;

export async function insertWithdrawals(tx: Tx, rows: WithdrawalRow[]): Promise<void> {
  await sql`
    insert into withdrawals (id, user_id, method_id, transactionid, methodname, network, address, tag, amount_cents,
      requested_at)
    select * from unnest(
      ${rows.map((r) => r.id)}::uuid[], ${rows.map((r) => r.userId)}::uuid[],
      ${rows.map((r) => r.methodId)}::uuid[], ${rows.map((r) => r.transactionid)}::text[],
      ${rows.map((r) => r.methodname)}::text[], ${rows.map((r) => r.network)}::text[],
      ${rows.map((r) => r.address)}::text[], ${rows.map((r) => r.tag)}::bigint[],
      ${rows.map((r) => r.amountCents)}::bigint[],
      ${rows.map((r) => r.requestedAt)}::timestamptz[])`.execute(tx);
}

/** By their own ids, or by the transaction ids that movements bear or refer to. */
export async function withdrawalsNamed(
  tx: Tx,
  { ids = [], transactionids = [] }: { ids?: string[]; transactionids?: string[] },
): Promise<WithdrawalRow[]> {
  return tx
    .selectFrom('withdrawals')
    .select(columns)
    .where(sql<SqlBool>`id = any(${ids}::uuid[]) or transactionid = any(${transactionids}::text[])`)
    .execute();
}

/** How many of each investor's withdrawals are open, of the given ones. */
export async function openOf(tx: Tx, userIds: string[]): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('withdrawals')
    .select((eb) => ['user_id as userId', eb.fn.countAll<bigint>().as('count')])
    .where('status', 'in', ['requested', 'approved'])
    .where('user_id', 'in', userIds)
    .groupBy('user_id')
    .execute();
  return new Map(rows.map(({ userId, count }) => [userId, Number(count)]));
}

/** Where money of the given investors arrived. */
export async function paidAddresses(db: Db | Tx, userIds: string[]): Promise<Map<string, Destination[]>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('withdrawals')
    .select(['user_id as userId', 'address', 'tag'])
    .distinct()
    .where('status', '=', 'paid')
    .where('user_id', 'in', userIds)
    .execute();
  return Map.groupBy(rows, ({ userId }) => userId);
}

/** In the order of their ids, like everything that is locked several at a time. */
export async function lockWithdrawals(tx: Tx, ids: string[]): Promise<WithdrawalRow[]> {
  return tx
    .selectFrom('withdrawals')
    .select(columns)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function updateWithdrawals(tx: Tx, rows: WithdrawalRow[]): Promise<void> {
  for (const row of rows) {
    await tx
      .updateTable('withdrawals')
      .set({
        status: row.status,
        chain_txid: row.chainTxid,
        chain_output: row.chainOutput,
        first_paid_by: row.firstPaidBy,
        first_paid_at: row.firstPaidAt,
        spend_id: row.spendId,
        reason: row.reason,
        first_approved_at: row.firstApprovedAt,
        first_approved_by: row.firstApprovedBy,
        second_because: row.secondBecause,
        approved_at: row.approvedAt,
        approved_by: row.approvedBy,
        ended_at: row.endedAt,
        ended_by: row.endedBy,
      })
      .where('id', '=', row.id)
      .execute();
  }
}

export async function pageOfWithdrawals(
  db: ReadDb,
  { userId, status }: { userId: string; status: WithdrawalStatus | 'open' | undefined },
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; withdrawals: WithdrawalRow[] }> {
  let counted = db.selectFrom('withdrawals').where('user_id', '=', userId);
  if (status === 'open') counted = counted.where('status', 'in', ['requested', 'approved']);
  else if (status) counted = counted.where('status', '=', status);
  const { count } = await counted
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  const withdrawals = await counted
    .select(columns)
    .orderBy('requested_at', 'desc')
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  return { total: Number(count), withdrawals };
}

/** Which of these payments, as the chains showed them, were taken for a withdrawal. */
export async function withdrawalsPaidBy(
  db: Db | Tx,
  spendIds: string[],
): Promise<{ spendId: string | null; userId: string; transactionid: string }[]> {
  if (spendIds.length === 0) return [];
  return db
    .selectFrom('withdrawals')
    .select(['spend_id as spendId', 'user_id as userId', 'transactionid'])
    .where('spend_id', 'in', spendIds)
    .execute();
}

/** Approved and not paid, the oldest first; each with how many there are. */
export async function approvedWithdrawals(
  db: Db,
  limit: number,
): Promise<(WithdrawalRow & { total: bigint })[]> {
  return db
    .selectFrom('withdrawals')
    .select(columns)
    .select(({ fn }) => fn.countAll<bigint>().over().as('total'))
    .where('status', '=', 'approved')
    .where('network', 'in', networkIds)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('payout_items')
            .select('position')
            .whereRef('withdrawal_id', '=', 'withdrawals.id')
            .where('open', '=', true),
        ),
      ),
    )
    .orderBy('approved_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}
