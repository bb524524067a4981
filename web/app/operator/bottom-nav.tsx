import { Link } from 'react-router';
import { sections, useCurrentSection } from './frame/sections.ts';

/** The phone's four places that are needed most; the menu in the bar has all eight. */
export function BottomNav() {
  const currentOf = useCurrentSection();
  return (
    <nav
      aria-label="Console, main places"
      className="fixed inset-x-0 bottom-0 z-10 grid h-[calc(64px+env(safe-area-inset-bottom))] grid-cols-4 border-t border-line bg-surface px-2 pb-[env(safe-area-inset-bottom)] tablet:hidden"
    >
      {sections
        .filter(({ isMain }) => isMain)
        .map((section) => (
          <Link
            key={section.path}
            to={section.path}
            aria-current={currentOf(section)}
            className="relative grid content-center justify-items-center gap-[3px] text-[0.75rem]/4 font-label text-3 aria-[current=page]:font-brand aria-[current=page]:text-accent-text aria-[current=page]:before:absolute aria-[current=page]:before:-top-px aria-[current=page]:before:h-0.5 aria-[current=page]:before:w-10 aria-[current=page]:before:bg-accent-text"
          >
            <section.Icon className="size-5" strokeWidth={1.75} aria-hidden="true" />
            {section.name}
          </Link>
        ))}
    </nav>
  );
}
