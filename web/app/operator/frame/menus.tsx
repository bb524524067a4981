import { MenuButton } from '../../domain/page/menu-button.tsx';
import { BottomPlaces, MenuPlaces, SidePlaces } from '../../domain/page/places.tsx';
import { AccountActions, AccountDetails } from './account-menu.tsx';
import { type Section, sections, useCurrentSection } from './sections.ts';
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
