import type { Tx } from '../../platform/postgres/db.ts';
import type { JournalMovement } from '../ledger/service.ts';
import type { LetterAbout, LetterTo } from '../users/service.ts';
import { closesAt, noTermsWords, paidWords, type ToldTerms } from './choices/rules.ts';
import { type MaturityRow, maturitiesOf, reinvestedAmong, type UntoldRow } from './choices/store.ts';
import type { PlanRow } from './plan-store.ts';
import { exitOpensAt } from './rules.ts';
import { type InvestmentRow, investmentsNamed } from './store.ts';

const amountsOf = ({ amountCents, profitCents }: Pick<InvestmentRow, 'amountCents' | 'profitCents'>) => ({
  amountCents: String(amountCents),
  profitCents: String(profitCents),
});

/** Three days before the end: what will be invested again, or why nothing will. */
export function letterBefore(row: UntoldRow & { plan: PlanRow | null; terms: ToldTerms }): LetterTo {
  const { userId, planname, transactionid, maturesAt, plan, terms } = row;
  return {
    userId,
    letter: (fullname) => ({
      kind: 'maturity-told',
      fullname,
      planname,
      transactionid,
      ...amountsOf(row),
      maturesAt: maturesAt.toISOString(),
      closesAt: closesAt(maturesAt).toISOString(),
      ...('planId' in terms && plan
        ? { again: { planname: plan.planname, durationDays: plan.durationDays, ...amountsOf(terms) } }
        : { because: 'because' in terms ? noTermsWords[terms.because] : '' }),
    }),
  };
}

/** What came of a choice, and what was opened by it. */
interface End {
  maturity: MaturityRow | undefined;
  again: InvestmentRow | undefined;
}

/** Paid back, and invested again or not. */
function ended(maturity: End['maturity'], again: End['again']) {
  if (again) {
    const { planname, durationDays, transactionid, maturesAt } = again;
    const opened = { planname, durationDays, transactionid, maturesAt: maturesAt.toISOString() };
    return { kind: 'investment-reinvested', again: { ...opened, ...amountsOf(again) } } as const;
  }
  const because = maturity && paidWords(maturity);
  return { kind: 'investment-matured', ...(because && { because }) } as const;
}

function letterAbout(
  investment: InvestmentRow,
  movement: JournalMovement,
  { maturity, again }: End,
): LetterAbout {
  const { number, kind, transactionid, at } = movement;
  const { userId, planname, maturesAt, left } = investment;
  return {
    number,
    userId,
    letter: (fullname) => {
      const common = { fullname, planname, ...amountsOf(investment), transactionid, at: at.toISOString() };
      if (kind === 'exit' && left) {
        const { profitCents: kept, feeCents, paidCents } = left;
        const amounts = {
          profitCents: String(kept),
          feeCents: String(feeCents),
          paidCents: String(paidCents),
        };
        return { kind: 'investment-left', ...common, ...amounts };
      }
      if (kind === 'maturity') return { ...common, ...ended(maturity, again) };
      const exitFrom = exitOpensAt(investment)?.toISOString();
      return {
        kind: 'investment-opened',
        ...common,
        maturesAt: maturesAt.toISOString(),
        ...(exitFrom && { exitFrom }),
      };
    },
  };
}

const kinds = new Set(['investment', 'maturity', 'exit']);

/** By the ids of their movements. */
async function named(tx: Tx, transactionids: string[]): Promise<Map<string, InvestmentRow>> {
  if (transactionids.length === 0) return new Map();
  return new Map((await investmentsNamed(tx, { transactionids })).map((row) => [row.transactionid, row]));
}

/**
 * An investment bears the id of the movement that opened it; the one that pays it back refers to that. What is opened
 * again with what was paid back is told in one letter with it.
 */
export async function lettersAbout(tx: Tx, movements: JournalMovement[]): Promise<LetterAbout[]> {
  const ours = movements.filter(({ kind }) => kinds.has(kind));
  const nameOf = ({ reference, transactionid }: JournalMovement) => reference ?? transactionid;
  const investments = await named(tx, ours.map(nameOf));
  const idsOf = (wanted: string) =>
    ours.flatMap((each) => (each.kind === wanted ? (investments.get(nameOf(each))?.id ?? []) : []));
  const maturities = await maturitiesOf(tx, idsOf('maturity'));
  const toldBefore = await reinvestedAmong(tx, idsOf('investment'));
  const againIds = [...maturities.values()].flatMap(({ reinvestedTransactionid: id }) => id ?? []);
  const opened = await named(tx, againIds);
  return ours.flatMap((movement) => {
    const investment = investments.get(nameOf(movement));
    if (!investment || (movement.kind === 'investment' && toldBefore.has(investment.id))) return [];
    const maturity = movement.kind === 'maturity' ? maturities.get(investment.id) : undefined;
    const again = opened.get(maturity?.reinvestedTransactionid ?? '');
    return [letterAbout(investment, movement, { maturity, again })];
  });
}
