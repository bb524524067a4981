import { me } from '@tallystick/contract/operator/session';
import type { OperatorPath } from '@tallystick/contract/site';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  BookOpen,
  ClipboardCheck,
  Layers,
  ListChecks,
  Mail,
  ScrollText,
  Send,
  UsersRound,
  WalletCards,
} from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { onConsoleEnded } from '../../api.ts';
import { useLive } from '../../domain/live.ts';
import { MenuButton } from '../../domain/page/menu-button.tsx';
import { AreaFrame, BottomPlaces, MenuPlaces, SidePlaces } from '../../domain/page/places.tsx';
import { loginPathFrom } from '../../next-path.ts';
import { Spinner } from '../../ui/facts/spinner.tsx';
import { Failed } from '../../ui/lists/empty.tsx';
import { Toasts } from '../../ui/overlays/toast.tsx';
import { AccountActions, AccountDetails, AccountMenu } from './account-menu.tsx';
import { ConsoleBrand } from './console-brand.tsx';
import { useSignOut } from './sign-out.ts';
import { useWho, type Who, WhoContext } from './who.ts';

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

function usePlaces(shown: readonly Section[]) {
  const currentOf = useCurrentSection();
  return shown.map((section) => ({ ...section, to: section.path, current: currentOf(section) }));
}

function SideMenu() {
  const places = usePlaces(sections);
  const { busy, signOut } = useSignOut();
  return (
    <SidePlaces label="Console" places={places} signOut={{ label: 'Log out', busy, onClick: signOut }} />
  );
}

function PhoneMenu() {
  const places = usePlaces(sections);
  const who = useWho();
  return (
    <MenuButton
      id="console-menu"
      className="text-on-ink"
      sheetClass="top-18 p-2 text-1 [&_:focus-visible]:outline-accent-text"
    >
      <MenuPlaces places={places} rowClass="h-11" />
      <div className="mt-2 border-t border-line pt-2">
        <AccountDetails who={who} />
        <AccountActions />
      </div>
    </MenuButton>
  );
}

/** The four places that are needed most; the menu in the bar has all nine. */
function BottomNav() {
  const places = usePlaces(sections.filter(({ isMain }) => isMain));
  return <BottomPlaces label="Console, main places" places={places} className="grid-cols-4 px-2" />;
}

interface Section {
  name: string;
  path: OperatorPath;
  Icon: typeof Mail;
  /** Under the thumb on a phone; the others are behind its menu button. */
  isMain?: boolean;
}

const sections: readonly Section[] = [
  { name: 'Queue', path: '/operator', Icon: ListChecks, isMain: true },
  { name: 'Payouts', path: '/operator/payouts', Icon: Send },
  { name: 'Investors', path: '/operator/investors', Icon: UsersRound, isMain: true },
  { name: 'Plans', path: '/operator/plans', Icon: Layers, isMain: true },
  { name: 'Methods', path: '/operator/methods', Icon: WalletCards },
  { name: 'Books', path: '/operator/books', Icon: BookOpen, isMain: true },
  { name: 'Audit', path: '/operator/audit', Icon: ScrollText },
  { name: 'Messages', path: '/operator/messages', Icon: Mail },
  { name: 'Checklist', path: '/operator/checklist', Icon: ClipboardCheck },
];

/** A single investor belongs to the investors; only the queue, whose address begins all others, must match whole. */
function useCurrentSection(): (section: Section) => 'page' | undefined {
  const { pathname } = useLocation();
  return ({ path }) =>
    pathname === path || (path !== '/operator' && pathname.startsWith(`${path}/`)) ? 'page' : undefined;
}
