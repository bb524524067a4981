import { randomUUID } from 'node:crypto';
import { reinvestings } from '@tallystick/contract/investment';
import {
  type Choice,
  closesAt,
  isToldOnScreen,
  termsFor,
  toldWhen,
} from '../../modules/investment/choices/rules.ts';
import type { PlanRow } from '../../modules/investment/plan-store.ts';
import type { InvestmentRow } from '../../modules/investment/store.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AtMaturity } from './model.ts';
import { modelPlans } from './model-plans.ts';

/** The model's plans as their table has them. */
export const plansInMemory: PlanRow[] = modelPlans.map(({ from, to, days, exit, ...plan }) => ({
  ...plan,
  id: randomUUID(),
  lineId: randomUUID(),
  version: 1,
  position: 0,
  active: true,
  exitFromDay: exit?.from ?? null,
  exitKeepsPoints: exit?.keeps ?? null,
  exitFeePoints: exit?.fee ?? null,
  fromCents: BigInt(from),
  toCents: BigInt(to),
  durationDays: days,
}));

interface Which {
  userId: string;
  investmentId: string;
}

/** What investors chose for the end of their investments, by the real rules, with the table kept in memory. */
export class ChoicesInMemory {
  readonly chosen = new Map<string, Choice>();
  readonly #clock: Clock;
  readonly #plans: PlanRow[];
  /** Those there are, which others add to. */
  readonly #investments: ReadonlyMap<string, InvestmentRow>;

  constructor(clock: Clock, plans: PlanRow[], investments: ReadonlyMap<string, InvestmentRow>) {
    this.#clock = clock;
    this.#plans = plans;
    this.#investments = investments;
  }

  #find({ userId, investmentId }: Which) {
    const row = this.#investments.get(investmentId);
    const plan = this.#plans.find(({ id }) => id === row?.planId);
    if (!row || !plan || row.userId !== userId) throw new AppError('not_found', 'There is none.');
    return { row, plan };
  }

  offers(which: Which) {
    const { row, plan } = this.#find(which);
    return reinvestings.map((choice) => ({ choice, terms: termsFor(choice, row, plan) }));
  }

  choose({ choice, ...which }: Which & { choice: AtMaturity }): void {
    const { row, plan } = this.#find(which);
    const at = this.#clock.now();
    if (!plan.reinvestable || row.settledAt || at >= closesAt(row.maturesAt))
      throw new AppError('choice_closed', 'It is too late.');
    if (choice === 'wallet') {
      this.chosen.delete(row.id);
      return;
    }
    const terms = termsFor(choice, row, plan);
    if ('because' in terms) throw new AppError('outside_range', 'It does not take that.');
    const told = isToldOnScreen(row.maturesAt, at) ? { at, by: 'screen' as const, terms } : null;
    this.chosen.set(row.id, { investmentId: row.id, choice, told });
  }

  /** The letters of three days before. */
  tell(): void {
    const at = this.#clock.now();
    const { after, until } = toldWhen(at);
    for (const row of this.#investments.values()) {
      const chosen = this.chosen.get(row.id);
      if (!chosen || chosen.told || row.maturesAt <= after || row.maturesAt > until) continue;
      const { plan } = this.#find({ userId: row.userId, investmentId: row.id });
      chosen.told = { at, by: 'letter', terms: termsFor(chosen.choice, row, plan) };
    }
  }
}
