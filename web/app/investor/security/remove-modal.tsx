import type { ReactNode } from 'react';
import { Button, SubmitButton } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { Modal, ModalBody, ModalHead, ModalText } from '../../ui/overlays/modal.tsx';

interface RemoveModalProps {
  title: string;
  /** What will be different. */
  text: ReactNode;
  busy: boolean;
  onRemove: () => void;
  onClose: () => void;
}

/** Says what will be different before it is done. */
export function RemoveModal({ title, text, busy, onRemove, onClose }: RemoveModalProps) {
  return (
    <Modal narrow onClose={onClose}>
      <ModalHead>{title}</ModalHead>
      <ModalBody>
        <ModalText>{text}</ModalText>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            onRemove();
          }}
          className="grid gap-2.5"
        >
          <SubmitButton busy={busy} busyLabel="Removing">
            Remove
          </SubmitButton>
          <Button look="quiet" onClick={onClose}>
            Keep it
          </Button>
        </form>
      </ModalBody>
    </Modal>
  );
}

/** Of a factor; `isLast` where nothing else is left after it. */
export function withoutFactor(isLast: boolean): ReactNode {
  if (!isLast) return 'It will no longer sign you in. Your other ways stay.';
  return (
    <QuietNotice>
      It is your only second factor. Without it your password alone signs you in, and your recovery codes stop
      working.
    </QuietNotice>
  );
}
