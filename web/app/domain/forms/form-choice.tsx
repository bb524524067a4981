import type { ComponentProps } from 'react';
import { type Control, type FieldValues, type Path, useController } from 'react-hook-form';
import { ChoiceField } from '../../ui/forms/choice-field.tsx';

interface FormChoiceProps<Typed extends FieldValues, Read>
  extends Pick<ComponentProps<typeof ChoiceField>, 'label' | 'prompt' | 'options' | 'beside'> {
  control: Control<Typed, unknown, Read>;
  name: Path<Typed>;
  /** What else happens when something was chosen. */
  onChosen?: () => void;
}

/** One of a few things, as a field of a form. */
export function FormChoice<Typed extends FieldValues, Read>(props: FormChoiceProps<Typed, Read>) {
  const { control, name, onChosen, ...choice } = props;
  const { field, fieldState } = useController({ control, name });
  const { onChange, ...rest } = field;
  const onChoose = (value: string) => {
    onChange(value);
    onChosen?.();
  };
  return <ChoiceField {...rest} {...choice} onChoose={onChoose} error={fieldState.error?.message} />;
}
