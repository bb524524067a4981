import { useRef, useState } from 'react';
import { signOut } from '../domain/sign-out.ts';
import { useSession } from '../storage.ts';
import { Button, ButtonLink } from '../ui/actions/button.tsx';
import { QuietNotice } from '../ui/facts/notice.tsx';

/**
 * Stands above a form for those who are signed in already: who they are here, the way on, and the way to be somebody
 * else. Who it is comes with the scripts, so name and address have one line each from the beginning.
 */
export function AlreadySignedIn() {
  const session = useSession();
  const [hasLeft, setLeft] = useState(false);
  const place = useRef<HTMLDivElement>(null);

  function leave() {
    signOut();
    setLeft(true);
    // The button goes away with the session; whoever pressed it goes on in the form.
    place.current?.parentElement?.querySelector('input')?.focus();
  }

  return (
    <div ref={place}>
      <section
        aria-label="Signed in"
        className="member-only mt-6 rounded-code bg-sunken p-4 inset-ring inset-ring-line"
      >
        <p className="text-label text-2">You are signed in as</p>
        <p className="min-h-6 truncate font-semibold" title={session?.fullname}>
          {session?.fullname}
        </p>
        <p className="min-h-5 truncate text-label text-2" title={session?.email}>
          {session?.email}
        </p>
        <div className="mt-3 flex flex-wrap gap-2.5">
          <ButtonLink to="/dashboard">Dashboard</ButtonLink>
          <Button onClick={leave}>Use another account</Button>
        </div>
      </section>
      {hasLeft && !session && (
        <div className="mt-6">
          <QuietNotice role="status">You are signed out.</QuietNotice>
        </div>
      )}
    </div>
  );
}
