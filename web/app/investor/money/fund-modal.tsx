import {
  addbalance,
  type FundingRequest,
  fundingCentsMax,
  fundingCentsMin,
  type PaymentMethod,
} from '@tallystick/contract/funding';
import { toWire } from '@tallystick/contract/money';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { fieldsOf } from '../../domain/forms/fields.ts';
import { FormChoice } from '../../domain/forms/form-choice.tsx';
import { Beside, FinePrint } from '../../domain/forms/form-notes.tsx';
import { readTyped, TypedAmount } from '../../domain/money/typed-amount.ts';
import { dollarsText } from '../../domain/plans/plan-offer.ts';
import { useCoinEstimate } from '../../domain/prices/coin-estimate.ts';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { logFailure } from '../../log.ts';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { MoneyField } from '../../ui/forms/money-field.tsx';
import { type CommandFormProps, CommandModal, Success, useCommandForm } from './command-modal.tsx';
import { depositRows, isUnpaid, useDeposit } from './deposit.tsx';
import { depositState } from './deposit-state.ts';
import { usePaymentMethods } from './offers.tsx';
import { PaymentAddress, PaymentDetails } from './payment.tsx';

export function FundModal({ onClose }: { onClose: () => void }) {
  return (
    <CommandModal
      title="Fund Wallet"
      query={usePaymentMethods()}
      ifFailed="The payment methods could not be fetched."
      ifNone="There is no payment method at the moment. Please try again later."
      onClose={onClose}
      Form={FundForm}
      Done={FundDone}
    />
  );
}

/** Whoever pays with another device sees here that it has arrived. */
function FundDone({ made, onClose }: { made: FundingRequest; onClose: () => void }) {
  const { request = made } = useDeposit(made.transactionid, made);
  const unpaid = isUnpaid(request);
  const { name, words } = depositState(request);
  return (
    <Success
      title={unpaid ? 'Request received' : name}
      text={
        unpaid
          ? 'Now send the payment to the address below. Your assets are added once the payment is confirmed.'
          : words
      }
      receipt={unpaid ? [{ name: 'State', value: name }, ...depositRows(request)] : depositRows(request)}
      onClose={onClose}
    >
      {unpaid && <PaymentDetails request={request} />}
    </Success>
  );
}

const fields = z.object({ fundingtypename: z.string().min(1, 'Choose a method.'), amount: TypedAmount });
const limits = `${dollarsText(toWire(fundingCentsMin))} to ${dollarsText(toWire(fundingCentsMax))}`;

function FundForm({ offers: methods, onDone }: CommandFormProps<FundingRequest, PaymentMethod>) {
  const { form, busy, reason, send } = useCommandForm({
    call: addbalance,
    fields,
    values: { fundingtypename: '', amount: '' },
    first: 'fundingtypename',
    fieldOf: { outside_range: 'amount' },
    onFailed: (error) => logFailure('Error adding balance:', error),
  });
  const [fundingtypename, typed] = useWatch({ control: form.control, name: ['fundingtypename', 'amount'] });
  const method = methods.find(({ paymentname }) => paymentname === fundingtypename);
  const estimate = useCoinEstimate(method?.coin, readTyped(typed));

  const onSubmit = form.handleSubmit(({ fundingtypename, amount }) =>
    send({ body: { fundingtypename, amount: toWire(amount) } }, ({ request }) => onDone(request)),
  );

  return (
    <form noValidate onSubmit={onSubmit} className="grid grid-cols-[minmax(0,1fr)] gap-4.5">
      <FormChoice
        control={form.control}
        name="fundingtypename"
        label="Method"
        prompt="Choose a method"
        options={methods.map(optionOf)}
      />
      {method && <PaymentAddress method={method} />}
      <MoneyField
        label="Amount"
        hint={`From ${limits}.`}
        beside={estimate && <Beside>{estimate}</Beside>}
        {...fieldsOf(form)('amount')}
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
