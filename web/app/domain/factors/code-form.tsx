import { totpLength } from '@tallystick/contract/operator/session';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { FormFailure, useSubmission } from '../forms/submission.tsx';
import { CodeField, focusCode, readCode } from './code-field.tsx';

interface CodeFormProps {
  submitLabel: string;
  onCode: (code: string) => Promise<void>;
  /** Whether it begins in the first box. */
  isFirst?: boolean;
  className?: string;
  /** Above the boxes. */
  children?: ReactNode;
  /** Beneath the button. */
  under?: ReactNode;
}

/** Asks for the code of an authenticator. Only the button sends it: a slip in the sixth digit can still be mended. */
export function CodeForm({
  submitLabel,
  onCode,
  isFirst = false,
  className = '',
  children,
  under,
}: CodeFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [codeError, setCodeError] = useState<string>();
  const { busy, failure, submit } = useSubmission(
    (refusal) => refusal.message || 'The code was not accepted.',
  );

  useEffect(() => {
    if (isFirst && form.current) focusCode(form.current);
  }, [isFirst]);

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const code = readCode(event.currentTarget);
    const isWhole = code.length === totpLength;
    setCodeError(isWhole ? undefined : 'Enter the six digits your authenticator shows.');
    if (!isWhole) return focusCode(event.currentTarget);
    return submit(() => onCode(code));
  }

  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={onSubmit}
      className={`grid grid-cols-[minmax(0,1fr)] gap-4.5 ${className}`}
    >
      {children}
      <CodeField error={codeError} invalid={failure?.kind === 'refused'} />
      <FormFailure failure={failure} />
      <SubmitButton busy={busy}>{submitLabel}</SubmitButton>
      {under}
    </form>
  );
}
