import { type Cents, formatUsd, toDecimal, toWire } from '@tallystick/contract/money';
import {
  makenewwithdrawal,
  type Withdrawal,
  type WithdrawalMethod,
  withdrawalCentsMin,
} from '@tallystick/contract/withdrawal';
import { Info } from 'lucide-react';
import { FormProvider, useFormContext, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { fieldsOf } from '../../domain/forms/fields.ts';
import { FormChoice } from '../../domain/forms/form-choice.tsx';
import { Beside, EffectBox, FinePrint } from '../../domain/forms/form-notes.tsx';
import { usd } from '../../domain/money/amount.ts';
import { toastCommandFailure } from '../../domain/money/money-command.ts';
import { readTyped, TypedAmount } from '../../domain/money/typed-amount.ts';
import { dollarsText } from '../../domain/plans/plan-offer.ts';
import { useCoinEstimate } from '../../domain/prices/coin-estimate.ts';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { useSession } from '../../storage.ts';
import { Button, SubmitButton } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { MaxButton, MoneyField } from '../../ui/forms/money-field.tsx';
import { useAddressBook } from '../addresses/book.ts';
import { useAvailable } from './balance.ts';
import {
  type CommandFormProps,
  CommandModal,
  Mono,
  RecordCode,
  Success,
  useCommandForm,
} from './command-modal.tsx';
import { useWithdrawalMethods } from './offers.tsx';
import { SaveAddress } from './save-address.tsx';
import { NothingSaved, useOfferedAddresses, WithdrawAddress } from './withdraw-address.tsx';

export function WithdrawModal({ onClose }: { onClose: () => void }) {
  return (
    <CommandModal
      title="Withdrawal"
      query={useWithdrawalMethods()}
      ifFailed="The withdrawal methods could not be fetched."
      ifNone="There is no withdrawal method at the moment. Please try again later."
      onClose={onClose}
      Form={WithdrawForm}
      Done={WithdrawDone}
    />
  );
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
        ...(made.withdrawaltag === null
          ? []
          : [{ name: 'Destination tag', value: <Mono>{made.withdrawaltag}</Mono> }]),
        { name: 'Transaction ID', value: <Mono>{made.transactionid}</Mono> },
        { name: 'Record code', value: <RecordCode transactionid={made.transactionid} /> },
      ]}
      onClose={onClose}
      after={<SaveAddress made={made} />}
    />
  );
}

const withdrawFields = z.object({
  withdrawalid: z.string().min(1, 'Choose a method.'),
  withdrawalamount: TypedAmount,
  withdrawaladdress: z.string().trim().pipe(makenewwithdrawal.body.shape.withdrawaladdress),
  withdrawaltag: z
    .string()
    .trim()
    .transform((tag) => tag || undefined)
    .pipe(makenewwithdrawal.body.shape.withdrawaltag),
});

type WithdrawTyped = z.input<typeof withdrawFields>;

function WithdrawForm({ offers: methods, onDone }: CommandFormProps<Withdrawal, WithdrawalMethod>) {
  const { form, busy, reason, send } = useCommandForm({
    call: makenewwithdrawal,
    fields: withdrawFields,
    values: { withdrawalid: '', withdrawalamount: '', withdrawaladdress: '', withdrawaltag: '' },
    first: 'withdrawalid',
    fieldOf,
    onFailed: (error) => toastCommandFailure(error, 'withdrawal'),
  });
  const userid = useSession()?._id ?? '';
  const availableCents = useAvailable();
  const withdrawalid = useWatch({ control: form.control, name: 'withdrawalid' });
  const method = methods.find(({ _id }) => _id === withdrawalid);
  const book = useAddressBook().data;
  const isSaved = (address: string) => Boolean(book?.savedaddress.some((each) => each.address === address));

  const onSubmit = form.handleSubmit(({ withdrawalamount, withdrawaltag, ...values }) => {
    const tag = withdrawaltag === undefined ? {} : { withdrawaltag };
    const body = { userid, ...values, ...tag, withdrawalamount: toWire(withdrawalamount) };
    return send({ body }, ({ withdrawal }) => onDone(withdrawal));
  });

  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={onSubmit} className="grid grid-cols-[minmax(0,1fr)] gap-4.5">
        <FormChoice
          control={form.control}
          name="withdrawalid"
          label="Method"
          prompt="Choose a method"
          options={methods.map(optionOf)}
          onChosen={() => {
            form.clearErrors('withdrawaladdress');
            // It belongs to an address of the network that was chosen before; a saved one does itself.
            form.resetField('withdrawaltag');
            if (isSaved(form.getValues('withdrawaladdress'))) form.resetField('withdrawaladdress');
          }}
          beside={
            !method && availableCents !== null && <Beside>Available {formatUsd(availableCents)}</Beside>
          }
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
  const form = useFormContext<WithdrawTyped>();
  const field = fieldsOf(form);
  const availableCents = useAvailable();
  const amountCents = readTyped(useWatch({ control: form.control, name: 'withdrawalamount' }));
  const estimate = useCoinEstimate(method.network, amountCents);

  const { isProtected, waiting, offered } = useOfferedAddresses(method.network);
  if (isProtected && offered.length === 0) return <NothingSaved method={method} waiting={waiting} />;

  const enterMax = () =>
    form.setValue('withdrawalamount', toDecimal(availableCents ?? 0n), {
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
        {...field('withdrawalamount')}
      />
      <WithdrawAddress key={method._id} method={method} />
      {availableCents !== null && <Effect availableCents={availableCents} amountCents={amountCents ?? 0n} />}
      {reason && <QuietNotice role="alert">{reason}</QuietNotice>}
      <SubmitButton busy={busy} busyLabel="Sending">
        {amountCents === null ? 'Withdraw' : `Withdraw ${formatUsd(amountCents)}`}
      </SubmitButton>
      <FinePrint>An operator sends it. You can cancel until it is approved.</FinePrint>
    </>
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

const fieldOf = {
  outside_range: 'withdrawalamount',
  insufficient_funds: 'withdrawalamount',
  address_wrong: 'withdrawaladdress',
  address_waits: 'withdrawaladdress',
  address_not_saved: 'withdrawaladdress',
} as const;

function optionOf({ _id, methodname, network }: WithdrawalMethod) {
  return { value: _id, name: methodname, mark: <CoinMark coin={network} size={28} /> };
}
