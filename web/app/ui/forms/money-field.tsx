import type { ReactNode } from 'react';
import { FieldFrame, type FieldProps, inputClass } from './field.tsx';

const usd = <span className="pr-1.5 text-3">USD</span>;

/** An amount of dollars. Text with a keyboard of digits: a number input would change what was typed. */
export function MoneyField({ end = usd, ...props }: FieldProps & { end?: ReactNode }) {
  return (
    <FieldFrame {...props}>
      {(input) => (
        <div className="relative">
          <span aria-hidden="true" className="absolute top-3 left-3.5 text-3">
            $
          </span>
          <input
            {...input}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            className={`${inputClass} pr-16 pl-8 tabular-nums`}
          />
          <div className="absolute inset-y-0 right-0 flex items-center pr-2">{end}</div>
        </div>
      )}
    </FieldFrame>
  );
}

/** At the field's end: the most that can be entered. */
export function MaxButton({ onClick, disabled }: { onClick: () => void; disabled: boolean }) {
  return (
    <button
      type="button"
      onClick={onClick}
      disabled={disabled}
      className="relative h-8 rounded-small bg-accent-tint px-2.5 text-label font-semibold text-accent-text after:absolute after:-inset-x-2 after:-inset-y-1.5 hover:bg-accent-tint-2 disabled:cursor-not-allowed disabled:bg-sunken disabled:text-3"
    >
      Max
    </button>
  );
}
