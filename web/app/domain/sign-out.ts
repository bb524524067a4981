import { signout } from '@tallystick/contract/users';
import { callApi } from '../api.ts';
import { logFailure } from '../log.ts';
import { endSession } from '../storage.ts';

/**
 * Leaves at once and tells the server on the way: whoever signs out must not wait for an answer, nor be kept in
 * because none came. The guard then leads to the public site.
 */
export function signOut(): void {
  callApi(signout, {}, { leaving: true }).catch((error) =>
    logFailure('The server did not confirm the sign-out:', error),
  );
  endSession('signed out');
}
