import { ChevronRight, Menu, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { BrandLink } from '../domain/page/brand-link.tsx';
import { ButtonLink } from '../ui/actions/button.tsx';

const pages = [
  { to: '/', name: 'Home' },
  { to: '/aboutus', name: 'About Us' },
  { to: '/contactus', name: 'Contact Us' },
  { to: '/privacy', name: 'Privacy Policy' },
];

/** With or without a slash at the end, which is how pages are built and how some links are written. */
function useIsCurrent(): (to: string) => boolean {
  const { pathname } = useLocation();
  return (to) => to === (pathname.replace(/\/$/, '') || '/');
}

export function SiteHeader() {
  const isCurrent = useIsCurrent();
  return (
    <header className="relative isolate z-10 h-20">
      <div className="h-full bg-bg">
        <div className="wrap grid h-full grid-cols-[1fr_auto] items-center tablet:grid-cols-[1fr_auto_1fr] tablet:gap-3">
          <BrandLink to="/" />
          <nav aria-label="Main" className="flex desktop:gap-1.5 max-tablet:hidden">
            {pages.map(({ to, name }) => (
              <Link
                key={to}
                to={to}
                aria-current={isCurrent(to) ? 'page' : undefined}
                className="flex h-11 items-center rounded-small px-2 text-control font-medium text-2 hover:bg-sunken hover:text-1 desktop:px-3.5 aria-[current=page]:font-semibold aria-[current=page]:text-1"
              >
                {name}
              </Link>
            ))}
          </nav>
          <div className="flex justify-end gap-1.5 max-tablet:hidden">
            <ButtonLink to="/login" look="quiet" className="visitor-only">
              Log In
            </ButtonLink>
            <ButtonLink to="/signup" className="visitor-only">
              Sign Up
            </ButtonLink>
            <ButtonLink to="/dashboard" className="member-only">
              Dashboard
            </ButtonLink>
          </div>
          <PhoneMenu />
        </div>
      </div>
    </header>
  );
}

/** Starts closed; each press of the button flips it. Esc, the scrim and a chosen link close it. */
function PhoneMenu() {
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
        aria-controls="phone-menu"
        onClick={() => setOpen(!open)}
        className="-mr-2 grid size-11 place-items-center rounded-control"
      >
        <Icon className="size-5" strokeWidth={1.75} aria-hidden="true" />
      </button>
      {open && (
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the keyboard has Esc and the button
        <div onClick={() => setOpen(false)} className="fixed inset-0 -z-10 bg-scrim" />
      )}
      <div id="phone-menu" hidden={!open}>
        <PhoneMenuSheet />
      </div>
    </div>
  );
}

function PhoneMenuSheet() {
  const isCurrent = useIsCurrent();
  return (
    <div className="absolute inset-x-3 top-19 animate-menu rounded-card bg-surface p-4 shadow-3">
      <div className="grid grid-cols-2 gap-2.5">
        <ButtonLink to="/login" look="secondary" className="visitor-only">
          Log In
        </ButtonLink>
        <ButtonLink to="/signup" className="visitor-only">
          Sign Up
        </ButtonLink>
        <ButtonLink to="/dashboard" className="member-only col-span-2">
          Dashboard
        </ButtonLink>
      </div>
      <nav aria-label="Main" className="mt-3 border-t border-line pt-1.5">
        <ul className="divide-y divide-line">
          {pages.map(({ to, name }) => (
            <li key={to}>
              <Link
                to={to}
                aria-current={isCurrent(to) ? 'page' : undefined}
                className="flex h-13 items-center justify-between px-1.5 text-large font-medium aria-[current=page]:font-brand"
              >
                {name}
                <ChevronRight className="size-5 text-3" strokeWidth={1.75} aria-hidden="true" />
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}
