import type { FundingStatus } from '@tallystick/contract/funding';
import type { PaymentSource } from '@tallystick/contract/operator/methods';
import { sql } from 'kysely';
import type { Db, ReadDb, Tx } from '../../platform/postgres/db.ts';

export interface FundingRow {
  id: string;
  userId: string;
  methodId: string;
  transactionid: string;
  paymentname: string;
  paymentaddress: string;
  /** On the XRP Ledger: what tells this investor's payments from others' to the same address. */
  tag: bigint | null;
  amountCents: bigint;
  /** What it was worth in the coin when it was asked; null when no price was known. */
  coinAmount: string | null;
  status: FundingStatus;
  /** As it was confirmed; while the request is pending, as the first of two operators has confirmed it. */
  receivedCents: bigint | null;
  network: string | null;
  chainTxid: string | null;
  chainOutput: number | null;
  /** The payment that the chain shows for it. */
  paymentId: string | null;
  /** False when nobody asked before the payment came. */
  announced: boolean;
  firstConfirmedBy: string | null;
  firstConfirmedAt: Date | null;
  /** Why one operator was not enough. */
  secondBecause: string | null;
  reason: string | null;
  requestedAt: Date;
  decidedAt: Date | null;
  decidedBy: string | null;
}

/** A request with what its method says about how to pay it. */
export interface PayableRow extends FundingRow {
  /** As many as the method asks for; null for the network's own number. */
  confirmations: number | null;
  methodNetwork: string;
  coin: string;
  sample: boolean;
  source: PaymentSource;
}

const requestColumns = [
  'funding_requests.id',
  'funding_requests.user_id as userId',
  'funding_requests.method_id as methodId',
  'funding_requests.transactionid',
  'funding_requests.paymentname',
  'funding_requests.paymentaddress',
  'funding_requests.tag',
  'funding_requests.amount_cents as amountCents',
  'funding_requests.coin_amount as coinAmount',
  sql<FundingStatus>`funding_requests.status`.as('status'),
  'funding_requests.received_cents as receivedCents',
  'funding_requests.network',
  'funding_requests.chain_txid as chainTxid',
  'funding_requests.chain_output as chainOutput',
  'funding_requests.payment_id as paymentId',
  'funding_requests.announced',
  'funding_requests.first_confirmed_by as firstConfirmedBy',
  'funding_requests.first_confirmed_at as firstConfirmedAt',
  'funding_requests.second_because as secondBecause',
  'funding_requests.reason',
  'funding_requests.requested_at as requestedAt',
  'funding_requests.decided_at as decidedAt',
  'funding_requests.decided_by as decidedBy',
] as const;

export async function insertRequests(tx: Tx, rows: FundingRow[]): Promise<void> {
  await tx
    .insertInto('funding_requests')
    .values(
      rows.map((row) => ({
        id: row.id,
        user_id: row.userId,
        method_id: row.methodId,
        transactionid: row.transactionid,
        paymentname: row.paymentname,
        paymentaddress: row.paymentaddress,
        tag: row.tag,
        payment_id: row.paymentId,
        announced: row.announced,
        amount_cents: row.amountCents,
        coin_amount: row.coinAmount,
        requested_at: row.requestedAt,
      })),
    )
    .execute();
}

export async function requestsNamed(tx: Tx, transactionids: string[]): Promise<FundingRow[]> {
  return tx
    .selectFrom('funding_requests')
    .select(requestColumns)
    .where('transactionid', '=', sql<string>`any(${transactionids}::text[])`)
    .execute();
}

/** Where a request stands that nobody has decided about. */
export const unasked = {
  status: 'pending',
  receivedCents: null,
  network: null,
  chainTxid: null,
  chainOutput: null,
  firstConfirmedBy: null,
  firstConfirmedAt: null,
  secondBecause: null,
  reason: null,
  decidedAt: null,
  decidedBy: null,
} as const;

