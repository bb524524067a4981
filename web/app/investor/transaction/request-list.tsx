import type { FundingRequest } from '@tallystick/contract/funding';
import type { Withdrawal } from '@tallystick/contract/withdrawal';
import { ArrowDownToLine, ArrowUpFromLine, type LucideIcon } from 'lucide-react';
import { dayOf, shortDayOf, timeOf } from '../../domain/dates.ts';
import { usd } from '../../domain/money/amount.ts';
import { shortAddress } from '../../domain/money/short-address.ts';
import { Copyable } from '../../ui/actions/copy.tsx';
import { Chip, type ChipLook } from '../../ui/facts/chip.tsx';
import { RowIcon } from '../../ui/layout/card.tsx';
import { Cell, type Column, Row, Small, Table, takesOver } from '../../ui/lists/table.tsx';
import { detailsName } from '../money/deposit.tsx';
import { depositState } from '../money/deposit-state.ts';
import { ExplorerLink } from '../money/explorer-link.tsx';
import { useShowPayment } from '../money/money-modals.tsx';
import { payoutText } from '../money/payout-text.ts';

const columns: readonly Column[] = [
  { name: 'Asked', className: 'w-[13%]' },
  { name: 'Request', className: 'w-[15%]' },
  { name: 'Transaction ID', gives: 'tight', className: 'w-[16%]' },
  { name: 'Status', gives: 'narrow', className: 'w-[13%]' },
  { name: 'What became of it', className: 'w-[32%] @max-wide/table:w-[36%]' },
  { name: 'Amount', isNumber: true, className: 'w-[11%]' },
];

export interface ListedRequest {
  _id: string;
  Icon: LucideIcon;
  name: string;
  transactionid: string;
  amount: number;
  requestedat: string;
  state: RequestState;
  /** A deposit has a receipt, from the moment it was announced. */
  deposit: FundingRequest | null;
  withdrawal: Withdrawal | null;
}

/** Deposits and withdrawals are kept apart by the server and look alike here. */
export const asListed = {
  deposit: (request: FundingRequest): ListedRequest => ({
    ...request,
    Icon: ArrowDownToLine,
    name: request.fundingtype,
    state: fundingState(request),
    deposit: request,
    withdrawal: null,
  }),
  withdrawal: (withdrawal: Withdrawal): ListedRequest => ({
    ...withdrawal,
    Icon: ArrowUpFromLine,
    name: withdrawal.methodname,
    amount: withdrawal.withdrawalamount,
    state: withdrawalState(withdrawal),
    deposit: null,
    withdrawal,
  }),
};

function SendTo({ request: { withdrawal } }: { request: ListedRequest }) {
  if (!withdrawal) return null;
  const { withdrawaladdress, withdrawaltag } = withdrawal;
  return (
    <Small className="whitespace-nowrap">
      To{' '}
      <Copyable what="the address it goes to" shown={shortAddress(withdrawaladdress)}>
        {withdrawaladdress}
      </Copyable>
      {withdrawaltag !== null && (
        <span className="block">
          Tag <Copyable what="the destination tag">{withdrawaltag}</Copyable>
        </span>
      )}
    </Small>
  );
}

/** What is sent of a withdrawal, and where that can be looked up. */
function Payout({
  withdrawal: { payout, status, chaintransactionid, explorer },
}: {
  withdrawal: Withdrawal;
}) {
  return (
    <>
      {payout && (
        <span className="mt-0.5 block">
          {status === 'paid' ? 'Sent' : 'To be sent'}: {payoutText(payout)}.
        </span>
      )}
      {chaintransactionid && (
        <span className="mt-0.5 block">
          <Copyable what="the network’s transaction ID">{chaintransactionid}</Copyable>
        </span>
      )}
      {explorer && <ExplorerLink href={explorer} />}
    </>
  );
}

