import { passkeysignin, passkeysigninoptions } from '@tallystick/contract/factors';
import type { Session } from '@tallystick/contract/users';
import { Fingerprint } from 'lucide-react';
import { callApi } from '../../api.ts';
import { showPasskey } from '../../domain/factors/passkeys.ts';
import { FormFailure, useSubmission } from '../../domain/forms/submission.tsx';
import { Button } from '../../ui/actions/button.tsx';

/** Beside the password, where the browser can: a passkey says who it belongs to, so nothing has to be typed. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: (session: Session) => Promise<void> }) {
  const { busy, failure, submit } = useSubmission(
    (refusal) => refusal.message || 'The passkey was not accepted.',
  );
  const signIn = () =>
    submit(async () => {
      const passkey = await showPasskey(await callApi(passkeysigninoptions, {}));
      await onSignedIn(await callApi(passkeysignin, { body: { passkey } }));
    });
  return (
    <div className="passkey-only -mt-1.5 grid gap-[18px]">
      <Button size="large" className="w-full" busy={busy} onClick={signIn}>
        <Fingerprint className="size-5" strokeWidth={1.75} aria-hidden="true" />
        {busy ? 'Waiting for your device' : 'Sign in with a passkey'}
      </Button>
      <FormFailure failure={failure} />
    </div>
  );
}
