import { approvewithdrawal, type QueuedWithdrawal } from '@tallystick/contract/operator/queue';
import { useEffect, useRef } from 'react';
import { EffectBox } from '../../../domain/forms/form-notes.tsx';
import { usd } from '../../../domain/money/amount.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { QuietNotice } from '../../../ui/facts/notice.tsx';
import { Spinner } from '../../../ui/facts/spinner.tsx';
import { DrawerBody, DrawerFoot } from '../../../ui/overlays/drawer.tsx';
import { useAct } from '../../forms/act.ts';
import type { DecisionProps } from '../request/request-drawer.tsx';

export interface WithdrawalDecisionProps extends DecisionProps {
  withdrawal: QueuedWithdrawal;
  /** Why it cannot be done now. */
  offBecause: string | null;
}

export function ApproveWithdrawal(props: WithdrawalDecisionProps) {
  const { withdrawal, offBecause, onReject, onDone, children } = props;
  const { amount, approvals, approvalsneeded, because, transactionid } = withdrawal;
  const { busy, act } = useAct(approvewithdrawal);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  const isLast = approvals.length + 1 >= approvalsneeded;

  function approve() {
    return act(
      { params: { id: withdrawal._id } },
      {
        done: ({ status }) =>
          status === 'approved'
            ? `Withdrawal ${transactionid} approved`
            : `Your approval of ${transactionid} is noted. It needs a second operator.`,
        onDone,
        // By a toast, which outlives this panel: when the other operator was quicker, the panel turns to paying.
      },
    );
  }

  return (
    <>
      <DrawerBody>
        {children}
        <EffectBox
          rows={[
            { name: 'Held for it already', value: usd(amount) },
            {
              name: 'Approvals after',
              value: `${Math.min(approvals.length + 1, approvalsneeded)} of ${approvalsneeded}`,
            },
            { name: 'Then', value: isLast ? 'It waits to be paid' : 'It waits for a second operator' },
          ]}
        />
        {because && <QuietNotice>{`Two operators have to approve it. ${because}.`}</QuietNotice>}
        {offBecause && <QuietNotice>{offBecause}</QuietNotice>}
      </DrawerBody>
      <DrawerFoot refusal={null}>
        <Button look="quiet" onClick={onReject}>
          Reject
        </Button>
        <Button ref={button} look="primary" disabled={busy || offBecause !== null} onClick={approve}>
          {busy && <Spinner />}
          {busy ? 'Approving' : `Approve ${usd(amount)}`}
        </Button>
      </DrawerFoot>
    </>
  );
}
