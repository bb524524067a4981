import { type Enrolment, enrol } from '@tallystick/contract/operator/session';
import { type ReactNode, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { callApi } from '../../api.ts';
import { pageMeta } from '../../brand.ts';
import { AuthenticatorKey } from '../../domain/factors/authenticator-key.tsx';
import { CodeForm } from '../../domain/factors/code-form.tsx';
import { codesOf, RecoveryCodes } from '../../domain/factors/recovery-codes.tsx';
import { AuthLead, AuthTitle } from '../../domain/page/auth-head.tsx';
import { safeNextPath } from '../../next-path.ts';
import { Button } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { ConsoleBrand } from '../frame/console-brand.tsx';
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
          <AuthTitle>Operator sign-in</AuthTitle>
          <AuthLead>Password, then the code from your authenticator app, or a passkey.</AuthLead>
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
          <AuthTitle>Set up your authenticator</AuthTitle>
          <AuthLead>This is your first sign-in. From now on it takes your password and a code.</AuthLead>
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
          <AuthTitle>Keep your recovery codes</AuthTitle>
          <AuthLead>
            Each opens the console once when your phone is not at hand. They are shown only now.
          </AuthLead>
          <RecoveryCodes
            of={codesOf.operator}
            email={step.email}
            codes={step.codes}
            onKept={goOn}
            className="mt-6"
          >
            Without them and without your phone, your authenticator has to be reset on the server.
          </RecoveryCodes>
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
      <footer className="px-5 pt-2 pb-8 text-center text-label text-balance text-on-ink-2">
        Signed out after 15 minutes without use, and after 12 hours in any case. Every action is written to
        the audit log.
      </footer>
    </div>
  );
}

interface EnrolFormProps {
  credentials: Credentials;
  enrolment: Enrolment;
  onEnrolled: (recoveryCodes: readonly string[]) => void;
  onBack: () => void;
}

function EnrolForm({ credentials, enrolment, onEnrolled, onBack }: EnrolFormProps) {
  async function onCode(code: string) {
    const { recoverycodes } = await callApi(enrol, { body: { ...credentials, code } });
    onEnrolled(recoverycodes);
  }
  return (
    <CodeForm
      submitLabel="Sign in"
      onCode={onCode}
      className="mt-6"
      under={
        <Button look="quiet" className="-mt-2" onClick={onBack}>
          Back
        </Button>
      }
    >
      <AuthenticatorKey enrolment={enrolment} />
    </CodeForm>
  );
}
