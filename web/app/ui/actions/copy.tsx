import { Check, Copy, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';

const shownMs = 2_000;

type CopyState = 'idle' | 'copied' | 'failed';

/** Puts a text on the clipboard and remembers for a moment whether that worked. */
function useCopying(text: string): { state: CopyState; copy: () => Promise<void> } {
  const [state, setState] = useState<CopyState>('idle');

  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), shownMs);
    return () => clearTimeout(timer);
  }, [state]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      setState('failed');
    }
  }

  return { state, copy };
}

/** Says to a screen reader what the changed icon says to the eye. */
function CopySaid({ state }: { state: CopyState }) {
  return (
    <span role="status" className="sr-only">
      {state === 'copied' && 'Copied.'}
      {state === 'failed' && 'It could not be copied. Select it by hand.'}
    </span>
  );
}

const icons = { idle: Copy, copied: Check, failed: X };

interface CopyButtonProps {
  text: string;
  label: string;
  /** Shows the label beside the icon. */
  labelled?: boolean;
}

/** Puts a text on the clipboard and says whether that worked. */
export function CopyButton({ text, label, labelled = false }: CopyButtonProps) {
  const { state, copy } = useCopying(text);
  const Icon = icons[state];
  return (
    <>
      {labelled ? (
        <Button look="soft" className="px-3.5! text-label!" onClick={copy}>
          <Icon className="size-4" aria-hidden="true" />
          {label}
        </Button>
      ) : (
        <button
          type="button"
          aria-label={label}
          onClick={copy}
          className="grid size-11 shrink-0 place-items-center rounded-control text-3 hover:text-1"
        >
          <Icon className="size-4" aria-hidden="true" />
        </button>
      )}
      <CopySaid state={state} />
    </>
  );
}

interface CopyableProps {
  /** What is copied and, unless it is too long to be shown whole, shown. */
  children: string;
  /** What stands for a value that is too long. */
  shown?: string;
  /** Its icon is there without hovering on every screen: copying it is what it is there for. */
  isForCopying?: boolean;
  /** What it is, for the button's name. */
  what: string;
}

/** A value that people read out, search for and paste: pressing it copies it. A finger sees that without hovering. */
export function Copyable({ children, shown = children, isForCopying = false, what }: CopyableProps) {
  const { state, copy } = useCopying(children);
  const Icon = state === 'copied' ? Check : Copy;
  const rest = isForCopying
    ? 'text-2'
    : 'text-3 pointer-fine:opacity-0 pointer-fine:group-hover:opacity-100 pointer-fine:group-focus-visible:opacity-100';
  return (
    <>
      <button
        type="button"
        onClick={copy}
        aria-label={`${children}, copy ${what}`}
        title={shown === children ? undefined : children}
        className="group -mx-1.5 inline-flex min-h-6 min-w-0 items-center gap-1.5 rounded-small px-1.5 font-mono text-[0.93em] tracking-[-0.01em] hover:bg-accent-tint"
      >
        <span className="min-w-0 text-left break-all">{shown}</span>
        <Icon
          className={`size-3.5 shrink-0 ${state === 'copied' ? 'text-credit' : rest}`}
          aria-hidden="true"
        />
      </button>
      <CopySaid state={state} />
    </>
  );
}
