import type { FirstConfirmation } from '@tallystick/contract/bounds';
import { formatUsd } from '@tallystick/contract/money';
import type { Network } from '@tallystick/contract/networks';
import { confirmdeposit, dropconfirmation, type QueuedDeposit } from '@tallystick/contract/operator/queue';
import { dayOf, timeOf } from '../../../domain/dates.ts';
import { EffectBox } from '../../../domain/forms/form-notes.tsx';
import { centsOf, usd } from '../../../domain/money/amount.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Copyable } from '../../../ui/actions/copy.tsx';
import { QuietNotice } from '../../../ui/facts/notice.tsx';
import { DrawerBody } from '../../../ui/overlays/drawer.tsx';
import { DecisionFoot, useSecondDecision } from '../../forms/second-decision.tsx';
import { DrawerFacts } from '../drawer-facts.tsx';
import { OnExplorer } from '../on-explorer.tsx';
import type { DecisionProps } from '../request/request-drawer.tsx';

interface AgreeDepositProps extends DecisionProps {
  deposit: QueuedDeposit;
  first: FirstConfirmation;
  /** Opened in order to drop it. */
  isDropping: boolean;
}

const calls = { confirm: confirmdeposit, discard: dropconfirmation };

/** The first of two has confirmed it: the second agrees to exactly the same figures, or either drops them. */
export function AgreeDeposit(props: AgreeDepositProps) {
  const { deposit, first, isDropping, onReject, onDone, children } = props;
  const decision = useSecondDecision(calls, first.operator);
  const { received, chaintransactionid, chainoutput } = first;
  const params = { id: deposit._id };
  const body = { received, chaintransactionid, ...(chainoutput !== null && { chainoutput }) };
  return (
    <>
      <DrawerBody>
        {children}
        <Entered first={first} network={deposit.chain} isOwn={decision.isOwn} />
        <EffectBox rows={effectOf(deposit, centsOf(received))} />
      </DrawerBody>
      <DecisionFoot
        decision={decision}
        isDiscarding={isDropping}
        discard={
          first.bychain
            ? null
            : {
                label: 'Drop',
                done: `The first confirmation of ${deposit.transactionid} was dropped`,
                send: (outcome) => decision.discard({ params }, outcome),
              }
        }
        agree={{
          label: `Agree ${usd(received)}`,
          spins: decision.isAgreeing,
          done: `${usd(received)} confirmed for ${deposit.investor.fullname}`,
          send: (outcome) => decision.agree({ params, body }, outcome),
        }}
        onDone={onDone}
      >
        {!first.bychain && (
          <Button look="quiet" busy={decision.busy} onClick={onReject}>
            Reject
          </Button>
        )}
      </DecisionFoot>
    </>
  );
}

/** What confirming it changes; null while no amount is entered. */
export const effectOf = (deposit: QueuedDeposit, received: bigint | null) => [
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

interface EnteredProps {
  first: FirstConfirmation;
  network: Network | null;
  isOwn: boolean;
}

function Entered({ first, network, isOwn }: EnteredProps) {
  return (
    <section aria-label="The first confirmation" className="grid gap-3.5 border-t border-line pt-5">
      <DrawerFacts
        facts={[
          { name: 'Confirmed by', value: isOwn ? 'You' : whoText(first) },
          { name: 'Confirmed', value: `${dayOf(first.at)}, ${timeOf(first.at)}` },
          { name: 'Amount received', value: usd(first.received) },
          { name: 'Why two', value: first.because },
        ]}
      />
      {/* What a chain shows stands above already. */}
      {network && !first.bychain && <OnExplorer {...first} />}
      {!network && <Copyable what="the transaction ID">{first.chaintransactionid}</Copyable>}
      <QuietNotice>{adviceOf(first, isOwn)}</QuietNotice>
    </section>
  );
}

const whoText = ({ name, bychain }: FirstConfirmation) => (bychain ? `${name}, the network itself` : name);

function adviceOf({ name, bychain }: FirstConfirmation, isOwn: boolean): string {
  if (isOwn)
    return 'You confirmed this, so another operator must agree to the same figures. You may drop it.';
  if (bychain) {
    return `${name} shows this payment, so it can only be agreed to, with exactly these figures. If something is wrong with it, freeze this investor’s withdrawals.`;
  }
  return 'Look the payment up on the network first: you agree to exactly these figures.';
}
