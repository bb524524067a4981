import type { Passkey } from '@tallystick/contract/factors';
import {
  type OperatorFactors,
  removeoperatorauthenticator,
  removeoperatorpasskey,
} from '@tallystick/contract/operator/factors';
import { callApi } from '../../api.ts';
import type { Proof } from '../../domain/factors/proof-form.tsx';
import { Modal, ModalBody, ModalHead, ModalText } from '../../ui/overlays/modal.tsx';
import { toastSuccess } from '../../ui/overlays/toast.tsx';
import { OwnProof, useReread } from './proof.tsx';

interface RemoveProps {
  factors: OperatorFactors;
  onClose: () => void;
}

export function RemovePasskey({ passkey, ...rest }: RemoveProps & { passkey: Passkey }) {
  const { _id: passkeyid, name } = passkey;
  return (
    <Remove
      {...rest}
      title={`Remove ${name}?`}
      done={`Removed ${name}`}
      send={(body) => callApi(removeoperatorpasskey, { params: { passkeyid }, body })}
    />
  );
}

export function RemoveAuthenticator(props: RemoveProps) {
  return (
    <Remove
      {...props}
      title="Do without the authenticator?"
      done="The authenticator was removed"
      send={(body) => callApi(removeoperatorauthenticator, { body })}
    />
  );
}

interface RemovalProps extends RemoveProps {
  title: string;
  done: string;
  send: (proof: Proof) => Promise<unknown>;
}

/** Says what will be different; the proof that it is the owner does it. */
function Remove({ factors, title, done, send, onClose }: RemovalProps) {
  const reread = useReread();
  async function onProof(proof: Proof) {
    await send(proof);
    toastSuccess(done);
    onClose();
    await reread();
  }
  return (
    <Modal narrow onClose={onClose}>
      <ModalHead>{title}</ModalHead>
      <ModalBody>
        <ModalText>
          It will no longer open the console, and wherever else you are signed in you will be signed out. Show
          one of your ways in to go on.
        </ModalText>
        <OwnProof factors={factors} submitLabel="Remove" onProof={onProof} />
      </ModalBody>
    </Modal>
  );
}
