import { zodResolver } from '@hookform/resolvers/zod';
import { userText } from '@tallystick/contract/errors';
import { contact } from '@tallystick/contract/mail';
import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { callApi } from '../../api.ts';
import { FormFailure, useSubmission } from '../../domain/forms/submission.tsx';
import { Button, SubmitButton } from '../../ui/actions/button.tsx';
import { SuccessMark } from '../../ui/facts/success-mark.tsx';
import { Field, TextAreaField } from '../../ui/forms/field.tsx';
import { PageForm } from '../site/page-form.tsx';

/** The form, and in its place what became of it. */
export function ContactForm() {
  const [sent, setSent] = useState<{ message: string; email: string } | null>(null);
  return (
    <div
      id="write"
      tabIndex={-1}
      className="scroll-mt-6 rounded-card outline-none bg-surface px-5 py-6 inset-ring inset-ring-line tablet:p-8"
    >
      {sent ? <Sent {...sent} onAnother={() => setSent(null)} /> : <MessageForm onSent={setSent} />}
    </div>
  );
}

const title = 'text-[24px]/[30px] tracking-[-0.02em]';

function MessageForm({ onSent }: { onSent: (sent: { message: string; email: string }) => void }) {
  const { register, handleSubmit, formState } = useForm({ resolver: zodResolver(contact.body) });
  const { errors } = formState;
  // The server's own sentence says what is wrong and when to try again; there is no text of the catalogue for it.
  const { busy, failure, submit } = useSubmission((refusal) => refusal.message || userText.formFailed);

  const onSubmit = handleSubmit((body) =>
    submit(async () => {
      const { message } = await callApi(contact, { body });
      onSent({ message, email: body.email });
    }),
  );

  return (
    <>
      <h2 className={title}>Write to us</h2>
      <PageForm onSubmit={onSubmit} className="mt-[18px] grid gap-[18px]">
        <Field label="Name" autoComplete="name" error={errors.name?.message} {...register('name')} />
        <Field
          label="Email"
          type="email"
          autoComplete="email"
          hint="Our answer goes to this address."
          error={errors.email?.message}
          {...register('email')}
        />
        <TextAreaField label="Message" error={errors.message?.message} {...register('message')} />
        <FormFailure failure={failure} />
        <SubmitButton busy={busy} busyLabel="Sending">
          Send message
        </SubmitButton>
      </PageForm>
    </>
  );
}

interface SentProps {
  message: string;
  email: string;
  onAnother: () => void;
}

function Sent({ message, email, onAnother }: SentProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The form is gone, and with it the focus: whoever cannot see the change hears it.
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <SuccessMark />
      <h2 ref={heading} tabIndex={-1} className={`${title} focus:outline-none`}>
        Message sent
      </h2>
      <p className="mt-2 text-2">{message}</p>
      <p className="mt-2 text-2 wrap-anywhere">
        Our answer goes to <b className="font-semibold text-1">{email}</b>.
      </p>
      <Button className="mt-6" onClick={onAnother}>
        Write another message
      </Button>
    </>
  );
}
