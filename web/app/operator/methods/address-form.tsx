import { networkNameOf } from '@tallystick/contract/networks';
import { type OfferedPaymentMethod, proposeaddress } from '@tallystick/contract/operator/methods';
import { Field } from '../../ui/forms/field.tsx';
import { useActForm } from '../forms/act-form.ts';
import { FormModal } from '../forms/form-modal.tsx';

interface ChangeAddressProps {
  method: OfferedPaymentMethod;
  onClose: () => void;
}

const values = { paymentaddress: '' };

/** An address on the site is where other people's money goes: nobody changes it alone. */
export function ChangeAddress({ method, onClose }: ChangeAddressProps) {
  const form = useActForm({
    call: proposeaddress,
    fields: proposeaddress.body,
    values,
    first: 'paymentaddress',
  });

  const onSubmit = form.handleSubmit((body) =>
    form.send(
      { params: { id: method._id }, body },
      {
        done: `The new ${method.paymentname} address waits for a second operator`,
        onDone: onClose,
        onRefused: (message) => form.setError('paymentaddress', { message }),
      },
    ),
  );

  return (
    <FormModal
      title={`Change the ${method.paymentname} address`}
      onClose={onClose}
      form={form}
      onSubmit={onSubmit}
      button="Ask for this address"
    >
      <div className="rounded-code bg-sunken px-4 py-3.5 text-label inset-ring inset-ring-line">
        <p className="text-2">Address now, {networkNameOf(method.network)}</p>
        <p className="mt-1 font-mono break-all">{method.paymentaddress || 'None yet'}</p>
      </div>
      <Field
        label="New address"
        hint={`A real address on ${networkNameOf(method.coin)}: investors will send real money to it.`}
        autoComplete="off"
        spellCheck={false}
        {...form.field('paymentaddress')}
      />
      <p className="text-label text-2">
        Until a second operator has confirmed it, the site keeps showing the address that is there now.
      </p>
    </FormModal>
  );
}
