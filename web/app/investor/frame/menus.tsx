import { ArrowLeftRight, LayoutDashboard, LogOut, Menu, UserRound, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { BrandLink } from '../../domain/page/brand-link.tsx';
import { signOut } from '../../domain/sign-out.ts';
import { ThemeSwitch } from '../../theme.tsx';
import { home, investment, settings, transaction, useCurrentSection } from './sections.ts';

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

/** Starts closed; each press of the button flips it. Esc, the scrim and a chosen link close it. */
export function PhoneMenu() {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { key } = useLocation();
  const Icon = open ? X : Menu;

  // biome-ignore lint/correctness/useExhaustiveDependencies: every new location closes the menu
  useEffect(() => setOpen(false), [key]);

  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open]);

  return (
    <div className="tablet:hidden">
      <button
        ref={button}
        type="button"
        aria-label="Menu"
        aria-expanded={open}
        aria-controls="investor-menu"
        onClick={() => setOpen(!open)}
        className="grid size-11 place-items-center rounded-control"
      >
        <Icon className="size-5" strokeWidth={1.75} aria-hidden="true" />
      </button>
      {open && (
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the keyboard has Esc and the button
        <div onClick={() => setOpen(false)} className="fixed inset-0 -z-10 bg-scrim" />
      )}
      <div id="investor-menu" hidden={!open}>
        <MenuSheet />
      </div>
    </div>
  );
}

const rowClass = 'flex h-13 w-full items-center gap-3.5 rounded-control px-3 text-large font-medium';

const iconClass = 'size-5 text-3 group-aria-[current=page]:text-accent-text';

function MenuSheet() {
  const currentOf = useCurrentSection();
  return (
    <div className="absolute inset-x-3 top-18 animate-menu rounded-card bg-surface p-2 shadow-3">
      <nav aria-label="Menu">
        <ul>
          {[home, investment, transaction, settings].map((section) => (
            <li key={section.path}>
              <Link
                to={section.phonePath}
                aria-current={currentOf(section)}
                className={`group ${rowClass} aria-[current=page]:bg-accent-tint aria-[current=page]:font-semibold aria-[current=page]:text-accent-text`}
              >
                <section.Icon className={iconClass} strokeWidth={1.75} aria-hidden="true" />
                {section.name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="mt-2 border-t border-line pt-2">
        <button type="button" onClick={signOut} className={rowClass}>
          <LogOut className={iconClass} strokeWidth={1.75} aria-hidden="true" />
          Logout
        </button>
      </div>
    </div>
  );
}

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
