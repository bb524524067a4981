import { lazy, Suspense } from 'react';
import { useLocation } from 'react-router';
import { useSession } from '../storage.ts';
import { Card } from '../ui/layout/card.tsx';

/** Next to nobody needs it, so it is no part of what every screen loads. */
const NameCard = lazy(async () => ({ default: (await import('./profile/name-card.tsx')).NameCard }));

/** Where the name has its field anyway. */
const profilePaths: readonly string[] = ['/profile', '/mobileuserprofile'];

/**
 * Whoever took over an account that someone else had signed up for has no name yet. It is asked for on top of every
 * other screen until it is given; nothing else has to wait for it.
 */
export function AskForName() {
  const session = useSession();
  const { pathname } = useLocation();
  if (session?.fullname !== '' || profilePaths.includes(pathname)) return null;
  return (
    <Suspense fallback={<Card aria-busy="true" className="min-h-[278px] tablet:min-h-48" />}>
      <NameCard email={session.email} />
    </Suspense>
  );
}
