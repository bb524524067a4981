interface SwitchProps {
  /** What is switched, for those who do not see the row. */
  label: string;
  isOn: boolean;
  disabled?: boolean;
  onSwitch: (isOn: boolean) => void;
}

/** The word beside it says the same as its colour and its place. */
export function Switch({ label, isOn, disabled = false, onSwitch }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      disabled={disabled}
      onClick={() => onSwitch(!isOn)}
      className="group inline-flex min-h-11 items-center gap-2.5 rounded-control pr-1.5 text-control disabled:cursor-not-allowed disabled:opacity-60"
    >
      <span className="relative h-6.5 w-11 shrink-0 rounded-full bg-line-strong transition-colors duration-140 after:absolute after:top-[3px] after:left-[3px] after:size-5 after:rounded-full after:bg-white after:transition-[translate] after:duration-140 group-aria-checked:bg-accent group-aria-checked:after:translate-x-4.5" />
      <span aria-hidden="true" className="w-6 text-left">
        {isOn ? 'On' : 'Off'}
      </span>
    </button>
  );
}
