import { useEffect, useRef } from 'react';

interface CheckProps {
  label: string;
  isOn: boolean;
  /** Some of what it stands for is chosen. */
  isPartly?: boolean;
  disabled?: boolean;
  onChange: (isOn: boolean) => void;
}

/** A box to tick, as large as a finger needs it; its label is heard, and seen in the row that it stands in. */
export function Check({ label, isOn, isPartly = false, disabled = false, onChange }: CheckProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPartly && !isOn;
  }, [isPartly, isOn]);
  return (
    <label className="-m-2.5 grid size-11 shrink-0 cursor-pointer place-items-center has-disabled:cursor-not-allowed">
      <span className="sr-only">{label}</span>
      <input
        ref={box}
        type="checkbox"
        checked={isOn}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
        className="size-5 cursor-pointer accent-accent disabled:cursor-not-allowed disabled:opacity-40"
      />
    </label>
  );
}
