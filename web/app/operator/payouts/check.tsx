import { CheckIcon, Minus } from 'lucide-react';
import { useEffect, useRef } from 'react';

interface CheckProps {
  label: string;
  isOn: boolean;
  /** Some of what it stands for is chosen. */
  isPartly?: boolean;
  disabled?: boolean;
  onChange: (isOn: boolean) => void;
}

const markClass = 'pointer-events-none absolute inset-0 m-auto size-4 text-on-accent opacity-0';

/** A box to tick, as large as a finger needs it; its label is heard, and seen in the row that it stands in. */
export function Check({ label, isOn, isPartly = false, disabled = false, onChange }: CheckProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPartly && !isOn;
  }, [isPartly, isOn]);
  return (
    <label className="-m-2.5 grid size-11 shrink-0 cursor-pointer place-items-center has-disabled:cursor-not-allowed">
      <span className="sr-only">{label}</span>
      <span className="relative grid size-5.5">
        <input
          ref={box}
          type="checkbox"
          checked={isOn}
          disabled={disabled}
          onChange={(event) => onChange(event.currentTarget.checked)}
          className="peer size-5.5 cursor-pointer appearance-none rounded-[6px] bg-surface inset-ring-[1.5px] inset-ring-line-strong checked:bg-accent checked:inset-ring-accent indeterminate:bg-accent indeterminate:inset-ring-accent disabled:cursor-not-allowed disabled:bg-sunken disabled:inset-ring-line"
        />
        <CheckIcon className={`${markClass} peer-checked:opacity-100`} strokeWidth={2.5} aria-hidden="true" />
        <Minus
          className={`${markClass} peer-indeterminate:opacity-100`}
          strokeWidth={2.5}
          aria-hidden="true"
        />
      </span>
    </label>
  );
}
