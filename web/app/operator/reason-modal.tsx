import { zodResolver } from '@hookform/resolvers/zod';
import { reasonLengthMax, reasonLengthMin } from '@tallystick/contract/operator/parts';
import { type ReactNode, useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { SubmitButton } from '../ui/actions/button.tsx';
import { QuietNotice } from '../ui/facts/notice.tsx';
import { TextAreaField } from '../ui/forms/field.tsx';
import { FormModal } from './form-modal.tsx';

/** The same lengths as the contract's, in words that suit a reason which only operators read. */
export const writtenReason = z
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
    <form noValidate onSubmit={onSubmit} className="grid grid-cols-[minmax(0,1fr)] gap-4.5">
      <div className="text-control text-2">{children}</div>
      <TextAreaField label="Reason" hint={hint} error={errors.reason?.message} {...register('reason')} />
      {refusal && <QuietNotice role="alert">{refusal}</QuietNotice>}
      <SubmitButton busy={busy} busyLabel="Sending">
        {button}
      </SubmitButton>
    </form>
  );
}
