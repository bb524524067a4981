import { sql } from 'kysely';
import { type Db, prepared, type ReadDb, type Statement, type Tx } from '../../platform/postgres/db.ts';
import { columnOf, uuid } from '../../platform/postgres/wire/binary.ts';
import type { PlanTerms } from './rules.ts';

export interface PlanRow extends PlanTerms {
  id: string;
  lineId: string;
  version: number;
  position: number;
  active: boolean;
}

const planColumns = [
  'id',
  'line_id as lineId',
  'version',
  'planname',
  'from_cents as fromCents',
  'to_cents as toCents',
  'duration_days as durationDays',
  'roi_points as roiPoints',
  'reinvestable',
  'exit_from_day as exitFromDay',
  'exit_keeps_points as exitKeepsPoints',
  'exit_fee_points as exitFeePoints',
  'position',
  'active',
] as const;

export async function activePlans(db: ReadDb): Promise<PlanRow[]> {
  return db.selectFrom('plans').select(planColumns).where('active', '=', true).orderBy('position').execute();
}

/** The plans as they are now; shared locks keep one from being replaced while it is being invested in. */
export async function plansForInvesting(tx: Tx, ids: string[]): Promise<PlanRow[]> {
  return offeredPlans(tx, [columnOf(uuid, ids, (id) => id)]);
}

const offeredPlans = prepared<PlanRow>(
  'plans for investing',
  `select id, line_id as "lineId", version, planname, from_cents as "fromCents", to_cents as "toCents",
    duration_days as "durationDays", roi_points as "roiPoints", reinvestable, exit_from_day as "exitFromDay",
    exit_keeps_points as "exitKeepsPoints", exit_fee_points as "exitFeePoints", position, active
  from plans where id = any($1::uuid[]) and active order by id for share`,
);

const stillOffered = {
  name: 'plans are offered',
  text: `select 1 / (count(*) = cardinality($1::uuid[]))::int
  from (select from plans where id = any($1::uuid[]) and active order by id for share) as offered`,
};

/** Ends the transaction when one of the plans is not offered any more; shared locks keep them as they are. */
export function demandOffered(ids: string[]): Statement {
  return { ...stillOffered, values: [columnOf(uuid, ids, (id) => id)] };
}

export async function lockPlan(tx: Tx, planId: string): Promise<PlanRow | null> {
  const row = await tx
    .selectFrom('plans')
    .select(planColumns)
    .where('id', '=', planId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function findPlan(db: ReadDb, planId: string): Promise<PlanRow | null> {
  const row = await db.selectFrom('plans').select(planColumns).where('id', '=', planId).executeTakeFirst();
  return row ?? null;
}

/** The version that is offered now of the plan that a version belongs to; null when none is. */
export async function offeredOfLine(db: ReadDb, planId: string): Promise<PlanRow | null> {
  const row = await db
    .selectFrom('plans')
    .select(planColumns)
    .where('line_id', '=', (eb) => eb.selectFrom('plans').select('line_id').where('id', '=', planId))
    .where('active', '=', true)
    .executeTakeFirst();
  return row ?? null;
}

/** Null when an offered plan has this name. At its old place, or as the last. */
export async function insertPlan(
  tx: Tx,
  plan: Omit<PlanRow, 'active' | 'position'> & { position: number | null },
  now: Date,
): Promise<PlanRow | null> {
  const row = await tx
    .insertInto('plans')
    .values((eb) => ({
      id: plan.id,
      line_id: plan.lineId,
      version: plan.version,
      planname: plan.planname,
      from_cents: plan.fromCents,
      to_cents: plan.toCents,
      duration_days: plan.durationDays,
      roi_points: plan.roiPoints,
      reinvestable: plan.reinvestable,
      exit_from_day: plan.exitFromDay,
      exit_keeps_points: plan.exitKeepsPoints,
      exit_fee_points: plan.exitFeePoints,
      position:
        plan.position ??
        eb.selectFrom('plans').select(sql<number>`coalesce(max(position) + 1, 0)`.as('next')),
      created_at: now,
    }))
    .onConflict((conflict) => conflict.doNothing())
    .returning(planColumns)
    .executeTakeFirst();
  return row ?? null;
}

/** False when another offered plan has its name. */
export async function switchPlan(tx: Tx, planId: string, active: boolean): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update plans p set active = ${active} where p.id = ${planId} and not (${active} and exists (
      select from plans o where o.active and o.id <> p.id and lower(o.planname) = lower(p.planname)))
    returning p.id`.execute(tx);
  return rows.length === 1;
}

/** The newest version of every plan, on or off. */
export async function newestPlans(db: Db | Tx): Promise<PlanRow[]> {
  const { rows } = await sql<PlanRow>`
    select * from (
      select distinct on (line_id) id, line_id as "lineId", version, planname, from_cents as "fromCents",
        to_cents as "toCents", duration_days as "durationDays", roi_points as "roiPoints", reinvestable,
        exit_from_day as "exitFromDay", exit_keeps_points as "exitKeepsPoints", exit_fee_points as "exitFeePoints",
        position, active
      from plans order by line_id, version desc) as newest
    order by position, planname`.execute(db);
  return rows;
}

/** What is open on any version of each plan. */
export async function openByLine(db: Db | Tx): Promise<{ lineId: string; count: bigint; cents: bigint }[]> {
  const { rows } = await sql<{ lineId: string; count: bigint; cents: bigint }>`
    select p.line_id as "lineId", count(*) as count, sum(i.amount_cents)::bigint as cents
    from investments i join plans p on p.id = i.plan_id
    where i.settled_at is null group by p.line_id`.execute(db);
  return rows;
}

/** Puts the plans at the places at which they are named. */
export async function placePlans(tx: Tx, ids: string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update plans p set position = placed.position - 1
    from unnest(${ids}::uuid[]) with ordinality as placed (id, position)
    where p.id = placed.id`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
