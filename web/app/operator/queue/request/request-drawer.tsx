import type { rejectdeposit, rejectwithdrawal } from '@tallystick/contract/operator/queue';
import { type ReactNode, useState } from 'react';
import { dayOf, timeOf } from '../../../domain/dates.ts';
import { useNow } from '../../../domain/now.ts';
import { TextLink } from '../../../ui/actions/links.tsx';
import { Drawer } from '../../../ui/overlays/drawer.tsx';
import { useAct } from '../../forms/act.ts';
import type { Fact } from '../../lists/console-table.tsx';
import { DrawerFacts, Gone } from '../drawer-facts.tsx';
import type { DepositItem, DrawerProps, WithdrawalItem } from '../item.ts';
import { waitingText } from '../wording.ts';
import type { ReasonChoice } from './reasons.ts';
import { RejectForm } from './reject-form.tsx';

/** What each way of deciding about a request is given. */
export interface DecisionProps {
  onReject: () => void;
  onDone: () => void;
  /** What is known about the request. */
  children: ReactNode;
}

interface RequestDrawerProps extends DrawerProps<DepositItem | WithdrawalItem> {
  /** Unless it is being rejected. */
  title: string;
  /** What is known besides who asked, and when. */
  facts: readonly Fact[];
  /** Beneath the facts. */
  note: ReactNode;
  reject: {
    call: typeof rejectdeposit | typeof rejectwithdrawal;
    what: 'Deposit' | 'Withdrawal';
    choices: readonly ReasonChoice[];
    hint: string;
  };
  children: (decision: DecisionProps) => ReactNode;
}

/** Everything about what an investor asked for. Each kind brings its own ways of saying yes; saying no is the same. */
export function RequestDrawer(props: RequestDrawerProps) {
  const { item, step, isGone, onStep, onClose, title, facts, note, reject, children } = props;
  const { _id, transactionid, requestedat } = item.of;
  const now = useNow();
  const [refusal, setRefusal] = useState<string | null>(null);
  const { busy, act } = useAct(reject.call);
  const rejectLabel = `Reject ${reject.what.toLowerCase()}`;

  function onReject(reason: string) {
    setRefusal(null);
    return act(
      { params: { id: _id }, body: { reason } },
      { done: `${reject.what} ${transactionid} rejected`, onDone: onClose, onRefused: setRefusal },
    );
  }

  const known = (
    <>
      {isGone && <Gone />}
      <DrawerFacts facts={[...askedOf(item), ...facts]} />
      {note}
    </>
  );
  return (
    <Drawer
      title={step === 'reject' ? rejectLabel : title}
      note={
        <>
          <span className="font-mono">{transactionid}</span>, waiting {waitingText(requestedat, now)}
        </>
      }
      guarded={isGone ? false : undefined}
      onClose={onClose}
    >
      {step === 'reject' ? (
        <RejectForm
          choices={reject.choices}
          hint={`Sent by e-mail and shown beside the request. ${reject.hint}`}
          label={rejectLabel}
          busy={busy}
          refusal={refusal}
          onReject={onReject}
          onBack={() => onStep('review')}
        >
          {known}
        </RejectForm>
      ) : (
        children({ onReject: () => onStep('reject'), onDone: onClose, children: known })
      )}
    </Drawer>
  );
}

const askedOf = ({ of: { investor, requestedat } }: DepositItem | WithdrawalItem): Fact[] => [
  {
    name: 'Investor',
    value: (
      <TextLink replace to={`/operator/investors/${investor._id}`}>
        {investor.fullname}
      </TextLink>
    ),
  },
  { name: 'Asked', value: `${dayOf(requestedat)}, ${timeOf(requestedat)}` },
];
