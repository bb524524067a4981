import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { AreaFrame } from '../../domain/page/places.tsx';
import { loginPathFrom } from '../../next-path.ts';
import { hasClosedAccount, hasSessionExpired, useSession } from '../../storage.ts';
import { ButtonLink } from '../../ui/actions/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Toasts } from '../../ui/overlays/toast.tsx';
import { MoneyModals } from '../money/money-modals.tsx';
import { useMemoryOf } from '../offline/memory.ts';
import { OfflineNotice } from '../offline/offline-notice.tsx';
import { useReach } from '../offline/reach.ts';
import { StepUp } from '../stepup/step-up.tsx';
import { BottomNav, SideMenu, TopBar } from './menus.tsx';
import { home } from './sections.ts';
import { WelcomeLine } from './welcome-line.tsx';

/** For whoever puts the site on a home screen; `npm run dev` has no build, and so none of it. */
export const links = () =>
  import.meta.env.PROD
    ? [
        { rel: 'manifest', href: '/manifest.webmanifest' },
        { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
      ]
    : [];

/**
 * Every screen of the investor's area stands behind this guard. It looks at the stored session again whenever that
 * changes, here or in another tab; what the session may see is for the server to say.
 */
export default function InvestorLayout() {
  const session = useSession();
  const { pathname, search } = useLocation();
  const isDashboard = pathname.replace(/\/$/, '') === home.path;
  // What one person was told is never shown to the next who signs in, be it in another tab.
  const queries = useMemoryOf(session?._id ?? '');
  const reach = useReach();
  useWorker();

  if (!session && reach === 'offline') return <SignedOutOffline />;
  if (!session && hasClosedAccount()) return <Navigate to="/accountclosed" replace />;
  if (!session) return <Navigate to={hasSessionExpired() ? loginPathFrom(pathname + search) : '/'} replace />;
  return (
    <QueryClientProvider key={session._id} client={queries}>
      <MoneyModals>
        <AreaFrame top={<TopBar />} side={<SideMenu />} bottom={<BottomNav />}>
          <OfflineNotice isDashboard={isDashboard} />
          {!isDashboard && <WelcomeLine />}
          <AskForName />
          <Outlet />
        </AreaFrame>
      </MoneyModals>
      <StepUp />
      <Toasts />
    </QueryClientProvider>
  );
}

/** What is on the screen comes first: the worker fetches the rest of the app. */
const workerDelayMs = 3_000;

/** Only whoever is signed in gets it. A browser that refuses it has the site as it is without. */
function useWorker(): void {
  useEffect(() => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
    const timer = setTimeout(() => navigator.serviceWorker.register('/sw.js').catch(() => {}), workerDelayMs);
    return () => clearTimeout(timer);
  }, []);
}

/** Where the guard would lead needs the connection: without one, the browser's own page would stand there. */
function SignedOutOffline() {
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

/** Next to nobody needs it, so it is no part of what every screen loads. */
const NameCard = lazy(async () => ({ default: (await import('../profile/name-card.tsx')).NameCard }));

/** Where the name has its field anyway. */
const profilePaths: readonly string[] = ['/profile', '/mobileuserprofile'];

/**
 * Whoever took over an account that someone else had signed up for has no name yet. It is asked for on top of every
 * other screen until it is given; nothing else has to wait for it.
 */
function AskForName() {
  const session = useSession();
  const { pathname } = useLocation();
  if (session?.fullname !== '' || profilePaths.includes(pathname)) return null;
  return (
    <Suspense fallback={<Card aria-busy="true" className="min-h-[278px] tablet:min-h-48" />}>
      <NameCard email={session.email} />
    </Suspense>
  );
}
