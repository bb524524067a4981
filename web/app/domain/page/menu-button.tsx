import { Menu, X } from 'lucide-react';
import type { ReactNode } from 'react';

interface MenuButtonProps {
  /** Of what the button opens. */
  id: string;
  className?: string;
  /** Where the sheet stands under its bar, and the room inside it. */
  sheetClass: string;
  children: ReactNode;
}

/** The phone's menu, closed. `native/menu.ts` opens and closes it. */
export function MenuButton({ id, className = '', sheetClass, children }: MenuButtonProps) {
  return (
    <div className="tablet:hidden noscript:hidden">
      <button
        type="button"
        data-menu
        aria-label="Menu"
        aria-expanded={false}
        aria-controls={id}
        className={`group grid size-11 place-items-center rounded-control ${className}`}
      >
        <Menu className="size-5 group-aria-expanded:hidden" strokeWidth={1.75} aria-hidden="true" />
        <X className="hidden size-5 group-aria-expanded:block" strokeWidth={1.75} aria-hidden="true" />
      </button>
      <div id={id} hidden>
        <div data-scrim className="fixed inset-0 -z-10 bg-scrim" />
        <div
          className={`absolute inset-x-3 max-h-[calc(100dvh-128px)] animate-menu overflow-y-auto overscroll-contain rounded-card bg-surface shadow-3 ${sheetClass}`}
        >
          {children}
        </div>
      </div>
    </div>
  );
}
