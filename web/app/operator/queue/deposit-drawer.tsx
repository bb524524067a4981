import { rejectdeposit } from '@tallystick/contract/operator';
import { paymentmethods } from '@tallystick/contract/operator-offers';
import { useState } from 'react';
import { Link } from 'react-router';
import { usd } from '../../domain/amount.ts';
import { coinText } from '../../domain/coin-text.ts';
import { dayOf, timeOf } from '../../domain/dates.ts';
import { useLive } from '../../domain/live.ts';
import { Drawer } from '../../ui/drawer.tsx';
import { useAct } from '../act.ts';
import { ConfirmDeposit } from './confirm-deposit.tsx';
import type { DepositItem } from './deposits.tsx';
import { DrawerFacts, Gone } from './drawer-parts.tsx';
import type { Step } from './item.ts';
import { depositReasons } from './reasons.ts';
import { RejectForm } from './reject-form.tsx';
import { MethodCell, ShortAddress } from './row-parts.tsx';
import { historyText, waitingText } from './wording.ts';

interface DepositDrawerProps {
  item: DepositItem;
  step: Step;
  isGone: boolean;
  now: Date;
  onStep: (step: Step) => void;
  onClose: () => void;
}

export function DepositDrawer({ item, step, isGone, now, onStep, onClose }: DepositDrawerProps) {
  const { of } = item;
  const [isDirty, setDirty] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const reject = useAct(rejectdeposit);
  const networks = useNetworks(of.network);

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
    </>
  );
  return (
    <Drawer
      title={step === 'reject' ? 'Reject deposit' : 'Review deposit'}
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
      ) : (
        <ConfirmDeposit
          deposit={of}
          networks={networks}
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

/** Chosen, not typed: the same payment must be known again under the same name, so that it is never credited twice. */
function useNetworks(own: string): readonly string[] {
  const { data } = useLive(paymentmethods, {}, 'Error fetching payment methods:');
  return [...new Set([own, ...(data?.paymentmethods.map(({ network }) => network) ?? [])])];
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
