import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { loginPathFrom } from '../next-path.ts';
import { hasSessionExpired, useSession } from '../storage.ts';
import { Toasts } from '../ui/toast.tsx';
import { TopBar } from './top-bar.tsx';

/**
 * Every screen of the investor's area stands behind this guard. It looks at the stored session again whenever that
 * changes, here or in another tab; what the session may see is for the server to say.
 */
export default function InvestorLayout() {
  const session = useSession();
  const { pathname, search } = useLocation();
  const [queries] = useState(() => new QueryClient());

  if (!session) return <Navigate to={hasSessionExpired() ? loginPathFrom(pathname + search) : '/'} replace />;
  return (
    <QueryClientProvider client={queries}>
      <div className="flex flex-1 flex-col bg-canvas">
        <TopBar fullname={session.fullname} />
        <main id="main" tabIndex={-1} className="flex-1 p-4 tablet:px-6 tablet:py-7 desktop:px-10">
          <div className="mx-auto grid max-w-[1240px] gap-3.5 tablet:gap-5">
            <Outlet />
          </div>
        </main>
      </div>
      <Toasts />
    </QueryClientProvider>
  );
}
