import { zodResolver } from '@hookform/resolvers/zod';
import { userText } from '@tallystick/contract/errors';
import { passwordLengthMin, updatepassword } from '@tallystick/contract/users';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { callApi } from '../../api.ts';
import { pageMeta } from '../../brand.ts';
import { FormFailure } from '../../domain/forms/form-failure.tsx';
import { removeStored, useStored } from '../../storage.ts';
import { NotSent, useSubmission } from '../../submission.ts';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { Steps } from '../../ui/brand/notches.tsx';
import { PasswordField } from '../../ui/forms/field.tsx';
import { AuthForm } from '../auth-form.tsx';
import { AuthLead, AuthScreen, AuthTitle, backToLogin, SoloCard } from '../auth-screen.tsx';
import { BeginReset, resetNotBegun } from '../how-to-begin.tsx';
import { newPasswordFields } from './fields.ts';

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
    <AuthForm onSubmit={onSubmit}>
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
    </AuthForm>
  );
}
