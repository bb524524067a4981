import { boundschanges } from '@tallystick/contract/operator/checklist';
import { addresschanges } from '@tallystick/contract/operator/methods';
import { planproposals } from '@tallystick/contract/operator/plans';
import { corrections } from '@tallystick/contract/operator/queue';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { dayOf, timeOf } from '../../domain/dates.ts';
import { usd } from '../../domain/money/amount.ts';
import { dollarsText } from '../../domain/plans/plan-offer.ts';
import { Button } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { Spinner } from '../../ui/facts/spinner.tsx';
import { Drawer, DrawerBody, DrawerFoot } from '../../ui/overlays/drawer.tsx';
import { useAct } from '../act.ts';
import { boundsChanges } from '../bounds-words.ts';
import { counted } from '../counted.ts';
import type { Fact } from '../facts.tsx';
import { useWho } from '../who.ts';
import { DrawerFacts, Gone } from './drawer-parts.tsx';
import type { Step } from './item.ts';
import type { SecondItem } from './second-operator.tsx';
import { WholeAddress } from './whole-address.tsx';
import { waitingText } from './wording.ts';

const calls = {
  address: addresschanges,
  correction: corrections,
  bounds: boundschanges,
  plan: planproposals,
};
const titles = { address: 'payment address', correction: 'correction', bounds: 'other bounds', plan: 'plan' };

interface SecondDrawerProps {
  item: SecondItem;
  step: Step;
  isGone: boolean;
  now: Date;
  onClose: () => void;
}

export function SecondDrawer({ item, step, isGone, now, onClose }: SecondDrawerProps) {
  const { operator } = useWho();
  const isOwn = item.of.askedbyid === operator._id;
  return (
    <Drawer
      title={`${step === 'reject' ? 'Discard' : 'Confirm'} ${titles[item.kind]}`}
      note={`Asked by ${isOwn ? 'you' : item.of.askedby}, waiting ${waitingText(item.of.askedat, now)}`}
      onClose={onClose}
    >
      <Decision item={item} step={step} isGone={isGone} isOwn={isOwn} onClose={onClose} />
    </Drawer>
  );
}

type DecisionProps = Omit<SecondDrawerProps, 'now'> & { isOwn: boolean };

function Decision({ item, step, isGone, isOwn, onClose }: DecisionProps) {
  const confirm = useAct(calls[item.kind].confirm);
  const discard = useAct(calls[item.kind].discard);
  const [reason, setReason] = useState<string | null>(null);
  const busy = confirm.busy || discard.busy;
  const what = titles[item.kind];
  // The button that was meant when the drawer was opened.
  const chosen = useRef<HTMLButtonElement>(null);
  const isDiscard = step === 'reject' || isOwn;
  useEffect(() => chosen.current?.focus(), []);

  const input = { params: { id: item.of._id } };
  const done = (how: string) => `The ${what} ${item.kind === 'bounds' ? 'were' : 'was'} ${how}`;
  const outcome = (done: string) => {
    setReason(null);
    return { done, onDone: onClose, onRefused: setReason };
  };

  return (
    <>
      <DrawerBody>
        {isGone && <Gone />}
        <Change item={item} />
        {isOwn && (
          <QuietNotice>
            You asked for this, so another operator must confirm it. You may discard it.
          </QuietNotice>
        )}
      </DrawerBody>
      <DrawerFoot refusal={reason}>
        <Button
          ref={isDiscard ? chosen : undefined}
          disabled={busy}
          onClick={() => discard.act(input, outcome(done('discarded')))}
        >
          Discard
        </Button>
        <Button
          ref={isDiscard ? undefined : chosen}
          look="primary"
          disabled={busy || isOwn}
          className="disabled:cursor-not-allowed disabled:bg-sunken disabled:text-3"
          onClick={() => confirm.act(input, outcome(done('confirmed')))}
        >
          {busy && <Spinner />}
          Confirm
        </Button>
      </DrawerFoot>
    </>
  );
}

function Change({ item }: { item: SecondItem }) {
  const asked: Fact[] = [
    { name: 'Asked by', value: item.of.askedby },
    { name: 'Asked', value: `${dayOf(item.of.askedat)}, ${timeOf(item.of.askedat)}` },
  ];
  switch (item.kind) {
    case 'address':
      return <AddressChange item={item} asked={asked} />;
    case 'correction': {
      const { investor, amount, reason } = item.of;
      const facts = [
        {
          name: 'Investor',
          value: (
            <Link to={`/operator/investors/${investor._id}`} className="textlink">
              {investor.fullname}
            </Link>
          ),
        },
        { name: amount < 0 ? 'Taken from the wallet' : 'Added to the wallet', value: usd(Math.abs(amount)) },
        ...asked,
        { name: 'Reason', value: reason, isWide: true },
      ];
      return (
        <Body facts={facts}>
          The entry is posted at once and the investor sees it as a correction, with this reason.
        </Body>
      );
    }
    case 'bounds': {
      const changes = boundsChanges(item.of).map(({ name, from, to }) => ({
        name,
        value: `${from} becomes ${to}`,
        isWide: true,
      }));
      return (
        <Body facts={[...changes, ...asked]}>
          What lies beyond the bounds needs two operators. The new ones count from the moment you confirm
          them.
        </Body>
      );
    }
    case 'plan': {
      const { planname, replaces, from, to, duration, roi, because } = item.of;
      const facts = [
        { name: replaces === null ? 'New plan' : 'New version of', value: planname },
        { name: 'Range', value: `${dollarsText(from)} to ${dollarsText(to)}` },
        { name: 'Duration', value: counted(duration, 'day') },
        { name: 'ROI for the term', value: `${roi}%` },
        ...asked,
        { name: 'Why two', value: because.join('; ') || 'It is within the bounds now', isWide: true },
      ];
      return (
        <Body facts={facts}>
          It is on the site from the moment you confirm it. What is already open keeps its terms.
        </Body>
      );
    }
  }
}

function AddressChange({ item, asked }: { item: Extract<SecondItem, { kind: 'address' }>; asked: Fact[] }) {
  const { paymentname, network, from, to } = item.of;
  const facts = [{ name: 'Method', value: paymentname }, { name: 'Network', value: network }, ...asked];
  return (
    <>
      <Body facts={facts}>
        Investors will send their deposits to the new address. Compare it with one you know from elsewhere,
        not with this screen alone.
      </Body>
      {from !== null && (
        <div>
          <p className="text-label font-label">Address now</p>
          <p className="mt-1 font-mono text-label break-all text-2">{from}</p>
        </div>
      )}
      <WholeAddress address={to} label={from === null ? 'Address' : 'New address'} />
    </>
  );
}

function Body({ facts, children }: { facts: readonly Fact[]; children: ReactNode }) {
  return (
    <>
      <DrawerFacts facts={facts} />
      <p className="text-control text-2">{children}</p>
    </>
  );
}
