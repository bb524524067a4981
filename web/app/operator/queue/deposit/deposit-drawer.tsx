import { whyTwo } from '@tallystick/contract/bounds';
import type { CallAnswer } from '@tallystick/contract/call';
import { operatorsamplepayment } from '@tallystick/contract/demo';
import { formatUsd, toWire } from '@tallystick/contract/money';
import { networkNameOf } from '@tallystick/contract/networks';
import { confirmdeposit, type QueuedDeposit, rejectdeposit } from '@tallystick/contract/operator/queue';
import { useMemo } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { EffectBox } from '../../../domain/forms/form-notes.tsx';
import { centsOf, usd } from '../../../domain/money/amount.ts';
import { readTyped, TypedAmount } from '../../../domain/money/typed-amount.ts';
import { SampleChip } from '../../../domain/page/sample-chip.tsx';
import { coinText } from '../../../domain/prices/coin-text.ts';
import { Button, SubmitButton } from '../../../ui/actions/button.tsx';
import { QuietNotice } from '../../../ui/facts/notice.tsx';
import { Spinner } from '../../../ui/facts/spinner.tsx';
import { MoneyField } from '../../../ui/forms/money-field.tsx';
import { DrawerBody, DrawerFoot, DrawerForm } from '../../../ui/overlays/drawer.tsx';
import { ShortAddress } from '../../facts/short-address.tsx';
import { useAct } from '../../forms/act.ts';
import { useActForm, useTyping } from '../../forms/act-form.ts';
import { type DepositItem, type DrawerProps, firstThatCounts, type Queue } from '../item.ts';
import { MethodCell, Warning } from '../queue-row.tsx';
import { OnTheNetwork, outputOf, paymentFields } from '../request/on-the-network.tsx';
import { depositReasons } from '../request/reasons.ts';
import { type DecisionProps, RequestDrawer } from '../request/request-drawer.tsx';
import { differenceText, historyText } from '../wording.ts';
import { AgreeDeposit, effectOf } from './agree-deposit.tsx';
import { SeenOnChain } from './seen-payment.tsx';

export function DepositDrawer({ queue, ...drawer }: DrawerProps<DepositItem> & { queue: Queue }) {
  const { of } = drawer.item;
  const first = firstThatCounts(of);
  return (
    <RequestDrawer
      {...drawer}
      title={first ? 'Agree to a deposit' : of.payment ? 'Deposit on its way' : 'Review deposit'}
      facts={factsOf(of)}
      note={<Known of={of} />}
      reject={{
        call: rejectdeposit,
        what: 'Deposit',
        choices: depositReasons,
        hint: 'Nothing is added to the balance.',
      }}
    >
      {(decision) => {
        if (first) {
          return (
            <AgreeDeposit {...decision} deposit={of} first={first} isDropping={drawer.step === 'drop'} />
          );
        }
        if (of.payment) {
          return <OnItsWay {...decision} isGone={drawer.isGone} bound={queue.chainthreshold} />;
        }
        return <ConfirmDeposit {...decision} deposit={of} queue={queue} />;
      }}
    </RequestDrawer>
  );
}

function Known({ of }: { of: QueuedDeposit }) {
  return (
    <>
      {of.first?.departed && (
        <QuietNotice>{`${of.first.name} had confirmed this but is an operator no more, so that does not count.`}</QuietNotice>
      )}
      <SendSample of={of} />
      {of.payment && of.chain && (
        <SeenOnChain network={of.chain} payment={of.payment} isSample={of.sample && !of.watched} />
      )}
    </>
  );
}

/** Sample addresses are a demo's: nobody sends anything there, so the payment itself is a press away. */
function SendSample({ of }: { of: QueuedDeposit }) {
  const { busy, act } = useAct(operatorsamplepayment);
  if (!of.sample || of.watched || of.first) return null;
  if (of.payment) return <SampleChip className="justify-self-start">Sample payment</SampleChip>;
  const done = `A sample payment for ${of.transactionid} is on its way`;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <Button size="small" busy={busy} onClick={() => act({ params: { id: of._id } }, { done })}>
        {busy && <Spinner />}
        Send a sample payment
      </Button>
      <span className="text-caption text-3">In the investor’s stead. No real money moves.</span>
    </p>
  );
}

/** The chain shows it and says when it is there for good: until then there is nothing to decide. */
function OnItsWay({ onDone, isGone, bound, children }: DecisionProps & { isGone: boolean; bound: number }) {
  return (
    <>
      <DrawerBody>
        {children}
        {!isGone && (
          <QuietNotice>
            {`It is added by itself once it has its confirmations. Above ${usd(bound)} an operator agrees then.`}
          </QuietNotice>
        )}
      </DrawerBody>
      <DrawerFoot>
        <Button onClick={onDone}>Close</Button>
      </DrawerFoot>
    </>
  );
}

const factsOf = (of: QueuedDeposit) => [
  { name: 'Declared', value: of.announced ? usd(of.amount) : 'Nothing' },
  of.announced
    ? { name: 'Worth when asked', value: coinText(of) ?? 'No price was known' }
    : { name: 'Request', value: 'None, the payment came by itself' },
  { name: 'Method', value: <MethodCell name={of.fundingtype} coin={of.coin} /> },
  { name: 'Our address', value: <ShortAddress address={of.paymentaddress} /> },
  ...(of.tag === null ? [] : [{ name: 'Tag', value: of.tag }]),
  { name: 'Earlier deposits', value: historyText(of.confirmedbefore, of.rejectedbefore) },
  { name: 'Largest so far', value: of.largestbefore === null ? 'None yet' : usd(of.largestbefore) },
];

interface ConfirmDepositProps extends DecisionProps {
  deposit: QueuedDeposit;
  queue: Queue;
}

/** What arrived is looked up on the network and typed here: nothing is taken over from what the investor declared. */
function ConfirmDeposit(props: ConfirmDepositProps) {
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
  const because = whyTwoConfirm(deposit, cents, queue);
  const then = because ? 'It waits for a second operator' : 'It is in the wallet';

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
        <EffectBox
          rows={[...effectOf(deposit, cents), ...(cents === null ? [] : [{ name: 'Then', value: then }])]}
        />
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
function whyTwoConfirm(deposit: QueuedDeposit, amountCents: bigint | null, queue: Queue): string | null {
  if (deposit.watched) return `${networkNameOf(deposit.coin)} is read here and does not show this payment`;
  if (amountCents === null) return null;
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
    <div role="status" className="-mt-1.5 grid gap-2 empty:absolute">
      {text && <Warning>{text}</Warning>}
      {because && <Warning>{`A second operator has to confirm the same. ${because}.`}</Warning>}
    </div>
  );
}
