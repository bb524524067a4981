import type { Reinvesting, ToldBy } from '@tallystick/contract/investment';
import { type Cents, profitOf } from '@tallystick/contract/money';
import { dayMs, hourMs } from '../../../platform/clock.ts';
import { type InvestmentTerms, type PlanTerms, rangeRefusal } from '../rules.ts';

/** Why it is paid out all the same. */
export type PaidBecause = 'plan_off' | 'outside_range' | 'not_told';
export type NoTerms = Exclude<PaidBecause, 'not_told'>;

/** On which version of a plan, how much and for which profit; or why on none. */
export type ToldTerms = { planId: string; amountCents: Cents; profitCents: Cents } | { because: NoTerms };

export interface Choice {
  investmentId: string;
  choice: Reinvesting;
  /** Null as long as nothing was told. */
  told: { at: Date; by: ToldBy; terms: ToldTerms } | null;
}

type Matured = Pick<InvestmentTerms, 'amountCents' | 'profitCents'>;
type Offered = PlanTerms & { id: string };

/** Whoever changes their mind has until then. */
export const closesAt = (maturesAt: Date): Date => new Date(maturesAt.getTime() - hourMs);

/** The letter is written three days before; from then on a choice is made on the terms that the screen shows. */
export const toldMs = 3 * dayMs;
/** A server that stood still writes it up to a day late. Later than that it is no time to think. */
const toldLateMs = dayMs;
/** What matures after the one and not after the other is to be told of now. */
export const toldWhen = (now: Date): { after: Date; until: Date } => ({
  after: new Date(now.getTime() + toldMs - toldLateMs),
  until: new Date(now.getTime() + toldMs),
});
export const isToldOnScreen = (maturesAt: Date, now: Date): boolean =>
  maturesAt.getTime() - now.getTime() <= toldMs;

export const amountFor = (choice: Reinvesting, { amountCents, profitCents }: Matured): Cents =>
  choice === 'everything' ? amountCents + profitCents : amountCents;

/** What is told when a choice meets the version of its plan that is offered at that moment. */
export function termsFor(choice: Reinvesting, matured: Matured, offered: Offered | null): ToldTerms {
  if (!offered) return { because: 'plan_off' };
  const amountCents = amountFor(choice, matured);
  if (rangeRefusal(offered, amountCents)) return { because: 'outside_range' };
  return { planId: offered.id, amountCents, profitCents: profitOf(amountCents, offered.roiPoints) };
}

/**
 * What becomes of it when it matures: the plan and the amount that were told, if the plan is still offered as it was, or
 * why it is paid out.
 */
export function decideMaturity<Plan extends Offered>(
  { choice, told }: Choice,
  matured: Matured,
  offered: ReadonlyMap<string, Plan>,
): { plan: Plan; amountCents: Cents } | { because: PaidBecause } {
  if (!told) return { because: 'not_told' };
  if ('because' in told.terms) return told.terms;
  const { planId, amountCents, profitCents } = told.terms;
  const plan = offered.get(planId);
  const now = termsFor(choice, matured, plan ?? null);
  if ('because' in now) return now;
  // Of another amount nobody was told.
  if (!plan || now.amountCents !== amountCents || now.profitCents !== profitCents)
    return { because: 'not_told' };
  return { plan, amountCents };
}

/** Why there are no terms to tell, as letter and screen say it while it runs. */
export const noTermsWords: Record<NoTerms, string> = {
  plan_off: 'The plan is not offered at the moment.',
  outside_range: 'The amount is not within what the plan takes.',
};

const paidBecauseWords: Record<PaidBecause, string> = {
  plan_off: 'The plan was not offered any more on the terms that you were told.',
  outside_range: 'The amount is not within what the plan takes.',
  not_told: 'You had not been told the terms in time.',
};

/** Why it was paid, as letter and screen say it afterwards. Who was told of no terms is not reminded of any. */
export function paidWords(was: { reason: PaidBecause | null; toldReason: NoTerms | null }): string | null {
  if (was.reason === 'plan_off' && was.toldReason)
    return 'The plan was not offered when you were to be told its terms.';
  return was.reason && paidBecauseWords[was.reason];
}
