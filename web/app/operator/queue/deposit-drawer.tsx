import { rejectdeposit } from '@tallystick/contract/operator/queue';
import { useState } from 'react';
import { Link } from 'react-router';
import { dayOf, timeOf } from '../../domain/dates.ts';
import { usd } from '../../domain/money/amount.ts';
import { coinText } from '../../domain/prices/coin-text.ts';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { Drawer } from '../../ui/overlays/drawer.tsx';
import { useAct } from '../act.ts';
import { AgreeDeposit } from './agree-deposit.tsx';
import { ConfirmDeposit } from './confirm-deposit.tsx';
import type { DepositItem } from './deposits.tsx';
import { DrawerFacts, Gone } from './drawer-parts.tsx';
import { firstThatCounts, type Queue, type Step } from './item.ts';
import { depositReasons } from './reasons.ts';
import { RejectForm } from './reject-form.tsx';
import { MethodCell, ShortAddress } from './row-parts.tsx';
import { historyText, waitingText } from './wording.ts';

interface DepositDrawerProps {
  item: DepositItem;
  step: Step;
  isGone: boolean;
  queue: Queue;
  now: Date;
  onStep: (step: Step) => void;
  onClose: () => void;
}

export function DepositDrawer({ item, step, isGone, queue, now, onStep, onClose }: DepositDrawerProps) {
  const { of } = item;
  const first = firstThatCounts(of);
  const [isDirty, setDirty] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const reject = useAct(rejectdeposit);

  function onReject(reason: string) {
    setRefusal(null);
    return reject.act(
      { params: { id: of._id }, body: { reason } },
      { done: `Deposit ${of.transactionid} rejected`, onDone: onClose, onRefused: setRefusal },
    );
  }

  const known = (
    <>
      {isGone && <Gone />}
      <DepositFacts item={item} />
      {of.first?.departed && <Departed name={of.first.name} />}
    </>
  );
  return (
    <Drawer
      title={titleOf(step, first !== null)}
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
          choices={depositReasons}
          hint="Sent by e-mail and shown beside the request. Nothing is added to the balance."
          label="Reject deposit"
          busy={reject.busy}
          refusal={refusal}
          onDirty={setDirty}
          onReject={onReject}
          onBack={() => onStep('review')}
        >
          {known}
        </RejectForm>
      ) : first ? (
        <AgreeDeposit
          deposit={of}
          first={first}
          isDropping={step === 'drop'}
          onReject={() => onStep('reject')}
          onDone={onClose}
        >
          {known}
        </AgreeDeposit>
      ) : (
        <ConfirmDeposit
          deposit={of}
          queue={queue}
          onDirty={setDirty}
          onReject={() => onStep('reject')}
          onDone={onClose}
        >
          {known}
        </ConfirmDeposit>
      )}
    </Drawer>
  );
}

function Departed({ name }: { name: string }) {
  return (
    <QuietNotice>{`${name} had confirmed this but is an operator no more, so that does not count.`}</QuietNotice>
  );
}

function titleOf(step: Step, isConfirmedOnce: boolean): string {
  if (step === 'reject') return 'Reject deposit';
  return isConfirmedOnce ? 'Agree to a deposit' : 'Review deposit';
}

function DepositFacts({ item: { of } }: { item: DepositItem }) {
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
        { name: 'Declared', value: usd(of.amount) },
        { name: 'Worth when asked', value: coinText(of) ?? 'No price was known' },
        { name: 'Method', value: <MethodCell name={of.fundingtype} coin={of.coin} /> },
        { name: 'Our address', value: <ShortAddress address={of.paymentaddress} /> },
        { name: 'Earlier deposits', value: historyText(of.confirmedbefore, of.rejectedbefore) },
        { name: 'Largest so far', value: of.largestbefore === null ? 'None yet' : usd(of.largestbefore) },
      ]}
    />
  );
}
