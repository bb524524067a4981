import { me } from '@tallystick/contract/operator/session';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { onConsoleEnded } from '../../api.ts';
import { useLive } from '../../domain/live.ts';
import { AreaFrame } from '../../domain/page/places.tsx';
import { loginPathFrom } from '../../next-path.ts';
import { Spinner } from '../../ui/facts/spinner.tsx';
import { Failed } from '../../ui/lists/empty.tsx';
import { Toasts } from '../../ui/overlays/toast.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ConsoleBrand } from './console-brand.tsx';
import { BottomNav, PhoneMenu, SideMenu } from './menus.tsx';
import { type Who, WhoContext } from './who.ts';

/** Every screen of the console but its sign-in page stands behind this guard. */
export default function OperatorLayout() {
  const [queries] = useState(() => new QueryClient());
  return (
    <QueryClientProvider client={queries}>
      <Guard />
      <Toasts />
    </QueryClientProvider>
  );
}

/** The server says who is signed in, and with any answer that nobody is any more. */
function Guard() {
  const [hasEnded, setEnded] = useState(false);
  const { pathname, search } = useLocation();
  useEffect(() => onConsoleEnded(() => setEnded(true)), []);
  const { data: who, isError, refetch } = useLive(me, {}, 'Error fetching the operator:');

  if (hasEnded)
    return <Navigate to={loginPathFrom(pathname + search)} state={{ hasEnded: who !== undefined }} replace />;
  if (who) return <Console who={who} />;
  return (
    <main id="main" tabIndex={-1} className="grid flex-1 place-items-center bg-canvas p-5">
      {isError ? (
        <Failed onRetry={() => void refetch()}>The console could not be reached.</Failed>
      ) : (
        <p className="flex animate-late items-center gap-2 text-control text-3">
          <Spinner /> Loading
        </p>
      )}
    </main>
  );
}

function Console({ who }: { who: Who }) {
  // What one operator was told is never shown to the next, who may have signed in in another tab.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new person needs a new memory
  const queries = useMemo(() => new QueryClient(), [who.operator._id]);
  return (
    <WhoContext value={who}>
      <QueryClientProvider client={queries}>
        <AreaFrame key={who.operator._id} top={<TopBar />} side={<SideMenu />} bottom={<BottomNav />}>
          <Outlet />
        </AreaFrame>
      </QueryClientProvider>
    </WhoContext>
  );
}

function TopBar() {
  return (
    <header className="on-ink sticky top-0 isolate z-15 h-16">
      <div className="flex h-full items-center justify-between gap-3 bg-ink pr-2 pl-5 text-on-ink tablet:pr-6 tablet:pl-6">
        <ConsoleBrand to="/operator" />
        <AccountMenu />
        <PhoneMenu />
      </div>
    </header>
  );
}
