import { LogOut, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** Where a signed-in area leads. */
export interface Place {
  name: string;
  to: string;
  Icon: LucideIcon;
  /** Whether it is on the screen. */
  current: 'page' | undefined;
}

export const menuRowClass = 'flex w-full items-center gap-3.5 rounded-control px-3 text-large font-medium';
export const menuIconClass = 'size-5 text-3 group-aria-[current=page]:text-accent-text';

/** The rows of a phone's menu. */
export function MenuPlaces({ places, rowClass }: { places: readonly Place[]; rowClass: string }) {
  return (
    <nav aria-label="Menu">
      <ul>
        {places.map(({ name, to, Icon, current }) => (
          <li key={to}>
            <Link
              to={to}
              aria-current={current}
              className={`group ${menuRowClass} ${rowClass} aria-[current=page]:bg-accent-tint aria-[current=page]:font-semibold aria-[current=page]:text-accent-text`}
            >
              <Icon className={menuIconClass} strokeWidth={1.75} aria-hidden="true" />
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const sideItemClass =
  'grid justify-items-center gap-[5px] rounded-large pt-[11px] pb-[9px] text-[0.75rem]/4 font-label text-3 hover:text-1 aria-[current=page]:bg-accent-tint aria-[current=page]:text-accent-text';

interface SidePlacesProps {
  label: string;
  places: readonly Place[];
  signOut: { label: string; busy?: boolean; onClick: () => void };
}

/** At the side of a wide screen. */
export function SidePlaces({ label, places, signOut }: SidePlacesProps) {
  return (
    <aside className="w-24 shrink-0 border-r border-line bg-surface max-tablet:hidden">
      {/* In a demo the ribbon stands above the bar and takes its own height. On a low screen the places scroll. */}
      <div className="sticky top-16 flex h-[calc(100dvh-64px)] flex-col overflow-y-auto px-2.5 py-4 [html[data-mode=demo]_&]:h-[calc(100dvh-100px)]">
        <nav aria-label={label} className="grid gap-1">
          {places.map(({ name, to, Icon, current }) => (
            <Link key={to} to={to} prefetch="intent" aria-current={current} className={sideItemClass}>
              <Icon className="size-5" strokeWidth={1.75} aria-hidden="true" />
              {name}
            </Link>
          ))}
        </nav>
        <div className="mt-auto pt-4">
          <button
            type="button"
            disabled={signOut.busy}
            onClick={signOut.onClick}
            className={`w-full ${sideItemClass}`}
          >
            <LogOut className="size-5" strokeWidth={1.75} aria-hidden="true" />
            {signOut.label}
          </button>
        </div>
      </div>
    </aside>
  );
}

interface BottomPlacesProps {
  label: string;
  places: readonly Place[];
  /** As many columns as places. */
  className: string;
}

/** The few places that are always under the thumb. */
export function BottomPlaces({ label, places, className }: BottomPlacesProps) {
  return (
    <nav
      aria-label={label}
      className={`fixed inset-x-0 bottom-0 z-10 grid h-[calc(64px+env(safe-area-inset-bottom))] border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] tablet:hidden ${className}`}
    >
      {places.map(({ name, to, Icon, current }) => (
        <Link
          key={to}
          to={to}
          aria-current={current}
          className="relative grid content-center justify-items-center gap-[3px] text-[0.75rem]/4 font-label text-3 aria-[current=page]:font-brand aria-[current=page]:text-accent-text aria-[current=page]:before:absolute aria-[current=page]:before:-top-px aria-[current=page]:before:h-0.5 aria-[current=page]:before:w-10 aria-[current=page]:before:bg-accent-text"
        >
          <Icon className="size-5" strokeWidth={1.75} aria-hidden="true" />
          {name}
        </Link>
      ))}
    </nav>
  );
}

interface AreaFrameProps {
  top: ReactNode;
  side: ReactNode;
  bottom: ReactNode;
  children: ReactNode;
}

/** A signed-in area: what is always there, around the screen. */
export function AreaFrame({ top, side, bottom, children }: AreaFrameProps) {
  return (
    <div className="flex flex-1 flex-col bg-canvas">
      {top}
      <div className="flex flex-1">
        {side}
        {/* What the keyboard reaches on a small screen comes to stand above the bar, not behind it. */}
        <main
          id="main"
          tabIndex={-1}
          className="max-tablet:[&_:is(a,button,input,select,summary)]:scroll-mb-24 min-w-0 flex-1 px-4 pt-4 pb-[calc(88px+env(safe-area-inset-bottom))] tablet:px-6 tablet:pt-7 tablet:pb-12 desktop:px-10"
        >
          <div className="mx-auto grid max-w-[1240px] grid-cols-[minmax(0,1fr)] gap-3.5 tablet:gap-5">
            {children}
          </div>
        </main>
      </div>
      {bottom}
    </div>
  );
}
