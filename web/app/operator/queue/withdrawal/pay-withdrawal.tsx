import { zodResolver } from '@hookform/resolvers/zod';
import type { Network } from '@tallystick/contract/networks';
import { paywithdrawal } from '@tallystick/contract/operator/queue';
import { useEffect, useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { EffectBox } from '../../../domain/forms/form-notes.tsx';
import { usd } from '../../../domain/money/amount.ts';
import { Button, SubmitButton } from '../../../ui/actions/button.tsx';
import { QuietNotice } from '../../../ui/facts/notice.tsx';
import { useFirstFocus } from '../../../ui/forms/first-focus.ts';
import { DrawerBody, DrawerFoot, DrawerForm } from '../../../ui/overlays/drawer.tsx';
import { useAct } from '../../forms/act.ts';
import { OnTheNetwork, outputOf, paymentFields } from '../request/on-the-network.tsx';
import type { WithdrawalDecisionProps } from './approve-withdrawal.tsx';

/** The payment is made elsewhere; here the operator says that it was, and under which id it can be found. */
export function PayWithdrawal(props: WithdrawalDecisionProps) {
  const { withdrawal, offBecause, onDirty, onReject, onDone, children } = props;
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
        {offBecause ? (
          <QuietNotice>{offBecause}</QuietNotice>
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
        {offBecause ? (
          <Button disabled>Mark {amount} paid</Button>
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
