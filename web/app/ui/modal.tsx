import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import './modal.css';

interface ModalProps {
  /** Something was typed that Esc or a stray press on the scrim must not throw away. */
  guarded?: boolean;
  narrow?: boolean;
  /** A drawer stands at the right edge over the whole height; on a phone it is the whole screen. */
  shape?: 'sheet' | 'drawer';
  onClose: () => void;
  /** A `ModalHead`, or a `ModalTitle` of its own, and a `ModalBody`. */
  children: ReactNode;
}

const sheetClass =
  'modal-panel fixed inset-x-0 bottom-0 z-30 flex max-h-[92dvh] flex-col rounded-t-modal bg-surface shadow-3 outline-none tablet:inset-auto tablet:top-1/2 tablet:left-1/2 tablet:max-h-[calc(100dvh-48px)] tablet:max-w-[calc(100vw-48px)] tablet:-translate-1/2 tablet:rounded-modal';
const drawerClass =
  'drawer-panel fixed inset-y-0 right-0 z-30 flex w-full flex-col bg-surface shadow-3 outline-none tablet:w-[560px]';

/**
 * Stands in the middle of a wide screen and rises from the foot of a phone's. The focus is kept inside and given
 * back to what opened it.
 */
export function Modal({ guarded = false, narrow = false, shape = 'sheet', onClose, children }: ModalProps) {
  const [opener] = useState(() => document.activeElement);

  const closeUnlessGuarded = (event: Event) => {
    if (guarded || isInToast(event)) event.preventDefault();
  };
  const giveFocusBack = (event: Event) => {
    event.preventDefault();
    const place = opener?.isConnected ? opener : document.getElementById('main');
    if (place instanceof HTMLElement) place.focus({ preventScroll: true });
  };

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="modal-scrim fixed inset-0 z-30 bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          onEscapeKeyDown={closeUnlessGuarded}
          onInteractOutside={closeUnlessGuarded}
          onCloseAutoFocus={giveFocusBack}
          className={
            shape === 'drawer'
              ? drawerClass
              : `${sheetClass} ${narrow ? 'tablet:w-[460px]' : 'tablet:w-[520px]'}`
          }
        >
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** A toast stands above the modal: dismissing it is no wish to leave. */
function isInToast(event: Event): boolean {
  const { originalEvent } = (event as CustomEvent<{ originalEvent?: Event }>).detail ?? {};
  return (
    originalEvent?.target instanceof Element && originalEvent.target.closest('[data-sonner-toaster]') !== null
  );
}

export function ModalHead({ children }: { children: string }) {
  return (
    <div className="flex items-center justify-between pt-4.5 pr-3 pb-1 pl-5 tablet:pt-5.5 tablet:pr-5 tablet:pb-1.5 tablet:pl-7">
      <ModalTitle className="text-[1.375rem]/7 tracking-[-0.018em]">{children}</ModalTitle>
      <Dialog.Close
        aria-label="Close"
        className="grid size-11 shrink-0 place-items-center rounded-control text-2 hover:bg-sunken hover:text-1"
      >
        <X className="size-5" strokeWidth={1.75} aria-hidden="true" />
      </Dialog.Close>
    </div>
  );
}

export function ModalTitle({ className, children }: { className: string; children: string }) {
  return <Dialog.Title className={className}>{children}</Dialog.Title>;
}

/** The part that scrolls when the screen is low. */
export function ModalBody({ children }: { children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4.5 overflow-y-auto overscroll-contain px-5 pt-2 pb-[calc(28px+env(safe-area-inset-bottom))] tablet:px-7 tablet:pt-2.5 tablet:pb-7">
      {children}
    </div>
  );
}
