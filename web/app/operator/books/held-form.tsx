import { zodResolver } from '@hookform/resolvers/zod';
import { toWire } from '@tallystick/contract/money';
import { enterheld } from '@tallystick/contract/operator/books';
import { useEffect } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { EffectBox, FinePrint } from '../../domain/forms/form-parts.tsx';
import { centsOf, usd } from '../../domain/money/amount.ts';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { MoneyField } from '../../ui/forms/money-field.tsx';
import { useAct } from '../act.ts';
import { FormModal } from '../form-modal.tsx';
import { readHeld, TypedHeld } from './held.ts';
import { type Books, coverageOf } from './sums.ts';

export type HeldMethod = Books['held']['methods'][number];

interface HeldFormProps {
  method: HeldMethod;
  books: Books;
  onClose: () => void;
}

/** What lies at the addresses of one method, as an operator read it off and counts it in dollars. */
export function EnterHeld(props: HeldFormProps) {
  return (
    <FormModal title={`Held in ${props.method.paymentname}`} onClose={props.onClose}>
      {(onDirty) => <HeldForm {...props} onDirty={onDirty} />}
    </FormModal>
  );
}

const fields = z.object({ amount: TypedHeld });

function HeldForm({
  method,
  books,
  onClose,
  onDirty,
}: HeldFormProps & { onDirty: (isDirty: boolean) => void }) {
  const { register, control, handleSubmit, setFocus, setError, formState } = useForm({
    resolver: zodResolver(fields),
    defaultValues: { amount: '' },
  });
  const { errors, isDirty } = formState;
  const { busy, act } = useAct(enterheld);
  const cents = readHeld(useWatch({ control, name: 'amount' }));
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  useEffect(() => setFocus('amount'), [setFocus]);

  const onSubmit = handleSubmit(({ amount }) =>
    act(
      { params: { id: method.methodid }, body: { amount: toWire(amount) } },
      {
        done: `What is held in ${method.paymentname} was entered`,
        onDone: onClose,
        onRefused: (message) => setError('amount', { message }),
      },
    ),
  );
  const otherCents = books.held.methods
    .filter(({ methodid }) => methodid !== method.methodid)
    .reduce((sum, { amount }) => sum + centsOf(amount ?? 0), 0n);
  const after = cents === null ? null : toWire(otherCents + cents);

  return (
    <form noValidate onSubmit={onSubmit} className="grid grid-cols-[minmax(0,1fr)] gap-4.5">
      <MoneyField
        label="Amount held now"
        hint="Everything at this method’s addresses, counted in dollars at today’s price."
        end={<span className="pr-1.5 text-3">USD</span>}
        error={errors.amount?.message}
        {...register('amount')}
      />
      <EffectBox
        rows={[
          { name: 'Entered before', value: method.amount === null ? 'Never' : usd(method.amount) },
          { name: 'Held together, after', value: after === null ? 'Not known yet' : usd(after) },
          {
            name: 'Coverage after',
            value: after === null ? 'Not known yet' : coverageOf(books.owed.together, after),
          },
        ]}
      />
      <SubmitButton busy={busy} busyLabel="Saving">
        Enter amount
      </SubmitButton>
      <FinePrint>It is a figure to compare with. It moves no money.</FinePrint>
    </form>
  );
}
