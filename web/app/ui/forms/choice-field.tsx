import { Check, ChevronDown } from 'lucide-react';
import { Select } from 'radix-ui';
import { type ReactNode, type Ref, useId } from 'react';
import { FieldError } from './field.tsx';

interface Option {
  value: string;
  name: string;
  mark: ReactNode;
}

interface ChoiceFieldProps {
  ref?: Ref<HTMLButtonElement>;
  label: string;
  name: string;
  /** Stands in the field until something is chosen. */
  prompt: string;
  options: readonly Option[];
  value: string;
  onChoose: (value: string) => void;
  error?: string | undefined;
  /** Stands at the label's right. */
  beside?: ReactNode;
}

/** One of a few things, each with its mark: a field that opens a list beneath itself. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { ref, label, name, prompt, options, value, onChoose, error, beside } = props;
  const id = useId();
  const chosen = options.find((option) => option.value === value);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <label id={`${id}-label`} htmlFor={id} className="text-label font-label">
          {label}
        </label>
        {beside}
      </div>
      <Select.Root name={name} required value={value} onValueChange={onChoose}>
        <Select.Trigger
          ref={ref}
          id={id}
          aria-labelledby={`${id}-label ${id}`}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          className="flex h-12 w-full items-center gap-2.5 rounded-control bg-surface px-3.5 text-left text-body inset-ring inset-ring-line-strong focus:inset-ring-2 focus:inset-ring-accent-text focus:outline-none aria-invalid:inset-ring-2 aria-invalid:inset-ring-debit"
        >
          {chosen?.mark}
          <span className={`min-w-0 flex-1 truncate ${chosen ? '' : 'text-3'}`}>
            {chosen?.name ?? prompt}
          </span>
          <ChevronDown className="size-5 shrink-0 text-3" strokeWidth={1.75} aria-hidden="true" />
        </Select.Trigger>
        <Select.Portal>
          <Select.Content
            position="popper"
            sideOffset={8}
            className="z-40 max-h-(--radix-select-content-available-height) w-(--radix-select-trigger-width) overflow-hidden rounded-code bg-surface shadow-2 inset-ring inset-ring-line"
          >
            <Select.Viewport className="p-1.5">
              {options.map((option) => (
                <ChoiceOption key={option.value} option={option} />
              ))}
            </Select.Viewport>
          </Select.Content>
        </Select.Portal>
      </Select.Root>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}

function ChoiceOption({ option: { value, name, mark } }: { option: Option }) {
  return (
    <Select.Item
      value={value}
      className="flex h-13 cursor-pointer items-center gap-3 rounded-control px-2.5 text-body outline-none data-highlighted:bg-sunken"
    >
      {mark}
      <Select.ItemText>{name}</Select.ItemText>
      <Select.ItemIndicator className="ml-auto">
        <Check className="size-4" aria-hidden="true" />
      </Select.ItemIndicator>
    </Select.Item>
  );
}
