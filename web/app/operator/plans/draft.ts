import { type Bounds, whyPlanNeedsTwo } from '@tallystick/contract/bounds';
import type { Plan } from '@tallystick/contract/investment';
import { type Cents, profitOf, roiToWire, toWire } from '@tallystick/contract/money';
import { Share } from '@tallystick/contract/operator/fields';
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

const emptyOr = <Read extends z.ZodType<unknown, string>>(read: Read) => z.union([nothing, read]);
const nothing = z
  .string()
  .regex(/^\s*$/)
  .transform(() => null);
const typedShare = typedPercent.pipe(Share);

/** A plan as it stands in the form: text, read the way people type. One that cannot be left early has its three fields empty. */
export const draftFields = z
  .object({
    planname: PlanDraft.shape.planname,
    from: TypedAmount,
    to: TypedAmount,
    duration: typedDays,
    roi: typedPercent.pipe(PlanDraft.shape.roi),
    reinvestable: z.boolean(),
    exitfrom: emptyOr(typedDays),
    exitkeeps: emptyOr(typedShare),
    exitfee: emptyOr(typedShare),
  })
  .refine(({ from, to }) => from <= to, {
    path: ['to'],
    message: 'The largest amount is below the smallest.',
  })
  .refine(({ exitfrom, duration }) => exitfrom === null || exitfrom < duration, {
    path: ['exitfrom'],
    message: 'This is not before the last day.',
  })
  .superRefine(({ exitfrom, exitkeeps, exitfee }, context) => {
    const fields = Object.entries({ exitfrom, exitkeeps, exitfee });
    const empty = fields.filter(([, value]) => value === null);
    if (empty.length === fields.length) return;
    for (const [name] of empty)
      context.addIssue({ code: 'custom', path: [name], message: 'Fill in all three, or none of them.' });
  });

export type DraftInput = z.input<typeof draftFields>;
export type Draft = z.output<typeof draftFields>;

const noExit = { exitfrom: '', exitkeeps: '', exitfee: '' };
const emptyDraft: DraftInput = {
  planname: '',
  from: '',
  to: '',
  duration: '',
  roi: '',
  reinvestable: false,
  ...noExit,
};

export function draftOf(plan: OfferedPlan | null): DraftInput {
  if (!plan) return emptyDraft;
  return {
    planname: plan.planname,
    from: typedDollars(plan.from),
    to: typedDollars(plan.to),
    duration: String(plan.duration),
    roi: String(plan.roi),
    reinvestable: plan.reinvestable,
    ...(plan.exit
      ? {
          exitfrom: String(plan.exit.fromday),
          exitkeeps: String(plan.exit.keeps),
          exitfee: String(plan.exit.fee),
        }
      : noExit),
  };
}

/** An amount as it stands in a field: `2,000`, `9,999.50`. */
export function typedDollars(amount: number): string {
  const digits = Number.isInteger(amount) ? 0 : 2;
  return amount.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function bodyOf(draft: Draft): Omit<Plan, '_id'> {
  const { planname, from, to, duration, roi, reinvestable, exitfrom, exitkeeps, exitfee } = draft;
  const exit =
    exitfrom === null || exitkeeps === null || exitfee === null
      ? null
      : { fromday: exitfrom, keeps: roiToWire(exitkeeps), fee: roiToWire(exitfee) };
  return { planname, from: toWire(from), to: toWire(to), duration, roi: roiToWire(roi), reinvestable, exit };
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
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  return (Object.keys(body) as (keyof typeof body)[]).every((name) => same(body[name], plan[name]));
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
