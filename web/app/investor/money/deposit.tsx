import { type FundingRequest, fetchrequests } from '@tallystick/contract/funding';
import { coinOf } from '@tallystick/contract/networks';
import type { ReactNode } from 'react';
import { whenOf } from '../../domain/dates.ts';
import { useLive } from '../../domain/live.ts';
import { usd } from '../../domain/money/amount.ts';
import { shortAddress } from '../../domain/money/short-address.ts';
import { SampleChip } from '../../domain/page/sample-chip.tsx';
import { coinText } from '../../domain/prices/coin-text.ts';
import { priceText, sourceText } from '../../domain/prices/price-text.ts';
import { Copyable } from '../../ui/actions/copy.tsx';
import { CountNotches } from '../../ui/brand/notches.tsx';
import { Failed } from '../../ui/lists/empty.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import { Modal, ModalBody, ModalHead } from '../../ui/overlays/modal.tsx';
import { Mono, Receipt } from './command-modal.tsx';
import { confirmationsShown, depositState } from './deposit-state.ts';
import { ExplorerLink } from './explorer-link.tsx';
import { PaymentDetails } from './payment.tsx';

/** A request as it stands now, asked for again and again: what was known when it was opened may be old in a minute. */
export function useDeposit(transactionid: string, known: FundingRequest | undefined) {
  const query = useLive(
    fetchrequests,
    { query: { transaction: transactionid } },
    'Error fetching funding requests:',
  );
  return { ...query, request: query.data?.request[0] ?? known };
}

/** Whoever paid nothing has no receipt. */
export function detailsName(status: FundingRequest['status'] | undefined): string {
  if (status === 'rejected') return 'Request details';
  return status === 'pending' ? 'Payment details' : 'Receipt';
}

interface DepositModalProps {
  transactionid: string;
  known: FundingRequest | undefined;
  onClose: () => void;
}

/** How to pay a request that waits, and what came of it once it was paid. */
export function DepositModal({ transactionid, known, onClose }: DepositModalProps) {
  const { request, isPending, isError, refetch } = useDeposit(transactionid, known);
  return (
    <Modal narrow onClose={onClose}>
      <ModalHead>{detailsName(request?.status)}</ModalHead>
      <ModalBody>
        {request ? (
          <Deposit request={request} />
        ) : isPending ? (
          <ReceiptSkeleton />
        ) : isError ? (
          <Failed onRetry={refetch}>The receipt could not be fetched.</Failed>
        ) : (
          <p className="text-control text-2">There is no receipt for {transactionid}.</p>
        )}
      </ModalBody>
    </Modal>
  );
}

function Deposit({ request }: { request: FundingRequest }) {
  return (
    <>
      <DepositProgress request={request} />
      {isUnpaid(request) && <PaymentDetails request={request} />}
      <Receipt rows={depositRows(request)} />
    </>
  );
}

function ReceiptSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-4.5">
      <p className="sr-only">Loading</p>
      <Skeleton className="h-16" />
      <Skeleton className="h-60" />
    </div>
  );
}

/** Nothing was seen of it, so that it still has to be said where to send to. */
export const isUnpaid = ({ status, payment }: FundingRequest) => status === 'pending' && !payment;

/** Where it stands. What changes while somebody looks is said, too. */
export function DepositProgress({ request }: { request: FundingRequest }) {
  const { name, words } = depositState(request);
  const { status, payment, announced, requestedat, sample } = request;
  return (
    <div className="grid gap-2 tabular-nums">
      <p role="status" className="grid gap-0.5">
        <b className="text-body/6 font-semibold">{name}</b>
        <span className="text-control text-2">
          {isUnpaid(request) && announced
            ? `Asked ${whenOf(requestedat)}. Your assets are added once the payment is confirmed.`
            : words}
        </span>
      </p>
      {status === 'pending' && payment && (
        <CountNotches count={confirmationsShown(payment)} of={payment.needed} />
      )}
      {sample && payment && <SampleChip className="justify-self-start">Sample payment</SampleChip>}
    </div>
  );
}

/** The request itself and what its network shows, for whoever asks about it later. */
export function depositRows(request: FundingRequest) {
  const { announced, amount, fundingtype, network, requestedat, transactionid } = request;
  const paid = paidRows(request);
  return [
    announced && { name: paid.length > 0 ? 'Asked for' : 'Amount', value: usd(amount) },
    announced && paid.length > 0 && { name: 'Asked', value: whenOf(requestedat) },
    ...paid,
    { name: 'Method', value: fundingtype },
    { name: 'Network', value: network },
    ...chainRows(request),
    { name: 'Transaction ID', value: <Mono>{transactionid}</Mono> },
  ].filter((row): row is Row => row !== false && row.value !== '');
}

interface Row {
  name: string;
  value: ReactNode;
}

/** What arrived, and what a cent of it was counted with. */
function paidRows({ payment, received, coin, status, decidedat }: FundingRequest): Row[] {
  const rows: Row[] = [];
  if (payment) {
    const { coins, price, pricesource, priceat, worth } = payment;
    rows.push({ name: 'Paid', value: coinText({ coin, coinamount: coins }) });
    if (price) rows.push({ name: `Price of 1 ${coinOf(coin)?.ticker ?? ''}`, value: priceText(price) });
    if (pricesource) rows.push({ name: 'Price from', value: sourceText(pricesource) });
    if (priceat) rows.push({ name: 'Price at', value: whenOf(priceat) });
    if (received === null) rows.push({ name: 'Worth', value: worth === null ? 'Not known yet' : usd(worth) });
  }
  if (status === 'confirmed' && received !== null) rows.push({ name: 'Added', value: usd(received) });
  if (status === 'confirmed' && decidedat) rows.push({ name: 'Added at', value: whenOf(decidedat) });
  return rows;
}

function chainRows({ payment, chaintransactionid, explorer }: FundingRequest): Row[] {
  if (!chaintransactionid) return [];
  const rows: Row[] = [];
  if (payment) {
    rows.push({ name: 'Seen', value: whenOf(payment.seenat) });
    const count = `${confirmationsShown(payment)} of ${payment.needed}`;
    rows.push({ name: 'Confirmations', value: payment.lost ? 'None any more' : count });
  }
  const id = (
    <Copyable isForCopying what="the network’s transaction ID" shown={shortAddress(chaintransactionid)}>
      {chaintransactionid}
    </Copyable>
  );
  rows.push({ name: 'On the network', value: id });
  if (explorer) rows.push({ name: 'Look it up', value: <ExplorerLink href={explorer} /> });
  return rows;
}
