import { z } from 'zod';
import { WireExitTerms } from './investment.ts';
import { type Cents, formatUsd, roiToWire } from './money.ts';

/** What one operator may do alone. Beyond it a second one has to agree; so do two to another set of bounds. */
export interface Bounds {
  /** Above it, alone or summed over a day, a deposit or a payout needs two. */
  thresholdCents: Cents;
  /** Above it a payment that a chain has confirmed waits for an operator. */
  chainThresholdCents: Cents;
  /** Hundredths of a percent for each day of a plan's term. */
  planPointsPerDayMax: number;
  planDaysMin: number;
  planDaysMax: number;
  planCentsMax: Cents;
}

/** The bounds on the wire: dollars and percent. */
export const WireBounds = z.object({
  threshold: z
    .number()
    .describe('deposits and payouts above it, alone or summed over a day, need two operators'),
  chainthreshold: z.number().describe('a payment above it that a chain has confirmed needs an operator, too'),
  roiperday: z.number().describe('the most a plan may pay for each day, in percent'),
  daysmin: z.number().int(),
  daysmax: z.number().int(),
  planmax: z.number().describe('the largest amount that a plan may take'),
});
export type WireBounds = z.infer<typeof WireBounds>;

/** What one operator asked for and another must agree to. */
export const Waiting = { _id: z.string(), askedby: z.string(), askedbyid: z.string(), askedat: z.string() };

export const BoundsChange = z.object({ ...Waiting, from: WireBounds, to: WireBounds });
export type BoundsChange = z.infer<typeof BoundsChange>;

export const PlanProposal = z.object({
  ...Waiting,
  replaces: z.string().nullable().describe('the version whose place it would take; null: a new plan'),
  planname: z.string(),
  from: z.number(),
  to: z.number(),
  duration: z.number().int(),
  roi: z.number(),
  reinvestable: z.boolean(),
  exit: WireExitTerms.nullable(),
  because: z.array(z.string()).describe('in which ways it is beyond the bounds now'),
});
export type PlanProposal = z.infer<typeof PlanProposal>;

/** The first of two confirmations of a deposit. */
export const FirstConfirmation = z.object({
  operator: z.string(),
  name: z.string().describe('of the operator, or of the network whose chain confirmed it'),
  bychain: z.boolean().describe('no person but the chain confirmed it: it can only be agreed to'),
  at: z.string(),
  received: z.number(),
  chaintransactionid: z.string(),
  chainoutput: z.number().int().nullable(),
  explorer: z.string().nullable().describe('where anyone can look it up; null on test networks'),
  because: z.string().describe('why one operator is not enough'),
  departed: z.boolean().describe('an operator no more: this confirmation does not count'),
});
export type FirstConfirmation = z.infer<typeof FirstConfirmation>;

/** What was decided within the last day, to be added to what is being decided now. */
export interface DaySum {
  of: 'investor' | 'destination' | 'operator';
  cents: Cents;
}

const inADay: Record<DaySum['of'], string> = {
  investor: 'for this investor',
  destination: 'to this address',
  operator: 'by one operator alone',
};

/** Why one operator is not enough for an amount; null when one is. */
export function whyTwo(input: {
  amountCents: Cents;
  /** For a deposit: what the investor said would come. */
  askedCents?: Cents;
  sums: readonly DaySum[];
  thresholdCents: Cents;
}): string | null {
  const { amountCents, askedCents, sums, thresholdCents } = input;
  if (askedCents !== undefined && amountCents > askedCents) {
    return `More than the ${formatUsd(askedCents)} that was asked for`;
  }
  const threshold = formatUsd(thresholdCents);
  if (amountCents > thresholdCents) return `Above ${threshold}`;
  const over = sums.find(({ cents }) => cents + amountCents > thresholdCents);
  return over
    ? `${formatUsd(over.cents + amountCents)} ${inADay[over.of]} within a day, above ${threshold}`
    : null;
}

/** Why one operator cannot offer a plan; empty when one can. */
export function whyPlanNeedsTwo(
  plan: { toCents: Cents; durationDays: number; roiPoints: number },
  bounds: Bounds,
): string[] {
  const { toCents, durationDays, roiPoints } = plan;
  const { planPointsPerDayMax, planDaysMin, planDaysMax, planCentsMax } = bounds;
  const days = durationDays === 1 ? '1 day' : `${durationDays} days`;
  return [
    roiPoints > planPointsPerDayMax * durationDays &&
      `${roiToWire(roiPoints)}% in ${days} is more than ${roiToWire(planPointsPerDayMax)}% a day`,
    durationDays < planDaysMin && `${days} is shorter than ${planDaysMin}`,
    durationDays > planDaysMax && `${days} is longer than ${planDaysMax}`,
    toCents > planCentsMax && `${formatUsd(toCents)} is above ${formatUsd(planCentsMax)}`,
  ].filter((why) => why !== false);
}
