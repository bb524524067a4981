import { type ReactNode, useState } from 'react';
import { Modal, ModalBody, ModalHead } from '../ui/overlays/modal.tsx';

export interface CommandFormProps<Made> {
  onDone: (made: Made) => void;
}

interface CommandModalProps<Made> {
  title: string;
  onClose: () => void;
  Form: (props: CommandFormProps<Made>) => ReactNode;
  Done: (props: { made: Made; onClose: () => void }) => ReactNode;
}

/** First the form, then what came of it. After that the form is a new one. */
export function CommandModal<Made>({ title, onClose, Form, Done }: CommandModalProps<Made>) {
  const [made, setMade] = useState<Made | null>(null);
  function close() {
    setMade(null);
    onClose();
  }
  return (
    <Modal narrow={made !== null} onClose={close}>
      {made === null ? (
        <>
          <ModalHead>{title}</ModalHead>
          <ModalBody>
            <Form onDone={setMade} />
          </ModalBody>
        </>
      ) : (
        <Done made={made} onClose={close} />
      )}
    </Modal>
  );
}
