import { fetchrequests } from '@tallystick/contract/funding';
import { cancelwithdrawal, fetchwithdrawals, type Withdrawal } from '@tallystick/contract/withdrawal';
import { ArrowUpFromLine } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLive } from '../../domain/live.ts';
import { usd } from '../../domain/money/amount.ts';
import {
  type CommandFailure,
  isRefused,
  reasonOf,
  useMoneyCommand,
} from '../../domain/money/money-command.ts';
import { logFailure } from '../../log.ts';
import { Button } from '../../ui/actions/button.tsx';
import { ErrorNotice, QuietNotice } from '../../ui/facts/notice.tsx';
import { Spinner } from '../../ui/facts/spinner.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Failed } from '../../ui/lists/empty.tsx';
import { toastSuccess } from '../../ui/overlays/toast.tsx';
import { payoutText, sentToText } from '../money/payout-text.ts';
import { useMoneyOff } from '../offline/reach.ts';
import { useTellAdded } from './tell-added.ts';
import { WaitingDeposit } from './waiting-deposit.tsx';
import { askedAt, smallButton, WaitingRow } from './waiting-row.tsx';

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
  useTellAdded(deposits.data?.request);
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

interface WaitingProps {
  waiting: ReturnType<typeof useWaiting>;
  className?: string;
}

export function Waiting({ waiting, className = '' }: WaitingProps) {
  const { deposits, withdrawals, more, hasFailed, retry } = waiting;
  if (hasFailed) {
    return (
      <div className={className}>
        <Failed onRetry={retry}>Your open requests could not be fetched.</Failed>
      </div>
    );
  }
  if (deposits.length + withdrawals.length === 0) return null;
  return (
    <Card
      aria-label="Waiting"
      className={`py-1.5 tabular-nums *:not-first:border-t *:not-first:border-line ${className}`}
    >
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

function WaitingWithdrawal({ withdrawal }: { withdrawal: Withdrawal }) {
  const [asks, setAsks] = useState(false);
  const asked = useRef(false);
  const button = useRef<HTMLButtonElement>(null);
  const off = useMoneyOff();
  // Who keeps the request stands again where they pressed.
  useEffect(() => {
    if (asked.current && !asks) button.current?.focus();
    asked.current = asks;
  }, [asks]);
  const { methodname, status, withdrawalamount, payout, requestedat } = withdrawal;
  const isOpen = status === 'requested';
  return (
    <WaitingRow
      Icon={ArrowUpFromLine}
      title={`${methodname} withdrawal ${isOpen ? 'waiting for approval' : 'approved, to be paid next'}`}
      text={`${askedAt(requestedat)} Held from your balance, to go to ${sentToText(withdrawal)}.`}
      amount={usd(withdrawalamount)}
      note={payout && <p className="mt-1.5 text-label">{`To be sent: ${payoutText(payout)}.`}</p>}
      action={
        isOpen &&
        !asks && (
          <Button ref={button} className={smallButton} {...off} onClick={() => setAsks(true)}>
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
  const off = useMoneyOff();
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
        <Button look="primary" busy={busy} {...off} onClick={cancel}>
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
