import { Code, codeLength } from '@tallystick/contract/users';
import { type FormEvent, useState } from 'react';
import type { ApiRefusal } from '../api.ts';
import { FormFailure } from '../domain/forms/form-failure.tsx';
import { useSubmission } from '../submission.ts';
import { SubmitButton } from '../ui/actions/button.tsx';
import { CodeBoxes } from '../ui/forms/code-boxes.tsx';
import { AuthForm } from './auth-form.tsx';

interface CodeFormProps {
  submitLabel: string;
  titleOf: (refusal: ApiRefusal) => string;
  onCode: (code: string) => Promise<void>;
}

/** Only the button sends the code: the fourth digit alone never does, so a mistake can still be mended. */
export function CodeForm({ submitLabel, titleOf, onCode }: CodeFormProps) {
  const [error, setError] = useState<string>();
  const { busy, failure, submit } = useSubmission(titleOf);

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const digits = [...new FormData(form).values()].map(String);
    const code = Code.safeParse(digits.join(''));
    setError(code.error?.issues[0]?.message);
    if (!code.success) {
      const firstEmpty = digits.indexOf('') + 1;
      form.querySelector<HTMLInputElement>(`[name=code${firstEmpty || 1}]`)?.focus();
      return;
    }
    await submit(() => onCode(code.data));
  }

  return (
    <AuthForm onSubmit={onSubmit}>
      <CodeBoxes
        length={codeLength}
        label={`${codeLength}-digit code`}
        error={error}
        invalid={failure?.kind === 'refused'}
      />
      <FormFailure failure={failure} />
      <SubmitButton busy={busy}>{submitLabel}</SubmitButton>
    </AuthForm>
  );
}
