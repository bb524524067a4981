import { zodResolver } from '@hookform/resolvers/zod';
import { userText } from '@tallystick/contract/errors';
import { passwordLengthMin, register as registerCall } from '@tallystick/contract/users';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { callApi } from '../../api.ts';
import { pageMeta } from '../../brand.ts';
import { FormFailure, useSubmission } from '../../domain/forms/submission.tsx';
import { AuthLead, AuthTitle } from '../../domain/page/auth-head.tsx';
import { writeStored } from '../../storage.ts';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { TextLink } from '../../ui/actions/links.tsx';
import { Field, PasswordField } from '../../ui/forms/field.tsx';
import type { CodeMail } from '../auth/code-entry.tsx';
import { AlreadySignedIn, RecordCard } from '../auth/record-card.tsx';
import { AuthScreen, AuthUnder, backToSite } from '../auth/screen.tsx';
import { PageForm } from '../site/page-form.tsx';

export function meta() {
  return pageMeta('Sign Up', 'Create a personal account with your name, e-mail address and a password.');
}

export default function Signup() {
  return (
    <AuthScreen back={backToSite}>
      <RecordCard>
        <AuthTitle>Create A Personal Account</AuthTitle>
        <AuthLead>Full name, e-mail and a password. Then a code by e-mail.</AuthLead>
        <AlreadySignedIn />
        <SignupForm />
        <AuthUnder>
          Have an account? <TextLink to="/login">Log In</TextLink>
        </AuthUnder>
      </RecordCard>
    </AuthScreen>
  );
}

const fields = registerCall.body.omit({ isAdmin: true });

function SignupForm() {
  const { register, handleSubmit, setError, formState } = useForm({ resolver: zodResolver(fields) });
  const { errors } = formState;
  const navigate = useNavigate();
  const { busy, failure, submit } = useSubmission((refusal) => {
    if (refusal.code === 'weak_password') {
      setError('password', { message: refusal.message }, { shouldFocus: true });
      return null;
    }
    return refusal.status === 422 ? userText.emailExists : userText.formFailed;
  });

  const onSubmit = handleSubmit(({ fullname, email, password }) =>
    submit(async () => {
      const { userid } = await callApi(registerCall, { body: { fullname, email, password, isAdmin: false } });
      writeStored('useridkey', userid);
      await navigate('/verifyemail', { state: { email, sentAt: Date.now() } satisfies CodeMail });
    }),
  );

  return (
    <PageForm onSubmit={onSubmit}>
      <Field
        label="Full name"
        autoComplete="name"
        error={errors.fullname?.message}
        {...register('fullname')}
      />
      <Field
        label="Email"
        type="email"
        autoComplete="email"
        hint="We send a 4-digit code here to activate your account."
        error={errors.email?.message}
        {...register('email')}
      />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint={`At least ${passwordLengthMin} characters.`}
        error={errors.password?.message}
        {...register('password')}
      />
      <p className="text-label text-2">
        By creating an account you confirm that you have read the{' '}
        <TextLink to="/privacy">Privacy Policy</TextLink> and understand that you can lose money.
      </p>
      <FormFailure failure={failure} />
      <SubmitButton busy={busy}>Get Started</SubmitButton>
    </PageForm>
  );
}
