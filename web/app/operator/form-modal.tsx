import { type ReactNode, useState } from 'react';
import { Modal, ModalBody, ModalHead } from '../ui/overlays/modal.tsx';

interface FormModalProps {
  title: string;
  onClose: () => void;
  /** Gets what to call when something stands in the form that would be a pity to lose. */
  children: (onDirty: (isDirty: boolean) => void) => ReactNode;
}

/** A form that stands above the screen it belongs to. */
export function FormModal({ title, onClose, children }: FormModalProps) {
  const [isDirty, setDirty] = useState(false);
  return (
    <Modal guarded={isDirty} onClose={onClose}>
      <ModalHead>{title}</ModalHead>
      <ModalBody>{children(setDirty)}</ModalBody>
    </Modal>
  );
}
