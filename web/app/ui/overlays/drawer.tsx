import type { ComponentProps, ReactNode } from 'react';
import { QuietNotice } from '../facts/notice.tsx';
import { Modal, ModalHead } from './modal.tsx';

interface DrawerProps {
  title: string;
  /** One line under the title. */
  note: ReactNode;
  /** As with a `Modal`. */
  guarded?: boolean | undefined;
  onClose: () => void;
  /** A `DrawerForm`, or a `DrawerBody` and a `DrawerFoot`. */
  children: ReactNode;
}

/** Everything about one thing, beside the list it came from. Head and foot stand still, the body scrolls. */
export function Drawer({ title, note, guarded, onClose, children }: DrawerProps) {
  return (
    <Modal shape="drawer" guarded={guarded} onClose={onClose}>
      <ModalHead note={note}>{title}</ModalHead>
      {children}
    </Modal>
  );
}

/** A form that reaches from the body into the foot, where its button stands. */
export function DrawerForm(props: ComponentProps<'form'>) {
  return <form noValidate className="flex min-h-0 flex-1 flex-col" {...props} />;
}

export function DrawerBody({ children }: { children: ReactNode }) {
  return (
    <div className="grid flex-1 grid-cols-[minmax(0,1fr)] content-start gap-5 overflow-y-auto overscroll-contain px-5 py-4.5 tablet:px-7 tablet:py-5.5">
      {children}
    </div>
  );
}

interface DrawerFootProps {
  /** Why it was refused. It stands above the buttons, where the eye is, however far the body is scrolled. */
  refusal?: string | null;
  /** The last button is the one that matters and takes the room that is left. */
  children: ReactNode;
}

export function DrawerFoot({ refusal = null, children }: DrawerFootProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 border-t border-line px-5 pt-3 pb-[calc(20px+env(safe-area-inset-bottom))] tablet:px-7 tablet:py-4">
      {refusal && <QuietNotice role="alert">{refusal}</QuietNotice>}
      <div className="flex gap-3 [&>:last-child]:min-w-0 [&>:last-child]:flex-1">{children}</div>
    </div>
  );
}
