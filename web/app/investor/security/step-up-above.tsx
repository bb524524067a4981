import { zodResolver } from '@hookform/resolvers/zod';
import { stepupabove } from '@tallystick/contract/factors';
import { toDecimal, toWire } from '@tallystick/contract/money';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { callApi } from '../../api.ts';
import { fieldsOf } from '../../domain/forms/fields.ts';
import { FormFailure, useSubmission } from '../../domain/forms/submission.tsx';
import { centsOf, usd } from '../../domain/money/amount.ts';
import { TypedHeldAmount } from '../../domain/money/typed-amount.ts';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { MoneyField } from '../../ui/forms/money-field.tsx';
import { toastSuccess } from '../../ui/overlays/toast.tsx';
import { isGivenUp, useReread } from './act.ts';
import { FactorCard } from './factor-card.tsx';

const fields = z.object({ amount: TypedHeldAmount });

/** From which withdrawal on the second factor is asked for again. */
export function StepUpAbove({ above }: { above: number }) {
  const reread = useReread();
  const form = useForm({
    resolver: zodResolver(fields),
    values: { amount: toDecimal(centsOf(above)) },
    resetOptions: { keepDirtyValues: true },
  });
  const { busy, failure, submit } = useSubmission((refusal) =>
    isGivenUp(refusal) ? null : refusal.message || 'The amount was not saved.',
  );
  const onSubmit = form.handleSubmit(({ amount }) =>
    submit(async () => {
      const saved = await callApi(stepupabove, { body: { amount: toWire(amount) } });
      // Written as it is kept, however it was typed.
      form.reset({ amount: toDecimal(centsOf(saved.stepupabove)) }, { keepDirtyValues: false });
      await reread();
      toastSuccess('Saved', textOf(saved.stepupabove));
    }),
  );
  return (
    <FactorCard title="Withdrawals" text={textOf(above)}>
      <form
        noValidate
        method="post"
        onSubmit={onSubmit}
        className="grid gap-4.5 px-5 pt-1 pb-5 tablet:px-7 tablet:pb-6"
      >
        <MoneyField
          label="Ask above"
          hint="0 asks for every withdrawal. A higher amount than now has to be confirmed first."
          {...fieldsOf(form)('amount')}
        />
        <FormFailure failure={failure} />
        <SubmitButton narrow busy={busy} busyLabel="Saving">
          Save
        </SubmitButton>
      </form>
    </FactorCard>
  );
}

const textOf = (above: number) =>
  above === 0
    ? 'Every withdrawal asks for your second factor.'
    : `With more than ${usd(above)} on its way out, a withdrawal asks for your second factor.`;
