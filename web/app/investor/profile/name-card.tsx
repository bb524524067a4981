import { zodResolver } from '@hookform/resolvers/zod';
import { Fullname } from '@tallystick/contract/fullname';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { fieldsOf } from '../../domain/forms/fields.ts';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { useSaveProfile } from './profile-form.tsx';
import { useProfile } from './use-profile.ts';

const fields = z.object({ fullname: Fullname });

/** Asks for the name of an account that has none. */
export function NameCard({ email }: { email: string }) {
  const { data } = useProfile();
  const form = useForm({ resolver: zodResolver(fields), defaultValues: { fullname: '' } });
  const { busy, save } = useSaveProfile();
  // Given in another browser meanwhile.
  if (data && data.fullname !== '') return null;

  const onSubmit = form.handleSubmit(async ({ fullname }) => {
    const { atField } = await save({ fullname, email });
    if (atField) form.setError('fullname', { message: atField });
  });

  return (
    <Card aria-labelledby="ask-for-name" className="p-5 tablet:p-7">
      <h2 id="ask-for-name" className="text-body/5.5 tracking-[-0.01em]">
        What is your name?
      </h2>
      <p className="mt-1 mb-4 text-label text-2">
        You proved this e-mail address with a password reset. Nothing of the sign-up before it was kept, so
        please tell us your name.
      </p>
      <form
        noValidate
        method="post"
        onSubmit={onSubmit}
        className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 tablet:grid-cols-[minmax(0,24rem)_auto] tablet:gap-3"
      >
        <Field label="Full name" autoComplete="name" maxLength={100} {...fieldsOf(form)('fullname')} />
        <div className="tablet:mt-7">
          <SubmitButton narrow busy={busy} busyLabel="Saving">
            Save my name
          </SubmitButton>
        </div>
      </form>
    </Card>
  );
}
