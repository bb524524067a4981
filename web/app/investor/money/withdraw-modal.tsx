import { zodResolver } from '@hookform/resolvers/zod';
import { type Cents, formatUsd, toDecimal, toWire } from '@tallystick/contract/money';
import {
  makenewwithdrawal,
  type Withdrawal,
  type WithdrawalMethod,
  withdrawalCentsMin,
} from '@tallystick/contract/withdrawal';
import { Info } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Controller, FormProvider, useForm, useFormContext, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { ApiRefusal } from '../../api.ts';
import { localTimeOf, longDayOf, timeOf } from '../../domain/dates.ts';
import { Beside, EffectBox, FinePrint } from '../../domain/forms/form-notes.tsx';
import { usd } from '../../domain/money/amount.ts';
import {
  type CommandFailure,
  reasonOf,
  toastCommandFailure,
  useMoneyCommand,
} from '../../domain/money/money-command.ts';
import { readTyped, TypedAmount } from '../../domain/money/typed-amount.ts';
import { dollarsText } from '../../domain/plans/plan-offer.ts';
import { useCoinEstimate } from '../../domain/prices/coin-estimate.ts';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { useSession } from '../../storage.ts';
import { Button, SubmitButton } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { ChoiceField } from '../../ui/forms/choice-field.tsx';
import { FieldFrame, inputClass } from '../../ui/forms/field.tsx';
import { MaxButton, MoneyField } from '../../ui/forms/money-field.tsx';
import { useProfile } from '../profile/use-profile.ts';
import { useAvailable } from './balance.ts';
import { type CommandFormProps, CommandModal, Mono, RecordCode, Success } from './command-modal.tsx';
import { OfferStates, useWithdrawalMethods } from './offers.tsx';

export function WithdrawModal({ onClose }: { onClose: () => void }) {
  return <CommandModal title="Withdrawal" onClose={onClose} Form={WithdrawForm} Done={WithdrawDone} />;
}

function WithdrawDone({ made, onClose }: { made: Withdrawal; onClose: () => void }) {
  return (
    <Success
      title="Withdrawal requested"
      text="The amount is held from your balance. You can cancel until it is approved."
      receipt={[
        { name: 'Amount', value: usd(made.withdrawalamount) },
        { name: 'Method', value: made.methodname },
        {
          name: 'Address',
          value: (
            <span className="break-all">
              <Mono>{made.withdrawaladdress}</Mono>
            </span>
          ),
        },
        { name: 'Transaction ID', value: <Mono>{made.transactionid}</Mono> },
        { name: 'Record code', value: <RecordCode transactionid={made.transactionid} /> },
      ]}
      onClose={onClose}
    />
  );
}

const withdrawFields = z.object({
  withdrawalid: z.string().min(1, 'Choose a method.'),
  withdrawalamount: TypedAmount,
  withdrawaladdress: z.string().trim().pipe(makenewwithdrawal.body.shape.withdrawaladdress),
});

type WithdrawTyped = z.input<typeof withdrawFields>;

function WithdrawForm(props: CommandFormProps<Withdrawal>) {
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
      <Button disabled size="large" className="w-full">
        Withdraw
      </Button>
    </>
  );
}

const leastText = `At least ${dollarsText(toWire(withdrawalCentsMin))}.`;

interface WithdrawDetailsProps {
  method: WithdrawalMethod;
  reason: string | null;
  busy: boolean;
}

/** What is asked once the way of payment is known. */
function WithdrawDetails({ method, reason, busy }: WithdrawDetailsProps) {
  const { control, register, setValue, formState } = useFormContext<WithdrawTyped>();
  const { errors } = formState;
  const availableCents = useAvailable();
  const amountCents = readTyped(useWatch({ control, name: 'withdrawalamount' }));
  const estimate = useCoinEstimate(method.network, amountCents);

  const enterMax = () =>
    setValue('withdrawalamount', toDecimal(availableCents ?? 0n), {
      shouldDirty: true,
      shouldValidate: true,
    });

  return (
    <>
      <MoneyField
        label="Amount"
        hint={estimate ? `${estimate}.` : leastText}
        beside={availableCents !== null && <Beside>Available {formatUsd(availableCents)}</Beside>}
        end={<MaxButton disabled={!availableCents} onClick={enterMax} />}
        error={errors.withdrawalamount?.message}
        {...register('withdrawalamount')}
      />
      <FieldFrame
        label={`${method.methodname} address`}
        hint="Only you can tell that it is yours."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.withdrawaladdress?.message}
        {...register('withdrawaladdress')}
      >
        {(input) => <input {...input} type="text" className={`${inputClass} font-mono`} />}
      </FieldFrame>
      <NewAddressesWait />
      {availableCents !== null && <Effect availableCents={availableCents} amountCents={amountCents ?? 0n} />}
      {reason && <QuietNotice role="alert">{reason}</QuietNotice>}
      <SubmitButton busy={busy} busyLabel="Sending">
        {amountCents === null ? 'Withdraw' : `Withdraw ${formatUsd(amountCents)}`}
      </SubmitButton>
      <FinePrint>An operator sends it. You can cancel until it is approved.</FinePrint>
    </>
  );
}

/** After a password reset: told before someone types an address that would be refused. */
function NewAddressesWait() {
  const until = useProfile().data?.newaddressesafter;
  if (!until) return null;
  const local = localTimeOf(until);
  return (
    <QuietNotice>
      Your password was reset. Until {longDayOf(until)}, {timeOf(until)}
      {local && ` (${local})`}, withdrawals go only to addresses that you were paid to before.
    </QuietNotice>
  );
}

function Effect({ availableCents, amountCents }: { availableCents: Cents; amountCents: Cents }) {
  const afterCents = availableCents - amountCents;
  return (
    <EffectBox
      rows={[
        { name: 'Held from your balance now', value: formatUsd(amountCents) },
        { name: 'Balance after', value: afterCents < 0n ? 'More than you have' : formatUsd(afterCents) },
        { name: 'Fee', value: 'None' },
      ]}
    />
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
