import { type FirstConfirmation, whyTwo } from '@tallystick/contract/bounds';
import type { CallAnswer } from '@tallystick/contract/call';
import { formatUsd, toWire } from '@tallystick/contract/money';
import {
  confirmdeposit,
  dropconfirmation,
  type QueuedDeposit,
  rejectdeposit,
} from '@tallystick/contract/operator/queue';
import { useMemo } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { dayOf, timeOf } from '../../../domain/dates.ts';
import { EffectBox } from '../../../domain/forms/form-notes.tsx';
import { centsOf, usd } from '../../../domain/money/amount.ts';
import { readTyped, TypedAmount } from '../../../domain/money/typed-amount.ts';
import { coinText } from '../../../domain/prices/coin-text.ts';
import { Button, SubmitButton } from '../../../ui/actions/button.tsx';
import { Copyable } from '../../../ui/actions/copy.tsx';
import { QuietNotice } from '../../../ui/facts/notice.tsx';
import { MoneyField } from '../../../ui/forms/money-field.tsx';
import { DrawerBody, DrawerFoot, DrawerForm } from '../../../ui/overlays/drawer.tsx';
import { useActForm, useTyping } from '../../forms/act-form.ts';
import { DecisionFoot, useSecondDecision } from '../../forms/second-decision.tsx';
import { DrawerFacts } from '../drawer-facts.tsx';
import { type DepositItem, type DrawerProps, firstThatCounts, type Queue } from '../item.ts';
import { MethodCell, ShortAddress, Warning } from '../queue-row.tsx';
import { OnTheNetwork, outputOf, paymentFields } from '../request/on-the-network.tsx';
import { depositReasons } from '../request/reasons.ts';
import { type DecisionProps, RequestDrawer } from '../request/request-drawer.tsx';
import { differenceText, historyText } from '../wording.ts';

export function DepositDrawer({ queue, ...drawer }: DrawerProps<DepositItem> & { queue: Queue }) {
  const { of } = drawer.item;
  const first = firstThatCounts(of);
  return (
    <RequestDrawer
      {...drawer}
      title={first ? 'Agree to a deposit' : 'Review deposit'}
      facts={factsOf(of)}
      note={
        of.first?.departed && (
          <QuietNotice>{`${of.first.name} had confirmed this but is an operator no more, so that does not count.`}</QuietNotice>
        )
      }
      reject={{
        call: rejectdeposit,
        what: 'Deposit',
        choices: depositReasons,
        hint: 'Nothing is added to the balance.',
      }}
    >
      {(decision) =>
        first ? (
          <AgreeDeposit {...decision} deposit={of} first={first} isDropping={drawer.step === 'drop'} />
        ) : (
          <ConfirmDeposit {...decision} deposit={of} queue={queue} />
        )
      }
    </RequestDrawer>
  );
}

const factsOf = (of: QueuedDeposit) => [
  { name: 'Declared', value: usd(of.amount) },
  { name: 'Worth when asked', value: coinText(of) ?? 'No price was known' },
  { name: 'Method', value: <MethodCell name={of.fundingtype} coin={of.coin} /> },
  { name: 'Our address', value: <ShortAddress address={of.paymentaddress} /> },
  { name: 'Earlier deposits', value: historyText(of.confirmedbefore, of.rejectedbefore) },
  { name: 'Largest so far', value: of.largestbefore === null ? 'None yet' : usd(of.largestbefore) },
];

interface AgreeDepositProps extends DecisionProps {
  deposit: QueuedDeposit;
  first: FirstConfirmation;
  /** Opened in order to drop it. */
  isDropping: boolean;
}

const calls = { confirm: confirmdeposit, discard: dropconfirmation };

/** The first of two has confirmed it: the second agrees to exactly the same figures, or either drops them. */
function AgreeDeposit(props: AgreeDepositProps) {
  const { deposit, first, isDropping, onReject, onDone, children } = props;
  const decision = useSecondDecision(calls, first.operator);
  const { received, chaintransactionid, chainoutput } = first;
  const params = { id: deposit._id };
  const body = { received, chaintransactionid, ...(chainoutput !== null && { chainoutput }) };
  return (
    <>
      <DrawerBody>
        {children}
        <Entered first={first} isOwn={decision.isOwn} />
        <EffectBox rows={effectOf(deposit, centsOf(received))} />
      </DrawerBody>
      <DecisionFoot
        decision={decision}
        isDiscarding={isDropping}
        discard={{
          label: 'Drop',
          done: `The first confirmation of ${deposit.transactionid} was dropped`,
          send: (outcome) => decision.discard({ params }, outcome),
        }}
        agree={{
          label: `Agree ${usd(received)}`,
          spins: decision.isAgreeing,
          done: `${usd(received)} confirmed for ${deposit.investor.fullname}`,
          send: (outcome) => decision.agree({ params, body }, outcome),
        }}
        onDone={onDone}
      >
        <Button look="quiet" busy={decision.busy} onClick={onReject}>
          Reject
        </Button>
      </DecisionFoot>
    </>
  );
}

/** What confirming it changes; null while no amount is entered. */
const effectOf = (deposit: QueuedDeposit, received: bigint | null) => [
  { name: 'Balance now', value: usd(deposit.available) },
  {
    name: 'Balance after',
    value: received === null ? 'Enter the amount' : formatUsd(centsOf(deposit.available) + received),
  },
  {
    name: 'Entry',
    value: received === null ? deposit.fundingtype : `${deposit.fundingtype}, +${formatUsd(received)}`,
  },
];

function Entered({ first, isOwn }: { first: FirstConfirmation; isOwn: boolean }) {
  return (
    <section aria-label="The first confirmation" className="grid gap-3.5 border-t border-line pt-5">
      <DrawerFacts
        facts={[
          { name: 'Confirmed by', value: isOwn ? 'You' : first.name },
          { name: 'Confirmed', value: `${dayOf(first.at)}, ${timeOf(first.at)}` },
          { name: 'Amount received', value: usd(first.received) },
          { name: 'Why two', value: first.because },
        ]}
      />
      <div>
        <p className="text-caption text-3">Transaction ID on the network</p>
        <Copyable what="the transaction ID">{first.chaintransactionid}</Copyable>
        {first.chainoutput !== null && <p className="text-label text-2">Output {first.chainoutput}</p>}
      </div>
      <QuietNotice>
        {isOwn
          ? 'You confirmed this, so another operator must agree to the same figures. You may drop it.'
          : 'Look the payment up on the network first: you agree to exactly these figures.'}
      </QuietNotice>
    </section>
  );
}

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
  const because = cents === null ? null : whyTwoConfirm(deposit, cents, queue);

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
