import { zodResolver } from '@hookform/resolvers/zod';
import { userText } from '@tallystick/contract/errors';
import { passwordLengthMin, updatepassword } from '@tallystick/contract/users';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { z } from 'zod';
import { callApi } from '../../api.ts';
import { pageMeta } from '../../brand.ts';
import { FormFailure, NotSent, useSubmission } from '../../domain/forms/submission.tsx';
import { AuthLead, AuthTitle } from '../../domain/page/auth-head.tsx';
import { removeStored, useStored } from '../../storage.ts';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { Steps } from '../../ui/brand/notches.tsx';
import { PasswordField } from '../../ui/forms/field.tsx';
import { BeginReset, resetNotBegun } from '../auth/code-entry.tsx';
import { AuthScreen, backToLogin, SoloCard } from '../auth/screen.tsx';
import { PageForm } from '../site/page-form.tsx';

export function meta() {
  return pageMeta('Update Password', 'Choose a new password for your account.');
}

export default function UpdatePass() {
  const userid = useStored('useridkey');
  return (
    <AuthScreen back={backToLogin}>
      <SoloCard pending={userid === undefined}>
        <Steps now={3} of={3} />
        <AuthTitle>Choose a new password</AuthTitle>
        <AuthLead>It replaces the old one on all your devices.</AuthLead>
        {userid === null && <BeginReset />}
        <UpdateForm userid={userid ?? null} />
      </SoloCard>
    </AuthScreen>
  );
}

/** What the browser checks before it sends: both fields filled, both the same. Whether it is good enough, the server says. */
const newPasswordFields = z
  .object({
    password: z.string().min(1, 'Enter a new password.'),
    cpassword: z.string().min(1, 'Enter the new password again.'),
  })
  .refine(({ password, cpassword }) => password === cpassword, {
    path: ['cpassword'],
    error: userText.passwordsDiffer,
  });

function UpdateForm({ userid }: { userid: string | null }) {
  const { register, handleSubmit, formState } = useForm({ resolver: zodResolver(newPasswordFields) });
  const { errors } = formState;
  const navigate = useNavigate();
  const { busy, failure, submit } = useSubmission(({ status, message }) =>
    (status === 404 || status === 422) && message ? message : userText.formFailed,
  );

  const onSubmit = handleSubmit((body) =>
    submit(async () => {
      if (userid === null) throw new NotSent(resetNotBegun);
      await callApi(updatepassword, { params: { userid }, body });
      await navigate('/changepasssuccess');
      removeStored('useridkey');
    }),
  );

  return (
    <PageForm onSubmit={onSubmit}>
      <PasswordField
        label="New Password"
        autoComplete="new-password"
        hint={`At least ${passwordLengthMin} characters.`}
        error={errors.password?.message}
        {...register('password')}
      />
      <PasswordField
        label="Confirm New Password"
        autoComplete="new-password"
        error={errors.cpassword?.message}
        {...register('cpassword')}
      />
      <FormFailure failure={failure} />
      <SubmitButton busy={busy}>Update Password</SubmitButton>
    </PageForm>
  );
}
