import { Check, Copy } from 'lucide-react';
import { CopySaid, useCopying } from './copying.tsx';

interface CopyableProps {
  /** What is shown and copied. */
  children: string;
  /** What it is, for the button's name. */
  what: string;
}

/** A short value that people read out, search for and paste: pressing it copies it. */
export function Copyable({ children, what }: CopyableProps) {
  const { state, copy } = useCopying(children);
  const Icon = state === 'copied' ? Check : Copy;
  return (
    <>
      <button
        type="button"
        onClick={copy}
        aria-label={`${children}, copy ${what}`}
        className="group -mx-1.5 inline-flex min-h-6 min-w-0 items-center gap-1.5 rounded-small px-1.5 font-mono text-[0.93em] tracking-[-0.01em] hover:bg-accent-tint"
      >
        <span className="min-w-0 text-left break-all">{children}</span>
        <Icon
          className={`size-3.5 shrink-0 ${state === 'copied' ? 'text-credit' : 'text-3 tablet:opacity-0 tablet:group-hover:opacity-100 tablet:group-focus-visible:opacity-100'}`}
          aria-hidden="true"
        />
      </button>
      <CopySaid state={state} />
    </>
  );
}