/** Which payments belong to a request already. */
export async function requestsOfPayments(db: Db | Tx, paymentIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select payment_id as id from funding_requests where payment_id = any (${paymentIds}::uuid[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Requests that wait, nobody having confirmed them, by the payments that they belong to: each with its method. */
export async function waitingPaidBy(db: Db | Tx, paymentIds: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; methodId: string }>`
    select payment_id as id, method_id as "methodId" from funding_requests
    where payment_id = any (${paymentIds}::uuid[]) and status = 'pending' and first_confirmed_by is null`.execute(
    db,
  );
  return new Map(rows.map(({ id, methodId }) => [id, methodId]));
}

/** Who waits for a payment, at which of these addresses. */
export async function waitingAt(db: Db, addresses: string[]): Promise<Set<string>> {
  if (addresses.length === 0) return new Set();
  const { rows } = await sql<{ who: string }>`
    select distinct user_id || ' ' || paymentaddress as who from funding_requests
    where paymentaddress = any (${[...new Set(addresses)]}::text[]) and status = 'pending' and payment_id is null
      and first_confirmed_by is null`.execute(db);
  return new Set(rows.map(({ who }) => who));
}

/** The oldest request that waits for a payment to an address. */
export async function lockWaitingAt(
  tx: Tx,
  { ownerId, methodIds, address }: { ownerId: string; methodIds: string[]; address: string },
): Promise<FundingRow | null> {
  const row = await tx
    .selectFrom('funding_requests')
    .select(requestColumns)
    .where('user_id', '=', ownerId)
    .where('method_id', 'in', methodIds)
    .where('paymentaddress', '=', address)
    .where('status', '=', 'pending')
    .where('payment_id', 'is', null)
    .where('first_confirmed_by', 'is', null)
    .orderBy('requested_at')
    .orderBy('id')
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function attachPayment(
  tx: Tx,
  { id, paymentId }: Pick<FundingRow, 'id' | 'paymentId'>,
): Promise<void> {
  await tx.updateTable('funding_requests').set({ payment_id: paymentId }).where('id', '=', id).execute();
}

/** How many requests of each investor wait, of the given ones. */
export async function pendingOf(tx: Tx, userIds: string[]): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('funding_requests')
    .select((eb) => ['user_id as userId', eb.fn.countAll<bigint>().as('count')])
    .where('status', '=', 'pending')
    .where('user_id', 'in', userIds)
    .groupBy('user_id')
    .execute();
  return new Map(rows.map(({ userId, count }) => [userId, Number(count)]));
}

/** Of these payments, in the order of their ids. */
export async function lockRequestsPaidBy(tx: Tx, paymentIds: string[]): Promise<FundingRow[]> {
  return tx
    .selectFrom('funding_requests')
    .select(requestColumns)
    .where('payment_id', '=', sql<string>`any (${paymentIds}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function lockRequestsNamed(tx: Tx, transactionids: string[]): Promise<FundingRow[]> {
  return tx
    .selectFrom('funding_requests')
    .select(requestColumns)
    .where('transactionid', '=', sql<string>`any (${transactionids}::text[])`)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** In the order of their ids, like everything that is locked several at a time. */
export async function lockRequests(tx: Tx, ids: string[]): Promise<FundingRow[]> {
  return tx
    .selectFrom('funding_requests')
    .select(requestColumns)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function decideRequests(tx: Tx, rows: FundingRow[]): Promise<void> {
  for (const row of rows) {
    await tx
      .updateTable('funding_requests')
      .set({
        status: row.status,
        received_cents: row.receivedCents,
        network: row.network,
        chain_txid: row.chainTxid,
        chain_output: row.chainOutput,
        payment_id: row.paymentId,
        first_confirmed_by: row.firstConfirmedBy,
        first_confirmed_at: row.firstConfirmedAt,
        second_because: row.secondBecause,
        reason: row.reason,
        decided_at: row.decidedAt,
        decided_by: row.decidedBy,
      })
      .where('id', '=', row.id)
      .execute();
  }
}

export interface RequestFilter {
  userId: string;
  status: FundingStatus | undefined;
  transactionid?: string | undefined;
}

export async function pageOfRequests(
  db: ReadDb,
  { userId, status, transactionid }: RequestFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; requests: PayableRow[] }> {
  let counted = db.selectFrom('funding_requests').where('user_id', '=', userId);
  if (status) counted = counted.where('funding_requests.status', '=', status);
  if (transactionid) counted = counted.where('funding_requests.transactionid', '=', transactionid);
  const { count } = await counted
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  const requests = await counted
    .innerJoin('payment_methods', 'payment_methods.id', 'funding_requests.method_id')
    .select(requestColumns)
    .select([
      'payment_methods.network as methodNetwork',
      'payment_methods.coin',
      'payment_methods.sample',
      'payment_methods.confirmations',
      sql<PaymentSource>`payment_methods.source`.as('source'),
    ])
    .orderBy('requested_at', 'desc')
    .orderBy('funding_requests.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  return { total: Number(count), requests };
}
