import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiRefusal } from '../api.ts';
import { FormFailure } from '../domain/forms/form-failure.tsx';
import { useSubmission } from '../submission.ts';
import { SubmitButton } from '../ui/actions/button.tsx';
import { QuietNotice } from '../ui/facts/notice.tsx';
import { AuthForm } from './auth-form.tsx';

interface LinkFormProps {
  submitLabel: string;
  /** The catalogue's text for everything but a link that no longer works. */
  failedText: string;
  onFollow: () => Promise<void>;
  /** How to get a new e-mail. */
  whenDead: ReactNode;
}

/** One button, because opening a mail's link must not change anything: mail programs open links by themselves. */
export function LinkForm({ submitLabel, failedText, onFollow, whenDead }: LinkFormProps) {
  const [dead, setDead] = useState(false);
  const { busy, failure, submit } = useSubmission(() => failedText);

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    await submit(async () => {
      try {
        await onFollow();
      } catch (error) {
        // 400 is a link that was cut off on its way, 422 one that is used up or too old.
        if (!(error instanceof ApiRefusal) || (error.status !== 422 && error.status !== 400)) throw error;
        setDead(true);
      }
    });
  }

  if (dead) {
    return (
      <div className="mt-7">
        <QuietNotice role="alert">
          <p className="font-semibold text-1">This link no longer works.</p>
          <p className="mt-0.5">It may be too old, already used, or replaced by a newer e-mail. {whenDead}</p>
        </QuietNotice>
      </div>
    );
  }
  return (
    <AuthForm onSubmit={onSubmit}>
      <FormFailure failure={failure} />
      <SubmitButton busy={busy}>{submitLabel}</SubmitButton>
    </AuthForm>
  );
}
