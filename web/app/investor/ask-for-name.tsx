import { lazy, Suspense } from 'react';
import { useSession } from '../storage.ts';
import { Card } from '../ui/card.tsx';

/** Next to nobody needs it, so it is no part of what every screen loads. */
const NameCard = lazy(async () => ({ default: (await import('./profile/name-card.tsx')).NameCard }));

/**
 * Whoever took over an account that someone else had signed up for has no name yet. It is asked for on top of every
 * screen until it is given; nothing else has to wait for it.
 */
export function AskForName() {
  const session = useSession();
  if (session?.fullname !== '') return null;
  return (
    <Suspense fallback={<Card aria-busy="true" className="min-h-58 tablet:min-h-46" />}>
      <NameCard email={session.email} />
    </Suspense>
  );
}
