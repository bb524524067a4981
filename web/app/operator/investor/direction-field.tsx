import type { ComponentProps } from 'react';

const ways = [
  { value: 'add', name: 'Add to the wallet' },
  { value: 'take', name: 'Take from the wallet' },
] as const;

/** Two rows to choose from; the field's own props go to both. */
export function DirectionField(radio: ComponentProps<'input'>) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-label font-label">Direction</legend>
      <div className="grid gap-2.5 tablet:grid-cols-2">
        {ways.map(({ value, name }) => (
          <label
            key={value}
            className="flex min-h-12 cursor-pointer items-center gap-2.5 rounded-control bg-surface px-3.5 text-control inset-ring inset-ring-line-strong has-checked:inset-ring-2 has-checked:inset-ring-accent-text has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text"
          >
            <input
              {...radio}
              type="radio"
              value={value}
              className="size-4.5 shrink-0 accent-(--accent) outline-none"
            />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
