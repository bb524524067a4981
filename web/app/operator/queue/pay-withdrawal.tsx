import { zodResolver } from '@hookform/resolvers/zod';
import type { Network } from '@tallystick/contract/networks';
import { paywithdrawal } from '@tallystick/contract/operator/queue';
import { useEffect, useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { EffectBox } from '../../domain/forms/form-parts.tsx';
import { usd } from '../../domain/money/amount.ts';
import { Button, SubmitButton } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { useFirstFocus } from '../../ui/forms/first-focus.ts';
import { DrawerBody, DrawerFoot, DrawerForm } from '../../ui/overlays/drawer.tsx';
import { useAct } from '../act.ts';
import type { DecisionProps } from './approve-withdrawal.tsx';
import { OnTheNetwork, outputOf, paymentFields } from './on-the-network.tsx';

interface PayWithdrawalProps extends DecisionProps {
  onDirty: (isDirty: boolean) => void;
}

/** The payment is made elsewhere; here the operator says that it was, and under which id it can be found. */
export function PayWithdrawal({
  withdrawal,
  isOff,
  onDirty,
  onReject,
  onDone,
  children,
}: PayWithdrawalProps) {
  const network = withdrawal.network as Network;
  const fields = useMemo(() => z.object(paymentFields(network)), [network]);
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(fields),
    defaultValues: { chaintransactionid: '', chainoutput: '' },
  });
  const { errors, isDirty } = formState;
  const [refusal, setRefusal] = useState<string | null>(null);
  const { busy, act } = useAct(paywithdrawal);
  const amount = usd(withdrawal.amount);
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  useFirstFocus('chaintransactionid');

  const onSubmit = handleSubmit(({ chaintransactionid, chainoutput }) => {
    setRefusal(null);
    return act(
      { params: { id: withdrawal._id }, body: { chaintransactionid, ...outputOf(chainoutput) } },
      { done: `Withdrawal ${withdrawal.transactionid} marked as paid`, onDone, onRefused: setRefusal },
    );
  });

  return (
    <DrawerForm onSubmit={onSubmit}>
      <DrawerBody>
        {children}
        {isOff ? (
          <QuietNotice>{isOff}</QuietNotice>
        ) : (
          <>
            <OnTheNetwork
              network={network}
              things="withdrawals"
              hint="Send the payment first, then enter its id. One that has paid another withdrawal is refused."
              id={register('chaintransactionid')}
              output={register('chainoutput')}
              errors={errors}
            />
            <EffectBox rows={effectOf(amount)} />
          </>
        )}
      </DrawerBody>
      <DrawerFoot refusal={refusal}>
        <Button look="quiet" onClick={onReject}>
          Reject
        </Button>
        {isOff ? (
          <Button disabled className="disabled:cursor-not-allowed disabled:bg-sunken disabled:text-3">
            Mark {amount} paid
          </Button>
        ) : (
          <SubmitButton narrow busy={busy} busyLabel="Sending">
            {`Mark ${amount} paid`}
          </SubmitButton>
        )}
      </DrawerFoot>
    </DrawerForm>
  );
}

const effectOf = (amount: string) => [
  { name: 'Held until now', value: amount },
  { name: 'Held after', value: usd(0) },
  { name: 'The investor is told', value: 'The transaction ID, by e-mail' },
];
