import { zodResolver } from '@hookform/resolvers/zod';
import { userText } from '@tallystick/contract/errors';
import { passwordLengthMin, register as registerCall } from '@tallystick/contract/users';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { callApi } from '../../api.ts';
import { FormFailure } from '../../domain/forms/form-failure.tsx';
import { writeStored } from '../../storage.ts';
import { useSubmission } from '../../submission.ts';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { Field, PasswordField } from '../../ui/forms/field.tsx';
import { AuthForm } from '../auth-form.tsx';
import type { CodeMail } from '../code-entry.ts';
import { TextLink } from '../text-link.tsx';

const fields = registerCall.body.omit({ isAdmin: true });

export function SignupForm() {
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
    <AuthForm onSubmit={onSubmit}>
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
    </AuthForm>
  );
}
