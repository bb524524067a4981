import { useEffect, useState } from 'react';

const shownMs = 2_000;

export type CopyState = 'idle' | 'copied' | 'failed';

/** Puts a text on the clipboard and remembers for a moment whether that worked. */
export function useCopying(text: string): { state: CopyState; copy: () => Promise<void> } {
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
export function CopySaid({ state }: { state: CopyState }) {
  return (
    <span role="status" className="sr-only">
      {state === 'copied' && 'Copied.'}
      {state === 'failed' && 'It could not be copied. Select it by hand.'}
    </span>
  );
}
