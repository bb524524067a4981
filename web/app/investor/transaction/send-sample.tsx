import { sendsamplepayment } from '@tallystick/contract/demo';
import type { FundingRequest } from '@tallystick/contract/funding';
import { isSessionOver } from '../../api.ts';
import { reasonOf, useMoneyCommand } from '../../domain/money/money-command.ts';
import { logFailure } from '../../log.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Spinner } from '../../ui/facts/spinner.tsx';
import { toastFailure, toastSuccess } from '../../ui/overlays/toast.tsx';

/** Sample addresses are a demo's: nobody sends anything there, so the payment itself is a press away. */
export function SendSample({ request }: { request: FundingRequest }) {
  const { busy, send } = useMoneyCommand(sendsamplepayment);
  if (!request.sample || request.watched) return null;

  function pay() {
    void send(
      { params: { id: request._id } },
      {
        onDone() {
          toastSuccess('Sample payment sent', 'It is confirmed within seconds, and then added.');
          // The button goes, and the focus with it; the page's beginning is the next best place.
          document.getElementById('main')?.focus({ preventScroll: true });
        },
        onFailed(why) {
          if (isSessionOver(why)) return;
          logFailure('Error sending a sample payment:', why);
          toastFailure('The sample payment was not sent', reasonOf(why));
        },
      },
    );
  }

  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <Button size="small" busy={busy} onClick={pay}>
        {busy && <Spinner />}
        Send a sample payment
      </Button>
      <span className="text-caption text-3">No real money moves.</span>
    </p>
  );
}
