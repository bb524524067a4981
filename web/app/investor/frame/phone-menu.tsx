import { LogOut, Menu, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { signOut } from '../../domain/sign-out.ts';
import { home, investment, settings, transaction, useCurrentSection } from './sections.ts';

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
