import { zodResolver } from '@hookform/resolvers/zod';
import { readUserAgent } from '@tallystick/contract/device';
import type { PasskeyCreation } from '@tallystick/contract/factors';
import {
  confirmoperatorpasskey,
  newoperatorpasskey,
  type OperatorFactors,
} from '@tallystick/contract/operator/factors';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { callApi } from '../../api.ts';
import { fetchPasskeys, makePasskey } from '../../domain/factors/passkeys.ts';
import type { Proof } from '../../domain/factors/proof-form.tsx';
import { fieldsOf } from '../../domain/forms/fields.ts';
import { FormFailure, useSubmission } from '../../domain/forms/submission.tsx';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { useFirstFocus } from '../../ui/forms/first-focus.ts';
import { Modal, ModalBody, ModalHead } from '../../ui/overlays/modal.tsx';
import { toastSuccess } from '../../ui/overlays/toast.tsx';
import { OwnProof, useReread } from './proof.tsx';

/** First who it is, then the new one: browsers make a passkey only soon after a press, so there are two. */
export function AddPasskey({ factors, onClose }: { factors: OperatorFactors; onClose: () => void }) {
  const [creation, setCreation] = useState<PasskeyCreation | null>(null);

  async function onProof(body: Proof) {
    setCreation(await callApi(newoperatorpasskey, { body }));
    fetchPasskeys().catch(() => {});
  }

  return (
    <Modal narrow onClose={onClose}>
      <ModalHead>Add a passkey</ModalHead>
      <ModalBody>
        {creation ? (
          <Making creation={creation} onDone={onClose} />
        ) : (
          <>
            <p className="text-control text-2">First show one of your ways in.</p>
            <OwnProof factors={factors} submitLabel="Go on" onProof={onProof} />
          </>
        )}
      </ModalBody>
    </Modal>
  );
}

const fields = confirmoperatorpasskey.body.pick({ name: true });

function nameOfDevice(): string {
  const { browser, system } = readUserAgent(navigator.userAgent);
  return [browser, system].filter(Boolean).join(' on ');
}

function Making({ creation, onDone }: { creation: PasskeyCreation; onDone: () => void }) {
  const reread = useReread();
  const form = useForm({ resolver: zodResolver(fields), defaultValues: { name: nameOfDevice() } });
  const { busy, failure, submit } = useSubmission((refusal) => refusal.message || 'It was not added.');
  useFirstFocus('name');
  const onSubmit = form.handleSubmit(({ name }) =>
    submit(async () => {
      const passkey = await makePasskey(creation);
      await callApi(confirmoperatorpasskey, { body: { name, passkey } });
      toastSuccess('Passkey added');
      onDone();
      await reread();
    }),
  );
  return (
    <form noValidate method="post" onSubmit={onSubmit} className="grid grid-cols-[minmax(0,1fr)] gap-4.5">
      <p className="text-control text-2">
        Your device asks for your finger, your face or its PIN, and keeps the passkey for this site.
      </p>
      <Field
        label="Name"
        autoComplete="off"
        maxLength={50}
        hint="So that you recognise it later."
        {...fieldsOf(form)('name')}
      />
      <FormFailure failure={failure} />
      <SubmitButton busy={busy} busyLabel="Waiting for your device">
        Add it
      </SubmitButton>
    </form>
  );
}
