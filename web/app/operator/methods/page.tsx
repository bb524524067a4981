import { networkNameOf } from '@tallystick/contract/networks';
import {
  addresschanges,
  type OfferedPaymentMethod,
  paymentmethods as paymentCall,
  withdrawalmethods as withdrawalCall,
} from '@tallystick/contract/operator/methods';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { pageMeta } from '../../brand.ts';
import { agoOf, dayOf, timeOf } from '../../domain/dates.ts';
import { LiveList } from '../../domain/lists/list-states.tsx';
import { useLive } from '../../domain/live.ts';
import { useNow } from '../../domain/now.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { Copyable } from '../../ui/actions/copy.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Empty } from '../../ui/lists/empty.tsx';
import { ProposalCard, ProposalRow } from '../forms/second-decision.tsx';
import { ChangeAddress, NewPaymentMethod, NewWithdrawalMethod } from './forms.tsx';
import { PaymentBlocks, PaymentTable, WithdrawalRows, WithdrawalTable } from './lists.tsx';

export const meta = () => pageMeta('Methods', 'The ways in and the ways out.');

type Open = { kind: 'payment' } | { kind: 'withdrawal' } | { kind: 'address'; method: OfferedPaymentMethod };

const skeleton = { height: 'h-18', count: 4 };

export default function Methods() {
  const ways = useLive(paymentCall, {}, 'Error fetching payment methods:');
  const waysOut = useLive(withdrawalCall, {}, 'Error fetching withdrawal methods:');
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const payments = ways.data?.paymentmethods;
  const changeAddress = (method: OfferedPaymentMethod) => setOpen({ kind: 'address', method });
  return (
    <>
      <PageHead
        title="Methods"
        note="The ways in and the ways out. A payment address changes only when two operators agree."
      />
      {payments && <AddressProposals methods={payments} />}
      <MethodCard
        title="Payment methods"
        button="New payment method"
        onNew={() => setOpen({ kind: 'payment' })}
      >
        <LiveList
          query={ways}
          rows={payments}
          ifFailed="The payment methods could not be fetched. Nothing about them has changed."
          empty={<Empty title="None yet" text="Nobody can fund a wallet until there is one." />}
          skeleton={skeleton}
          phone={(methods) => <PaymentBlocks methods={methods} onChange={changeAddress} />}
          wide={(methods) => <PaymentTable methods={methods} onChange={changeAddress} />}
        />
      </MethodCard>
      <MethodCard
        title="Withdrawal methods"
        button="New withdrawal method"
        onNew={() => setOpen({ kind: 'withdrawal' })}
      >
        <LiveList
          query={waysOut}
          rows={waysOut.data?.withdrawalmethods}
          ifFailed="The withdrawal methods could not be fetched. Nothing about them has changed."
          empty={<Empty title="None yet" text="Nobody can withdraw until there is one." />}
          skeleton={skeleton}
          phone={(methods) => <WithdrawalRows methods={methods} />}
          wide={(methods) => <WithdrawalTable methods={methods} />}
        />
      </MethodCard>
      {open?.kind === 'payment' && <NewPaymentMethod onClose={close} />}
      {open?.kind === 'withdrawal' && <NewWithdrawalMethod onClose={close} />}
      {open?.kind === 'address' && <ChangeAddress method={open.method} onClose={close} />}
    </>
  );
}

interface MethodCardProps {
  title: string;
  button: string;
  onNew: () => void;
  children: ReactNode;
}

function MethodCard({ title, button, onNew, children }: MethodCardProps) {
  return (
    <Card aria-label={title} className="overflow-hidden">
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-5 py-3.5 tablet:px-6">
        <h2 className="text-body tracking-[-0.01em]">{title}</h2>
        <Button onClick={onNew} className="px-3.5! text-label! max-tablet:w-full">
          <Plus className="size-4" aria-hidden="true" />
          {button}
        </Button>
      </div>
      {children}
    </Card>
  );
}

/** The addresses that one operator asked for and another must agree to. */
function AddressProposals({ methods }: { methods: readonly OfferedPaymentMethod[] }) {
  const waiting = methods.filter(({ proposed }) => proposed !== null);
  if (waiting.length === 0) return null;
  return (
    <ProposalCard>
      {waiting.map((method) => (
        <AddressProposal key={method._id} method={method} />
      ))}
    </ProposalCard>
  );
}

function AddressProposal({ method }: { method: OfferedPaymentMethod }) {
  const now = useNow();
  const { proposed, paymentname, paymentaddress, network, coin } = method;
  if (!proposed) return null;
  const isNew = !paymentaddress || paymentaddress === proposed.paymentaddress;
  const about = `the ${paymentname} address`;
  return (
    <ProposalRow
      calls={addresschanges}
      id={proposed.changeid}
      askedbyid={proposed.askedbyid}
      agree={{ label: 'Confirm', about, done: `The new ${paymentname} address is on the site` }}
      discard={{ label: 'Discard', about, done: `The new ${paymentname} address was discarded` }}
      note={{
        own: 'You asked for it, so another operator confirms it.',
        others: 'Compare every character with a source of your own first.',
      }}
    >
      <div className="grid min-w-0 gap-3">
        <div className="flex items-center gap-3">
          <CoinMark coin={coin || network} size={28} />
          <p className="min-w-0 text-control/5">
            <b className="font-semibold">
              {isNew ? `New method ${paymentname}` : `Another address for ${paymentname}`}
            </b>
            <span
              className="block text-caption text-3"
              title={`${dayOf(proposed.askedat)}, ${timeOf(proposed.askedat)}`}
            >
              {networkNameOf(proposed.network)}, asked by {proposed.askedby} {agoOf(proposed.askedat, now)}
            </span>
          </p>
        </div>
        <dl className="grid gap-x-4 gap-y-1 text-label tablet:grid-cols-[auto_minmax(0,1fr)]">
          {!isNew && (
            <>
              <dt className="text-3">Address now</dt>
              <dd className="mb-1 font-mono text-[0.93em] tracking-[-0.01em] break-all text-2">
                {paymentaddress}
              </dd>
            </>
          )}
          <dt className="text-3">New address</dt>
          <dd className="min-w-0">
            <Copyable what="the new address">{proposed.paymentaddress}</Copyable>
          </dd>
        </dl>
      </div>
    </ProposalRow>
  );
}
