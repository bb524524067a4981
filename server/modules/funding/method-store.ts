import type { PaymentSource } from '@tallystick/contract/operator/methods';
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
  /** One address for everyone, an own one for each investor, or one with an own tag. */
  source: PaymentSource;
  keyId: string | null;
  /** After how many blocks a payment counts; null for as many as its network usually needs. */
  confirmations: number | null;
  /** A payment that is worth less is listed and not credited. */
  dustCents: bigint;
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
  sql<PaymentSource>`source`.as('source'),
  'key_id as keyId',
  'confirmations',
  'dust_cents as dustCents',
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

/** Where deposits go, of the given addresses: the agreed ones, switched off or not, and those that investors were shown and may still use. */
export async function depositAddressesAmong(db: Db | Tx, addresses: string[]): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    with asked as (select distinct lower(address) as address from unnest(${addresses}::text[]) as t (address))
    select address from asked where
      exists (select from payment_methods m where m.agreed and lower(m.paymentaddress) = asked.address)
      or exists (select from funding_requests r
        where r.status = 'pending' and lower(r.paymentaddress) = asked.address)`.execute(db);
  return rows.map(({ address }) => address);
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

/** After how many blocks a payment counts, and what is too small to. */
export async function setMethod(
  tx: Tx,
  methodId: string,
  { confirmations, dustCents }: Pick<PaymentMethodRow, 'confirmations' | 'dustCents'>,
): Promise<void> {
  await tx
    .updateTable('payment_methods')
    .set({ confirmations, dust_cents: dustCents })
    .where('id', '=', methodId)
    .execute();
}

/** Those whose address somebody has asked to change, whatever became of it. */
export async function changedMethods(tx: Tx): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select distinct method_id as id from payment_method_changes`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

export interface AddressChangeRow {
  id: string;
  methodId: string;
  source: PaymentSource;
  paymentaddress: string;
  key: string | null;
  askedBy: string;
  askedAt: Date;
  decidedBy: string | null;
  decidedAt: Date | null;
}

const columns = [
  'id',
  'method_id as methodId',
  sql<PaymentSource>`source`.as('source'),
  'paymentaddress',
  'key',
  'asked_by as askedBy',
  'asked_at as askedAt',
  'decided_by as decidedBy',
  'decided_at as decidedAt',
] as const;

/** False when another change of this method waits already. */
export async function insertChange(
  tx: Tx,
  { methodId, ...way }: Pick<AddressChangeRow, 'methodId' | 'source' | 'paymentaddress' | 'key'>,
  { askedBy, now }: { askedBy: string; now: Date },
): Promise<boolean> {
  const result = await tx
    .insertInto('payment_method_changes')
    .values({ method_id: methodId, ...way, asked_by: askedBy, asked_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function lockChange(tx: Tx, changeId: string): Promise<AddressChangeRow | null> {
  const row = await tx
    .selectFrom('payment_method_changes')
    .select(columns)
    .where('id', '=', changeId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function waitingChanges(db: Db | Tx): Promise<AddressChangeRow[]> {
  return db
    .selectFrom('payment_method_changes')
    .select(columns)
    .where('decided_at', 'is', null)
    .orderBy('asked_at')
    .execute();
}

export async function decideChange(
  tx: Tx,
  changeId: string,
  decision: { agreed: boolean; by: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('payment_method_changes')
    .set({ agreed: decision.agreed, decided_by: decision.by, decided_at: decision.now })
    .where('id', '=', changeId)
    .execute();
}

/** What was agreed to takes its place: a real address or key, on its real network. */
export async function setWay(
  tx: Tx,
  methodId: string,
  { keyId, ...way }: Pick<PaymentMethodRow, 'source' | 'paymentaddress' | 'keyId' | 'network' | 'active'>,
): Promise<void> {
  await tx
    .updateTable('payment_methods')
    .set({ ...way, key_id: keyId, sample: false, agreed: true })
    .where('id', '=', methodId)
    .execute();
}
