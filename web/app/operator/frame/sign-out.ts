import { signout } from '@tallystick/contract/operator/session';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { callApi, isSessionOver } from '../../api.ts';
import { failureDetail } from '../../domain/forms/submission.tsx';
import { logFailure } from '../../log.ts';
import { consoleLoginPath } from '../../next-path.ts';
import { toastFailure } from '../../ui/overlays/toast.tsx';

/** Only the server can take the cookie away, so whoever logs out is told when it could not. */
export function useSignOut() {
  const [busy, setBusy] = useState(false);
  const navigate = useNavigate();

  async function signOut() {
    if (busy) return;
    setBusy(true);
    try {
      await endOnServer();
      await navigate(consoleLoginPath);
    } catch (error) {
      logFailure('The server did not confirm the sign-out:', error);
      toastFailure('You are still signed in', failureDetail(error));
      setBusy(false);
    }
  }

  return { busy, signOut };
}

async function endOnServer(): Promise<void> {
  try {
    await callApi(signout, {}, { leaving: true });
  } catch (error) {
    // A session that was over already is what was wanted.
    if (!isSessionOver(error)) throw error;
  }
}
