import type { WireBounds } from '@tallystick/contract/bounds';
import { roiToWire, toWire } from '@tallystick/contract/money';
import { proposebounds } from '@tallystick/contract/operator/checklist';
import { PlanDraft } from '@tallystick/contract/operator/plans';
import { z } from 'zod';
import { TypedAmount } from '../../domain/money/typed-amount.ts';
import { Button, SubmitButton } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { MoneyField } from '../../ui/forms/money-field.tsx';
import { useActForm } from '../forms/act-form.ts';
import { UnitField } from '../forms/unit-field.tsx';
import { typedDays, typedDollars, typedPercent } from '../plans/draft.ts';

const fields = z
  .object({
    threshold: TypedAmount,
    roiperday: typedPercent.pipe(PlanDraft.shape.roi),
    daysmin: typedDays,
    daysmax: typedDays,
    planmax: TypedAmount,
  })
  .refine(({ daysmin, daysmax }) => daysmin <= daysmax, {
    path: ['daysmax'],
    message: 'The longest term is below the shortest.',
  });

export function BoundsForm({ bounds, onClose }: { bounds: WireBounds; onClose: () => void }) {
  const { field, handleSubmit, send, busy, refusal } = useActForm({
    call: proposebounds,
    fields,
    values: {
      threshold: typedDollars(bounds.threshold),
      roiperday: String(bounds.roiperday),
      daysmin: String(bounds.daysmin),
      daysmax: String(bounds.daysmax),
      planmax: typedDollars(bounds.planmax),
    },
    first: 'threshold',
  });

  const onSubmit = handleSubmit(({ threshold, roiperday, planmax, ...days }) => {
    const body = {
      ...days,
      threshold: toWire(threshold),
      roiperday: roiToWire(roiperday),
      planmax: toWire(planmax),
    };
    return send({ body }, { onDone: onClose });
  });

  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-4.5">
      <MoneyField label="A deposit or a payout, up to" end={null} {...field('threshold')} />
      <UnitField label="A plan’s return, up to" unit="% a day" {...field('roiperday')} />
      <div className="grid grid-cols-2 gap-4">
        <UnitField label="A plan’s term, from" unit="days" inputMode="numeric" {...field('daysmin')} />
        <UnitField label="A plan’s term, to" unit="days" inputMode="numeric" {...field('daysmax')} />
      </div>
      <MoneyField label="A plan’s largest amount, up to" end={null} {...field('planmax')} />
      {refusal && <QuietNotice role="alert">{refusal}</QuietNotice>}
      <p className="-mt-1.5 text-caption text-3">
        They count once a second operator has agreed, narrower ones too.
      </p>
      <div className="flex flex-wrap gap-3 max-tablet:grid max-tablet:*:w-full">
        <SubmitButton narrow busy={busy} busyLabel="Sending">
          Ask for these
        </SubmitButton>
        <Button look="quiet" busy={busy} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
