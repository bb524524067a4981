import { rejectwithdrawal } from '@tallystick/contract/operator/queue';
import { useState } from 'react';
import { Link } from 'react-router';
import { dayOf, timeOf } from '../../domain/dates.ts';
import { centsOf, usd } from '../../domain/money/amount.ts';
import { useCoinEstimate } from '../../domain/prices/coin-estimate.ts';
import { Drawer } from '../../ui/overlays/drawer.tsx';
import { useAct } from '../act.ts';
import { useWho } from '../who.ts';
import { ApproveWithdrawal } from './approve-withdrawal.tsx';
import { approvingIsOff } from './approving.ts';
import { DrawerFacts, Gone } from './drawer-parts.tsx';
import type { Step } from './item.ts';
import { PayWithdrawal } from './pay-withdrawal.tsx';
import { withdrawalReasons } from './reasons.ts';
import { RejectForm } from './reject-form.tsx';
import { MethodCell, Warning } from './row-parts.tsx';
import { WholeAddress } from './whole-address.tsx';
import type { WithdrawalItem } from './withdrawals.tsx';
import { usedText, waitingText } from './wording.ts';

interface WithdrawalDrawerProps {
  item: WithdrawalItem;
  step: Step;
  isGone: boolean;
  /** Why all withdrawals are frozen. */
  frozen: string | null;
  now: Date;
  onStep: (step: Step) => void;
  onClose: () => void;
}

export function WithdrawalDrawer(props: WithdrawalDrawerProps) {
  const { item, step, isGone, frozen, now, onStep, onClose } = props;
  const { of } = item;
  const { operator } = useWho();
  const [isDirty, setDirty] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const reject = useAct(rejectwithdrawal);

  function onReject(reason: string) {
    setRefusal(null);
    return reject.act(
      { params: { id: of._id }, body: { reason } },
      { done: `Withdrawal ${of.transactionid} rejected`, onDone: onClose, onRefused: setRefusal },
    );
  }

  const decision = {
    withdrawal: of,
    isOff: approvingIsOff(of, frozen, operator._id),
    onReject: () => onStep('reject'),
    onDone: onClose,
    children: (
      <>
        {isGone && <Gone />}
        <WithdrawalFacts item={item} />
        {step === 'review' && (
          <WholeAddress address={of.withdrawaladdress} label={`${of.methodname} address`} />
        )}
      </>
    ),
  };
  return (
    <Drawer
      title={`${verbOf(step, of.status)} withdrawal`}
      note={
        <>
          <span className="font-mono">{of.transactionid}</span>, waiting {waitingText(of.requestedat, now)}
        </>
      }
      guarded={isDirty && !isGone}
      onClose={onClose}
    >
      {step === 'reject' ? (
        <RejectForm
          choices={withdrawalReasons}
          hint={`Sent by e-mail and shown beside the request. ${usd(of.amount)} goes back to the wallet.`}
          label="Reject withdrawal"
          busy={reject.busy}
          refusal={refusal}
          onDirty={setDirty}
          onReject={onReject}
          onBack={() => onStep('review')}
        >
          {decision.children}
        </RejectForm>
      ) : of.status === 'requested' ? (
        <ApproveWithdrawal {...decision} />
      ) : (
        <PayWithdrawal {...decision} onDirty={setDirty} />
      )}
    </Drawer>
  );
}

function verbOf(step: Step, status: 'requested' | 'approved'): string {
  if (step === 'reject') return 'Reject';
  return status === 'requested' ? 'Approve' : 'Pay';
}

function WithdrawalFacts({ item: { of } }: { item: WithdrawalItem }) {
  const estimate = useCoinEstimate(of.network, centsOf(of.amount));
  const approvals = of.approvals.map(({ name, at }) => `${name}, ${dayOf(at)} ${timeOf(at)}`);
  return (
    <DrawerFacts
      facts={[
        {
          name: 'Investor',
          value: (
            <Link replace to={`/operator/investors/${of.investor._id}`} className="textlink">
              {of.investor.fullname}
            </Link>
          ),
        },
        { name: 'Asked', value: `${dayOf(of.requestedat)}, ${timeOf(of.requestedat)}` },
        { name: 'Amount', value: usd(of.amount) },
        { name: 'Worth now', value: estimate ?? 'No price is known' },
        { name: 'Method', value: <MethodCell name={of.methodname} coin={of.network} /> },
        {
          name: 'Address',
          value: of.addressused === 0 ? <Warning>New address</Warning> : usedText(of.addressused),
        },
        { name: 'Available after', value: usd(of.available) },
        {
          name: `Approvals, ${of.approvals.length} of ${of.approvalsneeded}`,
          value: approvals.join('; ') || 'None yet',
        },
      ]}
    />
  );
}
