import type { OperatorPath } from '@tallystick/contract/site';
import {
  BookOpen,
  ClipboardCheck,
  Layers,
  ListChecks,
  Mail,
  ScrollText,
  UsersRound,
  WalletCards,
} from 'lucide-react';
import { useLocation } from 'react-router';
import { MenuButton } from '../../domain/page/menu-button.tsx';
import { BottomPlaces, MenuPlaces, SidePlaces } from '../../domain/page/places.tsx';
import { AccountActions, AccountDetails } from './account-menu.tsx';
import { useSignOut } from './sign-out.ts';
import { useWho } from './who.ts';

function usePlaces(shown: readonly Section[]) {
  const currentOf = useCurrentSection();
  return shown.map((section) => ({ ...section, to: section.path, current: currentOf(section) }));
}

export function SideMenu() {
  const places = usePlaces(sections);
  const { busy, signOut } = useSignOut();
  return (
    <SidePlaces label="Console" places={places} signOut={{ label: 'Log out', busy, onClick: signOut }} />
  );
}

export function PhoneMenu() {
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

/** The four places that are needed most; the menu in the bar has all eight. */
export function BottomNav() {
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
