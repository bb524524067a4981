interface SwitchProps {
  label: string;
  isOn: boolean;
  /** While the answer is on its way it stays where it is, and keeps the focus. */
  busy?: boolean;
  disabled?: boolean;
  onPress: () => void;
}

/** On or off, at once. The word beside it says the same as its colour and its place. */
export function Switch({ label, isOn, busy = false, disabled = false, onPress }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      aria-busy={busy}
      disabled={disabled}
      onClick={() => busy || onPress()}
      className="group inline-flex min-h-11 items-center gap-2.5 rounded-control pr-1.5 text-control disabled:cursor-not-allowed disabled:opacity-60 aria-busy:cursor-progress aria-busy:opacity-70"
    >
      <span className="relative h-6.5 w-11 shrink-0 rounded-full bg-line-strong transition-colors duration-140 after:absolute after:top-[3px] after:left-[3px] after:size-5 after:rounded-full after:bg-white after:transition-[translate] after:duration-140 group-aria-checked:bg-accent group-aria-checked:after:translate-x-4.5" />
      <span aria-hidden="true" className="w-6 text-left">
        {isOn ? 'On' : 'Off'}
      </span>
    </button>
  );
}
