import { stepUpMinutes, stepuplink } from '@tallystick/contract/factors';
import { useState } from 'react';
import { callApi } from '../../api.ts';
import { FormFailure, useSubmission } from '../../domain/forms/submission.tsx';
import { useMailToken } from '../../domain/mail-token.ts';
import { Button } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { takeFocus } from '../../ui/forms/first-focus.ts';
import { Card, CardTitle } from '../../ui/layout/card.tsx';
import { useReread } from './act.ts';

/** The link of the letter leads here. One button, because mail programs open links by themselves. */
export function MailedLink() {
  const token = useMailToken('stepup');
  const reread = useReread();
  /** The one that was followed; a newer one is asked about anew. */
  const [followed, setFollowed] = useState<string | null>(null);
  /** One that can be pressed as often as one likes and does nothing. */
  const [dead, setDead] = useState<string | null>(null);
  const { busy, failure, submit } = useSubmission((refusal) => {
    if (refusal.code !== 'link_wrong' && refusal.code !== 'invalid_request') return refusal.message;
    setDead(token ?? null);
    return null;
  });
  if (!token) return null;
  if (dead === token)
    return (
      <div ref={takeFocus} tabIndex={-1} className="outline-none">
        <QuietNotice role="alert">
          <b className="font-semibold text-1">This link no longer works,</b> or was asked for elsewhere. Where
          you were asked to confirm that it is you, have another one sent.
        </QuietNotice>
      </div>
    );
  if (followed === token)
    return (
      <div ref={takeFocus} tabIndex={-1} className="outline-none">
        <QuietNotice role="status">
          It is confirmed that it is you, for {stepUpMinutes} minutes. Where you were asked, it goes on by
          itself; you may close this window.
        </QuietNotice>
      </div>
    );
  const follow = () =>
    submit(async () => {
      await callApi(stepuplink, { body: { token } });
      setFollowed(token);
      await reread();
    });
  return (
    <Card aria-label="Confirm that it is you" className="grid gap-3.5 p-5 tablet:p-7">
      <div>
        <CardTitle>Confirm that it is you</CardTitle>
        <p className="mt-1 text-label text-2">
          You followed the link of our e-mail. Press only if you asked for it yourself a moment ago.
        </p>
      </div>
      <FormFailure failure={failure} />
      <Button look="primary" className="justify-self-start" busy={busy} onClick={follow}>
        Yes, it is me
      </Button>
    </Card>
  );
}
