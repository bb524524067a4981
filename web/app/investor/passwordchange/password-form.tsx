import { zodResolver } from '@hookform/resolvers/zod';
import { changepassword, devices, passwordLengthMin } from '@tallystick/contract/users';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { ApiRefusal, callApi } from '../../api.ts';
import { fieldsOf } from '../../domain/forms/fields.ts';
import { failureDetail } from '../../domain/forms/submission.tsx';
import { logFailure } from '../../log.ts';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { PasswordField } from '../../ui/forms/field.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { toastFailure, toastSuccess } from '../../ui/overlays/toast.tsx';

const passwordsDiffer = 'The two new passwords differ.';

/** What the browser checks before it sends: all filled, both new ones the same. Whether it is good enough, the server says. */
const passwordFields = z
  .object({
    password: z.string().min(1, 'Enter your old password.'),
    passwordnew: z.string().min(1, 'Enter a new password.'),
    cpassword: z.string().min(1, 'Enter the new password again.'),
  })
  .refine(({ passwordnew, cpassword }) => passwordnew === cpassword, {
    path: ['cpassword'],
    error: passwordsDiffer,
  });

/** Where a refusal belongs; every other one stands in the toast. */
const fieldOf: Record<string, 'password' | 'passwordnew'> = {
  old_password_wrong: 'password',
  new_password_refused: 'passwordnew',
};

export function PasswordForm() {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const form = useForm({ resolver: zodResolver(passwordFields), reValidateMode: 'onSubmit' });
  const field = fieldsOf(form);

  const onSubmit = form.handleSubmit(
    async ({ password, passwordnew }) => {
      setBusy(true);
      try {
        await callApi(changepassword, { body: { password, passwordnew } });
        form.reset();
        toastSuccess('Password Updated Successfully', 'Every other device was signed out.');
        await queries.invalidateQueries({ queryKey: [devices.path] });
      } catch (error) {
        logFailure('Error changing password:', error);
        const about = error instanceof ApiRefusal ? fieldOf[error.code] : undefined;
        const detail = failureDetail(error);
        if (about && detail) form.setError(about, { message: detail }, { shouldFocus: true });
        toastFailure('Error Changing Password', about ? undefined : detail);
      } finally {
        setBusy(false);
      }
    },
    ({ cpassword }) => {
      if (cpassword?.message === passwordsDiffer) toastFailure("Password Don't Match");
    },
  );

  return (
    <Card aria-label="Change Password" className="p-5 tablet:p-7">
      <form noValidate method="post" onSubmit={onSubmit} className="grid gap-5">
        <PasswordField label="Old Password" autoComplete="current-password" {...field('password')} />
        <PasswordField
          label="New Password"
          autoComplete="new-password"
          hint={`${passwordLengthMin} characters or more. A password manager is welcome here.`}
          {...field('passwordnew')}
        />
        <PasswordField label="Confirm New Password" autoComplete="new-password" {...field('cpassword')} />
        <SubmitButton narrow busy={busy} busyLabel="Updating">
          Update Password
        </SubmitButton>
      </form>
    </Card>
  );
}
