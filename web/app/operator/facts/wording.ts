import type { Bounds, BoundsChange, PlanProposal, WireBounds } from '@tallystick/contract/bounds';
import { type Cents, divideHalfEven } from '@tallystick/contract/money';
import { counted } from '../../domain/dates.ts';
import { centsOf, usd } from '../../domain/money/amount.ts';
import { dollarsText } from '../../domain/plans/plan-offer.ts';

/** `112.0%`, rounded half-even to a tenth; null when nothing is owed. */
export function coverageText(heldCents: Cents, owedCents: Cents): string | null {
  if (owedCents <= 0n) return null;
  const tenths = divideHalfEven(heldCents * 1000n, owedCents);
  return `${(tenths / 10n).toLocaleString('en-US')}.${tenths % 10n}%`;
}

/** From where the figure of what is held is: the part that somebody typed is nobody's proof. */
export function heldSource(held: number, typed: number | null): string {
  if (typed === null) return 'All of it read from the chains.';
  if (typed === held) return 'All of it typed by operators.';
  return `${usd(typed)} of it typed, the rest read from the chains.`;
}

/** The bounds as people read them, one line for each. */
export function boundsLines({ threshold, chainthreshold, roiperday, daysmin, daysmax, planmax }: WireBounds) {
  return [
    { name: 'A deposit or a payout', value: usd(threshold), isMost: true },
    { name: 'A deposit its chain shows', value: usd(chainthreshold), isMost: true },
    { name: 'A plan’s return', value: `${roiperday}% a day`, isMost: true },
    { name: 'A plan’s term', value: `${daysmin} to ${counted(daysmax, 'day')}`, isMost: false },
    { name: 'A plan’s largest amount', value: usd(planmax), isMost: true },
  ];
}

/** Only what would be different. */
export function boundsChanges({ from, to }: Pick<BoundsChange, 'from' | 'to'>) {
  const after = boundsLines(to);
  return boundsLines(from).flatMap(({ name, value }, n) => {
    const next = after[n]?.value ?? '';
    return value === next ? [] : [{ name, from: value, to: next }];
  });
}

export const boundsOf = (bounds: WireBounds): Bounds => ({
  thresholdCents: centsOf(bounds.threshold),
  chainThresholdCents: centsOf(bounds.chainthreshold),
  planPointsPerDayMax: Math.round(bounds.roiperday * 100),
  planDaysMin: bounds.daysmin,
  planDaysMax: bounds.daysmax,
  planCentsMax: centsOf(bounds.planmax),
});

type Terms = Pick<PlanProposal, 'from' | 'to' | 'duration' | 'roi'>;

/** `$100 to $1,999, 30 days, 0.8%` */
export const termsText = ({ from, to, duration, roi }: Terms): string =>
  `${dollarsText(from)} to ${dollarsText(to)}, ${counted(duration, 'day')}, ${roi}%`;
