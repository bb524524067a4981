import { type Expression, type SqlBool, sql } from 'kysely';
import { type Db, prepared, type ReadDb, type Statement, type Tx } from '../../platform/postgres/db.ts';
import {
  bigint,
  column,
  columnOf,
  int,
  text,
  timestamptz,
  uuid,
} from '../../platform/postgres/wire/binary.ts';
import { copied } from '../../platform/postgres/wire/copy.ts';
import type { InvestmentTerms, PlanTerms } from './rules.ts';

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
    duration_days as "durationDays", roi_points as "roiPoints", position, active
  from plans where id = any($1::uuid[]) and active order by id for share`,
);

const stillOffered = {
  name: 'plans are offered',
  text: `select 1 / (count(*) = cardinality($1::uuid[]))::int
  from (select from plans where id = any($1) and active order by id for share) as offered`,
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
        to_cents as "toCents", duration_days as "durationDays", roi_points as "roiPoints", position, active
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

export interface InvestmentRow extends InvestmentTerms {
  id: string;
  userId: string;
  planId: string;
  transactionid: string;
  settledAt: Date | null;
}

const investmentColumns = [
  'id',
  'user_id as userId',
  'plan_id as planId',
  'transactionid',
  'planname',
  'amount_cents as amountCents',
  'profit_cents as profitCents',
  'duration_days as durationDays',
  'roi_points as roiPoints',
  'opened_at as openedAt',
  'matures_at as maturesAt',
  'settled_at as settledAt',
] as const;

export const insertInvestments = copied<InvestmentRow>('investments', {
  id: column(uuid, (i) => i.id),
  user_id: column(uuid, (i) => i.userId),
  plan_id: column(uuid, (i) => i.planId),
  transactionid: column(text, (i) => i.transactionid),
  planname: column(text, (i) => i.planname),
  amount_cents: column(bigint, (i) => i.amountCents),
  profit_cents: column(bigint, (i) => i.profitCents),
  duration_days: column(int, (i) => i.durationDays),
  roi_points: column(int, (i) => i.roiPoints),
  opened_at: column(timestamptz, (i) => i.openedAt),
  matures_at: column(timestamptz, (i) => i.maturesAt),
});

/** What they were when they were made: all that changes afterwards is that they are settled. */
export async function investmentsAsOpened(tx: Tx, ids: string[]): Promise<InvestmentRow[]> {
  const rows = await tx.selectFrom('investments').select(investmentColumns).where('id', 'in', ids).execute();
  return rows.map((row) => ({ ...row, settledAt: null }));
}

/** By the ids that their movements bear, or refer to. */
export async function investmentsNamed(tx: Tx, transactionids: string[]): Promise<InvestmentRow[]> {
  return tx
    .selectFrom('investments')
    .select(investmentColumns)
    .where('transactionid', '=', sql<string>`any(${transactionids}::text[])`)
    .execute();
}

export interface InvestmentFilter {
  userId: string;
  /** A part of the transaction id, whatever its case. */
  search: string | undefined;
  status: 'all' | 'completed' | 'ongoing';
}

const likeEscaped = (text: string) => text.replace(/[\\%_]/g, (character) => `\\${character}`);

function matching({ userId, search, status }: InvestmentFilter): Expression<SqlBool> {
  const found = search ? sql<SqlBool>`transactionid ilike ${`%${likeEscaped(search)}%`}` : sql<SqlBool>`true`;
  const states = { all: sql`true`, completed: sql`settled_at is not null`, ongoing: sql`settled_at is null` };
  return sql<SqlBool>`user_id = ${userId} and ${found} and ${states[status]}`;
}

export async function countInvestments(db: ReadDb, filter: InvestmentFilter): Promise<number> {
  const row = await db
    .selectFrom('investments')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where(matching(filter))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function pageOfInvestments(
  db: ReadDb,
  filter: InvestmentFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<InvestmentRow[]> {
  return db
    .selectFrom('investments')
    .select(investmentColumns)
    .where(matching(filter))
    .orderBy('opened_at', 'desc')
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
}

interface InvestmentSums {
  ongoing: number;
  completed: number;
  dueCents: bigint;
  paidCents: bigint;
}

export async function sumsOf(db: ReadDb, userId: string): Promise<InvestmentSums> {
  const { rows } = await sql<InvestmentSums>`
    select (count(*) filter (where settled_at is null))::int as ongoing,
      (count(*) filter (where settled_at is not null))::int as completed,
      coalesce(sum(profit_cents) filter (where settled_at is null), 0)::bigint as "dueCents",
      coalesce(sum(profit_cents) filter (where settled_at is not null), 0)::bigint as "paidCents"
    from investments where user_id = ${userId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('an aggregate answers one row');
  return row;
}

/** Older than a given one, newest first; null begins with the newest. */
export async function investmentsBefore(
  db: ReadDb,
  filter: InvestmentFilter,
  last: { openedAt: Date; id: string } | null,
  limit: number,
): Promise<InvestmentRow[]> {
  let query = db
    .selectFrom('investments')
    .select(investmentColumns)
    .where(matching(filter))
    .orderBy('opened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (last) query = query.where(sql<SqlBool>`(opened_at, id) < (${last.openedAt}, ${last.id}::uuid)`);
  return query.execute();
}

export async function nextToMature(db: ReadDb, userId: string): Promise<InvestmentRow | null> {
  const row = await db
    .selectFrom('investments')
    .select(investmentColumns)
    .where('user_id', '=', userId)
    .where('settled_at', 'is', null)
    .orderBy('matures_at')
    .executeTakeFirst();
  return row ?? null;
}
