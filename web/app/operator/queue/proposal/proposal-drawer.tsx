import { boundschanges } from '@tallystick/contract/operator/checklist';
import { addresschanges, type AddressChange as Change } from '@tallystick/contract/operator/methods';
import { planproposals } from '@tallystick/contract/operator/plans';
import { corrections, factorremovals } from '@tallystick/contract/operator/queue';
import type { secondOperator } from '@tallystick/contract/operator/second-operator';
import { removalWaitDays } from '@tallystick/contract/removals';
import type { ReactNode } from 'react';
import { counted, dayOf, timeOf } from '../../../domain/dates.ts';
import { usd } from '../../../domain/money/amount.ts';
import { WholeAddress } from '../../../domain/money/whole-address.tsx';
import { useNow } from '../../../domain/now.ts';
import { dollarsText, exitText } from '../../../domain/plans/plan-offer.ts';
import { Copyable } from '../../../ui/actions/copy.tsx';
import { TextLink } from '../../../ui/actions/links.tsx';
import { QuietNotice } from '../../../ui/facts/notice.tsx';
import { Drawer, DrawerBody } from '../../../ui/overlays/drawer.tsx';
import { KeyAddresses } from '../../facts/key-addresses.tsx';
import { boundsChanges } from '../../facts/wording.ts';
import { DecisionFoot, useSecondDecision } from '../../forms/second-decision.tsx';
import type { Fact } from '../../lists/console-table.tsx';
import { DrawerFacts, Gone } from '../drawer-facts.tsx';
import type { DrawerProps, ProposalItem } from '../item.ts';
import { waitingText } from '../wording.ts';

const calls: Record<ProposalItem['kind'], ReturnType<typeof secondOperator>> = {
  address: addresschanges,
  correction: corrections,
  factors: factorremovals,
  bounds: boundschanges,
  plan: planproposals,
};
const titles = {
  address: 'payment address',
  correction: 'correction',
  factors: 'removal of second factors',
  bounds: 'other bounds',
  plan: 'plan',
};

export function ProposalDrawer({ item, step, isGone, onClose }: DrawerProps<ProposalItem>) {
  const now = useNow();
  const decision = useSecondDecision(calls[item.kind], item.of.askedbyid);
  const { isOwn, busy } = decision;
  const isKey = item.kind === 'address' && item.of.key !== null;
  const what = isKey ? 'payment key' : titles[item.kind];
  const input = { params: { id: item.of._id } };
  const done = (how: string) => `The ${what} ${item.kind === 'bounds' ? 'were' : 'was'} ${how}`;
  return (
    <Drawer
      title={`${step === 'reject' ? 'Discard' : 'Confirm'} ${what}`}
      note={`Asked by ${isOwn ? 'you' : item.of.askedby}, waiting ${waitingText(item.of.askedat, now)}`}
      onClose={onClose}
    >
      <DrawerBody>
        {isGone && <Gone />}
        <Asked item={item} />
        {isOwn && (
          <QuietNotice>
            You asked for this, so another operator must confirm it. You may discard it.
          </QuietNotice>
        )}
      </DrawerBody>
      <DecisionFoot
        decision={decision}
        isDiscarding={step === 'reject'}
        discard={{
          label: 'Discard',
          done: done('discarded'),
          send: (outcome) => decision.discard(input, outcome),
        }}
        agree={{
          label: 'Confirm',
          spins: busy,
          done: done('confirmed'),
          send: (outcome) => decision.agree(input, outcome),
        }}
        onDone={onClose}
      />
    </Drawer>
  );
}

function InvestorLink({ of: { _id, fullname } }: { of: { _id: string; fullname: string } }) {
  return <TextLink to={`/operator/investors/${_id}`}>{fullname}</TextLink>;
}

function Asked({ item }: { item: ProposalItem }) {
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
        { name: 'Investor', value: <InvestorLink of={investor} /> },
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
    case 'factors': {
      const { investor, reason } = item.of;
      const facts = [
        { name: 'Investor', value: <InvestorLink of={investor} /> },
        { name: 'E-mail', value: investor.email },
        ...asked,
        { name: 'How it was found out who asks', value: reason, isWide: true },
      ];
      return (
        <Body facts={facts}>
          {`The investor is told at once and has ${removalWaitDays} days to stop it. Then every second factor, every recovery code and every session goes. Confirm only what you have checked yourself.`}
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
      const { planname, replaces, from, to, duration, roi, reinvestable, exit, because } = item.of;
      const facts = [
        { name: replaces === null ? 'New plan' : 'New version of', value: planname },
        { name: 'Range', value: `${dollarsText(from)} to ${dollarsText(to)}` },
        { name: 'Duration', value: counted(duration, 'day') },
        { name: 'ROI for the term', value: `${roi}%` },
        { name: 'Leaving early', value: exitText(exit) ?? 'Not offered', isWide: true },
        { name: 'Investing again', value: reinvestable ? 'Offered at its end' : 'Not offered' },
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

function AddressChange({ item, asked }: { item: Extract<ProposalItem, { kind: 'address' }>; asked: Fact[] }) {
  const { paymentname, network, from, frompath, to, source, key } = item.of;
  const facts = [{ name: 'Method', value: paymentname }, { name: 'Network', value: network }, ...asked];
  return (
    <>
      <Body facts={facts}>
        {key === null
          ? 'Investors will send their deposits to the new address. Compare it with one you know from elsewhere, not with this screen alone.'
          : 'Every investor will be given addresses of this key. Compare the first ones with the hardware wallet yourself, not with this screen alone.'}
        {source === 'tagged' && ' Each of them is given a tag of their own.'}
      </Body>
      {from !== null && (
        <div>
          <p className="text-label font-label">{frompath ? 'Key now' : 'Address now'}</p>
          <p className="mt-1 font-mono text-label break-all text-2">{frompath ?? from}</p>
        </div>
      )}
      {key === null ? (
        <WholeAddress address={to} qrLabel={`QR code of the address ${to}`}>
          {from === null ? 'Address' : 'New address'}
        </WholeAddress>
      ) : (
        <NewKey change={item.of} accountKey={key} />
      )}
    </>
  );
}

function NewKey({ change: { path, firstaddresses }, accountKey }: { change: Change; accountKey: string }) {
  return (
    <div className="grid gap-3.5 rounded-code bg-sunken p-4 inset-ring inset-ring-line">
      <div>
        <p className="text-label font-label">
          New key, <span className="font-mono text-[0.93em]">{path}</span>
        </p>
        <p className="mt-1 text-label">
          <Copyable what="the new key">{accountKey}</Copyable>
        </p>
      </div>
      <div className="grid gap-1.5">
        <p className="text-label font-label">First addresses</p>
        <KeyAddresses addresses={firstaddresses} />
      </div>
    </div>
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
