import type { MaturityOutcome, Reinvesting, ToldBy } from '@tallystick/contract/investment';
import type { Cents } from '@tallystick/contract/money';
import { sql } from 'kysely';
import { prepared, type ReadDb, type Statement, type Tx } from '../../../platform/postgres/db.ts';
import { columnOf, text, uuid } from '../../../platform/postgres/wire/binary.ts';
import type { InvestmentRow } from '../store.ts';
import type { Choice, PaidBecause, ToldTerms } from './rules.ts';

interface ToldColumns {
  toldAt: Date | null;
  toldBy: ToldBy | null;
  toldPlanId: string | null;
  toldAmountCents: Cents | null;
  toldProfitCents: Cents | null;
  toldReason: Extract<ToldTerms, { because: string }>['because'] | null;
}
type ChoiceColumns = ToldColumns & Pick<Choice, 'investmentId' | 'choice'>;

const choiceColumns = `c.choice, c.told_at as "toldAt", c.told_by as "toldBy",
  c.told_plan_id as "toldPlanId", c.told_amount_cents as "toldAmountCents", c.told_profit_cents as "toldProfitCents",
  c.told_reason as "toldReason"`;

function toldOf(row: ToldColumns): Choice['told'] {
  const { toldAt: at, toldBy: by, toldPlanId: planId, toldReason: because } = row;
  if (at === null || by === null) return null;
  if (planId === null) return { at, by, terms: { because: because ?? 'plan_off' } };
  const amountCents = row.toldAmountCents ?? 0n;
  return { at, by, terms: { planId, amountCents, profitCents: row.toldProfitCents ?? 0n } };
}

const choiceOf = ({ investmentId, choice, ...told }: ChoiceColumns): Choice => ({
  investmentId,
  choice,
  told: toldOf(told),
});

const choicesOfDue = prepared<ChoiceColumns>(
  'choices of what is due',
  `select c.investment_id as "investmentId", ${choiceColumns} from maturity_choices c where c.investment_id = any($1::uuid[])`,
);

/** Asked behind the locks of the investments: nobody can choose otherwise from then on. */
export async function choicesFor(tx: Tx, investmentIds: string[]): Promise<Map<string, Choice>> {
  const rows = await choicesOfDue(tx, [columnOf(uuid, investmentIds, (id) => id)]);
  return new Map(rows.map((row) => [row.investmentId, choiceOf(row)]));
}

/** What became of a choice: what was opened, or why it was paid out. */
export interface ChoiceEnd {
  investmentId: string;
  reinvestedId: string | null;
  because: PaidBecause | null;
}

const endedChoices = {
  name: 'end choices',
  text: `update maturity_choices c set outcome = case when e.reinvested_id is null then 'paid' else 'reinvested' end,
    reason = e.reason, reinvested_id = e.reinvested_id
  from unnest($1::uuid[], $2::uuid[], $3::text[]) as e (id, reinvested_id, reason) where c.investment_id = e.id`,
};

/** Behind the rows of what was opened, which the database compares it with. */
export function endChoices(ends: ChoiceEnd[]): Statement {
  const values = [
    columnOf(uuid, ends, (e) => e.investmentId),
    columnOf(uuid, ends, (e) => e.reinvestedId),
    columnOf(text, ends, (e) => e.because),
  ];
  return { ...endedChoices, values };
}

/** An investment, and whether its version of the plan offers a choice. */
export interface ChoosableRow
  extends Pick<
    InvestmentRow,
    'id' | 'userId' | 'planId' | 'amountCents' | 'profitCents' | 'maturesAt' | 'settledAt'
  > {
  reinvestable: boolean;
}

const choosable = (investmentId: string, userId: string) => sql`
  select i.id, i.user_id as "userId", i.plan_id as "planId", i.amount_cents as "amountCents",
    i.profit_cents as "profitCents", i.matures_at as "maturesAt", i.settled_at as "settledAt", p.reinvestable
  from investments i join plans p on p.id = i.plan_id where i.id = ${investmentId} and i.user_id = ${userId}`;

export async function findChoosable(
  db: ReadDb,
  investmentId: string,
  userId: string,
): Promise<ChoosableRow | null> {
  const { rows } = await sql<ChoosableRow>`${choosable(investmentId, userId)}`.execute(db);
  return rows[0] ?? null;
}

/** Holds the investment: it is not settled while its owner chooses, and nobody chooses while it is settled. */
export async function lockChoosable(
  tx: Tx,
  investmentId: string,
  userId: string,
): Promise<ChoosableRow | null> {
  const { rows } = await sql<ChoosableRow>`${choosable(investmentId, userId)} for update of i`.execute(tx);
  return rows[0] ?? null;
}

export async function findChoice(db: ReadDb, investmentId: string): Promise<Choice | null> {
  const { rows } = await sql<ChoiceColumns>`
    select c.investment_id as "investmentId", ${sql.raw(choiceColumns)}
    from maturity_choices c where c.investment_id = ${investmentId}`.execute(db);
  return rows[0] ? choiceOf(rows[0]) : null;
}

const toldColumns = (told: Choice['told']) => {
  const terms = told?.terms;
  const isOffered = terms !== undefined && 'planId' in terms;
  return {
    told_at: told?.at ?? null,
    told_by: told?.by ?? null,
    told_plan_id: isOffered ? terms.planId : null,
    told_amount_cents: isOffered ? terms.amountCents : null,
    told_profit_cents: isOffered ? terms.profitCents : null,
    told_reason: terms !== undefined && 'because' in terms ? terms.because : null,
  };
};

