import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { loginPathFrom } from '../next-path.ts';
import { hasSessionExpired, useSession } from '../storage.ts';
import { Toasts } from '../ui/overlays/toast.tsx';
import { AskForName } from './ask-for-name.tsx';
import { BottomNav } from './bottom-nav.tsx';
import { MoneyModals } from './money-modals.tsx';
import { home } from './sections.ts';
import { SideMenu } from './side-menu.tsx';
import { TopBar } from './top-bar.tsx';
import { WelcomeLine } from './welcome-line.tsx';

/**
 * Every screen of the investor's area stands behind this guard. It looks at the stored session again whenever that
 * changes, here or in another tab; what the session may see is for the server to say.
 */
export default function InvestorLayout() {
  const session = useSession();
  const { pathname, search } = useLocation();
  const isDashboard = pathname.replace(/\/$/, '') === home.path;
  // What one person was told is never shown to the next who signs in, be it in another tab.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new person needs a new memory
  const queries = useMemo(() => new QueryClient(), [session?._id]);

  if (!session) return <Navigate to={hasSessionExpired() ? loginPathFrom(pathname + search) : '/'} replace />;
  return (
    <QueryClientProvider client={queries}>
      <MoneyModals key={session._id}>
        <div className="flex flex-1 flex-col bg-canvas">
          <TopBar />
          <div className="flex flex-1">
            <SideMenu />
            <main
              id="main"
              tabIndex={-1}
              className="min-w-0 flex-1 px-4 pt-4 pb-[calc(88px+env(safe-area-inset-bottom))] tablet:px-6 tablet:pt-7 tablet:pb-12 desktop:px-10"
            >
              <div className="mx-auto grid max-w-[1240px] grid-cols-[minmax(0,1fr)] gap-3.5 tablet:gap-5">
                {!isDashboard && <WelcomeLine />}
                <AskForName />
                <Outlet />
              </div>
            </main>
          </div>
          <BottomNav />
        </div>
      </MoneyModals>
      <Toasts />
    </QueryClientProvider>
  );
}
