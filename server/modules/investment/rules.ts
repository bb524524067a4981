import { type Cents, formatUsd, profitOf } from '@tallystick/contract/money';
import { dayMs } from '../../platform/clock.ts';

/** What a version of a plan says, and every version keeps saying. */
export interface PlanTerms {
  planname: string;
  fromCents: Cents;
  toCents: Cents;
  durationDays: number;
  roiPoints: number;
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
