import { zodResolver } from '@hookform/resolvers/zod';
import { userText } from '@tallystick/contract/errors';
import { forgotpassword } from '@tallystick/contract/users';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { callApi } from '../../api.ts';
import { pageMeta } from '../../brand.ts';
import { FormFailure, useSubmission } from '../../domain/forms/submission.tsx';
import { AuthLead, AuthTitle } from '../../domain/page/auth-head.tsx';
import { writeStored } from '../../storage.ts';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { TextLink } from '../../ui/actions/links.tsx';
import { Steps } from '../../ui/brand/notches.tsx';
import { Field } from '../../ui/forms/field.tsx';
import type { CodeMail } from '../auth/code-entry.tsx';
import { AuthScreen, AuthUnder, backToLogin, SoloCard } from '../auth/screen.tsx';
import { PageForm } from '../site/page-form.tsx';

export function meta() {
  return pageMeta('Forgot Password', 'Get a 4 digit code by e-mail to choose a new password.');
}

export default function ForgotPass() {
  return (
    <AuthScreen back={backToLogin}>
      <SoloCard>
        <Steps now={1} of={3} />
        <AuthTitle>Forgot password</AuthTitle>
        <AuthLead>Enter the e-mail of your account. We send a 4 digit code to it.</AuthLead>
        <ForgotForm />
        <AuthUnder>
          Remembered it? <TextLink to="/login">Log In</TextLink>
        </AuthUnder>
      </SoloCard>
    </AuthScreen>
  );
}

function ForgotForm() {
  const { register, handleSubmit, formState } = useForm({ resolver: zodResolver(forgotpassword.body) });
  const navigate = useNavigate();
  const { busy, failure, submit } = useSubmission(({ status }) =>
    status === 401 || status === 422 ? userText.forgotEmailUnknown : userText.formFailed,
  );

  const onSubmit = handleSubmit(({ email }) =>
    submit(async () => {
      const { userid } = await callApi(forgotpassword, { body: { email } });
      writeStored('useridkey', userid);
      await navigate('/verifyforgotcode', { state: { email, sentAt: Date.now() } satisfies CodeMail });
    }),
  );

  return (
    <PageForm onSubmit={onSubmit}>
      <Field
        label="Email"
        type="email"
        autoComplete="email"
        error={formState.errors.email?.message}
        {...register('email')}
      />
      <FormFailure failure={failure} />
      <SubmitButton busy={busy}>Verify</SubmitButton>
    </PageForm>
  );
}
