import type { Call, CallInput } from '@tallystick/contract/call';
import { reasonLengthMax, reasonLengthMin } from '@tallystick/contract/operator/fields';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { FinePrint } from '../../domain/forms/form-notes.tsx';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { TextAreaField } from '../../ui/forms/field.tsx';
import { Modal, ModalBody, ModalHead, ModalText } from '../../ui/overlays/modal.tsx';
import type { Act } from './act.ts';
import { useActForm, useTyping } from './act-form.ts';

interface ModalFormProps {
  form: { first: string; isDirty: boolean; busy: boolean; refusal: string | null };
  onSubmit: () => void;
  button: string;
  busyLabel?: string;
  finePrint?: string;
  children: ReactNode;
}

interface FormModalProps extends ModalFormProps {
  title: string;
  onClose: () => void;
}

/** A form that stands above the screen it belongs to. */
export function FormModal({ title, onClose, ...form }: FormModalProps) {
  return (
    <Modal onClose={onClose}>
      <ModalHead>{title}</ModalHead>
      <ModalBody>
        <ModalForm {...form} />
      </ModalBody>
    </Modal>
  );
}

/** One column; why the server refused stands above the button, where the eye is. */
function ModalForm(props: ModalFormProps) {
  const { form, onSubmit, button, busyLabel = 'Sending', finePrint, children } = props;
  useTyping(form);
  return (
    <form noValidate onSubmit={onSubmit} className="grid grid-cols-[minmax(0,1fr)] gap-4.5">
      {children}
      {form.refusal && <QuietNotice role="alert">{form.refusal}</QuietNotice>}
      <SubmitButton busy={form.busy} busyLabel={busyLabel}>
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
  done: NonNullable<Act<C>['done']>;
  onClose: () => void;
  /** What will happen. */
  children: ReactNode;
  /** Who reads the reason. */
  hint?: string;
}

const fields = z.object({ reason: writtenReason });

/** An act that needs nothing but a reason. */
export function ReasonModal<C extends Call>(props: ReasonProps<C>) {
  const {
    call,
    inputOf,
    done,
    children,
    hint = 'It stands in the audit log, for operators.',
    ...modal
  } = props;
  const { title, onClose } = modal;
  const form = useActForm({ call, fields, values: { reason: '' }, first: 'reason' });
  const onSubmit = form.handleSubmit(({ reason }) => form.send(inputOf(reason), { done, onDone: onClose }));
  return (
    <FormModal {...modal} form={form} onSubmit={onSubmit} button={title}>
      <ModalText>{children}</ModalText>
      <TextAreaField label="Reason" hint={hint} {...form.field('reason')} />
    </FormModal>
  );
}
