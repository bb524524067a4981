import type { Bounds } from '@tallystick/contract/bounds';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/postgres/db.ts';

export interface BoundsRow extends Bounds {
  id: string;
  askedBy: string;
  askedAt: Date;
  decidedAt: Date | null;
  decidedBy: string | null;
}

const columns = [
  'id',
  'threshold_cents as thresholdCents',
  'chain_threshold_cents as chainThresholdCents',
  'plan_points_per_day_max as planPointsPerDayMax',
  'plan_days_min as planDaysMin',
  'plan_days_max as planDaysMax',
  'plan_cents_max as planCentsMax',
  'asked_by as askedBy',
  'asked_at as askedAt',
  'decided_at as decidedAt',
  'decided_by as decidedBy',
] as const;

/** Those that count. The database begins with some, so there always are. */
export async function agreedBounds(db: Db | Tx): Promise<BoundsRow> {
  return db
    .selectFrom('bounds')
    .select(columns)
    .where('agreed', '=', true)
    .orderBy('decided_number', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
}

export async function waitingBounds(db: Db | Tx): Promise<BoundsRow | null> {
  const row = await db
    .selectFrom('bounds')
    .select(columns)
    .where('decided_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** False when others wait already. */
export async function insertBounds(
  tx: Tx,
  bounds: Bounds,
  { askedBy, now }: { askedBy: string; now: Date },
): Promise<boolean> {
  const result = await tx
    .insertInto('bounds')
    .values({
      threshold_cents: bounds.thresholdCents,
      chain_threshold_cents: bounds.chainThresholdCents,
      plan_points_per_day_max: bounds.planPointsPerDayMax,
      plan_days_min: bounds.planDaysMin,
      plan_days_max: bounds.planDaysMax,
      plan_cents_max: bounds.planCentsMax,
      asked_by: askedBy,
      asked_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function lockBounds(tx: Tx, id: string): Promise<BoundsRow | null> {
  const row = await tx
    .selectFrom('bounds')
    .select(columns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function decideBounds(
  tx: Tx,
  id: string,
  decision: { agreed: boolean; by: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('bounds')
    .set({
      agreed: decision.agreed,
      decided_by: decision.by,
      decided_at: decision.now,
      ...(decision.agreed && { decided_number: sql<bigint>`nextval('bounds_decisions')` }),
    })
    .where('id', '=', id)
    .execute();
}
