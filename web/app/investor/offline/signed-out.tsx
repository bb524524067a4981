import { ButtonLink } from '../../ui/actions/button.tsx';

/** Where the guard would lead needs the connection: without one, the browser's own page would stand there. */
export function SignedOutOffline() {
  return (
    <main id="main" tabIndex={-1} className="wrap grid flex-1 content-center justify-items-center py-18">
      <h1 className="text-center text-panel">You are signed out</h1>
      <p className="mt-2 max-w-[46ch] text-center text-control text-2">
        You are offline, and signing in needs the connection. This page goes on by itself when it is back.
      </p>
      {/* Of being offline only the browser knows, and it may be wrong. */}
      <ButtonLink to="/login" reloadDocument look="secondary" className="mt-5">
        Try to sign in
      </ButtonLink>
    </main>
  );
}
