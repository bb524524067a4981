import type { FactorWay } from '@tallystick/contract/errors';
import { stepUpMinutes, stepup, stepupoptions } from '@tallystick/contract/factors';
import { callApi } from '../../api.ts';
import { type Proof, ProofForm } from '../../domain/factors/proof-form.tsx';
import { Modal, ModalBody, ModalHead } from '../../ui/overlays/modal.tsx';
import { ByMail } from './by-mail.tsx';

interface StepUpDialogProps {
  ways: readonly FactorWay[];
  onEnd: (isConfirmed: boolean) => void;
}

/** Asks once more who is there. What was pressed waits behind it, with all that was typed. */
export function StepUpDialog({ ways, onEnd }: StepUpDialogProps) {
  async function onProof(body: Proof) {
    await callApi(stepup, { body });
    onEnd(true);
  }
  const isByMail = ways.length === 0 || ways.includes('mail');
  return (
    <Modal narrow onClose={() => onEnd(false)}>
      <ModalHead note={`Then nothing asks again for ${stepUpMinutes} minutes.`}>
        Confirm that it is you
      </ModalHead>
      <ModalBody>
        <div className="pt-2">
          {isByMail ? (
            <ByMail onConfirmed={() => onEnd(true)} />
          ) : (
            <ProofForm
              ways={ways}
              submitLabel="Confirm"
              askOptions={() => callApi(stepupoptions, {})}
              onProof={onProof}
            />
          )}
        </div>
      </ModalBody>
    </Modal>
  );
}
