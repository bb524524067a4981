import { type ReactNode, useState } from 'react';
import { Modal, ModalBody, ModalHead } from '../ui/modal.tsx';

export interface CommandFormProps<Made> {
  /** Whether something stands in the form that would be a pity to lose. */
  onDirty: (isDirty: boolean) => void;
  onDone: (made: Made) => void;
}

interface CommandModalProps<Made> {
  title: string;
  onClose: () => void;
  Form: (props: CommandFormProps<Made>) => ReactNode;
  Done: (props: { made: Made; onClose: () => void }) => ReactNode;
}

/** First the form, then what came of it. */
export function CommandModal<Made>({ title, onClose, Form, Done }: CommandModalProps<Made>) {
  const [made, setMade] = useState<Made | null>(null);
  const [isDirty, setDirty] = useState(false);
  return (
    <Modal guarded={isDirty && made === null} narrow={made !== null} onClose={onClose}>
      {made === null ? (
        <>
          <ModalHead>{title}</ModalHead>
          <ModalBody>
            <Form onDirty={setDirty} onDone={setMade} />
          </ModalBody>
        </>
      ) : (
        <Done made={made} onClose={onClose} />
      )}
    </Modal>
  );
}
