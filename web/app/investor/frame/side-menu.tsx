import { ArrowLeftRight, LayoutDashboard, LogOut } from 'lucide-react';
import { Link } from 'react-router';
import { signOut } from '../../domain/sign-out.ts';
import { home, transaction, useCurrentSection } from './sections.ts';

const itemClass =
  'grid justify-items-center gap-[5px] rounded-large pt-[11px] pb-[9px] text-[0.75rem]/4 font-label text-3 hover:text-1 aria-[current=page]:bg-accent-tint aria-[current=page]:text-accent-text';

export function SideMenu() {
  const currentOf = useCurrentSection();
  return (
    <aside className="w-24 shrink-0 border-r border-line bg-surface max-tablet:hidden">
      {/* In a demo the ribbon stands above the bar and takes its own height. */}
      <div className="sticky top-16 flex h-[calc(100dvh-64px)] flex-col px-2.5 py-4 [html[data-mode=demo]_&]:h-[calc(100dvh-100px)]">
        <nav aria-label="Side" className="grid gap-1">
          <Link to={home.path} prefetch="intent" aria-current={currentOf(home)} className={itemClass}>
            <LayoutDashboard className="size-5" strokeWidth={1.75} aria-hidden="true" />
            Dashboard
          </Link>
          <Link
            to={transaction.path}
            prefetch="intent"
            aria-current={currentOf(transaction)}
            className={itemClass}
          >
            <ArrowLeftRight className="size-5" strokeWidth={1.75} aria-hidden="true" />
            Transaction
          </Link>
        </nav>
        <button type="button" onClick={signOut} className={`mt-auto w-full ${itemClass}`}>
          <LogOut className="size-5" strokeWidth={1.75} aria-hidden="true" />
          Logout
        </button>
      </div>
    </aside>
  );
}
