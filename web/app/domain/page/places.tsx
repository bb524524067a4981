import type { LucideIcon } from 'lucide-react';
import { Link } from 'react-router';

/** Where a signed-in area leads on a phone. */
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
