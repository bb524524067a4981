import { factors, stepupmail } from '@tallystick/contract/factors';
import { useEffect, useEffectEvent, useState } from 'react';
import { callApi } from '../../api.ts';
import { FormFailure, useSubmission } from '../../domain/forms/submission.tsx';
import { useLive } from '../../domain/live.ts';
import { useSession } from '../../storage.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Spinner } from '../../ui/facts/spinner.tsx';

/** Nothing but the mailbox says who is there as long as no factor is on. The link opens in another tab; this one notices. */
export function ByMail({ onConfirmed }: { onConfirmed: () => void }) {
  const [sentAt, setSentAt] = useState<number | null>(null);
  const email = useSession()?.email;
  const { busy, failure, submit } = useSubmission(
    (refusal) => refusal.message || 'The link could not be sent.',
  );
  const send = () =>
    submit(async () => {
      await callApi(stepupmail, {});
      setSentAt(Date.now());
    });
  const sendFirst = useEffectEvent(send);
  useEffect(() => void sendFirst(), []);

  return (
    <div className="grid gap-4.5">
      <div role="status" className="text-control text-2 empty:absolute">
        {sentAt === null ? (
          busy && (
            <p className="flex items-center gap-2">
              <Spinner /> Sending you a link
            </p>
          )
        ) : (
          // One paragraph, so that it is read out as one.
          <p className="wrap-anywhere">
            <b className="mb-1.5 block font-semibold text-1">We have sent you a link.</b> Open the e-mail to{' '}
            {email} in this browser, follow its link and press the button there. This window then goes on by
            itself: leave it open.
          </p>
        )}
      </div>
      {sentAt !== null && <Noticed sentAt={sentAt} onConfirmed={onConfirmed} />}
      <FormFailure failure={failure} />
      {(sentAt !== null || failure !== null) && (
        <Button className="justify-self-start" busy={busy} onClick={send}>
          {sentAt === null ? 'Try again' : 'Send it again'}
        </Button>
      )}
    </div>
  );
}

/** What was known before the link was sent says nothing about it. */
function Noticed({ sentAt, onConfirmed }: { sentAt: number; onConfirmed: () => void }) {
  const { data, dataUpdatedAt } = useLive(factors, {}, 'Error fetching the second factors:');
  const isConfirmed = dataUpdatedAt > sentAt && Boolean(data?.steppedupuntil);
  const confirm = useEffectEvent(onConfirmed);
  useEffect(() => {
    if (isConfirmed) confirm();
  }, [isConfirmed]);
  return (
    <p className="flex items-center gap-2 text-label text-3">
      <Spinner /> Waiting for the link to be opened
    </p>
  );
}
