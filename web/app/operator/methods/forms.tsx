import { type Network, networkIds, networkNameOf, networks } from '@tallystick/contract/networks';
import {
  addpaymentmethod,
  addwithdrawalmethod,
  type OfferedPaymentMethod,
  proposeaddress,
} from '@tallystick/contract/operator/methods';
import { z } from 'zod';
import { FormChoice } from '../../domain/forms/form-choice.tsx';
import { FinePrint } from '../../domain/forms/form-notes.tsx';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { useActForm } from '../forms/act-form.ts';
import { FormModal } from '../forms/form-modal.tsx';

const network = z.enum(networkIds, 'Choose a network.');
const paymentFields = addpaymentmethod.body.extend({ network });
const withdrawalFields = addwithdrawalmethod.body.extend({ network });

/** Nothing is chosen at first, which the form's type does not know. */
const noNetwork = '' as Network;

const networkChoice = {
  name: 'network',
  label: 'Network',
  prompt: 'Choose a network',
  options: networkIds.map((id) => ({
    value: id,
    name: networks[id].name,
    mark: <CoinMark coin={id} size={28} />,
  })),
} as const;

interface FormProps {
  onClose: () => void;
}

export function NewPaymentMethod({ onClose }: FormProps) {
  const form = useActForm({
    call: addpaymentmethod,
    fields: paymentFields,
    values: { paymentname: '', network: noNetwork, paymentaddress: '' },
    first: 'paymentname',
  });
  const onSubmit = form.handleSubmit((body) =>
    form.send({ body }, { done: `${body.paymentname} waits for a second operator`, onDone: onClose }),
  );
  return (
    <FormModal
      title="New payment method"
      onClose={onClose}
      form={form}
      onSubmit={onSubmit}
      button="Add payment method"
    >
      <Field
        label="Name"
        hint="Investors choose by it, and their entries carry it."
        autoComplete="off"
        {...form.field('paymentname')}
      />
      <FormChoice control={form.control} {...networkChoice} />
      <Field
        label="Address"
        hint="Where investors send to. It is checked for its network."
        autoComplete="off"
        spellCheck={false}
        {...form.field('paymentaddress')}
      />
      <p className="text-label text-2">
        It shows on the site once a second operator has agreed to its address.
      </p>
    </FormModal>
  );
}

export function NewWithdrawalMethod({ onClose }: FormProps) {
  const form = useActForm({
    call: addwithdrawalmethod,
    fields: withdrawalFields,
    values: { methodname: '', network: noNetwork },
    first: 'methodname',
  });
  const onSubmit = form.handleSubmit((body) =>
    form.send({ body }, { done: `${body.methodname} added`, onDone: onClose }),
  );
  return (
    <FormModal
      title="New withdrawal method"
      onClose={onClose}
      form={form}
      onSubmit={onSubmit}
      button="Add withdrawal method"
    >
      <Field label="Name" hint="Investors choose by it." autoComplete="off" {...form.field('methodname')} />
      <FormChoice control={form.control} {...networkChoice} />
      <FinePrint>An investor’s address is checked for this network.</FinePrint>
    </FormModal>
  );
}

const values = { paymentaddress: '' };

/** An address on the site is where other people's money goes: nobody changes it alone. */
export function ChangeAddress({ method, onClose }: { method: OfferedPaymentMethod; onClose: () => void }) {
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