/** In the place of what was chosen, and told, before. */
export async function putChoice(
  tx: Tx,
  { id, userId, maturesAt }: Pick<ChoosableRow, 'id' | 'userId' | 'maturesAt'>,
  { choice, told }: { choice: Reinvesting; told: Choice['told'] },
  now: Date,
): Promise<void> {
  const chosen = { choice, chosen_at: now, ...toldColumns(told) };
  await tx
    .insertInto('maturity_choices')
    .values({ investment_id: id, user_id: userId, matures_at: maturesAt, ...chosen })
    .onConflict((conflict) => conflict.column('investment_id').doUpdateSet(chosen))
    .execute();
}

export async function dropChoice(tx: Tx, investmentId: string): Promise<void> {
  await tx.deleteFrom('maturity_choices').where('investment_id', '=', investmentId).execute();
}

/** A choice that is to be told of by letter. */
export interface UntoldRow
  extends Pick<
    InvestmentRow,
    'userId' | 'planId' | 'transactionid' | 'planname' | 'amountCents' | 'profitCents' | 'maturesAt'
  > {
  investmentId: string;
  choice: Reinvesting;
}

/** Those that mature within a span and that nobody holds. */
export async function takeUntold(
  tx: Tx,
  { after, until, limit }: { after: Date; until: Date; limit: number },
): Promise<UntoldRow[]> {
  const { rows } = await sql<UntoldRow>`
    select c.investment_id as "investmentId", c.choice, i.user_id as "userId", i.plan_id as "planId", i.transactionid,
      i.planname, i.amount_cents as "amountCents", i.profit_cents as "profitCents", i.matures_at as "maturesAt"
    from maturity_choices c join investments i on i.id = c.investment_id
    where c.told_at is null and c.outcome is null and c.matures_at <= ${until} and c.matures_at > ${after}
      and i.settled_at is null
    order by c.matures_at limit ${limit} for update of c, i skip locked`.execute(tx);
  return rows;
}

/** What the letters tell. */
export async function markTold(
  tx: Tx,
  all: { investmentId: string; terms: ToldTerms }[],
  now: Date,
): Promise<void> {
  const columns = all.map(({ terms }) => toldColumns({ at: now, by: 'letter', terms }));
  await sql`
    update maturity_choices c set told_at = ${now}, told_by = 'letter', told_plan_id = t.plan_id,
      told_amount_cents = t.amount_cents, told_profit_cents = t.profit_cents, told_reason = t.reason
    from unnest(${all.map(({ investmentId }) => investmentId)}::uuid[], ${columns.map((c) => c.told_plan_id)}::uuid[],
      ${columns.map((c) => c.told_amount_cents)}::bigint[], ${columns.map((c) => c.told_profit_cents)}::bigint[],
      ${columns.map((c) => c.told_reason)}::text[]) as t (id, plan_id, amount_cents, profit_cents, reason)
    where c.investment_id = t.id`.execute(tx);
}

/** What happens to an investment at its end: whether there is a choice, which was made, what was told, what came of it. */
export interface MaturityRow extends ToldColumns {
  investmentId: string;
  reinvestable: boolean;
  choice: Reinvesting | null;
  toldPlanname: string | null;
  toldDurationDays: number | null;
  toldRoiPoints: number | null;
  outcome: MaturityOutcome | null;
  reason: PaidBecause | null;
  reinvestedTransactionid: string | null;
}

export async function maturitiesOf(db: ReadDb, investmentIds: string[]): Promise<Map<string, MaturityRow>> {
  if (investmentIds.length === 0) return new Map();
  const { rows } = await sql<MaturityRow>`
    select ${sql.raw(choiceColumns)}, i.id as "investmentId", p.reinvestable, t.planname as "toldPlanname",
      t.duration_days as "toldDurationDays", t.roi_points as "toldRoiPoints", c.outcome, c.reason,
      r.transactionid as "reinvestedTransactionid"
    from investments i join plans p on p.id = i.plan_id left join maturity_choices c on c.investment_id = i.id
    left join plans t on t.id = c.told_plan_id left join investments r on r.id = c.reinvested_id
    where i.id = any (${investmentIds}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.investmentId, row]));
}

type ChosenRow = Pick<
  InvestmentRow,
  'id' | 'transactionid' | 'planname' | 'amountCents' | 'profitCents' | 'maturesAt' | 'settledAt'
> & { chosenAt: Date };

/** The investments that somebody chose something for, the last choice first. */
export async function chosenBy(
  db: ReadDb,
  userId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; rows: ChosenRow[] }> {
  const counted = await sql<{ total: bigint }>`
    select count(*) as total from maturity_choices where user_id = ${userId}`.execute(db);
  const { rows } = await sql<ChosenRow>`
    select i.id, i.transactionid, i.planname, i.amount_cents as "amountCents", i.profit_cents as "profitCents",
      i.matures_at as "maturesAt", i.settled_at as "settledAt", c.chosen_at as "chosenAt"
    from maturity_choices c join investments i on i.id = c.investment_id where c.user_id = ${userId}
    order by c.chosen_at desc, i.id offset ${offset} limit ${limit}`.execute(db);
  return { total: Number(counted.rows[0]?.total ?? 0n), rows };
}

/** Which of these investments were opened with what another paid: the letter about that one has told of them. */
export async function reinvestedAmong(tx: Tx, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select reinvested_id as id from maturity_choices where reinvested_id = any (${ids}::uuid[])`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}
