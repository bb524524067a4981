import { zodResolver } from '@hookform/resolvers/zod';
import { Fullname } from '@tallystick/contract/fullname';
import { editprofile, viewprofile } from '@tallystick/contract/users';
import { useQueryClient } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { ApiRefusal, callApi } from '../../api.ts';
import { fieldsOf } from '../../domain/forms/fields.ts';
import { failureDetail } from '../../domain/forms/submission.tsx';
import { logFailure } from '../../log.ts';
import { beginSession, readSession, useSession } from '../../storage.ts';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { Field, FieldFrame, inputClass } from '../../ui/forms/field.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Failed } from '../../ui/lists/empty.tsx';
import { toastFailure, toastSuccess } from '../../ui/overlays/toast.tsx';
import { useProfile } from './use-profile.ts';

const fields = z.object({ fullname: Fullname });

export function ProfileForm() {
  const session = useSession();
  const profile = useProfile();
  const email = profile.data?.email ?? session?.email ?? '';
  const form = useForm({
    resolver: zodResolver(fields),
    values: { fullname: profile.data?.fullname ?? session?.fullname ?? '' },
    // An answer that comes while someone types does not overwrite what was typed.
    resetOptions: { keepDirtyValues: true },
  });
  const { busy, save } = useSaveProfile();

  const onSubmit = form.handleSubmit(async ({ fullname }) => {
    const outcome = await save({ fullname, email });
    if (outcome.saved) form.reset({ fullname: outcome.saved });
    else if (outcome.atField) form.setError('fullname', { message: outcome.atField });
  });

  return (
    <Card aria-label="Profile" className="p-5 tablet:p-7">
      <form noValidate method="post" onSubmit={onSubmit} className="grid gap-5">
        {profile.isError && (
          <Failed onRetry={profile.refetch}>
            Your profile could not be fetched. What stands here is from your sign-in.
          </Failed>
        )}
        <Field label="Full name" autoComplete="name" maxLength={100} {...fieldsOf(form)('fullname')} />
        <FieldFrame
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          hint="Read only. Write to support if it must change."
        >
          {(input) => (
            <div className="relative">
              <input
                {...input}
                required={false}
                readOnly
                value={email}
                className={`${inputClass} truncate bg-sunken! pr-12 inset-ring-line!`}
              />
              <Lock
                className="pointer-events-none absolute top-3.5 right-3.5 size-5 text-3"
                strokeWidth={1.75}
                aria-hidden="true"
              />
            </div>
          )}
        </FieldFrame>
        <SubmitButton narrow busy={busy} busyLabel="Saving">
          Save changes
        </SubmitButton>
      </form>
    </Card>
  );
}

interface Outcome {
  /** The name as the server keeps it now. */
  saved?: string;
  /** What is wrong with the name, in the server's words. */
  atField?: string;
}

export function useSaveProfile() {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);

  async function save(body: { fullname: string; email: string }): Promise<Outcome> {
    setBusy(true);
    try {
      const answer = await callApi(editprofile, { body });
      queries.setQueryData([viewprofile.path], answer);
      // The banner greets by the stored name until the server has said another.
      const session = readSession();
      if (session) beginSession({ ...session, fullname: answer.fullname });
      toastSuccess('Profile Updated Successfully');
      return { saved: answer.fullname };
    } catch (error) {
      logFailure('Error updating profile:', error);
      const isAtField = error instanceof ApiRefusal && error.code === 'invalid_request';
      if (isAtField) toastFailure('Error Updating Profile');
      else toastFailure('Error Updating Profile', failureDetail(error));
      return isAtField ? { atField: error.message } : {};
    } finally {
      setBusy(false);
    }
  }

  return { busy, save };
}
