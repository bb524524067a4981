import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { AreaFrame } from '../../domain/page/places.tsx';
import { Spinner } from '../../ui/facts/spinner.tsx';
import Dashboard from '../dashboard/page.tsx';
import { BottomNav, SideMenu, TopBar } from './menus.tsx';
import { WelcomeLine } from './welcome-line.tsx';

/**
 * The area as it stands before anything is known: the build draws it into the page, and `native/ahead.ts` shows it to
 * whoever is signed in until the app has come and draws the same. No part of the app's own files.
 */
export default function FrameAhead() {
  return (
    <QueryClientProvider client={new QueryClient()}>
      <AreaFrame top={<TopBar />} side={<SideMenu />} bottom={<BottomNav />}>
        <div data-ahead-of="dashboard" className="contents">
          <Dashboard />
        </div>
        <div data-ahead-of="others" className="contents">
          <WelcomeLine />
          <p className="flex animate-late items-center justify-center gap-2 py-18 text-control text-3">
            <Spinner /> Loading
          </p>
        </div>
      </AreaFrame>
    </QueryClientProvider>
  );
}
