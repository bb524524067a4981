import { zodResolver } from '@hookform/resolvers/zod';
import { formatUsd, toWire } from '@tallystick/contract/money';
import { ChainTransactionId, confirmdeposit, type QueuedDeposit } from '@tallystick/contract/operator';
import { type ReactNode, useEffect, useState } from 'react';
import { Controller, type UseFormReturn, useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { centsOf, usd } from '../../domain/amount.ts';
import { EffectBox } from '../../domain/form-parts.tsx';
import { readTyped, TypedAmount } from '../../domain/typed-amount.ts';
import { Button, SubmitButton } from '../../ui/button.tsx';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { DrawerBody, DrawerFoot, DrawerForm } from '../../ui/drawer.tsx';
import { Field } from '../../ui/field.tsx';
import { MoneyField } from '../../ui/money-field.tsx';
import { useAct } from '../act.ts';
import { Warning } from './row-parts.tsx';
import { differenceText } from './wording.ts';

const outputMax = 100_000;

const fields = z.object({
  received: TypedAmount,
  network: z.string(),
  chaintransactionid: ChainTransactionId,
  chainoutput: z
    .string()
    .trim()
    .regex(/^\d{0,6}$/, 'Enter a whole number, or nothing.')
    .refine((text) => Number(text) <= outputMax, 'This number is too large.'),
});

interface ConfirmDepositProps {
  deposit: QueuedDeposit;
  networks: readonly string[];
  onDirty: (isDirty: boolean) => void;
  onReject: () => void;
  onDone: () => void;
  /** What is known about the request. */
  children: ReactNode;
}

/** What arrived is looked up on the network and typed here: nothing is taken over from what the investor declared. */
export function ConfirmDeposit(props: ConfirmDepositProps) {
  const { deposit, networks, onDirty, onReject, onDone, children } = props;
  const form = useForm({
    resolver: zodResolver(fields),
    defaultValues: { received: '', network: deposit.network, chaintransactionid: '', chainoutput: '' },
  });
  const { control, handleSubmit, setFocus, formState } = form;
  const [refusal, setRefusal] = useState<string | null>(null);
  const { busy, act } = useAct(confirmdeposit);
  const cents = readTyped(useWatch({ control, name: 'received' }));
  const { isDirty } = formState;
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  useEffect(() => setFocus('received'), [setFocus]);

  const onSubmit = handleSubmit(({ received, network, chaintransactionid, chainoutput }) => {
    setRefusal(null);
    const output = chainoutput === '' ? {} : { chainoutput: Number(chainoutput) };
    const body = { received: toWire(received), network, chaintransactionid, ...output };
    const done = `${formatUsd(received)} confirmed for ${deposit.investor.fullname}`;
    return act({ params: { id: deposit._id }, body }, { done, onDone, onRefused: setRefusal });
  });

  return (
    <DrawerForm onSubmit={onSubmit}>
      <DrawerBody>
        {children}
        <AmountAndNetwork form={form} networks={networks} />
        <Difference deposit={deposit} received={cents} />
        <OnTheNetwork form={form} />
        <Effect deposit={deposit} received={cents} />
      </DrawerBody>
      <DrawerFoot refusal={refusal}>
        <Button look="quiet" onClick={onReject}>
          Reject
        </Button>
        <SubmitButton narrow busy={busy} busyLabel="Confirming">
          {cents === null ? 'Confirm' : `Confirm ${formatUsd(cents)}`}
        </SubmitButton>
      </DrawerFoot>
    </DrawerForm>
  );
}

type Form = UseFormReturn<z.input<typeof fields>, unknown, z.output<typeof fields>>;

function AmountAndNetwork({ form, networks }: { form: Form; networks: readonly string[] }) {
  const { register, control, formState } = form;
  const { errors } = formState;
  return (
    <div className="grid gap-5 tablet:grid-cols-2 tablet:gap-4">
      <MoneyField
        label="Amount received"
        end={<span className="pr-1.5 text-3">USD</span>}
        error={errors.received?.message}
        {...register('received')}
      />
      <Controller
        control={control}
        name="network"
        render={({ field: { onChange, ...field } }) => (
          <ChoiceField
            {...field}
            label="Network"
            prompt="Choose a network"
            options={networks.map((network) => ({ value: network, name: network, mark: null }))}
            onChoose={onChange}
            error={errors.network?.message}
          />
        )}
      />
    </div>
  );
}

function OnTheNetwork({ form: { register, formState } }: { form: Form }) {
  const { errors } = formState;
  return (
    <>
      <Field
        label="Transaction ID on the network"
        autoComplete="off"
        spellCheck={false}
        hint="A payment that was credited before is refused."
        error={errors.chaintransactionid?.message}
        {...register('chaintransactionid')}
      />
      <details className="text-label text-2" open={errors.chainoutput ? true : undefined}>
        <summary className="min-h-6 cursor-pointer">One transaction pays several deposits?</summary>
        <div className="mt-3">
          <Field
            label="Output number"
            inputMode="numeric"
            autoComplete="off"
            hint="Which output of the transaction is this deposit, counted from 0."
            error={errors.chainoutput?.message}
            {...register('chainoutput')}
          />
        </div>
      </details>
    </>
  );
}

interface ReceivedProps {
  deposit: QueuedDeposit;
  received: bigint | null;
}

function Difference({ deposit, received }: ReceivedProps) {
  const text = received === null ? null : differenceText(centsOf(deposit.amount), received);
  return (
    <div role="status" className="-mt-1.5 empty:hidden">
      {text && <Warning>{text}</Warning>}
    </div>
  );
}

function Effect({ deposit, received }: ReceivedProps) {
  const after = received === null ? '' : formatUsd(centsOf(deposit.available) + received);
  return (
    <EffectBox
      rows={[
        { name: 'Balance now', value: usd(deposit.available) },
        { name: 'Balance after', value: after || 'Enter the amount' },
        {
          name: 'Entry',
          value: received === null ? deposit.fundingtype : `${deposit.fundingtype}, +${formatUsd(received)}`,
        },
      ]}
    />
  );
}
