import { useId } from 'react';

interface RadioRowsProps<Value extends string> {
  legend: string;
  choices: readonly { value: Value; name: string; hint?: string; disabled?: boolean }[];
  /** Null until one is chosen. */
  chosen: Value | null;
  onChoose: (value: Value) => void;
}

/** One of a few things whose words are all to be read before one is chosen. */
export function RadioRows<Value extends string>({
  legend,
  choices,
  chosen,
  onChoose,
}: RadioRowsProps<Value>) {
  const name = useId();
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-label font-label">{legend}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className="flex min-h-12 cursor-pointer items-center gap-3 rounded-control px-3.5 py-2 text-control font-medium inset-ring inset-ring-line-strong has-checked:inset-ring-2 has-checked:inset-ring-accent-text has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text has-disabled:cursor-not-allowed has-disabled:text-3"
        >
          <input
            type="radio"
            name={name}
            checked={choice.value === chosen}
            disabled={choice.disabled}
            onChange={() => onChoose(choice.value)}
            className="size-5 shrink-0 accent-accent outline-none"
          />
          <span>
            {choice.name}
            {choice.hint && <span className="block text-caption font-normal text-3">{choice.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
