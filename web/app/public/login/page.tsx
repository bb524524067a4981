import { zodResolver } from '@hookform/resolvers/zod';
import { demoInvestor } from '@tallystick/contract/demo';
import { userText } from '@tallystick/contract/errors';
import { type Session, signin } from '@tallystick/contract/users';
import { type ComponentProps, useState } from 'react';
import { flushSync } from 'react-dom';
import { useForm } from 'react-hook-form';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { ApiRefusal, ApiUnreachable, callApi } from '../../api.ts';
import { pageMeta } from '../../brand.ts';
import { FormFailure, useSubmission } from '../../domain/forms/submission.tsx';
import { AuthLead, AuthTitle } from '../../domain/page/auth-head.tsx';
import { useHydrated } from '../../hydrated.ts';
import { safeNextPath } from '../../next-path.ts';
import { beginSession, useSession, writeStored } from '../../storage.ts';
import { Button, SubmitButton } from '../../ui/actions/button.tsx';
import { TextLink } from '../../ui/actions/links.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { Field, PasswordField } from '../../ui/forms/field.tsx';
import type { CodeMail } from '../auth/code-entry.tsx';
import { AlreadySignedIn, RecordCard } from '../auth/record-card.tsx';
import { AuthScreen, AuthUnder, backToSite } from '../auth/screen.tsx';
import { PageForm } from '../site/page-form.tsx';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import type { SecondStep } from './second-step.tsx';

export function meta() {
  return pageMeta('Log In', 'Log in to see your half of the record.');
}

/** Only whoever has switched on a second factor ever sees the second step, so its code comes with it. */
interface Second {
  Step: typeof SecondStep;
  ways: ComponentProps<typeof SecondStep>['ways'];
}

export default function Login() {
  const [second, setSecond] = useState<Second | null>(null);
  const [isOver, setOver] = useState(false);
  const onSignedIn = useSignedIn();

  function goOn(to: Second) {
    setOver(false);
    setSecond(to);
  }

  function goBack(why: 'pressed' | 'over') {
    // The form must be in sight before it can have the focus.
    flushSync(() => {
      setOver(why === 'over');
      setSecond(null);
    });
    document.getElementsByName('password')[0]?.focus();
  }

  return (
    <AuthScreen back={backToSite}>
      <RecordCard>
        {second && <second.Step ways={second.ways} onSignedIn={onSignedIn} onBack={goBack} />}
        {/* It stays, out of sight, with what was typed. */}
        <div hidden={second !== null}>
          <AuthTitle>Welcome back</AuthTitle>
          <AuthLead>Log in to see your half.</AuthLead>
          <AlreadySignedIn />
          <LoginForm isOver={isOver} onSignedIn={onSignedIn} onSecondStep={goOn} />
          <AuthUnder>
            New here? <TextLink to="/signup">Sign Up</TextLink>
          </AuthUnder>
        </div>
      </RecordCard>
    </AuthScreen>
  );
}

/** However somebody has signed in: the answer is kept as it came, and leads to where they wanted to go. */
function useSignedIn() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  return async (session: Session) => {
    beginSession(session);
    await navigate(safeNextPath(search.get('next'), 'investor'));
  };
}

async function fetchSecondStep({ ways = [] }: ApiRefusal): Promise<Second> {
  try {
    return { Step: (await import('./second-step.tsx')).SecondStep, ways };
  } catch (cause) {
    throw new ApiUnreachable('The second step could not be loaded', { cause });
  }
}

const fields = signin.body.omit({ isAdmin: true });

interface LoginFormProps {
  /** The second step ended without a sign-in: the server asks for the password again. */
  isOver: boolean;
  onSignedIn: (session: Session) => Promise<void>;
  onSecondStep: (second: Second) => void;
}

function LoginForm({ isOver, onSignedIn, onSecondStep }: LoginFormProps) {
  const { register, handleSubmit, setValue, formState } = useForm({ resolver: zodResolver(fields) });
  const { errors } = formState;
  const login = useSubmission((refusal) =>
    refusal.status === 401 ? userText.loginRefused : userText.formFailed,
  );
  const demo = useSubmission(() => userText.formFailed);
  const navigate = useNavigate();

  const onSubmit = handleSubmit(({ email, password }) =>
    login.submit(async () => {
      try {
        await onSignedIn(await callApi(signin, { body: { email, password, isAdmin: false } }));
      } catch (error) {
        if (!(error instanceof ApiRefusal)) throw error;
        if (error.code === 'second_factor_required') return onSecondStep(await fetchSecondStep(error));
        if (error.status !== 422 || !error.userid) throw error;
        // The account exists but was never activated.
        writeStored('useridkey', error.userid);
        await navigate('/verifyemail', { state: { email } satisfies CodeMail });
      }
    }),
  );

  const fillInDemo = () =>
    demo.submit(async () => {
      const details = await callApi(demoInvestor, {});
      setValue('email', details.email, { shouldValidate: true });
      setValue('password', details.password, { shouldValidate: true });
    });

  return (
    <PageForm onSubmit={onSubmit}>
      <WhyHere isOver={isOver} />
      <Field
        label="Email"
        type="email"
        autoComplete="email"
        error={errors.email?.message}
        {...register('email')}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        error={errors.password?.message}
        beside={
          <Link
            to="/forgotpass"
            className="-my-3 inline-flex min-h-11 items-center text-label font-semibold text-accent-text underline-offset-3 hover:underline"
          >
            Forgot password?
          </Link>
        }
        {...register('password')}
      />
      <FormFailure failure={login.failure ?? demo.failure} />
      <SubmitButton busy={login.busy}>Login</SubmitButton>
      <PasskeySignIn onSignedIn={onSignedIn} />
      <Button look="quiet" className="demo-only -mt-2" busy={demo.busy} onClick={fillInDemo}>
        Fill in the demo details
      </Button>
    </PageForm>
  );
}

function WhyHere({ isOver }: { isOver: boolean }) {
  const [search] = useSearchParams();
  const session = useSession();
  // The page was made without an address, so what depends on it comes once scripts run.
  const wasSignedOut = useHydrated() && search.has('next') && !session;
  if (isOver)
    return (
      <QuietNotice role="alert">
        The second step took too long, or too many tries were wrong. Press Login to begin again.
      </QuietNotice>
    );
  if (!wasSignedOut) return null;
  return <QuietNotice role="status">Your session has ended. Please log in again.</QuietNotice>;
}
