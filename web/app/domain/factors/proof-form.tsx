import type { CallInput } from '@tallystick/contract/call';
import type { FactorWay } from '@tallystick/contract/errors';
import type { PasskeyRequest, stepup } from '@tallystick/contract/factors';
import { Fingerprint } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button, SubmitButton } from '../../ui/actions/button.tsx';
import { Spinner } from '../../ui/facts/spinner.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { useFirstFocus } from '../../ui/forms/first-focus.ts';
import { FormFailure, useSubmission } from '../forms/submission.tsx';
import { CodeForm } from './code-form.tsx';
import { fetchPasskeys, hasPasskeys, showPasskey } from './passkeys.ts';

export type Proof = CallInput<typeof stepup>['body'];
type Way = Exclude<FactorWay, 'mail'>;

interface ProofFormProps {
  /** What this account has. */
  ways: readonly FactorWay[];
  submitLabel: string;
  /** What the server wants a passkey to be asked for. */
  askOptions: () => Promise<PasskeyRequest>;
  onProof: (proof: Proof) => Promise<void>;
}

/** How each is offered while another is shown. */
const offers: Record<Way, string> = {
  passkey: 'Use a passkey',
  code: 'Use a code from the app',
  recovery: 'Use a recovery code',
};

/** Asks for a second factor: a passkey where there is one and the browser can, else a code; another way is a press away. */
export function ProofForm({ ways, ...needs }: ProofFormProps) {
  const possible = (['passkey', 'code', 'recovery'] as const).filter(
    (way) => ways.includes(way) && (way !== 'passkey' || hasPasskeys()),
  );
  const [chosen, setChosen] = useState(possible[0] ?? 'recovery');
  const Form = forms[chosen];
  return (
    <>
      <Form {...needs} />
      <ul className="mt-2 grid justify-items-start">
        {possible
          .filter((way) => way !== chosen)
          .map((way) => (
            <li key={way}>
              <button type="button" className="textlink min-h-11 text-control" onClick={() => setChosen(way)}>
                {offers[way]}
              </button>
            </li>
          ))}
      </ul>
    </>
  );
}

type Needs = Omit<ProofFormProps, 'ways'>;

const formClass = 'grid grid-cols-[minmax(0,1fr)] gap-4.5';

function ByCode({ submitLabel, onProof }: Needs) {
  return (
    <CodeForm isFirst submitLabel={submitLabel} onCode={(code) => onProof({ code })}>
      <p className="text-control text-2">Enter the code of your authenticator.</p>
    </CodeForm>
  );
}

function ByPasskey({ askOptions, onProof }: Needs) {
  const button = useRef<HTMLButtonElement>(null);
  const { busy, failure, submit } = useSubmission(
    (refusal) => refusal.message || 'The passkey was not accepted.',
  );
  useEffect(() => {
    button.current?.focus();
    // Fetched ahead: browsers open the question only soon after a press. Whoever presses asks again.
    fetchPasskeys().catch(() => {});
  }, []);
  const show = () => submit(async () => onProof({ passkey: await showPasskey(await askOptions()) }));
  return (
    <div className={formClass}>
      <p className="text-control text-2">Your device asks for your finger, your face or its PIN.</p>
      <FormFailure failure={failure} />
      <Button ref={button} look="primary" size="large" className="w-full" busy={busy} onClick={show}>
        {busy ? <Spinner /> : <Fingerprint className="size-5" strokeWidth={1.75} aria-hidden="true" />}
        {busy ? 'Waiting for your device' : 'Use a passkey'}
      </Button>
    </div>
  );
}

function ByRecoveryCode({ submitLabel, onProof }: Needs) {
  const [missing, setMissing] = useState<string>();
  const { busy, failure, submit } = useSubmission(
    (refusal) => refusal.message || 'The recovery code was not accepted.',
  );
  useFirstFocus('recoverycode');

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const recoverycode = String(new FormData(event.currentTarget).get('recoverycode')).trim();
    setMissing(recoverycode ? undefined : 'Enter one of your recovery codes.');
    if (recoverycode) return submit(() => onProof({ recoverycode }));
    event.currentTarget.querySelector('input')?.focus();
    return undefined;
  }

  return (
    <form method="post" noValidate onSubmit={onSubmit} className={formClass}>
      <Field
        label="Recovery code"
        name="recoverycode"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint="It works once, then it is used up."
        error={missing}
        aria-invalid={failure?.kind === 'refused' || undefined}
      />
      <FormFailure failure={failure} />
      <SubmitButton busy={busy}>{submitLabel}</SubmitButton>
    </form>
  );
}

const forms = { passkey: ByPasskey, code: ByCode, recovery: ByRecoveryCode };
