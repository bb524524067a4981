import {
  type OfferedPaymentMethod,
  paymentmethods as paymentCall,
  withdrawalmethods as withdrawalCall,
} from '@tallystick/contract/operator/methods';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { pageMeta } from '../../brand.ts';
import { ListStates, NotRefreshed, SkeletonRows, SkeletonTable } from '../../domain/lists/list-states.tsx';
import { useLive } from '../../domain/live.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Empty } from '../../ui/lists/empty.tsx';
import type { Column } from '../../ui/lists/table.tsx';
import { usePhone } from '../../ui/phone.ts';
import { ChangeAddress } from './address-form.tsx';
import { NewPaymentMethod, NewWithdrawalMethod } from './method-form.tsx';
import { PaymentMethods, paymentCaption, paymentColumns } from './payment-methods.tsx';
import { AddressProposals } from './proposals.tsx';
import { WithdrawalMethods, withdrawalCaption, withdrawalColumns } from './withdrawal-methods.tsx';

export function meta() {
  return pageMeta('Methods', 'The ways in and the ways out.');
}

type Open = { kind: 'payment' } | { kind: 'withdrawal' } | { kind: 'address'; method: OfferedPaymentMethod };

export default function Methods() {
  const ways = useLive(paymentCall, {}, 'Error fetching payment methods:');
  const waysOut = useLive(withdrawalCall, {}, 'Error fetching withdrawal methods:');
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const payments = ways.data?.paymentmethods;
  const withdrawals = waysOut.data?.withdrawalmethods;
  return (
    <>
      <PageHead
        title="Methods"
        note="The ways in and the ways out. A payment address changes only when two operators agree."
      />
      {payments && <AddressProposals methods={payments} />}
      <MethodCard
        title={paymentCaption}
        columns={paymentColumns}
        button="New payment method"
        onNew={() => setOpen({ kind: 'payment' })}
        query={ways}
        count={payments?.length}
        ifEmpty="Nobody can fund a wallet until there is one."
      >
        <PaymentMethods
          methods={payments ?? []}
          onChange={(method) => setOpen({ kind: 'address', method })}
        />
      </MethodCard>
      <MethodCard
        title={withdrawalCaption}
        columns={withdrawalColumns}
        button="New withdrawal method"
        onNew={() => setOpen({ kind: 'withdrawal' })}
        query={waysOut}
        count={withdrawals?.length}
        ifEmpty="Nobody can withdraw until there is one."
      >
        <WithdrawalMethods methods={withdrawals ?? []} />
      </MethodCard>
      {open?.kind === 'payment' && <NewPaymentMethod onClose={close} />}
      {open?.kind === 'withdrawal' && <NewWithdrawalMethod onClose={close} />}
      {open?.kind === 'address' && <ChangeAddress method={open.method} onClose={close} />}
    </>
  );
}

interface MethodCardProps {
  title: string;
  columns: readonly Column[];
  button: string;
  onNew: () => void;
  query: { isError: boolean; refetch: () => void; dataUpdatedAt: number };
  count: number | undefined;
  ifEmpty: string;
  children: ReactNode;
}

function MethodCard(props: MethodCardProps) {
  const { title, columns, button, onNew, query, count, ifEmpty, children } = props;
  const isPhone = usePhone();
  return (
    <Card aria-label={title} className="overflow-hidden">
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-5 py-3.5 tablet:px-6">
        <h2 className="text-body tracking-[-0.01em]">{title}</h2>
        <Button onClick={onNew} className="px-3.5! text-label! max-tablet:w-full">
          <Plus className="size-4" aria-hidden="true" />
          {button}
        </Button>
      </div>
      <ListStates
        count={count}
        hasFailed={query.isError}
        ifFailed={`The ${title.toLowerCase()} could not be fetched. Nothing about them has changed.`}
        onRetry={query.refetch}
        skeleton={
          isPhone ? (
            <SkeletonRows height="h-18" count={4} />
          ) : (
            <SkeletonTable caption={title} columns={columns} />
          )
        }
        empty={<Empty title="None yet" text={ifEmpty} />}
      >
        {children}
      </ListStates>
      {query.isError && count !== undefined && (
        <NotRefreshed since={query.dataUpdatedAt} onRetry={query.refetch} />
      )}
    </Card>
  );
}
