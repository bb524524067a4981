import { FieldFrame, type FieldProps, inputClass } from '../../ui/forms/field.tsx';

/** A figure with its unit at the field's end. */
export function UnitField({ unit, inputMode = 'decimal', ...props }: FieldProps & { unit: string }) {
  return (
    <FieldFrame {...props}>
      {(input) => (
        <div className="relative">
          <input
            {...input}
            type="text"
            inputMode={inputMode}
            autoComplete="off"
            className={`${inputClass} pr-16 tabular-nums`}
          />
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 right-3.5 flex items-center text-3"
          >
            {unit}
          </span>
        </div>
      )}
    </FieldFrame>
  );
}
