import { type Expression, type SqlBool, sql } from 'kysely';
import type { ReadDb, Tx } from '../../platform/postgres/db.ts';
import { bigint, column, int, text, timestamptz, uuid } from '../../platform/postgres/wire/binary.ts';
import { copied } from '../../platform/postgres/wire/copy.ts';
import type { InvestmentTerms } from './rules.ts';

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
