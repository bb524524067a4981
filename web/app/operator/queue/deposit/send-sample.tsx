import { operatorsamplepayment } from '@tallystick/contract/demo';
import type { QueuedDeposit } from '@tallystick/contract/operator/queue';
import { SampleChip } from '../../../domain/page/sample-chip.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { Spinner } from '../../../ui/facts/spinner.tsx';
import { useAct } from '../../forms/act.ts';

/** Sample addresses are a demo's: nobody sends anything there, so the payment itself is a press away. */
export function SendSample({ of }: { of: QueuedDeposit }) {
  const { busy, act } = useAct(operatorsamplepayment);
  if (!of.sample || of.watched || of.first) return null;
  if (of.payment) return <SampleChip className="justify-self-start">Sample payment</SampleChip>;
  const done = `A sample payment for ${of.transactionid} is on its way`;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <Button size="small" busy={busy} onClick={() => act({ params: { id: of._id } }, { done })}>
        {busy && <Spinner />}
        Send a sample payment
      </Button>
      <span className="text-caption text-3">In the investor’s stead. No real money moves.</span>
    </p>
  );
}
