import type { Network } from '@tallystick/contract/networks';
import { paywithdrawal } from '@tallystick/contract/operator/queue';
import { useMemo } from 'react';
import { z } from 'zod';
import { EffectBox } from '../../../domain/forms/form-notes.tsx';
import { usd } from '../../../domain/money/amount.ts';
import { Button, SubmitButton } from '../../../ui/actions/button.tsx';
import { QuietNotice } from '../../../ui/facts/notice.tsx';
import { DrawerBody, DrawerFoot, DrawerForm } from '../../../ui/overlays/drawer.tsx';
import { useActForm } from '../../forms/act-form.ts';
import { OnTheNetwork, outputOf, paymentFields } from '../request/on-the-network.tsx';
import type { WithdrawalDecisionProps } from './approve-withdrawal.tsx';

/** The payment is made elsewhere; here the operator says that it was, and under which id it can be found. */
export function PayWithdrawal(props: WithdrawalDecisionProps) {
  const { withdrawal, offBecause, onReject, onDone, children } = props;
  const network = withdrawal.network as Network;
  const fields = useMemo(() => z.object(paymentFields(network)), [network]);
  const { field, handleSubmit, send, busy, refusal } = useActForm({
    call: paywithdrawal,
    fields,
    values: { chaintransactionid: '', chainoutput: '' },
    first: 'chaintransactionid',
  });
  const amount = usd(withdrawal.amount);

  const onSubmit = handleSubmit(({ chaintransactionid, chainoutput }) =>
    send(
      { params: { id: withdrawal._id }, body: { chaintransactionid, ...outputOf(chainoutput) } },
      { done: `Withdrawal ${withdrawal.transactionid} marked as paid`, onDone },
    ),
  );

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
              id={field('chaintransactionid')}
              output={field('chainoutput')}
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
