import { unreadnotices } from '@tallystick/contract/notices';
import { Bell, LayoutDashboard, LogOut, UserRound } from 'lucide-react';
import { Link } from 'react-router';
import { useLive } from '../../domain/live.ts';
import { BrandLink } from '../../domain/page/brand-link.tsx';
import { MenuButton } from '../../domain/page/menu-button.tsx';
import {
  BottomPlaces,
  MenuPlaces,
  menuIconClass,
  menuRowClass,
  SidePlaces,
} from '../../domain/page/places.tsx';
import { signOut } from '../../domain/sign-out.ts';
import { ThemeSwitch } from '../../theme.tsx';
import { home, investment, type Section, settings, transaction, useCurrentSection } from './sections.ts';

export function TopBar() {
  const currentOf = useCurrentSection();
  return (
    <header className="sticky top-0 isolate z-15 h-16">
      <div className="flex h-full items-center gap-10 border-b border-line bg-surface pr-3 pl-5 tablet:pr-7 tablet:pl-6">
        <BrandLink to="/dashboard" />
        <nav aria-label="Main" className="flex h-full gap-1 max-tablet:hidden">
          {[home, investment, transaction].map((section) => (
            <Link
              key={section.path}
              to={section.path}
              prefetch="intent"
              aria-current={currentOf(section)}
              className="relative flex items-center px-3.5 text-control font-medium text-2 hover:text-1 aria-[current=page]:font-semibold aria-[current=page]:text-1 aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-3.5 aria-[current=page]:after:-bottom-px aria-[current=page]:after:h-0.5 aria-[current=page]:after:bg-accent-text"
            >
              {section.name}
            </Link>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-1 tablet:gap-1.5">
          <span className="max-tablet:hidden">
            <ThemeSwitch />
          </span>
          <Notices />
          <Link
            to="/profile"
            aria-label="Profile"
            className="grid size-11 place-items-center rounded-full text-accent-text"
          >
            <span className="grid size-9.5 place-items-center rounded-full bg-accent-tint">
              <UserRound className="size-5" strokeWidth={1.75} aria-hidden="true" />
            </span>
          </Link>
          <PhoneMenu />
        </div>
      </div>
    </header>
  );
}

/** Leads to what happened, and says how much of it was not read yet. */
function Notices() {
  const unread = useLive(unreadnotices, {}, 'Error fetching the count of notices:').data?.unread ?? 0;
  const count = unread > 99 ? '99+' : unread;
  return (
    <Link
      to="/notices"
      prefetch="intent"
      aria-label={unread ? `Notices, ${count} unread` : 'Notices'}
      className="relative grid size-11 place-items-center rounded-full text-2 hover:text-1"
    >
      <Bell className="size-5" strokeWidth={1.75} aria-hidden="true" />
      {unread > 0 && (
        <span className="absolute top-0.5 left-5.5 min-w-5 rounded-full bg-accent px-0.5 text-center text-[0.6875rem]/5 font-semibold text-on-accent tabular-nums">
          {count}
        </span>
      )}
    </Link>
  );
}

export function SideMenu() {
  const currentOf = useCurrentSection();
  const dashboard = { ...home, name: 'Dashboard', Icon: LayoutDashboard };
  const places = [dashboard, transaction].map((section) => ({
    ...section,
    to: section.path,
    current: currentOf(section),
  }));
  return <SidePlaces label="Side" places={places} signOut={{ label: 'Logout', onClick: signOut }} />;
}

function usePhonePlaces(shown: readonly Section[]) {
  const currentOf = useCurrentSection();
  return shown.map((section) => ({ ...section, to: section.phonePath, current: currentOf(section) }));
}

function PhoneMenu() {
  const places = usePhonePlaces([home, investment, transaction, settings]);
  return (
    <MenuButton id="investor-menu" sheetClass="top-18 p-2">
      <MenuPlaces places={places} rowClass="h-13" />
      <div className="mt-2 border-t border-line pt-2">
        <button type="button" onClick={signOut} className={`${menuRowClass} h-13`}>
          <LogOut className={menuIconClass} strokeWidth={1.75} aria-hidden="true" />
          Logout
        </button>
      </div>
    </MenuButton>
  );
}

/** The phone's three places, always under the thumb. */
export function BottomNav() {
  const places = usePhonePlaces([home, { ...investment, name: 'Invest' }, transaction]);
  return <BottomPlaces label="Sections" places={places} className="grid-cols-3 px-3" />;
}
