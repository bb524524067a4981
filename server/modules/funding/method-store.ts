import type { Db, Tx } from '../../platform/postgres/db.ts';

export interface AddressChangeRow {
  id: string;
  methodId: string;
  paymentaddress: string;
  askedBy: string;
  askedAt: Date;
  decidedBy: string | null;
  decidedAt: Date | null;
}

const columns = [
  'id',
  'method_id as methodId',
  'paymentaddress',
  'asked_by as askedBy',
  'asked_at as askedAt',
  'decided_by as decidedBy',
  'decided_at as decidedAt',
] as const;

/** False when another change of this method waits already. */
export async function insertChange(
  tx: Tx,
  { methodId, paymentaddress }: { methodId: string; paymentaddress: string },
  { askedBy, now }: { askedBy: string; now: Date },
): Promise<boolean> {
  const result = await tx
    .insertInto('payment_method_changes')
    .values({ method_id: methodId, paymentaddress, asked_by: askedBy, asked_at: now })
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

/** The agreed address takes its place: a real one, on its real network. */
export async function setAddress(
  tx: Tx,
  methodId: string,
  address: { paymentaddress: string; network: string; active: boolean },
): Promise<void> {
  await tx
    .updateTable('payment_methods')
    .set({ ...address, sample: false, agreed: true })
    .where('id', '=', methodId)
    .execute();
}
