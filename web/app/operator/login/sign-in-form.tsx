import { zodResolver } from '@hookform/resolvers/zod';
import type { CallAnswer } from '@tallystick/contract/call';
import { demoOperators } from '@tallystick/contract/demo';
import { signinoptions, signinpasskey } from '@tallystick/contract/operator/factors';
import { type Enrolment, signin, totpLength } from '@tallystick/contract/operator/session';
import { Fingerprint } from 'lucide-react';
import { type ComponentProps, type FormEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useForm } from 'react-hook-form';
import { callApi } from '../../api.ts';
import { CodeField, fillCode, focusCode, readCode } from '../../domain/factors/code-field.tsx';
import { showPasskey } from '../../domain/factors/passkeys.ts';
import { fieldsOf } from '../../domain/forms/fields.ts';
import { FormFailure, useSubmission } from '../../domain/forms/submission.tsx';
import { logFailure } from '../../log.ts';
import { Button, SubmitButton } from '../../ui/actions/button.tsx';
import { Field, PasswordField } from '../../ui/forms/field.tsx';

const fields = signin.body.omit({ code: true });

export interface Credentials {
  email: string;
  password: string;
}

interface SignInFormProps {
  onSignedIn: () => void;
  onEnrol: (credentials: Credentials, enrolment: Enrolment) => void;
}

export function SignInForm({ onSignedIn, onEnrol }: SignInFormProps) {
  const typed = useForm({ resolver: zodResolver(fields) });
  const { setValue } = typed;
  const field = fieldsOf(typed);
  const form = useRef<HTMLFormElement>(null);
  const [withRecovery, setWithRecovery] = useState(false);
  const [codeError, setCodeError] = useState<string>();
  const { busy, failure, submit } = useSubmission((refusal) => refusal.message || 'You were not signed in.');
  /** Which of both was pressed last. */
  const [isByPasskey, setByPasskey] = useState(false);

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const code = withRecovery ? '' : readCode(form);
    // Nothing at all is right at the first sign-in, when there is no authenticator yet.
    const isHalf = code !== '' && code.length < totpLength;
    setCodeError(isHalf ? 'Enter the six digits your authenticator shows.' : undefined);
    return typed.handleSubmit(({ email, password, recoverycode }) => {
      if (isHalf) return focusCode(form);
      setByPasskey(false);
      return submit(async () => {
        const proof = withRecovery ? { recoverycode: recoverycode ?? '' } : code ? { code } : {};
        const answer = await callApi(signin, { body: { email, password, ...proof } });
        if (answer.enrolment) onEnrol({ email, password }, answer.enrolment);
        else onSignedIn();
      });
    })(event);
  }

  const onPasskey = typed.handleSubmit(({ email, password }) => {
    setByPasskey(true);
    setCodeError(undefined);
    return submit(async () => {
      await signInByPasskey({ email, password });
      onSignedIn();
    });
  });

  function fillIn({ email, password, code }: DemoOperator) {
    // The boxes must be there before they can be filled.
    flushSync(() => setWithRecovery(false));
    setValue('email', email, { shouldValidate: true });
    setValue('password', password, { shouldValidate: true });
    if (form.current) fillCode(form.current, code);
  }

  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={onSubmit}
      className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-4.5"
    >
      <Field label="Email" type="email" autoComplete="username" {...field('email')} />
      <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
      {withRecovery ? (
        <RecoveryField {...field('recoverycode')} />
      ) : (
        <CodeField error={codeError} invalid={failure?.kind === 'refused' && !isByPasskey} />
      )}
      <FormFailure failure={failure} />
      <SubmitButton busy={busy && !isByPasskey}>Sign in</SubmitButton>
      <PasskeyButton busy={busy && isByPasskey} onClick={onPasskey} />
      <DemoOperators onFill={fillIn} />
      <ProofChoice withRecovery={withRecovery} onChoose={setWithRecovery} />
    </form>
  );
}

/** The password first, as with a code; then the device asks. */
async function signInByPasskey(body: Credentials): Promise<void> {
  const passkey = await showPasskey(await callApi(signinoptions, { body }));
  await callApi(signinpasskey, { body: { passkey } });
}

function RecoveryField(field: Omit<ComponentProps<typeof Field>, 'label'>) {
  return (
    <Field
      label="Recovery code"
      autoComplete="off"
      spellCheck={false}
      hint="It works once, then it is used up."
      {...field}
    />
  );
}

function PasskeyButton({ busy, onClick }: { busy: boolean; onClick: () => void }) {
  return (
    <div className="passkey-only -mt-1.5 grid">
      <Button size="large" className="w-full" busy={busy} onClick={onClick}>
        <Fingerprint className="size-5" strokeWidth={1.75} aria-hidden="true" />
        {busy ? 'Waiting for your device' : 'Use a passkey, not a code'}
      </Button>
    </div>
  );
}

interface ProofChoiceProps {
  withRecovery: boolean;
  onChoose: (withRecovery: boolean) => void;
}

function ProofChoice({ withRecovery, onChoose }: ProofChoiceProps) {
  return (
    <div className="text-control text-2">
      <p>
        {withRecovery ? 'Phone at hand after all?' : 'No phone at hand?'}{' '}
        <button type="button" className="textlink -my-2.5 min-h-11" onClick={() => onChoose(!withRecovery)}>
          {withRecovery ? 'Use a code from the app' : 'Use a recovery code'}
        </button>
      </p>
      {!withRecovery && <p className="mt-1 text-caption text-3">First sign-in? Leave the code empty.</p>}
    </div>
  );
}

type DemoOperator = CallAnswer<typeof demoOperators>['operators'][number];

/** A demo has two operators, so that what needs both of them can be tried. In production nothing is asked or shown. */
function DemoOperators({ onFill }: { onFill: (operator: DemoOperator) => void }) {
  const [names, setNames] = useState<readonly string[]>([]);

  useEffect(() => {
    if (document.documentElement.dataset.mode !== 'demo') return;
    readOperators().then((operators) => setNames(operators.map(({ name }) => name)));
  }, []);

  /** Asked again at each press: the code lasts half a minute. */
  async function fill(name: string) {
    const operator = (await readOperators()).find((one) => one.name === name);
    if (operator) onFill(operator);
  }

  if (names.length === 0) return null;
  return (
    <fieldset className="grid gap-2 rounded-code bg-accent-tint p-3.5">
      <legend className="float-left mb-2 w-full text-caption text-2">
        This is a demo. Fill in the details of an operator:
      </legend>
      <div className="clear-both flex flex-wrap gap-2 *:flex-1">
        {names.map((name) => (
          <Button key={name} className="px-3! text-label!" onClick={() => void fill(name)}>
            {name}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}

async function readOperators(): Promise<readonly DemoOperator[]> {
  try {
    return (await callApi(demoOperators, {})).operators;
  } catch (error) {
    logFailure('Error fetching the demo operators:', error);
    return [];
  }
}
