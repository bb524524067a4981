import type { FundingStatus } from '@tallystick/contract/funding';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/postgres/db.ts';

export interface PaymentMethodRow {
  id: string;
  paymentname: string;
  paymentaddress: string;
  network: string;
  coin: string;
  sample: boolean;
  position: number;
  active: boolean;
  /** False until a second operator has agreed to the address of an operator's new method. */
  agreed: boolean;
}

const methodColumns = [
  'id',
  'paymentname',
  'paymentaddress',
  'network',
  'coin',
  'sample',
  'position',
  'active',
  'agreed',
] as const;

export async function activeMethods(db: Db | Tx): Promise<PaymentMethodRow[]> {
  return db
    .selectFrom('payment_methods')
    .select(methodColumns)
    .where('active', '=', true)
    .orderBy('position')
    .execute();
}

export async function allMethods(db: Db | Tx): Promise<PaymentMethodRow[]> {
  return db.selectFrom('payment_methods').select(methodColumns).orderBy('position').execute();
}

/** Where deposits go: the agreed addresses, switched off or not, and those that investors were shown and may still use. */
export async function depositAddresses(db: Db | Tx): Promise<string[]> {
  const rows = await db
    .selectFrom('payment_methods')
    .select('paymentaddress')
    .where('agreed', '=', true)
    .union((eb) => eb.selectFrom('funding_requests').select('paymentaddress').where('status', '=', 'pending'))
    .execute();
  return rows.map(({ paymentaddress }) => paymentaddress);
}

export type NewMethod = Pick<
  PaymentMethodRow,
  'paymentname' | 'paymentaddress' | 'network' | 'coin' | 'sample'
> & { agreed: boolean };

/** Null when the name is taken. */
export async function insertMethod(tx: Tx, method: NewMethod, now: Date): Promise<string | null> {
  const row = await tx
    .insertInto('payment_methods')
    .values((eb) => ({
      ...method,
      active: method.agreed,
      created_at: now,
      position: eb
        .selectFrom('payment_methods')
        .select(sql<number>`coalesce(max(position) + 1, 0)`.as('next')),
    }))
    .onConflict((conflict) => conflict.column('paymentname').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function lockMethod(tx: Tx, methodId: string): Promise<PaymentMethodRow | null> {
  const row = await tx
    .selectFrom('payment_methods')
    .select(methodColumns)
    .where('id', '=', methodId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function switchMethod(tx: Tx, methodId: string, active: boolean): Promise<void> {
  await tx.updateTable('payment_methods').set({ active }).where('id', '=', methodId).execute();
}

export interface FundingRow {
  id: string;
  userId: string;
  methodId: string;
  transactionid: string;
  paymentname: string;
  paymentaddress: string;
  amountCents: bigint;
  /** What it was worth in the coin when it was asked; null when no price was known. */
  coinAmount: string | null;
  status: FundingStatus;
  /** As it was confirmed; while the request is pending, as the first of two operators has confirmed it. */
  receivedCents: bigint | null;
  network: string | null;
  chainTxid: string | null;
  chainOutput: number | null;
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
  methodNetwork: string;
  coin: string;
  sample: boolean;
}

const requestColumns = [
  'funding_requests.id',
  'funding_requests.user_id as userId',
  'funding_requests.method_id as methodId',
  'funding_requests.transactionid',
  'funding_requests.paymentname',
  'funding_requests.paymentaddress',
  'funding_requests.amount_cents as amountCents',
  'funding_requests.coin_amount as coinAmount',
  sql<FundingStatus>`funding_requests.status`.as('status'),
  'funding_requests.received_cents as receivedCents',
  'funding_requests.network',
  'funding_requests.chain_txid as chainTxid',
  'funding_requests.chain_output as chainOutput',
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

export async function pageOfRequests(
  db: Db | Tx,
  { userId, status }: { userId: string; status: FundingStatus | undefined },
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; requests: PayableRow[] }> {
  let counted = db.selectFrom('funding_requests').where('user_id', '=', userId);
  if (status) counted = counted.where('funding_requests.status', '=', status);
  const { count } = await counted
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  const requests = await counted
    .innerJoin('payment_methods', 'payment_methods.id', 'funding_requests.method_id')
    .select(requestColumns)
    .select(['payment_methods.network as methodNetwork', 'payment_methods.coin', 'payment_methods.sample'])
    .orderBy('requested_at', 'desc')
    .orderBy('funding_requests.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  return { total: Number(count), requests };
}
