import { Menu, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';

interface MenuButtonProps {
  /** Of what the button opens. */
  id: string;
  className?: string;
  /** Where the sheet stands under its bar, and the room inside it. */
  sheetClass: string;
  children: ReactNode;
}

/**
 * The phone's menu. Starts closed; each press of the button flips it. Esc, the scrim and a chosen link close it.
 */
export function MenuButton({ id, className = '', sheetClass, children }: MenuButtonProps) {
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
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className={`grid size-11 place-items-center rounded-control ${className}`}
      >
        <Icon className="size-5" strokeWidth={1.75} aria-hidden="true" />
      </button>
      {open && (
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the keyboard has Esc and the button
        <div onClick={() => setOpen(false)} className="fixed inset-0 -z-10 bg-scrim" />
      )}
      <div id={id} hidden={!open}>
        <div className={`absolute inset-x-3 animate-menu rounded-card bg-surface shadow-3 ${sheetClass}`}>
          {children}
        </div>
      </div>
    </div>
  );
}
