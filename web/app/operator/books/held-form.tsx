import { type Cents, toWire } from '@tallystick/contract/money';
import { enterheld } from '@tallystick/contract/operator/books';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { EffectBox } from '../../domain/forms/form-notes.tsx';
import { centsOf, usd } from '../../domain/money/amount.ts';
import { TypedAmount } from '../../domain/money/typed-amount.ts';
import { MoneyField } from '../../ui/forms/money-field.tsx';
import { useActForm } from '../forms/act-form.ts';
import { FormModal } from '../forms/form-modal.tsx';
import { type Books, coverageOf } from './sums.ts';

export type HeldMethod = Books['held']['methods'][number];

interface HeldFormProps {
  method: HeldMethod;
  books: Books;
  onClose: () => void;
}

const nothing = /^(\$\s*)?0(\.0{1,2})?$/;

/** Unlike other amounts, what is held may be nothing. */
const TypedHeld = z.string().transform((typed, context): Cents => {
  if (nothing.test(typed.trim())) return 0n;
  const amount = TypedAmount.safeParse(typed);
  if (amount.success) return amount.data;
  context.addIssue({ code: 'custom', message: 'Enter an amount in dollars, like 250 or 250.50.' });
  return z.NEVER;
});

/** Null as long as it is no amount. */
export function readHeld(typed: string): Cents | null {
  return TypedHeld.safeParse(typed).data ?? null;
}

const fields = z.object({ amount: TypedHeld });

/** What lies at the addresses of one method, as an operator read it off and counts it in dollars. */
export function EnterHeld({ method, books, onClose }: HeldFormProps) {
  const form = useActForm({ call: enterheld, fields, values: { amount: '' }, first: 'amount' });
  const cents = readHeld(useWatch({ control: form.control, name: 'amount' }));

  const onSubmit = form.handleSubmit(({ amount }) =>
    form.send(
      { params: { id: method.methodid }, body: { amount: toWire(amount) } },
      {
        done: `What is held in ${method.paymentname} was entered`,
        onDone: onClose,
        onRefused: (message) => form.setError('amount', { message }),
      },
    ),
  );
  const otherCents = centsOf(books.held.together ?? 0) - centsOf(method.amount ?? 0);
  const after = cents === null ? null : toWire(otherCents + cents);

  return (
    <FormModal
      title={`Held in ${method.paymentname}`}
      onClose={onClose}
      form={form}
      onSubmit={onSubmit}
      busyLabel="Saving"
      button="Enter amount"
      finePrint="It is a figure to compare with. It moves no money."
    >
      <MoneyField
        label="Amount held now"
        hint="Everything at this method’s addresses, counted in dollars at today’s price."
        {...form.field('amount')}
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
    </FormModal>
  );
}