function Outcome({ request: { state, deposit, withdrawal } }: { request: ListedRequest }) {
  const show = useShowPayment();
  return (
    <>
      {state.words}
      {deposit && (
        <button
          type="button"
          onClick={() => show(deposit.transactionid, deposit)}
          className="textlink mt-0.5 block min-h-6 text-left font-semibold"
        >
          {detailsName(deposit.status)}
        </button>
      )}
      {withdrawal && <Payout withdrawal={withdrawal} />}
    </>
  );
}

export function RequestTable({ requests }: { requests: readonly ListedRequest[] | undefined }) {
  return (
    <Table caption="Your requests, newest first" columns={columns}>
      {requests?.map((request) => (
        <Row key={request._id}>
          <Cell className="whitespace-nowrap">
            {dayOf(request.requestedat)}
            <Small>{timeOf(request.requestedat)}</Small>
          </Cell>
          <Cell className="py-2">
            <span className="flex items-center gap-3">
              <RowIcon Icon={request.Icon} />
              <span>
                <b className="font-semibold">{request.name}</b>
                <SendTo request={request} />
                <Small className={`whitespace-nowrap ${takesOver.tight}`}>
                  <Copyable what="the transaction ID">{request.transactionid}</Copyable>
                </Small>
              </span>
            </span>
          </Cell>
          <Cell isHead gives="tight">
            <Copyable what="the transaction ID">{request.transactionid}</Copyable>
          </Cell>
          <Cell gives="narrow">
            <Chip look={request.state.look}>{request.state.name}</Chip>
          </Cell>
          <Cell className="py-2.5 text-caption text-2">
            <span className={`mb-1.5 block ${takesOver.narrow}`}>
              <Chip look={request.state.look}>{request.state.name}</Chip>
            </span>
            <Outcome request={request} />
          </Cell>
          <Cell isNumber>
            <b className="font-semibold">{usd(request.amount)}</b>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

export function RequestRows({ requests }: { requests: readonly ListedRequest[] }) {
  return (
    <ul>
      {requests.map((request) => (
        <li
          key={request._id}
          className="grid grid-cols-[36px_minmax(0,1fr)_auto] gap-x-3 border-line px-5 py-3 text-control/5 tabular-nums not-first:border-t"
        >
          <div className="row-span-2">
            <RowIcon Icon={request.Icon} />
          </div>
          <b className="truncate font-label">{request.name}</b>
          <b className="text-right font-semibold">{usd(request.amount)}</b>
          <Small className="col-span-2">
            {shortDayOf(request.requestedat)},{' '}
            <Copyable what="the transaction ID">{request.transactionid}</Copyable>
            <SendTo request={request} />
          </Small>
          <div className="col-span-2 col-start-2 mt-2 grid justify-items-start gap-1.5 text-caption text-2">
            <Chip look={request.state.look}>{request.state.name}</Chip>
            <p>
              <Outcome request={request} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

interface RequestState {
  look: ChipLook;
  name: string;
  /** What became of it, in a sentence. */
  words: string;
}

/** The chip is short; what waits is told in whole beside it. */
function fundingState(request: FundingRequest): RequestState {
  const { look, short, name, words } = depositState(request);
  return { look, name: short, words: request.status === 'pending' ? `${name}. ${words}` : words };
}

const on = (iso: string | null) => (iso ? ` on ${dayOf(iso)}` : '');

function withdrawalState(withdrawal: Withdrawal): RequestState {
  const { status, reason, approvedat, endedat } = withdrawal;
  switch (status) {
    case 'requested':
      return { look: 'waiting', name: 'Requested', words: 'Held from your balance.' };
    case 'approved':
      return { look: 'going', name: 'Approved', words: `Approved${on(approvedat)}. It is paid next.` };
    case 'paid':
      return { look: 'done', name: 'Paid', words: `Paid${on(endedat)}.` };
    case 'rejected':
      return { look: 'refused', name: 'Rejected', words: reason ?? 'The money is back in your balance.' };
    case 'cancelled':
      return {
        look: 'refused',
        name: 'Cancelled',
        words: `Cancelled by you${on(endedat)}. The money is back.`,
      };
  }
}
