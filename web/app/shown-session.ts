import { useLayoutEffect } from 'react';
import { useSession, useStored } from './storage.ts';

/**
 * Public pages are drawn before any script of theirs runs, and some parts of them are for visitors or for those who
 * are signed in. The inline script in <head> writes `data-session` before the first paint; this keeps it true.
 */
export function useShownSession(): void {
  const isKnown = useStored('userdata') !== undefined;
  const isSignedIn = useSession() !== null;
  useLayoutEffect(() => {
    if (isKnown) document.documentElement.toggleAttribute('data-session', isSignedIn);
  }, [isKnown, isSignedIn]);
}
