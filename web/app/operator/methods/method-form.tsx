import { type Network, networkIds, networks } from '@tallystick/contract/networks';
import { addpaymentmethod, addwithdrawalmethod } from '@tallystick/contract/operator/methods';
import { z } from 'zod';
import { FormChoice } from '../../domain/forms/form-choice.tsx';
import { FinePrint } from '../../domain/forms/form-notes.tsx';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { useActForm } from '../forms/act-form.ts';
import { FormModal, ModalForm } from '../forms/form-modal.tsx';

const network = z.enum(networkIds, 'Choose a network.');
const paymentFields = addpaymentmethod.body.safeExtend({ network });
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
  return (
    <FormModal title="New payment method" onClose={onClose}>
      <PaymentForm onClose={onClose} />
    </FormModal>
  );
}

export function NewWithdrawalMethod({ onClose }: FormProps) {
  return (
    <FormModal title="New withdrawal method" onClose={onClose}>
      <WithdrawalForm onClose={onClose} />
    </FormModal>
  );
}

function PaymentForm({ onClose }: FormProps) {
  const { control, field, handleSubmit, send, busy, refusal } = useActForm({
    call: addpaymentmethod,
    fields: paymentFields,
    values: { paymentname: '', network: noNetwork, paymentaddress: '' },
    first: 'paymentname',
  });
  const onSubmit = handleSubmit((body) =>
    send({ body }, { done: `${body.paymentname} waits for a second operator`, onDone: onClose }),
  );
  return (
    <ModalForm onSubmit={onSubmit} refusal={refusal} busy={busy} button="Add payment method">
      <Field
        label="Name"
        hint="Investors choose by it, and their entries carry it."
        autoComplete="off"
        {...field('paymentname')}
      />
      <FormChoice control={control} {...networkChoice} />
      <Field
        label="Address"
        hint="Where investors send to. It is checked for its network."
        autoComplete="off"
        spellCheck={false}
        {...field('paymentaddress')}
      />
      <p className="text-label text-2">
        It shows on the site once a second operator has agreed to its address.
      </p>
    </ModalForm>
  );
}

function WithdrawalForm({ onClose }: FormProps) {
  const { control, field, handleSubmit, send, busy, refusal } = useActForm({
    call: addwithdrawalmethod,
    fields: withdrawalFields,
    values: { methodname: '', network: noNetwork },
    first: 'methodname',
  });
  const onSubmit = handleSubmit((body) =>
    send({ body }, { done: `${body.methodname} added`, onDone: onClose }),
  );
  return (
    <ModalForm onSubmit={onSubmit} refusal={refusal} busy={busy} button="Add withdrawal method">
      <Field label="Name" hint="Investors choose by it." autoComplete="off" {...field('methodname')} />
      <FormChoice control={control} {...networkChoice} />
      <FinePrint>An investor’s address is checked for this network.</FinePrint>
    </ModalForm>
  );
}
