import { Search, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';

interface SearchFieldProps {
  label: string;
  /** What is being searched for now. */
  value: string;
  onSearch: (text: string) => void;
}

const waitMs = 250;

/** The text in the field, and a search for it a moment after the last key. */
function useDelayedSearch(value: string, onSearch: (text: string) => void) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const timer = useRef<number>(undefined);

  // The search changed from elsewhere, for example by the back button: the field follows.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    window.clearTimeout(timer.current);
    setText(value);
  }, [value]);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  function send(now: string) {
    window.clearTimeout(timer.current);
    if (now === sent.current) return;
    sent.current = now;
    onSearch(now);
  }

  function type(now: string) {
    setText(now);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => send(now), waitMs);
  }

  return { text, setText, type, send };
}

/** Searches by itself; Enter does not wait, Escape clears. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { text, setText, type, send } = useDelayedSearch(value, onSearch);

  function clear() {
    setText('');
    send('');
    input.current?.focus();
  }

  return (
    <search className="relative w-full min-w-0 tablet:w-80">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Search
        className="pointer-events-none absolute top-1/2 left-3.5 size-5 -translate-y-1/2 text-3"
        strokeWidth={1.75}
        aria-hidden="true"
      />
      <input
        ref={input}
        id={id}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send(text);
          if (event.key === 'Escape' && text) clear();
        }}
        className="h-12 w-full rounded-control bg-surface pr-11 pl-11 text-body placeholder-shown:pr-2 inset-ring inset-ring-line-strong placeholder:text-3 placeholder:opacity-100 focus:inset-ring-2 focus:inset-ring-accent-text focus:outline-none tablet:h-11"
      />
      {text && (
        <button
          type="button"
          aria-label="Clear search"
          onClick={clear}
          className="absolute top-0.5 right-0.5 grid size-11 place-items-center rounded-control text-3 hover:text-1 tablet:top-0 tablet:right-0"
        >
          <X className="size-4" aria-hidden="true" />
        </button>
      )}
    </search>
  );
}
