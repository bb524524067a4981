import type { ShownStatus } from '@tallystick/contract/investment';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { ReadDb, Tx } from '../../platform/postgres/db.ts';
import { bigint, column, int, text, timestamptz, uuid } from '../../platform/postgres/wire/binary.ts';
import { copied } from '../../platform/postgres/wire/copy.ts';
import type { InvestmentTerms, Left } from './rules.ts';

export interface InvestmentRow extends InvestmentTerms {
  id: string;
  userId: string;
  planId: string;
  transactionid: string;
  settledAt: Date | null;
  /** The transaction id of what paid it back. */
  settledBy: string | null;
  /** From when so many days are over it may be left; null for one that runs to its end. */
  exitFromDay: number | null;
  /** What was paid to whoever left it; null where nobody did. */
  left: Left | null;
}

/** With what their plans say about leaving, and what became of it. */
export const investmentsOf = (db: ReadDb) =>
  db
    .selectFrom('investments as i')
    .innerJoin('plans as p', 'p.id', 'i.plan_id')
    .leftJoin('investment_exits as e', 'e.investment_id', 'i.id')
    .select([
      'i.id',
      'i.user_id as userId',
      'i.plan_id as planId',
      'i.transactionid',
      'i.planname',
      'i.amount_cents as amountCents',
      'i.profit_cents as profitCents',
      'i.duration_days as durationDays',
      'i.roi_points as roiPoints',
      'i.opened_at as openedAt',
      'i.matures_at as maturesAt',
      'i.settled_at as settledAt',
      'i.settled_transactionid as settledBy',
      'p.exit_from_day as exitFromDay',
      'e.days as leftDays',
      'e.profit_cents as leftProfitCents',
      'e.fee_cents as leftFeeCents',
      'e.paid_cents as leftPaidCents',
    ]);

type LeftColumns = Record<'leftProfitCents' | 'leftFeeCents' | 'leftPaidCents', bigint | null> & {
  leftDays: number | null;
};
type Read<Row> = Omit<Row, keyof LeftColumns> & { left: Left | null };

/** What was paid for leaving stands in a row of its own, which is there or not. */
export function withLeft<Row extends LeftColumns>(row: Row): Read<Row> {
  const {
    leftDays: days,
    leftProfitCents: profitCents,
    leftFeeCents: feeCents,
    leftPaidCents,
    ...rest
  } = row;
  if (days === null || profitCents === null || feeCents === null || leftPaidCents === null)
    return { ...rest, left: null };
  return { ...rest, left: { days, profitCents, feeCents, paidCents: leftPaidCents } };
}

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

/** By their own ids, or by the transaction ids that movements bear or refer to. */
interface Named {
  ids?: string[];
  transactionids?: string[];
}

/** As they are. */
export async function investmentsNamed(
  tx: Tx,
  { ids = [], transactionids = [] }: Named,
): Promise<InvestmentRow[]> {
  const rows = await investmentsOf(tx)
    .where(sql<SqlBool>`i.id = any(${ids}::uuid[]) or i.transactionid = any(${transactionids}::text[])`)
    .execute();
  return rows.map(withLeft);
}

/** What they were when they were made: all that changes afterwards is that they are settled. */
export async function investmentsAsOpened(tx: Tx, named: Named): Promise<InvestmentRow[]> {
  const rows = await investmentsNamed(tx, named);
  return rows.map((row) => ({ ...row, settledAt: null, settledBy: null, left: null }));
}

export interface InvestmentFilter {
  userId: string;
  /** A part of the transaction id, whatever its case. */
  search: string | undefined;
  status: ShownStatus;
}

const likeEscaped = (text: string) => text.replace(/[\\%_]/g, (character) => `\\${character}`);

function matching({ userId, search, status }: InvestmentFilter): Expression<SqlBool> {
  const found = search
    ? sql<SqlBool>`i.transactionid ilike ${`%${likeEscaped(search)}%`}`
    : sql<SqlBool>`true`;
  const states = {
    all: sql`true`,
    completed: sql`i.settled_at is not null`,
    ongoing: sql`i.settled_at is null`,
  };
  return sql<SqlBool>`i.user_id = ${userId} and ${found} and ${states[status]}`;
}

export async function countInvestments(db: ReadDb, filter: InvestmentFilter): Promise<number> {
  const row = await db
    .selectFrom('investments as i')
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
  const rows = await investmentsOf(db)
    .where(matching(filter))
    .orderBy('i.opened_at', 'desc')
    .orderBy('i.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map(withLeft);
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
      coalesce(sum(i.profit_cents) filter (where settled_at is null), 0)::bigint as "dueCents",
      coalesce(sum(coalesce(e.profit_cents, i.profit_cents)) filter (where settled_at is not null), 0)::bigint
        as "paidCents"
    from investments i left join investment_exits e on e.investment_id = i.id where i.user_id = ${userId}`.execute(
    db,
  );
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
  let query = investmentsOf(db)
    .where(matching(filter))
    .orderBy('i.opened_at', 'desc')
    .orderBy('i.id', 'desc')
    .limit(limit);
  if (last) query = query.where(sql<SqlBool>`(i.opened_at, i.id) < (${last.openedAt}, ${last.id}::uuid)`);
  return (await query.execute()).map(withLeft);
}

export async function nextToMature(db: ReadDb, userId: string): Promise<InvestmentRow | null> {
  const row = await investmentsOf(db)
    .where('i.user_id', '=', userId)
    .where('i.settled_at', 'is', null)
    .orderBy('i.matures_at')
    .executeTakeFirst();
  return row ? withLeft(row) : null;
}
