import { ChevronDown } from 'lucide-react';
import { useId } from 'react';

interface Choice<Value extends string> {
  value: Value;
  name: string;
  /** How many there are; null keeps the place of a number that is on its way. */
  count?: number | null;
}

interface FilterProps<Value extends string> {
  label: string;
  choices: readonly Choice<Value>[];
  value: Value;
  onChoose: (value: Value) => void;
  className?: string;
}

interface ChoiceButtonsProps<Value extends string> extends FilterProps<Value> {
  countClass: string;
}

function ChoiceButtons<Value extends string>(props: ChoiceButtonsProps<Value>) {
  return props.choices.map(({ value, name, count }) => (
    <button
      key={value}
      type="button"
      aria-pressed={value === props.value}
      onClick={() => props.onChoose(value)}
      className={props.className}
    >
      {name}
      {count !== undefined && (
        <span className={`ml-1 ${props.countClass} ${count === null ? 'invisible' : ''}`}>
          {(count ?? 0).toLocaleString('en-US')}
        </span>
      )}
    </button>
  ));
}

/** All choices in one track, for two to four of them. */
export function Segments<Value extends string>(props: FilterProps<Value>) {
  return (
    <fieldset
      className={`inline-flex shrink-0 rounded-control bg-sunken p-[3px] inset-ring inset-ring-line ${props.className ?? ''}`}
    >
      <legend className="sr-only">{props.label}</legend>
      <ChoiceButtons
        {...props}
        className="min-h-9.5 flex-1 rounded-small px-4 text-label font-label whitespace-nowrap text-2 hover:text-1 aria-pressed:bg-surface aria-pressed:font-semibold aria-pressed:text-1 aria-pressed:shadow-[0_0_0_1px_var(--color-line),0_1px_3px_rgb(13_24_48/0.1)]"
        countClass="font-normal text-3 tabular-nums"
      />
    </fieldset>
  );
}

/** The same on a phone: the row runs out of the screen and scrolls sideways. */
export function FilterChips<Value extends string>(props: FilterProps<Value>) {
  return (
    <fieldset className={`-mx-4 min-w-0 ${props.className ?? ''}`}>
      <legend className="sr-only">{props.label}</legend>
      <div className="relative flex gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none]">
        <ChoiceButtons
          {...props}
          className="min-h-11 shrink-0 rounded-control bg-surface px-3.5 text-label font-label whitespace-nowrap text-2 tabular-nums inset-ring inset-ring-line aria-pressed:bg-(--text) aria-pressed:text-(--color-bg) aria-pressed:inset-ring-0"
          countClass=""
        />
      </div>
    </fieldset>
  );
}

/** For more choices than a track holds. */
export function SelectFilter<Value extends string>(props: FilterProps<Value>) {
  const { label, choices, value, onChoose, className = '' } = props;
  const id = useId();
  return (
    <div className={`relative ${className}`}>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChoose(event.currentTarget.value as Value)}
        className="h-11 w-full cursor-pointer appearance-none truncate rounded-control bg-surface pr-10 pl-3.5 text-control inset-ring inset-ring-line-strong focus:inset-ring-2 focus:inset-ring-accent-text focus:outline-none"
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.name}
          </option>
        ))}
      </select>
      <ChevronDown
        className="pointer-events-none absolute top-1/2 right-3.5 size-5 -translate-y-1/2 text-3"
        strokeWidth={1.75}
        aria-hidden="true"
      />
    </div>
  );
}
