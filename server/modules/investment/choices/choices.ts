import { type MaturityChoice, type Reinvesting, reinvestings } from '@tallystick/contract/investment';
import { type Cents, toDecimal } from '@tallystick/contract/money';
import { AppError } from '../../../platform/app-error.ts';
import { ownAct, writeAudit } from '../../../platform/audit/audit.ts';
import { type Db, inTransaction, type ReadDb, type Tx } from '../../../platform/postgres/db.ts';
import type { Ledger } from '../../ledger/service.ts';
import type { Users } from '../../users/service.ts';
import { letterBefore } from '../letters.ts';
import { offeredOfLine, type PlanRow } from '../plan-store.ts';
import { isUuid, rangeRefusal } from '../rules.ts';
import { type InvestmentRow, investmentsAsOpened } from '../store.ts';
import { amountFor, closesAt, isToldOnScreen, type ToldTerms, termsFor, toldWhen } from './rules.ts';
import * as store from './store.ts';

interface ChoicesNeeds {
  db: Db;
  ledger: Ledger;
  users: Users;
}

interface Choosing {
  userId: string;
  investmentId: string;
  choice: MaturityChoice;
  /** The terms that the screen showed. */
  planId?: string | undefined;
  amountCents?: Cents | undefined;
  clientAddress: string;
}

const toldAtOnce = 100;
const noSuchInvestment = () => new AppError('not_found', 'There is no such investment.');
const termsChanged = () =>
  new AppError('terms_changed', 'These are not the terms that are offered now. Look at them again.');

function refuseClosed({ reinvestable, settledAt, maturesAt }: store.ChoosableRow, now: Date): void {
  if (!reinvestable) {
    throw new AppError('choice_closed', 'This investment is paid to your wallet when it matures.');
  }
  if (settledAt) throw new AppError('choice_closed', 'This investment has come to its end.');
  if (now >= closesAt(maturesAt)) {
    throw new AppError('choice_closed', 'This can be chosen until an hour before the investment matures.');
  }
}

/** Nobody chooses what cannot be had now. */
function offeredTerms(choice: Reinvesting, investment: store.ChoosableRow, offered: PlanRow | null) {
  const terms = termsFor(choice, investment, offered);
  if ('planId' in terms) return terms;
  const { because } = terms;
  if (because === 'plan_off' || !offered) {
    throw new AppError('not_found', 'This plan is not offered at the moment.');
  }
  throw new AppError('outside_range', rangeRefusal(offered, amountFor(choice, investment)) ?? '');
}

const isSame = (one: ToldTerms | undefined, other: ToldTerms) =>
  one !== undefined &&
  'planId' in one &&
  'planId' in other &&
  one.planId === other.planId &&
  one.amountCents === other.amountCents;

/** An investor's say in what happens when an investment matures. It moves nothing: the settlement looks it up. */
export function createChoices({ db, ledger, users }: ChoicesNeeds) {
  async function choose(tx: Tx, { choice, planId, amountCents, ...who }: Choosing): Promise<void> {
    const { userId, investmentId, clientAddress } = who;
    const investment = await store.lockChoosable(tx, investmentId, userId);
    if (!investment) throw noSuchInvestment();
    const now = await ledger.timeOfMoney({ on: tx });
    refuseClosed(investment, now);
    const before = await store.findChoice(tx, investment.id);
    const trace = {
      ...ownAct('investor', userId, 'maturity.chosen', clientAddress),
      subjectId: investment.id,
    };
    if (choice === 'wallet') {
      if (!before) return;
      await store.dropChoice(tx, investment.id);
      await writeAudit(tx, { ...trace, details: { choice } }, now);
      return;
    }
    const terms = offeredTerms(choice, investment, await offeredOfLine(tx, investment.planId));
    const wasShown = planId !== undefined && amountCents !== undefined;
    if (
      (planId ?? terms.planId) !== terms.planId ||
      (amountCents ?? terms.amountCents) !== terms.amountCents
    ) {
      throw termsChanged();
    }
    const onScreen = isToldOnScreen(investment.maturesAt, now);
    const isKnown = onScreen ? isSame(before?.told?.terms, terms) : before?.told === null;
    if (before?.choice === choice && isKnown) return;
    if (onScreen && !wasShown) throw termsChanged();
    const told = onScreen ? ({ at: now, by: 'screen', terms } as const) : null;
    await store.putChoice(tx, investment, { choice, told }, now);
    const details = { choice, planId: terms.planId, amount: toDecimal(terms.amountCents), onScreen };
    await writeAudit(tx, { ...trace, details }, now);
  }

  /** Writes the letters of those that mature in three days; they leave together with what they tell, or not at all. */
  async function tellSome(): Promise<number> {
    return inTransaction(db, async (tx) => {
      const now = await ledger.timeOfMoney({ on: tx });
      const untold = await store.takeUntold(tx, { ...toldWhen(now), limit: toldAtOnce });
      if (untold.length === 0) return 0;
      const plans = new Map<string, PlanRow | null>();
      for (const planId of new Set(untold.map(({ planId }) => planId))) {
        plans.set(planId, await offeredOfLine(tx, planId));
      }
      const told = untold.map((row) => {
        const plan = plans.get(row.planId) ?? null;
        return { ...row, plan, terms: termsFor(row.choice, row, plan) };
      });
      await store.markTold(tx, told, now);
      await users.writeTo({ tx, letters: told.map(letterBefore) });
      return untold.length;
    });
  }

  async function withMaturity<Row extends { id: string }>({ rows, on = db }: { rows: Row[]; on?: ReadDb }) {
    const ids = rows.map(({ id }) => id);
    const found = await store.maturitiesOf(on, ids);
    return rows.map((row) => ({ ...row, maturity: found.get(row.id) ?? null }));
  }

  return {
    async chooseMaturity(wish: Choosing): Promise<WithMaturity> {
      if (!isUuid(wish.investmentId)) throw noSuchInvestment();
      return inTransaction(db, async (tx) => {
        await choose(tx, wish);
        const [row] = await investmentsAsOpened(tx, { ids: [wish.investmentId] });
        if (!row) throw noSuchInvestment();
        return { ...row, maturity: (await store.maturitiesOf(tx, [row.id])).get(row.id) ?? null };
      });
    },

    /** What can be chosen, on the terms of this moment. */
    async maturityTerms({ userId, investmentId }: { userId: string; investmentId: string }) {
      const investment = isUuid(investmentId) ? await store.findChoosable(db, investmentId, userId) : null;
      if (!investment) throw noSuchInvestment();
      const offered = await offeredOfLine(db, investment.planId);
      const offers = reinvestings.map((choice) => ({ choice, terms: termsFor(choice, investment, offered) }));
      return { investment, offered, offers };
    },

    async tellMaturities(): Promise<void> {
      while ((await tellSome()) === toldAtOnce);
    },

    /** What an investor chose, and what came of it. */
    async pageOfChoices(asked: { userId: string; page: number; pageSize: number; on?: ReadDb }) {
      const { userId, page, pageSize: limit, on = db } = asked;
      const { total, rows } = await store.chosenBy(on, userId, { offset: (page - 1) * limit, limit });
      return { total, choices: await withMaturity({ rows, on }) };
    },

    /** Investments with what happens to them at their end, in their order. */
    withMaturity,
  };
}

export type WithMaturity = InvestmentRow & { maturity: store.MaturityRow | null };
