import { LogOut } from 'lucide-react';
import { Link } from 'react-router';
import { sections, useCurrentSection } from './sections.ts';
import { useSignOut } from './sign-out.ts';

const itemClass =
  'grid justify-items-center gap-[5px] rounded-large pt-[11px] pb-[9px] text-[0.75rem]/4 font-label text-3 hover:text-1 aria-[current=page]:bg-accent-tint aria-[current=page]:text-accent-text';

export function SideMenu() {
  const currentOf = useCurrentSection();
  const { busy, signOut } = useSignOut();
  return (
    <aside className="w-24 shrink-0 border-r border-line bg-surface max-tablet:hidden">
      {/* In a demo the ribbon stands above the bar and takes its own height. On a low screen the eight places scroll. */}
      <div className="sticky top-16 flex h-[calc(100dvh-64px)] flex-col overflow-y-auto px-2.5 py-4 [html[data-mode=demo]_&]:h-[calc(100dvh-100px)]">
        <nav aria-label="Console" className="grid gap-1">
          {sections.map((section) => (
            <Link
              key={section.path}
              to={section.path}
              prefetch="intent"
              aria-current={currentOf(section)}
              className={itemClass}
            >
              <section.Icon className="size-5" strokeWidth={1.75} aria-hidden="true" />
              {section.name}
            </Link>
          ))}
        </nav>
        <div className="mt-auto pt-4">
          <button type="button" disabled={busy} onClick={signOut} className={`w-full ${itemClass}`}>
            <LogOut className="size-5" strokeWidth={1.75} aria-hidden="true" />
            Log out
          </button>
        </div>
      </div>
    </aside>
  );
}
