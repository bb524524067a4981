import { droppayment, paywithdrawal, type QueuedWithdrawal } from '@tallystick/contract/operator/queue';
import { dayOf, timeOf } from '../../../domain/dates.ts';
import { EffectBox } from '../../../domain/forms/form-notes.tsx';
import { usd } from '../../../domain/money/amount.ts';
import { Copyable } from '../../../ui/actions/copy.tsx';
import { QuietNotice } from '../../../ui/facts/notice.tsx';
import { DrawerBody } from '../../../ui/overlays/drawer.tsx';
import { DecisionFoot, useSecondDecision } from '../../forms/second-decision.tsx';
import { DrawerFacts } from '../drawer-facts.tsx';
import type { FirstPayment } from '../item.ts';
import type { DecisionProps } from '../request/request-drawer.tsx';
import { effectOfPaying } from './effect.ts';

interface AgreePaymentProps extends DecisionProps {
  withdrawal: QueuedWithdrawal;
  first: FirstPayment;
  /** Why it cannot be done now. */
  offBecause: string | null;
  /** Opened in order to drop it. */
  isDropping: boolean;
}

const calls = { confirm: paywithdrawal, discard: droppayment };

/** The chain does not show it: the first of two has said that it was sent, the second says the same, or either drops it. */
export function AgreePayment(props: AgreePaymentProps) {
  const { withdrawal, first, offBecause, isDropping, onDone, children } = props;
  const decision = useSecondDecision(calls, first.operator);
  const { chaintransactionid, chainoutput } = first;
  const amount = usd(withdrawal.amount);
  const params = { id: withdrawal._id };
  const body = { chaintransactionid, ...(chainoutput !== null && { chainoutput }) };
  return (
    <>
      <DrawerBody>
        {children}
        <section aria-label="The first word" className="grid gap-3.5 border-t border-line pt-5">
          <DrawerFacts
            facts={[
              { name: 'Said by', value: decision.isOwn ? 'You' : first.name },
              { name: 'Said', value: `${dayOf(first.at)}, ${timeOf(first.at)}` },
              ...(chainoutput === null ? [] : [{ name: 'Output', value: chainoutput }]),
            ]}
          />
          <Copyable what="the transaction ID">{chaintransactionid}</Copyable>
          <QuietNotice>
            {decision.isOwn
              ? 'You said that it was sent, so another operator must say the same. You may drop it.'
              : 'Its network does not show this payment. Look it up elsewhere first: you agree to exactly this transaction.'}
          </QuietNotice>
        </section>
        {offBecause ? <QuietNotice>{offBecause}</QuietNotice> : <EffectBox rows={effectOfPaying(amount)} />}
      </DrawerBody>
      <DecisionFoot
        decision={{ ...decision, isOwn: decision.isOwn || offBecause !== null }}
        isDiscarding={isDropping}
        discard={{
          label: 'Drop',
          done: `What was named for ${withdrawal.transactionid} is dropped`,
          send: (outcome) => decision.discard({ params }, outcome),
        }}
        agree={{
          label: `Agree ${amount} was paid`,
          spins: decision.isAgreeing,
          done: `Withdrawal ${withdrawal.transactionid} marked as paid`,
          send: (outcome) => decision.agree({ params, body }, outcome),
        }}
        onDone={onDone}
      />
    </>
  );
}
