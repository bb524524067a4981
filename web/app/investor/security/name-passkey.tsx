import { zodResolver } from '@hookform/resolvers/zod';
import { confirmpasskey, namepasskey, newpasskey, type Passkey } from '@tallystick/contract/factors';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { callApi } from '../../api.ts';
import { fetchPasskeys, makePasskey } from '../../domain/factors/passkeys.ts';
import { fieldsOf } from '../../domain/forms/fields.ts';
import { FormFailure, useSubmission } from '../../domain/forms/submission.tsx';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { useFirstFocus } from '../../ui/forms/first-focus.ts';
import { Modal, ModalBody, ModalHead, ModalText } from '../../ui/overlays/modal.tsx';
import { toastSuccess } from '../../ui/overlays/toast.tsx';
import { deviceOf } from '../profile/user-agent.ts';
import { isGivenUp, useReread } from './act.ts';
import { SetUpModal } from './recovery.tsx';

export function AddPasskey({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);

  async function add(name: string) {
    // Fetched beside the question: browsers open theirs only soon after a press.
    fetchPasskeys().catch(() => {});
    const passkey = await makePasskey(await callApi(newpasskey, {}));
    const { recoverycodes } = await callApi(confirmpasskey, { body: { name, passkey } });
    toastSuccess('Passkey added');
    if (recoverycodes) setCodes(recoverycodes);
    else onClose();
  }

  return (
    <SetUpModal codes={codes} onClose={onClose}>
      <ModalHead>Add a passkey</ModalHead>
      <ModalBody>
        <ModalText>
          Your device asks for your finger, your face or its PIN, and keeps the passkey for this site.
        </ModalText>
        <NameForm
          name={deviceOf(navigator.userAgent).name}
          submitLabel="Add it"
          busyLabel="Waiting for your device"
          onName={add}
        />
      </ModalBody>
    </SetUpModal>
  );
}

export function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  async function rename(name: string) {
    await callApi(namepasskey, { params: { passkeyid: passkey._id }, body: { name } });
    onClose();
  }
  return (
    <Modal narrow onClose={onClose}>
      <ModalHead>Rename the passkey</ModalHead>
      <ModalBody>
        <NameForm name={passkey.name} submitLabel="Save" busyLabel="Saving" onName={rename} />
      </ModalBody>
    </Modal>
  );
}

interface NameFormProps {
  name: string;
  submitLabel: string;
  busyLabel: string;
  onName: (name: string) => Promise<void>;
}

function NameForm({ name, submitLabel, busyLabel, onName }: NameFormProps) {
  const reread = useReread();
  const form = useForm({ resolver: zodResolver(namepasskey.body), defaultValues: { name } });
  const { busy, failure, submit } = useSubmission((refusal) =>
    isGivenUp(refusal) ? null : refusal.message || 'It was not saved.',
  );
  useFirstFocus('name');
  const onSubmit = form.handleSubmit((typed) =>
    submit(async () => {
      await onName(typed.name);
      await reread();
    }),
  );
  return (
    <form noValidate method="post" onSubmit={onSubmit} className="grid grid-cols-[minmax(0,1fr)] gap-4.5">
      <Field
        label="Name"
        autoComplete="off"
        maxLength={50}
        hint="So that you recognise it later."
        {...fieldsOf(form)('name')}
      />
      <FormFailure failure={failure} />
      <SubmitButton busy={busy} busyLabel={busyLabel}>
        {submitLabel}
      </SubmitButton>
    </form>
  );
}
