import { Link } from 'react-router';
import { home, investment, transaction, useCurrentSection } from './sections.ts';

/** The phone's three places, always under the thumb. */
export function BottomNav() {
  const currentOf = useCurrentSection();
  return (
    <nav
      aria-label="Sections"
      className="fixed inset-x-0 bottom-0 z-10 grid h-[calc(64px+env(safe-area-inset-bottom))] grid-cols-3 border-t border-line bg-surface px-3 pb-[env(safe-area-inset-bottom)] tablet:hidden"
    >
      {[home, { ...investment, name: 'Invest' }, transaction].map((section) => (
        <Link
          key={section.path}
          to={section.phonePath}
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
