import { type Cents, formatUsd, toDecimal, toWire } from '@tallystick/contract/money';
import { type WithdrawalMethod, withdrawalCentsMin } from '@tallystick/contract/withdrawal';
import { useFormContext, useWatch } from 'react-hook-form';
import { Beside, EffectBox, FinePrint } from '../../domain/forms/form-parts.tsx';
import { readTyped } from '../../domain/money/typed-amount.ts';
import { dollarsText } from '../../domain/plans/plan-offer.ts';
import { useCoinEstimate } from '../../domain/prices/coin-estimate.ts';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { FieldFrame, inputClass } from '../../ui/forms/field.tsx';
import { MaxButton, MoneyField } from '../../ui/forms/money-field.tsx';
import { useAvailable } from '../balance.ts';
import { NewAddressesWait } from './new-addresses-wait.tsx';
import type { WithdrawTyped } from './withdraw-form.tsx';

const leastText = `At least ${dollarsText(toWire(withdrawalCentsMin))}.`;

interface WithdrawDetailsProps {
  method: WithdrawalMethod;
  reason: string | null;
  busy: boolean;
}

/** What is asked once the way of payment is known. */
export function WithdrawDetails({ method, reason, busy }: WithdrawDetailsProps) {
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
