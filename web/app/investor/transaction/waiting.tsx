import { type FundingRequest, fetchrequests } from '@tallystick/contract/funding';
import { cancelwithdrawal, fetchwithdrawals, type Withdrawal } from '@tallystick/contract/withdrawal';
import { ArrowDownToLine, ArrowUpFromLine, type LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { dayOf, timeOf } from '../../domain/dates.ts';
import { useLive } from '../../domain/live.ts';
import { usd } from '../../domain/money/amount.ts';
import {
  type CommandFailure,
  isRefused,
  reasonOf,
  useMoneyCommand,
} from '../../domain/money/money-command.ts';
import { shortAddress } from '../../domain/money/short-address.ts';
import { coinText } from '../../domain/prices/coin-text.ts';
import { logFailure } from '../../log.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Copyable } from '../../ui/actions/copy.tsx';
import { ErrorNotice, QuietNotice } from '../../ui/facts/notice.tsx';
import { Spinner } from '../../ui/facts/spinner.tsx';
import { Card, RowIcon } from '../../ui/layout/card.tsx';
import { Failed } from '../../ui/lists/empty.tsx';
import { Small } from '../../ui/lists/table.tsx';
import { toastSuccess } from '../../ui/overlays/toast.tsx';
import { useShowPayment } from '../money/money-modals.tsx';

/** Requests that nobody has decided yet. They are no entries: the record does not know them. */
export function useWaiting() {
  const deposits = useLive(
    fetchrequests,
    { query: { page: '1', status: 'pending' } },
    'Error fetching funding requests:',
  );
  const withdrawals = useLive(
    fetchwithdrawals,
    { query: { page: '1', status: 'open' } },
    'Error fetching withdrawals:',
  );
  const shown = (deposits.data?.request.length ?? 0) + (withdrawals.data?.withdrawal.length ?? 0);
  const total = (deposits.data?.total ?? 0) + (withdrawals.data?.total ?? 0);
  return {
    isPending: deposits.isPending || withdrawals.isPending,
    deposits: deposits.data?.request ?? [],
    withdrawals: withdrawals.data?.withdrawal ?? [],
    more: total - shown,
    hasFailed: (deposits.isError && !deposits.data) || (withdrawals.isError && !withdrawals.data),
    retry: () => {
      deposits.refetch();
      withdrawals.refetch();
    },
  };
}

export function Waiting({ waiting }: { waiting: ReturnType<typeof useWaiting> }) {
  const { deposits, withdrawals, more, hasFailed, retry } = waiting;
  if (hasFailed) return <Failed onRetry={retry}>Your open requests could not be fetched.</Failed>;
  if (deposits.length + withdrawals.length === 0) return null;
  return (
    <Card aria-label="Waiting" className="py-1.5 tabular-nums *:not-first:border-t *:not-first:border-line">
      {deposits.map((request) => (
        <WaitingDeposit key={request._id} request={request} />
      ))}
      {withdrawals.map((withdrawal) => (
        <WaitingWithdrawal key={withdrawal._id} withdrawal={withdrawal} />
      ))}
      {more > 0 && (
        <p className="px-5 py-3 text-caption text-3 tablet:px-6">
          And {more} more, in your list of requests.
        </p>
      )}
    </Card>
  );
}

interface WaitingRowProps {
  Icon: LucideIcon;
  title: string;
  text: string;
  amount: number;
  action?: ReactNode;
  /** Stands under the text. */
  note?: ReactNode;
  /** Opens beneath the row. */
  children?: ReactNode;
}

function WaitingRow({ Icon, title, text, amount, action, note, children }: WaitingRowProps) {
  return (
    <div className="px-5 py-3 tablet:px-6">
      <div className="grid grid-cols-[36px_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 tablet:grid-cols-[36px_minmax(0,1fr)_auto_144px]">
        <RowIcon Icon={Icon} />
        <div>
          <b className="block text-control/5 font-label">{title}</b>
          <Small>{text}</Small>
          {note}
        </div>
        <span className="text-right text-control font-semibold">{usd(amount)}</span>
        <div className="flex justify-end max-tablet:col-span-2 max-tablet:col-start-2 max-tablet:justify-start max-tablet:empty:hidden">
          {action}
        </div>
      </div>
      {children}
    </div>
  );
}

const askedAt = (iso: string) => `Asked ${dayOf(iso)}, ${timeOf(iso)}.`;

const smallButton = 'text-label tablet:min-h-9 tablet:rounded-small tablet:px-3.5';

function WaitingDeposit({ request }: { request: FundingRequest }) {
  const show = useShowPayment();
  return (
    <WaitingRow
      Icon={ArrowDownToLine}
      title={`${request.fundingtype} deposit waiting for confirmation`}
      text={`${askedAt(request.requestedat)} Not in your balance yet.`}
      amount={request.amount}
      action={
        <Button look="soft" className={smallButton} onClick={() => show(request)}>
          Payment details
        </Button>
      }
      note={<HowToPay request={request} />}
    />
  );
}

/** What a wallet asks for, in short: the rest, and the QR code, are a press away. */
function HowToPay({ request }: { request: FundingRequest }) {
  const { coinamount, paymentaddress, network } = request;
  const amount = coinText(request);
  return (
    <p className="mt-1.5 flex flex-wrap items-center gap-x-2 text-label">
      Send{' '}
      {coinamount && amount ? (
        <Copyable isForCopying what="the amount" shown={amount}>
          {coinamount}
        </Copyable>
      ) : (
        usd(request.amount)
      )}{' '}
      to{' '}
      <Copyable isForCopying what="the address" shown={shortAddress(paymentaddress)}>
        {paymentaddress}
      </Copyable>
      {network && <span className="text-caption text-3">{network}</span>}
    </p>
  );
}

function WaitingWithdrawal({ withdrawal }: { withdrawal: Withdrawal }) {
  const [asks, setAsks] = useState(false);
  const asked = useRef(false);
  const button = useRef<HTMLButtonElement>(null);
  // Who keeps the request stands again where they pressed.
  useEffect(() => {
    if (asked.current && !asks) button.current?.focus();
    asked.current = asks;
  }, [asks]);
  const { methodname, status, withdrawalamount, withdrawaladdress, requestedat } = withdrawal;
  const isOpen = status === 'requested';
  return (
    <WaitingRow
      Icon={ArrowUpFromLine}
      title={`${methodname} withdrawal ${isOpen ? 'waiting for approval' : 'approved, to be paid next'}`}
      text={`${askedAt(requestedat)} Held from your balance, to go to ${shortAddress(withdrawaladdress)}.`}
      amount={withdrawalamount}
      action={
        isOpen &&
        !asks && (
          <Button ref={button} className={smallButton} onClick={() => setAsks(true)}>
            Cancel request
          </Button>
        )
      }
    >
      {isOpen && asks && <CancelRequest withdrawal={withdrawal} onKeep={() => setAsks(false)} />}
    </WaitingRow>
  );
}

/** The second step: says what happens, then does it once, however often the button is pressed or the way is cut. */
function CancelRequest({ withdrawal, onKeep }: { withdrawal: Withdrawal; onKeep: () => void }) {
  const { busy, send } = useMoneyCommand(cancelwithdrawal);
  const [failure, setFailure] = useState<CommandFailure | null>(null);
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);

  function cancel() {
    setFailure(null);
    void send(
      { params: { withdrawalid: withdrawal._id } },
      {
        onDone() {
          toastSuccess('Request cancelled', `${usd(withdrawal.withdrawalamount)} is back in your balance.`);
          // The row goes, and the focus with it; the page's beginning is the next best place.
          document.getElementById('main')?.focus({ preventScroll: true });
        },
        onFailed(why) {
          logFailure('Error cancelling a withdrawal:', why);
          setFailure(why);
        },
      },
    );
  }

  return (
    <fieldset className="mt-3 grid gap-3 rounded-code bg-sunken p-4 inset-ring inset-ring-line tablet:ml-13">
      <legend className="sr-only">Cancel request</legend>
      <p className="text-label">
        Cancel this withdrawal? {usd(withdrawal.withdrawalamount)} returns to your balance at once.
      </p>
      {failure && <CancelFailure why={failure} />}
      <div className="flex flex-wrap gap-2.5">
        <Button ref={keep} busy={busy} onClick={onKeep}>
          Keep request
        </Button>
        <Button look="primary" busy={busy} onClick={cancel}>
          {busy && <Spinner />}
          {busy ? 'Cancelling' : 'Cancel request'}
        </Button>
      </div>
    </fieldset>
  );
}

function CancelFailure({ why }: { why: CommandFailure }) {
  if (!isRefused(why)) return <QuietNotice role="alert">{reasonOf(why)}</QuietNotice>;
  return <ErrorNotice title="The request was not cancelled" detail={why.message} />;
}
