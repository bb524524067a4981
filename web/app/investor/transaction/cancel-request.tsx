import { cancelwithdrawal, type Withdrawal } from '@tallystick/contract/withdrawal';
import { useEffect, useRef, useState } from 'react';
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
import { toastSuccess } from '../../ui/overlays/toast.tsx';

interface CancelRequestProps {
  withdrawal: Withdrawal;
  onKeep: () => void;
}

/** The second step: says what happens, then does it once, however often the button is pressed or the way is cut. */
export function CancelRequest({ withdrawal, onKeep }: CancelRequestProps) {
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
        <Button ref={keep} disabled={busy} onClick={onKeep}>
          Keep request
        </Button>
        <Button look="primary" disabled={busy} onClick={cancel}>
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
