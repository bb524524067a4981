import { zodResolver } from '@hookform/resolvers/zod';
import { type Network, networkIds, networks } from '@tallystick/contract/networks';
import { addpaymentmethod, addwithdrawalmethod } from '@tallystick/contract/operator/methods';
import { type Ref, useEffect, useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { z } from 'zod';
import { FinePrint } from '../../domain/forms/form-notes.tsx';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { ChoiceField } from '../../ui/forms/choice-field.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { useAct } from '../forms/act.ts';
import { FormModal, ModalForm } from '../forms/form-modal.tsx';

const network = z.enum(networkIds, 'Choose a network.');
const paymentFields = addpaymentmethod.body.extend({ network });
const withdrawalFields = addwithdrawalmethod.body.extend({ network });

interface FormProps {
  onDirty: (isDirty: boolean) => void;
  onClose: () => void;
}

export function NewPaymentMethod({ onClose }: { onClose: () => void }) {
  return (
    <FormModal title="New payment method" onClose={onClose}>
      {(onDirty) => <PaymentForm onDirty={onDirty} onClose={onClose} />}
    </FormModal>
  );
}

export function NewWithdrawalMethod({ onClose }: { onClose: () => void }) {
  return (
    <FormModal title="New withdrawal method" onClose={onClose}>
      {(onDirty) => <WithdrawalForm onDirty={onDirty} onClose={onClose} />}
    </FormModal>
  );
}

function PaymentForm({ onDirty, onClose }: FormProps) {
  const { register, control, handleSubmit, setFocus, formState } = useForm({
    resolver: zodResolver(paymentFields),
    // Nothing is chosen at first, which the form's type does not know.
    defaultValues: { paymentname: '', network: '' as Network, paymentaddress: '' },
  });
  const { errors, isDirty } = formState;
  const [refusal, setRefusal] = useState<string | null>(null);
  const { busy, act } = useAct(addpaymentmethod);
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  useEffect(() => setFocus('paymentname'), [setFocus]);

  const onSubmit = handleSubmit((body) => {
    setRefusal(null);
    const done = `${body.paymentname} waits for a second operator`;
    return act({ body }, { done, onDone: onClose, onRefused: setRefusal });
  });

  return (
    <ModalForm onSubmit={onSubmit} refusal={refusal} busy={busy} button="Add payment method">
      <Field
        label="Name"
        hint="Investors choose by it, and their entries carry it."
        autoComplete="off"
        error={errors.paymentname?.message}
        {...register('paymentname')}
      />
      <Controller
        control={control}
        name="network"
        render={({ field }) => <NetworkField field={field} error={errors.network?.message} />}
      />
      <Field
        label="Address"
        hint="Where investors send to. It is checked for its network."
        autoComplete="off"
        spellCheck={false}
        error={errors.paymentaddress?.message}
        {...register('paymentaddress')}
      />
      <p className="text-label text-2">
        It shows on the site once a second operator has agreed to its address.
      </p>
    </ModalForm>
  );
}

function WithdrawalForm({ onDirty, onClose }: FormProps) {
  const { register, control, handleSubmit, setFocus, formState } = useForm({
    resolver: zodResolver(withdrawalFields),
    defaultValues: { methodname: '', network: '' as Network },
  });
  const { errors, isDirty } = formState;
  const [refusal, setRefusal] = useState<string | null>(null);
  const { busy, act } = useAct(addwithdrawalmethod);
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  useEffect(() => setFocus('methodname'), [setFocus]);

  const onSubmit = handleSubmit((body) => {
    setRefusal(null);
    return act({ body }, { done: `${body.methodname} added`, onDone: onClose, onRefused: setRefusal });
  });

  return (
    <ModalForm onSubmit={onSubmit} refusal={refusal} busy={busy} button="Add withdrawal method">
      <Field
        label="Name"
        hint="Investors choose by it."
        autoComplete="off"
        error={errors.methodname?.message}
        {...register('methodname')}
      />
      <Controller
        control={control}
        name="network"
        render={({ field }) => <NetworkField field={field} error={errors.network?.message} />}
      />
      <FinePrint>An investor’s address is checked for this network.</FinePrint>
    </ModalForm>
  );
}

interface NetworkFieldProps {
  field: { name: string; value: string; onChange: (value: string) => void; ref: Ref<HTMLButtonElement> };
  error: string | undefined;
}

function NetworkField({ field: { name, value, onChange, ref }, error }: NetworkFieldProps) {
  return (
    <ChoiceField
      ref={ref}
      name={name}
      label="Network"
      prompt="Choose a network"
      options={networkIds.map((id) => ({
        value: id,
        name: networks[id].name,
        mark: <CoinMark coin={id} size={28} />,
      }))}
      value={value}
      onChoose={onChange}
      error={error}
    />
  );
}
