import type { FirstConfirmation } from '@tallystick/contract/bounds';
import { formatUsd } from '@tallystick/contract/money';
import { confirmdeposit, dropconfirmation, type QueuedDeposit } from '@tallystick/contract/operator/queue';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { dayOf, timeOf } from '../../domain/dates.ts';
import { EffectBox } from '../../domain/forms/form-parts.tsx';
import { centsOf, usd } from '../../domain/money/amount.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Copyable } from '../../ui/actions/copyable.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { Spinner } from '../../ui/facts/spinner.tsx';
import { DrawerBody, DrawerFoot } from '../../ui/overlays/drawer.tsx';
import { useAct } from '../act.ts';
import { useWho } from '../who.ts';
import { DrawerFacts } from './drawer-parts.tsx';

interface AgreeDepositProps {
  deposit: QueuedDeposit;
  first: FirstConfirmation;
  /** Opened in order to drop it. */
  isDropping: boolean;
  onReject: () => void;
  onDone: () => void;
  /** What is known about the request. */
  children: ReactNode;
}

/** The first of two has confirmed it: the second agrees to exactly the same figures, or either drops them. */
export function AgreeDeposit(props: AgreeDepositProps) {
  const { deposit, first, isDropping, onReject, onDone, children } = props;
  const isOwn = first.operator === useWho().operator._id;
  const agreeing = useAct(confirmdeposit);
  const dropping = useAct(dropconfirmation);
  const [refusal, setRefusal] = useState<string | null>(null);
  const busy = agreeing.busy || dropping.busy;
  const params = { id: deposit._id };
  // The button that was meant when the drawer was opened.
  const chosen = useRef<HTMLButtonElement>(null);
  const isDrop = isDropping || isOwn;
  useEffect(() => chosen.current?.focus(), []);

  const outcome = (done: string) => {
    setRefusal(null);
    return { done, onDone, onRefused: setRefusal };
  };
  function agree() {
    const { received, chaintransactionid, chainoutput } = first;
    const body = { received, chaintransactionid, ...(chainoutput !== null && { chainoutput }) };
    const done = `${usd(received)} confirmed for ${deposit.investor.fullname}`;
    return agreeing.act({ params, body }, outcome(done));
  }

  return (
    <>
      <DrawerBody>
        {children}
        <Entered first={first} isOwn={isOwn} />
        <EffectBox rows={effectOf(deposit, first)} />
      </DrawerBody>
      <DrawerFoot refusal={refusal}>
        <Button look="quiet" disabled={busy} onClick={onReject}>
          Reject
        </Button>
        <Button
          ref={isDrop ? chosen : undefined}
          disabled={busy}
          onClick={() =>
            dropping.act(
              { params },
              outcome(`The first confirmation of ${deposit.transactionid} was dropped`),
            )
          }
        >
          Drop
        </Button>
        <Button
          ref={isDrop ? undefined : chosen}
          look="primary"
          disabled={busy || isOwn}
          onClick={agree}
          className="disabled:cursor-not-allowed disabled:bg-sunken disabled:text-3"
        >
          {agreeing.busy && <Spinner />}
          {`Agree ${usd(first.received)}`}
        </Button>
      </DrawerFoot>
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
