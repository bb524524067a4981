import { zodResolver } from '@hookform/resolvers/zod';
import { Reason, reasonLengthMax } from '@tallystick/contract/operator/fields';
import { type ReactNode, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { fieldsOf } from '../../../domain/forms/fields.ts';
import { Beside } from '../../../domain/forms/form-notes.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { Spinner } from '../../../ui/facts/spinner.tsx';
import { TextAreaField } from '../../../ui/forms/field.tsx';
import { RadioRows } from '../../../ui/forms/radio-rows.tsx';
import { DrawerBody, DrawerFoot, DrawerForm } from '../../../ui/overlays/drawer.tsx';
import { useUnsent } from '../../../ui/overlays/modal.tsx';
import { messageAfter, type ReasonChoice } from './reasons.ts';

const fields = z.object({ reason: Reason });

interface RejectFormProps {
  choices: readonly ReasonChoice[];
  /** What becomes of the money and how the investor is told. */
  hint: string;
  label: string;
  busy: boolean;
  /** Why the server refused. */
  refusal: string | null;
  onReject: (reason: string) => void;
  onBack: () => void;
  /** What is known about the request. */
  children: ReactNode;
}

export function RejectForm(props: RejectFormProps) {
  const { choices, hint, label, busy, refusal, onReject, onBack, children } = props;
  const form = useForm({ resolver: zodResolver(fields), defaultValues: { reason: '' } });
  const [chosen, setChosen] = useState<string | null>(null);
  const written = useWatch({ control: form.control, name: 'reason' });
  useUnsent(form.formState.isDirty);

  function choose(name: string) {
    const choice = choices.find((each) => each.name === name);
    if (!choice) return;
    setChosen(name);
    const next = messageAfter(choice, choices, written);
    form.setValue('reason', next, { shouldDirty: true, shouldValidate: next !== '' });
    if (next === '') form.setFocus('reason');
  }

  return (
    <DrawerForm onSubmit={form.handleSubmit(({ reason }) => onReject(reason))}>
      <DrawerBody>
        {children}
        <RadioRows
          legend="Reason"
          choices={choices.map(({ name }) => ({ value: name, name }))}
          chosen={chosen}
          onChoose={choose}
        />
        <TextAreaField
          label="Message to the investor"
          hint={hint}
          maxLength={reasonLengthMax}
          beside={<Beside>{`${written.length} of ${reasonLengthMax}`}</Beside>}
          {...fieldsOf(form)('reason')}
        />
      </DrawerBody>
      <DrawerFoot refusal={refusal}>
        <Button onClick={onBack}>Back</Button>
        {/* Its edge and its word are the colour of money going out. */}
        <Button type="submit" busy={busy} className="text-debit! inset-ring-debit!">
          {busy && <Spinner />}
          {label}
        </Button>
      </DrawerFoot>
    </DrawerForm>
  );
}
