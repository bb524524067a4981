import { type Enrolment, enrol, totpLength } from '@tallystick/contract/operator/session';
import { Download } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { callApi } from '../../api.ts';
import { brand, pageMeta } from '../../brand.ts';
import { FormFailure, useSubmission } from '../../domain/forms/submission.tsx';
import { InFours } from '../../domain/money/whole-address.tsx';
import { safeNextPath } from '../../next-path.ts';
import { Button, SubmitButton } from '../../ui/actions/button.tsx';
import { CopyButton } from '../../ui/actions/copy.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { Qr } from '../../ui/facts/qr.tsx';
import { ConsoleBrand } from '../frame/console-brand.tsx';
import { CodeField, focusCode, readCode } from './code-field.tsx';
import { type Credentials, SignInForm } from './sign-in-form.tsx';

export const meta = () => pageMeta('Operator sign-in', 'Sign in to the operator console.');

/** The first sign-in sets up an authenticator and shows the recovery codes; every other has one step. */
type Step =
  | { kind: 'sign in' }
  | { kind: 'enrol'; credentials: Credentials; enrolment: Enrolment }
  | { kind: 'recovery codes'; email: string; codes: readonly string[] };

export default function OperatorLogin() {
  const [step, setStep] = useState<Step>({ kind: 'sign in' });
  const { state } = useLocation();
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const goOn = () => void navigate(safeNextPath(search.get('next'), 'operator'), { replace: true });

  return (
    <LoginScreen>
      {step.kind === 'sign in' && (
        <>
          <Title lead="Password, then the code from your authenticator app.">Operator sign-in</Title>
          {hasEnded(state) && (
            <div className="mt-5">
              <QuietNotice role="status">
                Your session has ended. Sign in to go on where you were.
              </QuietNotice>
            </div>
          )}
          <SignInForm
            onSignedIn={goOn}
            onEnrol={(credentials, enrolment) => setStep({ kind: 'enrol', credentials, enrolment })}
          />
        </>
      )}
      {step.kind === 'enrol' && (
        <>
          <Title lead="This is your first sign-in. From now on it takes your password and a code.">
            Set up your authenticator
          </Title>
          <EnrolForm
            credentials={step.credentials}
            enrolment={step.enrolment}
            onEnrolled={(codes) => setStep({ kind: 'recovery codes', email: step.credentials.email, codes })}
            onBack={() => setStep({ kind: 'sign in' })}
          />
        </>
      )}
      {step.kind === 'recovery codes' && (
        <>
          <Title lead="Each opens the console once when your phone is not at hand. They are shown only now.">
            Keep your recovery codes
          </Title>
          <RecoveryCodes email={step.email} codes={step.codes} onKept={goOn} />
        </>
      )}
    </LoginScreen>
  );
}

function hasEnded(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'hasEnded' in state && state.hasEnded === true;
}

function LoginScreen({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-1 flex-col bg-ink text-on-ink">
      <header className="on-ink flex h-20 items-center px-5 tablet:px-10">
        <ConsoleBrand to="/operator/login" />
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="grid flex-1 grid-cols-[minmax(0,1fr)] content-start px-4 pt-2 pb-6 tablet:place-content-center tablet:justify-items-center"
      >
        <div className="w-full rounded-modal bg-surface px-5 py-7 text-1 tablet:w-[480px] tablet:rounded-panel tablet:p-12">
          {children}
        </div>
      </main>
      <footer className="px-5 pt-2 pb-8 text-center text-label text-on-ink-2">
        Signed out after 15 minutes without use, and after 12 hours in any case. Every action is written to
        the audit log.
      </footer>
    </div>
  );
}

function Title({ lead, children }: { lead: string; children: string }) {
  return (
    <>
      <h1 className="text-heading">{children}</h1>
      <p className="mt-2 text-2">{lead}</p>
    </>
  );
}

interface EnrolFormProps {
  credentials: Credentials;
  enrolment: Enrolment;
  onEnrolled: (recoveryCodes: readonly string[]) => void;
  onBack: () => void;
}

function EnrolForm({ credentials, enrolment, onEnrolled, onBack }: EnrolFormProps) {
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

interface RecoveryCodesProps {
  email: string;
  codes: readonly string[];
  onKept: () => void;
}

function RecoveryCodes({ email, codes, onKept }: RecoveryCodesProps) {
  return (
    <div className="mt-6 grid gap-4.5">
      <ol className="grid grid-cols-2 gap-x-4 gap-y-2 rounded-code bg-sunken px-4 py-4 font-mono text-control inset-ring inset-ring-line">
        {codes.map((code) => (
          <li key={code} className="text-center">
            {code}
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={codes.join('\n')} label="Copy all" labelled />
        <Button look="soft" className="px-3.5! text-label!" onClick={() => download(email, codes)}>
          <Download className="size-4" aria-hidden="true" />
          Download
        </Button>
      </div>
      <p className="text-control text-2">
        Keep them where only you can find them, and not beside your password. Without them and without your
        phone, your authenticator has to be reset on the server.
      </p>
      <Button look="primary" size="large" onClick={onKept}>
        I have kept them
      </Button>
    </div>
  );
}

function download(email: string, codes: readonly string[]): void {
  const text = `${brand.name}, operator console\nRecovery codes of ${email}. Each works once.\n\n${codes.join('\n')}\n`;
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = 'recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(address);
}
