import type { FirstConfirmation } from '@tallystick/contract/bounds';
import { formatUsd } from '@tallystick/contract/money';
import {
  confirmdeposit,
  dropconfirmation,
  type QueuedDeposit,
  rejectdeposit,
} from '@tallystick/contract/operator/queue';
import { dayOf, timeOf } from '../../../domain/dates.ts';
import { EffectBox } from '../../../domain/forms/form-notes.tsx';
import { centsOf, usd } from '../../../domain/money/amount.ts';
import { coinText } from '../../../domain/prices/coin-text.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Copyable } from '../../../ui/actions/copy.tsx';
import { QuietNotice } from '../../../ui/facts/notice.tsx';
import { DrawerBody } from '../../../ui/overlays/drawer.tsx';
import { DecisionFoot, useSecondDecision } from '../../forms/second-decision.tsx';
import { DrawerFacts } from '../drawer-facts.tsx';
import { type DepositItem, type DrawerProps, firstThatCounts, type Queue } from '../item.ts';
import { MethodCell, ShortAddress } from '../queue-row.tsx';
import { depositReasons } from '../request/reasons.ts';
import { type DecisionProps, RequestDrawer } from '../request/request-drawer.tsx';
import { historyText } from '../wording.ts';
import { ConfirmDeposit } from './confirm-deposit.tsx';

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
        <EffectBox rows={effectOf(deposit, first)} />
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

const effectOf = (deposit: QueuedDeposit, { received }: FirstConfirmation) => [
  { name: 'Balance now', value: usd(deposit.available) },
  { name: 'Balance after', value: formatUsd(centsOf(deposit.available) + centsOf(received)) },
  { name: 'Entry', value: `${deposit.fundingtype}, +${usd(received)}` },
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
