import type { Call, CallInput } from '@tallystick/contract/call';
import { reasonLengthMax, reasonLengthMin } from '@tallystick/contract/operator/fields';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { FinePrint } from '../../domain/forms/form-notes.tsx';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { TextAreaField } from '../../ui/forms/field.tsx';
import { Modal, ModalBody, ModalHead } from '../../ui/overlays/modal.tsx';
import { useActForm } from './act-form.ts';

interface FormModalProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A form that stands above the screen it belongs to. */
export function FormModal({ title, onClose, children }: FormModalProps) {
  return (
    <Modal onClose={onClose}>
      <ModalHead>{title}</ModalHead>
      <ModalBody>{children}</ModalBody>
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

interface ReasonProps<C extends Call> {
  /** Of the modal, and of the button that does it. */
  title: string;
  call: C;
  inputOf: (reason: string) => CallInput<C>;
  done: string;
  onClose: () => void;
  /** What will happen. */
  children: ReactNode;
}

/** An act that needs nothing but a reason. */
export function ReasonModal<C extends Call>(props: ReasonProps<C>) {
  return (
    <FormModal title={props.title} onClose={props.onClose}>
      <ReasonForm {...props} />
    </FormModal>
  );
}

const fields = z.object({ reason: writtenReason });

function ReasonForm<C extends Call>({ title, call, inputOf, done, onClose, children }: ReasonProps<C>) {
  const form = useActForm({ call, fields, values: { reason: '' }, first: 'reason' });
  const onSubmit = form.handleSubmit(({ reason }) => form.send(inputOf(reason), { done, onDone: onClose }));
  return (
    <ModalForm onSubmit={onSubmit} button={title} busy={form.busy} refusal={form.refusal}>
      <div className="text-control text-2">{children}</div>
      <TextAreaField
        label="Reason"
        hint="It stands in the audit log, for operators."
        {...form.field('reason')}
      />
    </ModalForm>
  );
}
