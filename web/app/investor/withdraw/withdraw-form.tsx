import { zodResolver } from '@hookform/resolvers/zod';
import { formatUsd, toWire } from '@tallystick/contract/money';
import { makenewwithdrawal, type Withdrawal, type WithdrawalMethod } from '@tallystick/contract/withdrawal';
import { Info } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Controller, FormProvider, useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { ApiRefusal } from '../../api.ts';
import { Beside } from '../../domain/forms/form-parts.tsx';
import {
  type CommandFailure,
  reasonOf,
  toastCommandFailure,
  useMoneyCommand,
} from '../../domain/money/money-command.ts';
import { TypedAmount } from '../../domain/money/typed-amount.ts';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { useSession } from '../../storage.ts';
import { Button } from '../../ui/actions/button.tsx';
import { ChoiceField } from '../../ui/forms/choice-field.tsx';
import { useAvailable } from '../balance.ts';
import type { CommandFormProps } from '../command-modal.tsx';
import { OfferStates } from '../offer-states.tsx';
import { useWithdrawalMethods } from '../offers.ts';
import { WithdrawDetails } from './withdraw-details.tsx';

export const withdrawFields = z.object({
  withdrawalid: z.string().min(1, 'Choose a method.'),
  withdrawalamount: TypedAmount,
  withdrawaladdress: z.string().trim().pipe(makenewwithdrawal.body.shape.withdrawaladdress),
});
export type WithdrawTyped = z.input<typeof withdrawFields>;

export function WithdrawForm(props: CommandFormProps<Withdrawal>) {
  return (
    <OfferStates
      query={useWithdrawalMethods()}
      ifFailed="The withdrawal methods could not be fetched."
      ifNone="There is no withdrawal method at the moment. Please try again later."
    >
      {(methods) => <FilledWithdrawForm methods={methods} {...props} />}
    </OfferStates>
  );
}

type FilledProps = CommandFormProps<Withdrawal> & { methods: readonly WithdrawalMethod[] };

function FilledWithdrawForm({ methods, onDone }: FilledProps) {
  const form = useForm({
    resolver: zodResolver(withdrawFields),
    defaultValues: { withdrawalid: '', withdrawalamount: '', withdrawaladdress: '' },
  });
  const { control, handleSubmit, setError, clearErrors, setFocus } = form;
  const { errors } = form.formState;
  const [reason, setReason] = useState<string | null>(null);
  const { busy, send } = useMoneyCommand(makenewwithdrawal);
  const userid = useSession()?._id ?? '';
  const availableCents = useAvailable();
  const withdrawalid = useWatch({ control, name: 'withdrawalid' });
  const method = methods.find(({ _id }) => _id === withdrawalid);
  useEffect(() => setFocus('withdrawalid'), [setFocus]);

  function onFailed(error: CommandFailure) {
    toastCommandFailure(error, 'withdrawal');
    const field = fieldOf(error);
    if (field) setError(field, { message: reasonOf(error) }, { shouldFocus: true });
    else setReason(reasonOf(error));
  }

  const onSubmit = handleSubmit(({ withdrawalamount, ...values }) => {
    setReason(null);
    const body = { userid, ...values, withdrawalamount: toWire(withdrawalamount) };
    return send({ body }, { onDone: ({ withdrawal }) => onDone(withdrawal), onFailed });
  });

  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={onSubmit} className="grid grid-cols-[minmax(0,1fr)] gap-4.5">
        <Controller
          control={control}
          name="withdrawalid"
          render={({ field: { onChange, ...field } }) => (
            <ChoiceField
              {...field}
              label="Method"
              prompt="Choose a method"
              options={methods.map(optionOf)}
              onChoose={(value) => {
                onChange(value);
                clearErrors('withdrawaladdress');
              }}
              error={errors.withdrawalid?.message}
              beside={
                !method && availableCents !== null && <Beside>Available {formatUsd(availableCents)}</Beside>
              }
            />
          )}
        />
        {method ? <WithdrawDetails method={method} reason={reason} busy={busy} /> : <BeforeMethod />}
      </form>
    </FormProvider>
  );
}

function BeforeMethod() {
  return (
    <>
      {/* On phones the list of methods needs the room to open beneath its field, where the sheet ends. */}
      <p className="grid max-tablet:mb-14 grid-cols-[18px_1fr] gap-2.5 rounded-code bg-sunken p-4 text-label text-2 inset-ring inset-ring-line">
        <Info className="mt-px size-4.5" strokeWidth={1.75} aria-hidden="true" />
        Choose how you want to be paid. The amount and the address come next.
      </p>
      <Button
        disabled
        size="large"
        className="w-full bg-sunken! text-3! inset-ring-line! active:translate-none disabled:cursor-not-allowed"
      >
        Withdraw
      </Button>
    </>
  );
}

/** The field that a refusal is about; the others stand beneath the form. */
function fieldOf(error: CommandFailure): 'withdrawalamount' | 'withdrawaladdress' | null {
  if (!(error instanceof ApiRefusal)) return null;
  if (error.code === 'address_wrong' || error.code === 'address_waits') return 'withdrawaladdress';
  return error.code === 'outside_range' || error.code === 'insufficient_funds' ? 'withdrawalamount' : null;
}

function optionOf({ _id, methodname, network }: WithdrawalMethod) {
  return { value: _id, name: methodname, mark: <CoinMark coin={network} size={28} /> };
}
