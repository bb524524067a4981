import type { CallAddress } from '@tallystick/contract/call';
import type { fetchallinvestmentmethod, Plan } from '@tallystick/contract/investment';
import { type Cents, formatUsd, parseAmount, profitOf } from '@tallystick/contract/money';
import { callApiWithHeaders } from '../../api.ts';
import type { StickShape } from '../../ui/brand/stick-outline.ts';
import { counted, dayMs } from '../dates.ts';
import { grouped } from '../money/amount.ts';

/** Without the schemas: the landing page shows plans, and a phone's first moments there are few. */
const plansCall: CallAddress<typeof fetchallinvestmentmethod> = {
  method: 'GET',
  path: '/api/investment/fetchallinvestmentmethod',
};

/** What is logged when the plans did not come. */
export const plansFailure = 'Error fetching investment plans:';

export async function readPlans(): Promise<Plan[]> {
  // Without the turns that questions of somebody signed in take.
  return (await callApiWithHeaders<typeof fetchallinvestmentmethod>(plansCall, {})).answer.data;
}

/** What a card says about a plan. The example is left out of one whose figures cannot be read exactly. */
export function planTexts(plan: Plan) {
  const example = exampleAmount(plan);
  const back = paidBack(example, plan.roi);
  return {
    name: plan.planname,
    from: dollarsText(plan.from),
    to: dollarsText(plan.to),
    duration: plan.duration === 1 ? '1 day' : `${plan.duration} days`,
    roi: `${plan.roi}%`,
    example: back === null ? null : `${dollarsText(example)} becomes`,
    becomes: back === null ? null : formatUsd(back),
    exit: exitText(plan.exit),
  };
}

export type PlanTexts = ReturnType<typeof planTexts>;

/** The stick above a plan's terms. */
export function planStick(days: number): StickShape {
  const notches = Array.from({ length: notchesOf(days) }, (_, index) => 26 + 27 * index);
  return { half: 17, gap: 4, upperEnd: 320, lowerEnd: 284, notchWidth: 8, notchDepth: 11, notches };
}

export function stickLabel(days: number): string {
  return `A stick with ${counted(notchesOf(days), 'notch', 'notches')}, ${counted(days, 'day')}`;
}

/** On which terms a plan may be left before its end; null for one that runs to it. */
export function exitText(exit: Plan['exit']): string | null {
  return (
    exit &&
    `Can be left early from day ${exit.fromday}: you keep ${exit.keeps}% of the profit so far, fee ${exit.fee}% of the amount.`
  );
}

/** What an amount becomes at the end of the term; null for a plan whose figures cannot be read exactly. */
export function paidBack(amount: number, roi: number): Cents | null {
  const [amountCents, roiPoints] = [parseAmount(amount), parseAmount(roi)];
  if (amountCents === null || roiPoints === null) return null;
  return amountCents + profitOf(amountCents, Number(roiPoints));
}

/** A plan runs whole days of 24 hours from the moment of purchase. */
export function maturityOf(purchasedAt: Date, days: number): string {
  return new Date(purchasedAt.getTime() + days * dayMs).toISOString();
}

/** A round amount inside the plan's range, near its middle: 1 or 5 with noughts. */
export function exampleAmount({ from, to }: Pick<Plan, 'from' | 'to'>): number {
  const middle = (from + to) / 2;
  const nought = 10 ** Math.floor(Math.log10(middle));
  const round = middle >= 5 * nought ? 5 * nought : nought;
  return round >= from ? round : from;
}

export const daysPerNotch = 10;
const notchesMax = 9;

export function notchesOf(days: number): number {
  return Math.max(1, Math.min(notchesMax, Math.round(days / daysPerNotch)));
}

/** Whether the notches of a stick count its days. */
export function notchesAreTrue(days: number): boolean {
  return notchesOf(days) * daysPerNotch === days;
}

/** `$1,999`, with cents only where there are some. */
export function dollarsText(amount: number): string {
  const [dollars = '', fraction] = amount.toFixed(Number.isInteger(amount) ? 0 : 2).split('.');
  return `$${grouped(dollars)}${fraction ? `.${fraction}` : ''}`;
}

/** The one sentence that stands wherever someone could decide to begin. */
export const riskLine = 'Crypto prices fall as well as rise. Invest only what you can afford to lose.';

/** Stands on every plan. */
export const planRiskLine = 'You can lose money, including all of it. No return is certain.';
