import { type Enrolment, enrol, totpLength } from '@tallystick/contract/operator/session';
import { type FormEvent, useState } from 'react';
import { callApi } from '../../api.ts';
import { FormFailure, useSubmission } from '../../domain/forms/submission.tsx';
import { InFours } from '../../domain/money/whole-address.tsx';
import { Button, SubmitButton } from '../../ui/actions/button.tsx';
import { CopyButton } from '../../ui/actions/copy.tsx';
import { Qr } from '../../ui/facts/qr.tsx';
import { CodeField, focusCode, readCode } from './code-field.tsx';
import type { Credentials } from './sign-in-form.tsx';

interface EnrolFormProps {
  credentials: Credentials;
  enrolment: Enrolment;
  onEnrolled: (recoveryCodes: readonly string[]) => void;
  onBack: () => void;
}

export function EnrolForm({ credentials, enrolment, onEnrolled, onBack }: EnrolFormProps) {
  const [codeError, setCodeError] = useState<string>();
  const { busy, failure, submit } = useSubmission(
    (refusal) => refusal.message || 'The code was not accepted.',
  );

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const code = readCode(event.currentTarget);
    const isWhole = code.length === totpLength;
    setCodeError(isWhole ? undefined : 'Enter the six digits your authenticator shows.');
    if (!isWhole) return focusCode(event.currentTarget);
    return submit(async () => {
      const { recoverycodes } = await callApi(enrol, { body: { ...credentials, code } });
      onEnrolled(recoverycodes);
    });
  }

  return (
    <form
      method="post"
      noValidate
      onSubmit={onSubmit}
      className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-4.5"
    >
      <p className="text-control text-2">
        Scan this with an authenticator app, or type the key into it. Then enter the code it shows.
      </p>
      <Key enrolment={enrolment} />
      <CodeField error={codeError} invalid={failure?.kind === 'refused'} />
      <FormFailure failure={failure} />
      <SubmitButton busy={busy}>Sign in</SubmitButton>
      <Button look="quiet" className="-mt-2" onClick={onBack}>
        Back
      </Button>
    </form>
  );
}

function Key({ enrolment: { secret, uri } }: { enrolment: Enrolment }) {
  const key = secret.replace(/\s/g, '');
  return (
    <div className="grid justify-items-center gap-3.5 rounded-code bg-sunken p-4 inset-ring inset-ring-line">
      <div className="[&>span]:size-44!">
        <Qr text={uri} label="QR code for your authenticator app" />
      </div>
      <div className="text-center">
        <p className="text-caption text-3">Key</p>
        <p className="font-mono text-label/6">
          <InFours text={key} className="mx-1" />
        </p>
      </div>
      <CopyButton text={key} label="Copy key" labelled />
    </div>
  );
}
