import { networkOf } from '@tallystick/contract/networks';
import {
  type OfferedPaymentMethod,
  paymentmethods as paymentCall,
  withdrawalmethods as withdrawalCall,
} from '@tallystick/contract/operator/methods';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { pageMeta } from '../../brand.ts';
import { LiveList } from '../../domain/lists/list-states.tsx';
import { useLive } from '../../domain/live.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Empty } from '../../ui/lists/empty.tsx';
import { SignAddress } from '../forms/sign-address.tsx';
import { ChangeAddress, NewPaymentMethod, NewWithdrawalMethod } from './forms.tsx';
import { PaymentBlocks, PaymentTable, WithdrawalRows, WithdrawalTable } from './lists.tsx';
import { AddressProposals } from './proposals.tsx';
import { MethodSettings } from './settings-form.tsx';

export const meta = () => pageMeta('Methods', 'The ways in and the ways out.');

type Open =
  | { kind: 'payment' | 'withdrawal' }
  | { kind: 'address' | 'settings' | 'sign'; method: OfferedPaymentMethod };

const skeleton = { height: 'h-18', count: 4 };

export default function Methods() {
  const ways = useLive(paymentCall, {}, 'Error fetching payment methods:');
  const waysOut = useLive(withdrawalCall, {}, 'Error fetching withdrawal methods:');
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const payments = ways.data?.paymentmethods;
  const on = {
    onChange: (method: OfferedPaymentMethod) => setOpen({ kind: 'address', method }),
    onSettings: (method: OfferedPaymentMethod) => setOpen({ kind: 'settings', method }),
    onSign: (method: OfferedPaymentMethod) => setOpen({ kind: 'sign', method }),
  };
  return (
    <>
      <PageHead
        title="Methods"
        note="The ways in and the ways out. A payment address or key changes only when two operators agree."
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
          phone={(methods) => <PaymentBlocks methods={methods} {...on} />}
          wide={(methods) => <PaymentTable methods={methods} {...on} />}
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
      {open?.kind === 'settings' && <MethodSettings method={open.method} onClose={close} />}
      {open?.kind === 'sign' && <SignMethod method={open.method} onClose={close} />}
    </>
  );
}

function SignMethod({ method, onClose }: { method: OfferedPaymentMethod; onClose: () => void }) {
  const { paymentname, paymentaddress: address, coin, signing } = method;
  const network = networkOf(coin);
  if (!network || !signing) return null;
  const what = `the ${paymentname} address`;
  return <SignAddress of={{ what, network, address, signing }} onClose={onClose} />;
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
