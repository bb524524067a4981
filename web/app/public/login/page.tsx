import { zodResolver } from '@hookform/resolvers/zod';
import { demoInvestor } from '@tallystick/contract/demo';
import { userText } from '@tallystick/contract/errors';
import { signin } from '@tallystick/contract/users';
import { useForm } from 'react-hook-form';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { ApiRefusal, callApi } from '../../api.ts';
import { pageMeta } from '../../brand.ts';
import { FormFailure, useSubmission } from '../../domain/forms/submission.tsx';
import { useHydrated } from '../../hydrated.ts';
import { safeNextPath } from '../../next-path.ts';
import { beginSession, useSession, writeStored } from '../../storage.ts';
import { Button, SubmitButton } from '../../ui/actions/button.tsx';
import { TextLink } from '../../ui/actions/links.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { Field, PasswordField } from '../../ui/forms/field.tsx';
import type { CodeMail } from '../auth/code-entry.tsx';
import { AlreadySignedIn, RecordCard } from '../auth/record-card.tsx';
import { AuthLead, AuthScreen, AuthTitle, AuthUnder, backToSite } from '../auth/screen.tsx';
import { PageForm } from '../site/page-form.tsx';

export function meta() {
  return pageMeta('Log In', 'Log in to see your half of the record.');
}

export default function Login() {
  return (
    <AuthScreen back={backToSite}>
      <RecordCard>
        <AuthTitle>Welcome back</AuthTitle>
        <AuthLead>Log in to see your half.</AuthLead>
        <AlreadySignedIn />
        <LoginForm />
        <AuthUnder>
          New here? <TextLink to="/signup">Sign Up</TextLink>
        </AuthUnder>
      </RecordCard>
    </AuthScreen>
  );
}

const fields = signin.body.omit({ isAdmin: true });

function LoginForm() {
  const { register, handleSubmit, setValue, formState } = useForm({ resolver: zodResolver(fields) });
  const { errors } = formState;
  const login = useSubmission((refusal) =>
    refusal.status === 401 ? userText.loginRefused : userText.formFailed,
  );
  const demo = useSubmission(() => userText.formFailed);
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const session = useSession();
  // The page was made without an address, so what depends on it comes once scripts run.
  const wasSignedOut = useHydrated() && search.has('next') && !session;

  const onSubmit = handleSubmit(({ email, password }) =>
    login.submit(async () => {
      try {
        beginSession(await callApi(signin, { body: { email, password, isAdmin: false } }));
        await navigate(safeNextPath(search.get('next'), 'investor'));
      } catch (error) {
        if (!(error instanceof ApiRefusal) || error.status !== 422 || !error.userid) throw error;
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
      {wasSignedOut && <QuietNotice role="status">Your session has ended. Please log in again.</QuietNotice>}
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
      <Button look="quiet" className="demo-only -mt-2" busy={demo.busy} onClick={fillInDemo}>
        Fill in the demo details
      </Button>
    </PageForm>
  );
}
