import { whyTwo } from '@tallystick/contract/bounds';
import type { CallAnswer } from '@tallystick/contract/call';
import { formatUsd, toWire } from '@tallystick/contract/money';
import { confirmdeposit, type QueuedDeposit } from '@tallystick/contract/operator/queue';
import { useMemo } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { EffectBox } from '../../../domain/forms/form-notes.tsx';
import { centsOf, usd } from '../../../domain/money/amount.ts';
import { readTyped, TypedAmount } from '../../../domain/money/typed-amount.ts';
import { Button, SubmitButton } from '../../../ui/actions/button.tsx';
import { MoneyField } from '../../../ui/forms/money-field.tsx';
import { DrawerBody, DrawerFoot, DrawerForm } from '../../../ui/overlays/drawer.tsx';
import { useActForm, useTyping } from '../../forms/act-form.ts';
import type { Queue } from '../item.ts';
import { Warning } from '../queue-row.tsx';
import { OnTheNetwork, outputOf, paymentFields } from '../request/on-the-network.tsx';
import type { DecisionProps } from '../request/request-drawer.tsx';
import { differenceText } from '../wording.ts';

interface ConfirmDepositProps extends DecisionProps {
  deposit: QueuedDeposit;
  queue: Queue;
}

/** What arrived is looked up on the network and typed here: nothing is taken over from what the investor declared. */
export function ConfirmDeposit(props: ConfirmDepositProps) {
  const { deposit, queue, onReject, onDone, children } = props;
  const { chain } = deposit;
  const fields = useMemo(() => z.object({ received: TypedAmount, ...paymentFields(chain) }), [chain]);
  const form = useActForm({
    call: confirmdeposit,
    fields,
    values: { received: '', chaintransactionid: '', chainoutput: '' },
    first: 'received',
  });
  const { control, field, handleSubmit, send, busy, refusal } = form;
  useTyping(form);
  const cents = readTyped(useWatch({ control, name: 'received' }));
  const because = cents === null ? null : whyTwoConfirm(deposit, cents, queue);

  const onSubmit = handleSubmit(({ received, chaintransactionid, chainoutput }) => {
    const body = { received: toWire(received), chaintransactionid, ...outputOf(chainoutput) };
    const done = ({ status }: CallAnswer<typeof confirmdeposit>) =>
      status === 'confirmed'
        ? `${formatUsd(received)} confirmed for ${deposit.investor.fullname}`
        : `Your confirmation of ${deposit.transactionid} is noted. It needs a second operator.`;
    return send({ params: { id: deposit._id }, body }, { done, onDone });
  });

  return (
    <DrawerForm onSubmit={onSubmit}>
      <DrawerBody>
        {children}
        <div className="grid gap-5 tablet:grid-cols-2 tablet:gap-4">
          <MoneyField label="Amount received" {...field('received')} />
          <NetworkOfMethod name={deposit.network} />
        </div>
        <Difference deposit={deposit} received={cents} because={because} />
        <OnTheNetwork
          network={chain}
          things="deposits"
          hint="A payment that was credited before is refused."
          id={field('chaintransactionid')}
          output={field('chainoutput')}
        />
        <Effect deposit={deposit} received={cents} because={because} />
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

/** The server decides again; here it is told before the button is pressed. */
function whyTwoConfirm(deposit: QueuedDeposit, amountCents: bigint, queue: Queue): string | null {
  return whyTwo({
    amountCents,
    askedCents: centsOf(deposit.amount),
    sums: [
      { of: 'investor', cents: centsOf(deposit.confirmedtoday) },
      { of: 'operator', cents: centsOf(queue.confirmedalone) },
    ],
    thresholdCents: centsOf(queue.threshold),
  });
}

/** Given by the method, so that the same payment is always known under the same name. */
function NetworkOfMethod({ name }: { name: string }) {
  return (
    <div className="grid content-start gap-1.5">
      <p className="text-label font-label">Network</p>
      <p className="flex min-h-12 items-center rounded-control bg-sunken px-3.5 py-1.5 text-body/5 text-2 inset-ring inset-ring-line">
        {name}
      </p>
    </div>
  );
}

interface ReceivedProps {
  deposit: QueuedDeposit;
  received: bigint | null;
  /** Why a second operator is needed. */
  because: string | null;
}

function Difference({ deposit, received, because }: ReceivedProps) {
  const text = received === null ? null : differenceText(centsOf(deposit.amount), received);
  return (
    <div role="status" className="-mt-1.5 grid gap-2 empty:hidden">
      {text && <Warning>{text}</Warning>}
      {because && <Warning>{`A second operator has to confirm the same. ${because}.`}</Warning>}
    </div>
  );
}

function Effect({ deposit, received, because }: ReceivedProps) {
  const after = received === null ? '' : formatUsd(centsOf(deposit.available) + received);
  const then = because ? 'It waits for a second operator' : 'It is in the wallet';
  return (
    <EffectBox
      rows={[
        { name: 'Balance now', value: usd(deposit.available) },
        { name: 'Balance after', value: after || 'Enter the amount' },
        {
          name: 'Entry',
          value: received === null ? deposit.fundingtype : `${deposit.fundingtype}, +${formatUsd(received)}`,
        },
        ...(received === null ? [] : [{ name: 'Then', value: then }]),
      ]}
    />
  );
}
