import { toDecimal, toWire } from '@tallystick/contract/money';
import { networkOf, networks } from '@tallystick/contract/networks';
import { type OfferedPaymentMethod, setpaymentmethod } from '@tallystick/contract/operator/methods';
import { z } from 'zod';
import { counted } from '../../domain/dates.ts';
import { centsOf } from '../../domain/money/amount.ts';
import { TypedAmount } from '../../domain/money/typed-amount.ts';
import { Field } from '../../ui/forms/field.tsx';
import { MoneyField } from '../../ui/forms/money-field.tsx';
import { useActForm } from '../forms/act-form.ts';
import { FormModal } from '../forms/form-modal.tsx';

const { confirmations, dust } = setpaymentmethod.body.shape;

const fields = z.object({
  confirmations: z
    .string()
    .trim()
    .regex(/^\d{1,9}$/, 'Enter a whole number.')
    .transform(Number)
    .pipe(confirmations),
  dust: TypedAmount.transform((cents): string | number => toWire(cents)).pipe(dust),
});

/** From when on, and from how much on, a payment that the chain shows is credited. */
export function MethodSettings({ method, onClose }: { method: OfferedPaymentMethod; onClose: () => void }) {
  const { _id: id, paymentname } = method;
  const form = useActForm({
    call: setpaymentmethod,
    fields,
    values: { confirmations: String(method.confirmations), dust: toDecimal(centsOf(method.dust)) },
    first: 'confirmations',
  });
  const network = networkOf(method.coin);
  const usual = network && networks[network].confirmations;

  const onSubmit = form.handleSubmit((read) => {
    const body = { confirmations: read.confirmations, dust: toWire(read.dust) };
    return form.send(
      { params: { id }, body },
      {
        done: `${paymentname} payments count after ${after(read.confirmations)}`,
        onDone: onClose,
        onRefused: (message) => form.setError('confirmations', { message }),
      },
    );
  });

  return (
    <FormModal
      title={`When a payment in ${paymentname} counts`}
      onClose={onClose}
      form={form}
      onSubmit={onSubmit}
      button="Save"
      busyLabel="Saving"
      finePrint="It holds where the network is read. The audit log keeps who set it."
    >
      <Field
        label="Confirmations"
        inputMode="numeric"
        autoComplete="off"
        hint={
          usual
            ? `At least ${Math.min(usual, method.confirmations)}: a block that is replaced takes its payments back.`
            : 'After so many it is credited.'
        }
        {...form.field('confirmations')}
      />
      <MoneyField
        label="Least amount"
        hint="What is worth less is listed in the queue and not credited."
        {...form.field('dust')}
      />
    </FormModal>
  );
}

const after = (count: number) => counted(count, 'confirmation');
