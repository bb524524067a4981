import { Check, Copy } from 'lucide-react';
import { CopySaid, useCopying } from './copying.tsx';

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
