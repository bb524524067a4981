import { CircleAlert, Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';

export interface FieldProps extends Omit<ComponentProps<'input'>, 'children'> {
  label: string;
  hint?: string;
  error?: string | undefined;
  /** Stands at the label's right, for example a link. */
  beside?: ReactNode;
}

const boxClass =
  'w-full rounded-control bg-surface px-3.5 text-body inset-ring inset-ring-line-strong focus:inset-ring-2 focus:inset-ring-accent-text focus:outline-none aria-invalid:inset-ring-2 aria-invalid:inset-ring-debit';
export const inputClass = `h-12 ${boxClass}`;

/** Label, input, hint and error, tied together for assistive technology. The input keeps its own value. */
export function Field(props: FieldProps) {
  return <FieldFrame {...props}>{(input) => <input {...input} className={inputClass} />}</FieldFrame>;
}

export function TextAreaField({ ref, ...props }: Omit<FieldProps, 'ref'> & ComponentProps<'textarea'>) {
  return (
    <FieldFrame {...(props as FieldProps)}>
      {(input) => (
        <textarea
          {...(input as ComponentProps<'textarea'>)}
          ref={ref}
          className={`block min-h-33 resize-y py-3 ${boxClass}`}
        />
      )}
    </FieldFrame>
  );
}

export function PasswordField(props: FieldProps) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <FieldFrame {...props}>
      {(input) => (
        <div className="relative">
          <input {...input} type={shown ? 'text' : 'password'} className={`${inputClass} pr-12`} />
          <button
            type="button"
            aria-label="Show what is typed"
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
            className="absolute top-0.5 right-0.5 grid size-11 place-items-center rounded-control text-3 hover:text-1"
          >
            <Icon className="size-5" strokeWidth={1.75} aria-hidden="true" />
          </button>
        </div>
      )}
    </FieldFrame>
  );
}

interface FieldFrameProps extends FieldProps {
  children: (input: ComponentProps<'input'>) => ReactNode;
}

export function FieldFrame({ label, hint, error, beside, children, ...input }: FieldFrameProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-label font-label">
          {label}
        </label>
        {beside}
      </div>
      {children({
        ...input,
        id,
        required: input.required ?? true,
        'aria-invalid': error ? true : input['aria-invalid'],
        'aria-describedby': describedBy || undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-caption text-3">
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}

export function FieldError({ id, children }: { id: string; children: string }) {
  return (
    <p id={id} className="flex items-start gap-1.5 text-caption font-label text-debit">
      <CircleAlert className="mt-px size-4 shrink-0" aria-hidden="true" />
      {children}
    </p>
  );
}
