import { zodResolver } from '@hookform/resolvers/zod';
import type { WireBounds } from '@tallystick/contract/bounds';
import { roiToWire, toWire } from '@tallystick/contract/money';
import { proposebounds } from '@tallystick/contract/operator/checklist';
import { PlanDraft } from '@tallystick/contract/operator/plans';
import { useState } from 'react';
import { type FieldErrors, type UseFormRegister, useForm } from 'react-hook-form';
import { z } from 'zod';
import { TypedAmount } from '../../domain/money/typed-amount.ts';
import { Button, SubmitButton } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { useFirstFocus } from '../../ui/forms/first-focus.ts';
import { MoneyField } from '../../ui/forms/money-field.tsx';
import { useAct } from '../forms/act.ts';
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

interface BoundsFormProps {
  bounds: WireBounds;
  onClose: () => void;
}

export function BoundsForm({ bounds, onClose }: BoundsFormProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(fields),
    defaultValues: {
      threshold: typedDollars(bounds.threshold),
      roiperday: String(bounds.roiperday),
      daysmin: String(bounds.daysmin),
      daysmax: String(bounds.daysmax),
      planmax: typedDollars(bounds.planmax),
    },
  });
  const { errors } = formState;
  const [refusal, setRefusal] = useState<string | null>(null);
  const { busy, act } = useAct(proposebounds);
  useFirstFocus('threshold');

  const onSubmit = handleSubmit(({ threshold, roiperday, planmax, ...days }) => {
    setRefusal(null);
    const body = {
      ...days,
      threshold: toWire(threshold),
      roiperday: roiToWire(roiperday),
      planmax: toWire(planmax),
    };
    return act({ body }, { onDone: onClose, onRefused: setRefusal });
  });

  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-4.5">
      <BoundsFields register={register} errors={errors} />
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

type Typed = z.input<typeof fields>;

function BoundsFields({
  register,
  errors,
}: {
  register: UseFormRegister<Typed>;
  errors: FieldErrors<Typed>;
}) {
  return (
    <>
      <MoneyField
        label="A deposit or a payout, up to"
        end={null}
        error={errors.threshold?.message}
        {...register('threshold')}
      />
      <UnitField
        label="A plan’s return, up to"
        unit="% a day"
        error={errors.roiperday?.message}
        {...register('roiperday')}
      />
      <div className="grid grid-cols-2 gap-4">
        <UnitField
          label="A plan’s term, from"
          unit="days"
          inputMode="numeric"
          error={errors.daysmin?.message}
          {...register('daysmin')}
        />
        <UnitField
          label="A plan’s term, to"
          unit="days"
          inputMode="numeric"
          error={errors.daysmax?.message}
          {...register('daysmax')}
        />
      </div>
      <MoneyField
        label="A plan’s largest amount, up to"
        end={null}
        error={errors.planmax?.message}
        {...register('planmax')}
      />
    </>
  );
}
