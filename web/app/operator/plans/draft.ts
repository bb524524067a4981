import { type Bounds, whyPlanNeedsTwo } from '@tallystick/contract/bounds';
import type { Plan } from '@tallystick/contract/investment';
import { type Cents, profitOf, roiToWire, toWire } from '@tallystick/contract/money';
import { type OfferedPlan, PlanDraft } from '@tallystick/contract/operator/plans';
import { z } from 'zod';
import { counted } from '../../domain/dates.ts';
import { TypedAmount } from '../../domain/money/typed-amount.ts';

const daysMax = 3650;

/** `45` */
export const typedDays = z
  .string()
  .trim()
  .regex(/^\d{1,4}$/, 'Enter a number of days.')
  .transform(Number)
  .pipe(z.number().min(1, 'A plan lasts one day or more.').max(daysMax, `At most ${daysMax} days.`));

/** `1.9`, or `1.9 %` */
export const typedPercent = z
  .string()
  .transform((typed): string | number => typed.trim().replace(/\s*%$/, ''));

/** A plan as it stands in the form: text, read the way people type. */
export const draftFields = z
  .object({
    planname: PlanDraft.shape.planname,
    from: TypedAmount,
    to: TypedAmount,
    duration: typedDays,
    roi: typedPercent.pipe(PlanDraft.shape.roi),
  })
  .refine(({ from, to }) => from <= to, {
    path: ['to'],
    message: 'The largest amount is below the smallest.',
  });

export type DraftInput = z.input<typeof draftFields>;
export type Draft = z.output<typeof draftFields>;

const emptyDraft: DraftInput = { planname: '', from: '', to: '', duration: '', roi: '' };

export function draftOf(plan: OfferedPlan | null): DraftInput {
  if (!plan) return emptyDraft;
  return {
    planname: plan.planname,
    from: typedDollars(plan.from),
    to: typedDollars(plan.to),
    duration: String(plan.duration),
    roi: String(plan.roi),
  };
}

/** An amount as it stands in a field: `2,000`, `9,999.50`. */
export function typedDollars(amount: number): string {
  const digits = Number.isInteger(amount) ? 0 : 2;
  return amount.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function bodyOf({ planname, from, to, duration, roi }: Draft): Omit<Plan, '_id'> {
  return { planname, from: toWire(from), to: toWire(to), duration, roi: roiToWire(roi) };
}

/** What visitors will see; null as long as the form cannot be read. */
export function previewOf(typed: DraftInput): Plan | null {
  const draft = draftFields.safeParse(typed).data;
  return draft ? { _id: 'preview', ...bodyOf(draft) } : null;
}

/** Both ends of the range with their profit, to the cent; null where a figure is missing or makes no sense. */
export function paysBack({ from, to, roi }: Pick<DraftInput, 'from' | 'to' | 'roi'>): {
  smallest: Cents | null;
  largest: Cents | null;
} {
  const points = draftFields.shape.roi.safeParse(roi).data;
  const back = (typed: string) => {
    const cents = TypedAmount.safeParse(typed).data;
    return cents === undefined || points === undefined ? null : cents + profitOf(cents, points);
  };
  return { smallest: back(from), largest: back(to) };
}

/** A version that changes nothing would only make the list longer. */
export function isSame(draft: Draft, plan: OfferedPlan): boolean {
  const body = bodyOf(draft);
  return (Object.keys(body) as (keyof typeof body)[]).every((name) => body[name] === plan[name]);
}

/** Why a second operator has to agree to what stands in the form; empty while it cannot be read, too. */
export function whyTwoSave(typed: DraftInput, bounds: Bounds): string[] {
  const { to, duration, roi } = draftFields.shape;
  const toCents = to.safeParse(typed.to).data;
  const durationDays = duration.safeParse(typed.duration).data;
  const roiPoints = roi.safeParse(typed.roi).data;
  if (toCents === undefined || durationDays === undefined || roiPoints === undefined) return [];
  return whyPlanNeedsTwo({ toCents, durationDays, roiPoints }, bounds);
}

export function versionSentence({ version, openinvestments }: OfferedPlan, needsTwo = false): string {
  const when = needsTwo ? 'when a second operator has agreed' : 'when you save it';
  const next = `Version ${version + 1} starts ${when}.`;
  if (openinvestments === 0) return `${next} No investment is open on this plan.`;
  const stay = openinvestments === 1 ? 'stays' : 'stay';
  const where = version === 1 ? 'version 1' : `version ${version} or earlier`;
  return `${next} ${counted(openinvestments, 'open investment')} ${stay} on ${where}.`;
}
