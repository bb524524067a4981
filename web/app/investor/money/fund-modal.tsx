import { zodResolver } from '@hookform/resolvers/zod';
import {
  addbalance,
  type FundingRequest,
  fundingCentsMax,
  fundingCentsMin,
  type PaymentMethod,
} from '@tallystick/contract/funding';
import { toWire } from '@tallystick/contract/money';
import { useEffect, useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { ApiRefusal } from '../../api.ts';
import { Beside, FinePrint } from '../../domain/forms/form-notes.tsx';
import { reasonOf, useMoneyCommand } from '../../domain/money/money-command.ts';
import { readTyped, TypedAmount } from '../../domain/money/typed-amount.ts';
import { dollarsText } from '../../domain/plans/plan-offer.ts';
import { useCoinEstimate } from '../../domain/prices/coin-estimate.ts';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { logFailure } from '../../log.ts';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { ChoiceField } from '../../ui/forms/choice-field.tsx';
import { MoneyField } from '../../ui/forms/money-field.tsx';
import { type CommandFormProps, CommandModal, Success } from './command-modal.tsx';
import { OfferStates, usePaymentMethods } from './offers.tsx';
import { PaymentAddress, PaymentDetails, requestReceipt } from './payment.tsx';

export function FundModal({ onClose }: { onClose: () => void }) {
  return <CommandModal title="Fund Wallet" onClose={onClose} Form={FundForm} Done={FundDone} />;
}

function FundDone({ made, onClose }: { made: FundingRequest; onClose: () => void }) {
  return (
    <Success
      title="Request received"
      text="Now send the payment to the address below. Your assets are added once the payment is confirmed."
      receipt={requestReceipt(made)}
      onClose={onClose}
    >
      <PaymentDetails request={made} />
    </Success>
  );
}

const fields = z.object({ fundingtypename: z.string().min(1, 'Choose a method.'), amount: TypedAmount });
const limits = `${dollarsText(toWire(fundingCentsMin))} to ${dollarsText(toWire(fundingCentsMax))}`;

function FundForm(props: CommandFormProps<FundingRequest>) {
  return (
    <OfferStates
      query={usePaymentMethods()}
      ifFailed="The payment methods could not be fetched."
      ifNone="There is no payment method at the moment. Please try again later."
    >
      {(methods) => <FilledFundForm methods={methods} {...props} />}
    </OfferStates>
  );
}

type FilledProps = CommandFormProps<FundingRequest> & { methods: readonly PaymentMethod[] };

function FilledFundForm({ methods, onDone }: FilledProps) {
  const { register, control, handleSubmit, setError, setFocus, formState } = useForm({
    resolver: zodResolver(fields),
    defaultValues: { fundingtypename: '', amount: '' },
  });
  const { errors } = formState;
  const [reason, setReason] = useState<string | null>(null);
  const { busy, send } = useMoneyCommand(addbalance);
  const [fundingtypename, typed] = useWatch({ control, name: ['fundingtypename', 'amount'] });
  const method = methods.find(({ paymentname }) => paymentname === fundingtypename);
  const estimate = useCoinEstimate(method?.coin, readTyped(typed));
  useEffect(() => setFocus('fundingtypename'), [setFocus]);

  const onSubmit = handleSubmit(({ fundingtypename, amount }) => {
    setReason(null);
    return send(
      { body: { fundingtypename, amount: toWire(amount) } },
      {
        onDone: ({ request }) => onDone(request),
        onFailed: (error) => {
          logFailure('Error adding balance:', error);
          const isAboutAmount = error instanceof ApiRefusal && error.code === 'outside_range';
          if (isAboutAmount) setError('amount', { message: reasonOf(error) }, { shouldFocus: true });
          else setReason(reasonOf(error));
        },
      },
    );
  });

  return (
    <form noValidate onSubmit={onSubmit} className="grid grid-cols-[minmax(0,1fr)] gap-4.5">
      <Controller
        control={control}
        name="fundingtypename"
        render={({ field: { onChange, ...field } }) => (
          <ChoiceField
            {...field}
            label="Method"
            prompt="Choose a method"
            options={methods.map(optionOf)}
            onChoose={onChange}
            error={errors.fundingtypename?.message}
          />
        )}
      />
      {method && <PaymentAddress method={method} />}
      <MoneyField
        label="Amount"
        hint={`From ${limits}.`}
        beside={estimate && <Beside>{estimate}</Beside>}
        end={<span className="pr-1.5 text-3">USD</span>}
        error={errors.amount?.message}
        {...register('amount')}
      />
      {reason && <QuietNotice role="alert">{reason}</QuietNotice>}
      <SubmitButton busy={busy} busyLabel="Sending">
        Submit
      </SubmitButton>
      <FinePrint>Your assets are added once the payment is confirmed.</FinePrint>
    </form>
  );
}

function optionOf({ paymentname, coin }: PaymentMethod) {
  return { value: paymentname, name: paymentname, mark: <CoinMark coin={coin} size={28} /> };
}
