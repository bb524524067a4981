import { zodResolver } from '@hookform/resolvers/zod';
import type { Call, CallInput } from '@tallystick/contract/call';
import { useState } from 'react';
import { type DefaultValues, type FieldValues, useForm } from 'react-hook-form';
import type { z } from 'zod';
import { fieldsOf } from '../../domain/forms/fields.ts';
import { useFirstFocus } from '../../ui/forms/first-focus.ts';
import { useUnsent } from '../../ui/overlays/modal.tsx';
import { type Act, useAct } from './act.ts';

interface ActFormNeeds<C extends Call, Typed extends FieldValues, Read> {
  call: C;
  fields: z.ZodType<Read, Typed>;
  values: DefaultValues<Typed>;
  /** The field it begins in. */
  first: string;
}

/** A form that ends in one act. Why the server refused it is shown by the form, until the next try. */
export function useActForm<C extends Call, Typed extends FieldValues, Read>(
  needs: ActFormNeeds<C, Typed, Read>,
) {
  const { call, fields, values, first } = needs;
  const form = useForm<Typed, unknown, Read>({ resolver: zodResolver(fields), defaultValues: values });
  const [refusal, setRefusal] = useState<string | null>(null);
  const { busy, act } = useAct(call);

  function send(input: CallInput<C>, outcome: Act<C>) {
    setRefusal(null);
    return act(input, { onRefused: setRefusal, ...outcome });
  }
  return { ...form, first, isDirty: form.formState.isDirty, field: fieldsOf(form), refusal, busy, send };
}

/** For what stands inside the modal: the focus begins in the form, and what was typed is not lost unasked. */
export function useTyping({ first, isDirty }: { first: string; isDirty: boolean }): void {
  useUnsent(isDirty);
  useFirstFocus(first);
}
