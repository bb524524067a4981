import { zodResolver } from '@hookform/resolvers/zod';
import { reasonLengthMax, reasonLengthMin } from '@tallystick/contract/operator/fields';
import { type ReactNode, useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { FinePrint } from '../../domain/forms/form-notes.tsx';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { TextAreaField } from '../../ui/forms/field.tsx';
import { Modal, ModalBody, ModalHead } from '../../ui/overlays/modal.tsx';

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

interface ModalFormProps {
  onSubmit: () => void;
  button: string;
  busy: boolean;
  busyLabel?: string;
  /** Why the server refused. */
  refusal?: string | null;
  finePrint?: string;
  children: ReactNode;
}

/** One column; a refusal stands above the button, where the eye is. */
export function ModalForm(props: ModalFormProps) {
  const { onSubmit, button, busy, busyLabel = 'Sending', refusal, finePrint, children } = props;
  return (
    <form noValidate onSubmit={onSubmit} className="grid grid-cols-[minmax(0,1fr)] gap-4.5">
      {children}
      {refusal && <QuietNotice role="alert">{refusal}</QuietNotice>}
      <SubmitButton busy={busy} busyLabel={busyLabel}>
        {button}
      </SubmitButton>
      {finePrint && <FinePrint>{finePrint}</FinePrint>}
    </form>
  );
}

/** The same lengths as the contract's, in words that suit a reason which only operators read. */
const writtenReason = z
  .string()
  .trim()
  .min(reasonLengthMin, 'Give a reason, in a few words.')
  .max(reasonLengthMax, `Use at most ${reasonLengthMax} characters.`);

interface ReasonModalProps {
  title: string;
  /** What will happen. */
  children: ReactNode;
  /** Who will read the reason. */
  hint: string;
  button: string;
  busy: boolean;
  onClose: () => void;
  onSend: (reason: string, onRefused: (why: string) => void) => void;
}

/** An act that needs nothing but a reason. */
export function ReasonModal({ title, onClose, ...form }: ReasonModalProps) {
  return (
    <FormModal title={title} onClose={onClose}>
      {(onDirty) => <ReasonForm {...form} onDirty={onDirty} />}
    </FormModal>
  );
}

type ReasonFormProps = Omit<ReasonModalProps, 'title' | 'onClose'> & { onDirty: (isDirty: boolean) => void };

function ReasonForm({ children, hint, button, busy, onSend, onDirty }: ReasonFormProps) {
  const { register, handleSubmit, setFocus, formState } = useForm({
    resolver: zodResolver(z.object({ reason: writtenReason })),
    defaultValues: { reason: '' },
  });
  const { errors, isDirty } = formState;
  const [refusal, setRefusal] = useState<string | null>(null);
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  useEffect(() => setFocus('reason'), [setFocus]);

  const onSubmit = handleSubmit(({ reason }) => {
    setRefusal(null);
    onSend(reason, setRefusal);
  });

  return (
    <ModalForm onSubmit={onSubmit} button={button} busy={busy} refusal={refusal}>
      <div className="text-control text-2">{children}</div>
      <TextAreaField label="Reason" hint={hint} error={errors.reason?.message} {...register('reason')} />
    </ModalForm>
  );
}
