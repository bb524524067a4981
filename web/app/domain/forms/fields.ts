import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';

/** Gives each field of a form its name, the way its value is read, and what is wrong with it. */
export function fieldsOf<Typed extends FieldValues, Context, Read>(
  form: UseFormReturn<Typed, Context, Read>,
) {
  const { register, getFieldState, formState } = form;
  return (name: Path<Typed>) => ({ ...register(name), error: getFieldState(name, formState).error?.message });
}
