import { type ReactNode, use, useLayoutEffect, useState } from 'react';
import { Button } from '../app/ui/actions/button.tsx';
import { Field } from '../app/ui/forms/field.tsx';
import { Drawer, DrawerBody, DrawerFoot, DrawerForm } from '../app/ui/overlays/drawer.tsx';
import { Modal, ModalBody, ModalFoot, ModalHead, ModalText, ModalTitle } from '../app/ui/overlays/modal.tsx';
import { dismissToasts, toastFailure, toastSuccess } from '../app/ui/overlays/toast.tsx';
import { SchemeContext, type Stories } from './story.ts';

/** What opens over the page takes the scheme of the column that it was opened from, and the page with it meanwhile. */
function Opening({ words, children }: { words: string; children: (close: () => void) => ReactNode }) {
  const scheme = use(SchemeContext);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    if (isOpen) style.colorScheme = scheme;
    return () => void style.removeProperty('color-scheme');
  }, [isOpen, scheme]);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words}</Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}

const row = 'flex flex-wrap gap-3';

export const overlays: Stories = {
  modal: () => (
    <div className={row}>
      <Opening words="Modal">
        {(close) => (
          <Modal onClose={close}>
            <ModalHead>Withdraw funds</ModalHead>
            <ModalBody hasFoot>
              <ModalText>What is sent cannot be called back.</ModalText>
              <Field label="Address" name="address" />
            </ModalBody>
            <ModalFoot>
              <Button look="primary">Send</Button>
            </ModalFoot>
          </Modal>
        )}
      </Opening>
      <Opening words="Narrow, asks before it closes">
        {(close) => (
          <Modal narrow guarded onClose={close}>
            <ModalBody>
              <ModalTitle className="text-large font-semibold">A title of its own</ModalTitle>
              <Field label="Reason" name="reason" defaultValue="Typed and not sent" />
            </ModalBody>
          </Modal>
        )}
      </Opening>
    </div>
  ),
  drawer: () => (
    <div className={row}>
      <Opening words="Drawer">
        {(close) => (
          <Drawer title="Withdrawal" note="TS-7K4M-9XQ2" onClose={close}>
            <DrawerForm>
              <DrawerBody>
                <Field label="Transaction" name="chainTxid" />
              </DrawerBody>
              <DrawerFoot refusal="Another operator has decided it.">
                <Button>Reject</Button>
                <Button look="primary">Approve</Button>
              </DrawerFoot>
            </DrawerForm>
          </Drawer>
        )}
      </Opening>
    </div>
  ),
  toast: () => (
    <div className={row}>
      <Button onClick={() => toastSuccess('Saved')}>Success</Button>
      <Button onClick={() => toastFailure('Something went wrong', 'The server did not answer.')}>
        Failure
      </Button>
      <Button look="quiet" onClick={dismissToasts}>
        Dismiss
      </Button>
    </div>
  ),
};
