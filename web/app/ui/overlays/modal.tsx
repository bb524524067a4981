import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { createContext, type ReactNode, use, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../actions/button.tsx';
import './modal.css';
import { useOwnEntry } from './own-entry.ts';

interface ModalProps {
  /** Whoever wants to close it is asked first. Unless it is said here, a form in it decides: see `useUnsent`. */
  guarded?: boolean | undefined;
  /** What is asked then, where it is not about something that was typed. */
  asking?: Question;
  narrow?: boolean;
  /** A drawer stands at the right edge over the whole height; on a phone it is the whole screen. */
  shape?: 'sheet' | 'drawer';
  onClose: () => void;
  /** A `ModalHead`, or a `ModalTitle` of its own, and a `ModalBody`. */
  children: ReactNode;
}

interface Question {
  name: string;
  text: string;
  stay: string;
  leave: string;
}

const aboutTyped: Question = {
  name: 'Close without sending',
  text: 'What you typed was not sent and is not kept.',
  stay: 'Go on typing',
  leave: 'Discard',
};

const sheetClass =
  'modal-panel fixed inset-x-0 bottom-0 z-30 flex max-h-[92dvh] flex-col rounded-t-modal bg-surface shadow-3 outline-none tablet:inset-auto tablet:top-1/2 tablet:left-1/2 tablet:max-h-[calc(100dvh-48px)] tablet:max-w-[calc(100vw-48px)] tablet:-translate-1/2 tablet:rounded-modal';
const drawerClass =
  'drawer-panel fixed inset-y-0 right-0 z-30 flex w-full flex-col bg-surface shadow-3 outline-none tablet:w-[560px]';

const UnsentContext = createContext<(isUnsent: boolean) => void>(() => {});

/** For a form: something was typed into it that is lost with the modal it stands in. */
export function useUnsent(isUnsent: boolean): void {
  const tell = use(UnsentContext);
  useEffect(() => tell(isUnsent), [isUnsent, tell]);
}

/**
 * Stands in the middle of a wide screen and rises from the foot of a phone's. The focus is kept inside and given
 * back to what opened it. The browser's Back, Esc and the cross do the same thing.
 */
export function Modal(props: ModalProps) {
  const { guarded, asking = aboutTyped, narrow = false, shape = 'sheet', onClose, children } = props;
  const opener = useRef<Element | null>(null);
  const [isUnsent, setUnsent] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const isGuarded = guarded ?? isUnsent;
  // Before anything in the modal takes the focus, and again each time it is shown.
  useLayoutEffect(() => {
    opener.current = document.activeElement;
  }, []);

  /** Asked once; whoever then wants to close it again has answered. */
  const asks = isGuarded && !isAsking;
  const ask = () => setAsking(true);
  useOwnEntry({ asks, onAsk: ask, onClose });

  const stayForToast = (event: Event) => {
    if (isInToast(event)) event.preventDefault();
  };
  const stayForStrayPress = (event: Event) => {
    if (isGuarded || isInToast(event)) event.preventDefault();
  };
  const giveFocusBack = (event: Event) => {
    event.preventDefault();
    const beneath = [...document.querySelectorAll('[role=dialog]')].at(-1);
    // What opened it may be gone, or wait for an answer and take no focus meanwhile.
    for (const place of [opener.current, beneath, document.getElementById('main')]) {
      if (place instanceof HTMLElement) place.focus({ preventScroll: true });
      if (document.activeElement !== document.body) return;
    }
  };

  return (
    <Dialog.Root open onOpenChange={(open) => !open && (asks ? ask() : onClose())}>
      <Dialog.Portal>
        <Dialog.Overlay className="modal-scrim fixed inset-0 z-30 bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={beginAtTop}
          onEscapeKeyDown={stayForToast}
          onInteractOutside={stayForStrayPress}
          onCloseAutoFocus={giveFocusBack}
          className={
            shape === 'drawer'
              ? drawerClass
              : `${sheetClass} ${narrow ? 'tablet:w-[460px]' : 'tablet:w-[520px]'}`
          }
        >
          <UnsentContext value={setUnsent}>{children}</UnsentContext>
          {isGuarded && isAsking && (
            <Ask question={asking} onStay={() => setAsking(false)} onLeave={onClose} />
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Unless a form in it begins in a field: a reader hears its name and goes on from there, where the cross alone says nothing. */
function beginAtTop(event: Event) {
  event.preventDefault();
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus({ preventScroll: true });
}

interface AskProps {
  question: Question;
  onStay: () => void;
  onLeave: () => void;
}

function Ask({ question, onStay, onLeave }: AskProps) {
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(() => stay.current?.focus(), []);
  return (
    <fieldset className="flex flex-wrap items-center justify-end gap-2.5 border-t border-line bg-sunken px-5 pt-3 pb-[calc(12px+env(safe-area-inset-bottom))] tablet:px-7 [.modal-panel_&]:tablet:rounded-b-modal">
      <legend className="sr-only">{question.name}</legend>
      <p role="alert" className="min-w-40 flex-1 text-label max-tablet:basis-full">
        {question.text}
      </p>
      <Button ref={stay} onClick={onStay}>
        {question.stay}
      </Button>
      <Button look="quiet" onClick={onLeave}>
        {question.leave}
      </Button>
    </fieldset>
  );
}

/** A toast stands above the modal: dismissing it is no wish to leave. */
function isInToast(event: Event): boolean {
  const { originalEvent } = (event as CustomEvent<{ originalEvent?: Event }>).detail ?? {};
  return (
    originalEvent?.target instanceof Element && originalEvent.target.closest('[data-sonner-toaster]') !== null
  );
}

interface ModalHeadProps {
  /** One line under the title. */
  note?: ReactNode;
  children: string;
}

export function ModalHead({ note, children }: ModalHeadProps) {
  const shape = note
    ? 'items-start gap-3 border-b border-line pt-4 pb-3 tablet:pb-3.5'
    : 'items-center pt-4.5 pb-1 tablet:pb-1.5';
  return (
    <div className={`flex justify-between pr-3 pl-5 tablet:pt-5.5 tablet:pr-5 tablet:pl-7 ${shape}`}>
      <div className="min-w-0">
        <ModalTitle className="text-[1.375rem]/7 tracking-[-0.018em] wrap-anywhere">{children}</ModalTitle>
        {note && <p className="mt-0.5 text-label text-2 tabular-nums">{note}</p>}
      </div>
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

/** What is to be known before anything is pressed: a screen reader says it together with the title. */
export function ModalText({ children }: { children: ReactNode }) {
  return (
    <Dialog.Description asChild>
      <div className="text-control text-2">{children}</div>
    </Dialog.Description>
  );
}

/** The part that scrolls when the screen is low. With a `ModalFoot` under it, it ends there. */
export function ModalBody({ hasFoot = false, children }: { hasFoot?: boolean; children: ReactNode }) {
  const end = hasFoot ? 'pb-4.5' : 'pb-[calc(28px+env(safe-area-inset-bottom))] tablet:pb-7';
  return (
    <div
      className={`grid grid-cols-[minmax(0,1fr)] gap-4.5 overflow-y-auto overscroll-contain px-5 pt-2 tablet:px-7 tablet:pt-2.5 ${end}`}
    >
      {children}
    </div>
  );
}

/** Stays in sight while the body scrolls away beneath it. */
export function ModalFoot({ children }: { children: ReactNode }) {
  return (
    <div className="relative px-5 shadow-[0_-14px_12px_-2px_var(--color-surface)] [clip-path:inset(-26px_0_0)] pb-[calc(28px+env(safe-area-inset-bottom))] tablet:px-7 tablet:pb-7">
      {children}
    </div>
  );
}
