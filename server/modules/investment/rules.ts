import type { WireExitTerms } from '@tallystick/contract/investment';
import {
  type Cents,
  type ExitAmounts,
  type ExitTerms,
  exitAmounts,
  formatUsd,
  profitOf,
  roiToWire,
} from '@tallystick/contract/money';
import { type Refusal, refuse } from '../../platform/app-error.ts';
import { dayMs } from '../../platform/clock.ts';

/** What a caller sends may be no id at all, which the database would call an error. */
export const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** What a version of a plan says, and every version keeps saying. */
export interface PlanTerms {
  planname: string;
  fromCents: Cents;
  toCents: Cents;
  durationDays: number;
  roiPoints: number;
  /** Whether what it pays back may be invested in it again. */
  reinvestable: boolean;
  /** From which day on it may be left, of those that are over; null, as the two below, for one that runs to its end. */
  exitFromDay: number | null;
  /** Which part of the profit so far stays with who leaves, in hundredths of a percent. */
  exitKeepsPoints: number | null;
  /** Which part of the amount leaving costs, likewise. */
  exitFeePoints: number | null;
}

type MoreTerms = 'reinvestable' | 'exitFromDay' | 'exitKeepsPoints' | 'exitFeePoints';
/** What a new plan, or a new version of one, says; what it does not say it does not offer. */
export type PlanDraft = Omit<PlanTerms, MoreTerms> & Partial<Pick<PlanTerms, MoreTerms>>;

/** All that a draft says, and that it offers nothing else. */
export const wholeTerms = (draft: PlanDraft): PlanTerms => ({
  reinvestable: false,
  exitFromDay: null,
  exitKeepsPoints: null,
  exitFeePoints: null,
  ...draft,
});

export type LeavingTerms = Pick<PlanTerms, 'exitFromDay' | 'exitKeepsPoints' | 'exitFeePoints'>;

/** On which terms a plan may be left early; null for one that runs to its end. */
export function exitTermsOf(plan: LeavingTerms): ExitTerms | null {
  const { exitFromDay: fromDay, exitKeepsPoints: keepsPoints, exitFeePoints: feePoints } = plan;
  if (fromDay === null || keepsPoints === null || feePoints === null) return null;
  return { fromDay, keepsPoints, feePoints };
}

/** The same in percent. */
export function exitToWire(plan: LeavingTerms): WireExitTerms | null {
  const terms = exitTermsOf(plan);
  if (!terms) return null;
  return { fromday: terms.fromDay, keeps: roiToWire(terms.keepsPoints), fee: roiToWire(terms.feePoints) };
}

/** Why a plan cannot say this; null when it can. */
export function draftRefusal({ fromCents, toCents, durationDays, exitFromDay }: PlanTerms): string | null {
  if (fromCents > toCents) return 'The range begins above its end.';
  if (exitFromDay !== null && exitFromDay >= durationDays)
    return 'A plan can be left early only before its last day.';
  return null;
}

/** Why an amount cannot be invested in a plan; null when it can. */
export function rangeRefusal(plan: PlanTerms, amountCents: Cents): string | null {
  if (amountCents >= plan.fromCents && amountCents <= plan.toCents) return null;
  return `${plan.planname} takes ${formatUsd(plan.fromCents)} to ${formatUsd(plan.toCents)}.`;
}

export interface InvestmentTerms {
  planname: string;
  amountCents: Cents;
  profitCents: Cents;
  durationDays: number;
  roiPoints: number;
  openedAt: Date;
  maturesAt: Date;
}

/** What a person agrees to when they press the button: frozen from here on. */
export function termsOf(plan: PlanTerms, amountCents: Cents, openedAt: Date): InvestmentTerms {
  return {
    planname: plan.planname,
    amountCents,
    profitCents: profitOf(amountCents, plan.roiPoints),
    durationDays: plan.durationDays,
    roiPoints: plan.roiPoints,
    openedAt,
    maturesAt: new Date(openedAt.getTime() + plan.durationDays * dayMs),
  };
}

/** What was paid to whoever left an investment. */
export interface Left {
  /** Those of the term that were over. */
  days: number;
  /** What stayed of the profit so far. */
  profitCents: Cents;
  feeCents: Cents;
  paidCents: Cents;
}

/** What leaving pays, and on which terms. */
export interface ExitOffer extends ExitAmounts {
  days: number;
  terms: ExitTerms;
}

/** From this moment on an investment may be left; null when it runs to its end. */
export function exitOpensAt(investment: { openedAt: Date; exitFromDay: number | null }): Date | null {
  const { openedAt, exitFromDay } = investment;
  return exitFromDay === null ? null : new Date(openedAt.getTime() + exitFromDay * dayMs);
}

/** Whole days count, so the amount stands still between two of them: what was shown is what is paid. */
export function exitOffer(investment: InvestmentTerms & LeavingTerms, now: Date): ExitOffer | Refusal {
  const terms = exitTermsOf(investment);
  const opensAt = exitOpensAt(investment);
  if (!terms || !opensAt) return refuse('exit_refused', `${investment.planname} runs to its end.`);
  if (now >= investment.maturesAt) {
    return refuse('exit_refused', 'The term is over: all of the profit is on its way to your wallet.');
  }
  if (now < opensAt) {
    return refuse('exit_refused', `It can be left when ${terms.fromDay} of its days are over, not before.`);
  }
  const days = Math.floor((now.getTime() - investment.openedAt.getTime()) / dayMs);
  return { ...exitAmounts(investment, terms, days), days, terms };
}

/**
 * What came in goes back first: the fee is taken from what is there by then. Its label is hashed with the entry, so that the
 * chain itself tells what was left from what has matured.
 */
export function exitPostings(
  { userId, amountCents }: { userId: string; amountCents: Cents },
  { keptCents, feeCents }: ExitAmounts,
) {
  const wallet = { kind: 'wallet', ownerId: userId } as const;
  const invested = { kind: 'invested', ownerId: userId } as const;
  const returns = { kind: 'returns', ownerId: null } as const;
  return [
    { account: invested, amountCents: -amountCents, label: 'Early Exit' },
    { account: wallet, amountCents, label: 'Early Exit' },
    { account: returns, amountCents: -keptCents, label: 'Profit' },
    { account: wallet, amountCents: keptCents, label: 'Profit' },
    { account: wallet, amountCents: -feeCents, label: 'Exit Fee' },
    { account: returns, amountCents: feeCents, label: 'Exit Fee' },
  ].filter((posting) => posting.amountCents !== 0n);
}
