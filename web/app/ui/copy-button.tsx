import { Check, Copy, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';

const shownMs = 2_000;
const icons = { idle: Copy, copied: Check, failed: X };

interface CopyButtonProps {
  text: string;
  label: string;
  /** Shows the label beside the icon. */
  labelled?: boolean;
}

/** Puts a text on the clipboard and says whether that worked. */
export function CopyButton({ text, label, labelled = false }: CopyButtonProps) {
  const [state, setState] = useState<keyof typeof icons>('idle');
  const Icon = icons[state];

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
      <span role="status" className="sr-only">
        {state === 'copied' && 'Copied.'}
        {state === 'failed' && 'It could not be copied. Select it by hand.'}
      </span>
    </>
  );
}
