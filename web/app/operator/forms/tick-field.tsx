import { Check } from 'lucide-react';
import { type ComponentProps, useId } from 'react';
import { FieldError } from '../../ui/forms/field.tsx';

interface TickFieldProps extends Omit<ComponentProps<'input'>, 'type' | 'className'> {
  label: string;
  error?: string | undefined;
}

/** Something that is so or not, with its words beside the box. */
export function TickField({ label, error, ...input }: TickFieldProps) {
  const id = useId();
  return (
    <div className="tablet:col-span-2">
      <label className="inline-flex min-h-11 cursor-pointer items-center gap-3 text-control">
        <span className="relative grid size-5.5 shrink-0">
          <input
            {...input}
            type="checkbox"
            aria-describedby={error ? id : undefined}
            className="peer size-5.5 cursor-pointer appearance-none rounded-[6px] bg-surface inset-ring-[1.5px] inset-ring-line-strong checked:bg-accent checked:inset-ring-accent"
          />
          <Check
            className="pointer-events-none absolute inset-0 m-auto size-4 text-on-accent opacity-0 peer-checked:opacity-100"
            strokeWidth={2.5}
            aria-hidden="true"
          />
        </span>
        {label}
      </label>
      {error && <FieldError id={id}>{error}</FieldError>}
    </div>
  );
}
