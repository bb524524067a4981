import { zodResolver } from '@hookform/resolvers/zod';
import { addressLabelMax, saveaddress } from '@tallystick/contract/addresses';
import { networkOf } from '@tallystick/contract/networks';
import type { Withdrawal } from '@tallystick/contract/withdrawal';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { callApi } from '../../api.ts';
import { fieldsOf } from '../../domain/forms/fields.ts';
import { FormFailure, useSubmission } from '../../domain/forms/submission.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { takeFocus } from '../../ui/forms/first-focus.ts';
import { useAddressBook, useRereadBook } from '../addresses/book.ts';
import { useWithdrawalMethods } from './offers.tsx';

const fields = z.object({ label: saveaddress.body.shape.label });

/** After a withdrawal to an address that is not in the book: for the next time. */
export function SaveAddress({ made }: { made: Withdrawal }) {
  const { data: book } = useAddressBook();
  const { data: methods } = useWithdrawalMethods();
  const [saved, setSaved] = useState<string | null>(null);
  const [isNaming, setIsNaming] = useState(false);
  const method = methods?.find(({ methodname }) => methodname === made.methodname);
  const network = networkOf(method?.network ?? '');
  if (saved)
    return (
      <p role="status" ref={takeFocus} tabIndex={-1} className="text-center text-label text-2 outline-none">
        Saved as {saved}.
      </p>
    );
  const isSaved = book?.savedaddress.some(
    (each) =>
      each.network === network &&
      each.address.toLowerCase() === made.withdrawaladdress.toLowerCase() &&
      each.tag === made.withdrawaltag,
  );
  if (!book || !network || isSaved) return null;
  if (!isNaming)
    return (
      <Button className="justify-self-center" onClick={() => setIsNaming(true)}>
        Save this address
      </Button>
    );
  const to = { network, address: made.withdrawaladdress };
  const tag = made.withdrawaltag === null ? {} : { tag: made.withdrawaltag };
  return <NameIt to={{ ...to, ...tag }} onSaved={setSaved} />;
}

interface NameItProps {
  to: Omit<z.input<typeof saveaddress.body>, 'label'>;
  onSaved: (label: string) => void;
}

function NameIt({ to, onSaved }: NameItProps) {
  const reread = useRereadBook();
  const form = useForm({ resolver: zodResolver(fields), defaultValues: { label: '' } });
  const { busy, failure, submit } = useSubmission((refusal) => refusal.message || 'It was not saved.');
  const onSubmit = form.handleSubmit(({ label }) =>
    submit(async () => {
      const { savedaddress } = await callApi(saveaddress, { body: { ...to, label } });
      onSaved(savedaddress.label);
      await reread();
    }),
  );
  return (
    <form noValidate method="post" onSubmit={onSubmit} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2.5">
        <Field
          label="Name of the address"
          autoComplete="off"
          autoFocus
          maxLength={addressLabelMax}
          {...fieldsOf(form)('label')}
        />
        <Button type="submit" busy={busy} className="mt-7">
          {busy ? 'Saving' : 'Save'}
        </Button>
      </div>
      <FormFailure failure={failure} />
    </form>
  );
}
