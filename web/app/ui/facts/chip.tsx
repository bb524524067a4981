import { Check, Clock, Hourglass, X } from 'lucide-react';

export type ChipLook = 'going' | 'done' | 'waiting' | 'refused';

const looks: Record<ChipLook, { Icon: typeof Check; className: string }> = {
  going: { Icon: Hourglass, className: 'bg-accent-tint text-accent-text' },
  done: { Icon: Check, className: 'bg-sunken text-2 inset-ring inset-ring-line' },
  waiting: { Icon: Clock, className: 'border border-dashed border-line-strong text-2' },
  refused: { Icon: X, className: 'bg-sunken text-2 inset-ring inset-ring-line' },
};

/** A status: an icon and a word, so that nobody has to tell colours apart. */
export function Chip({ look, children }: { look: ChipLook; children: string }) {
  const { Icon, className } = looks[look];
  return (
    <span
      className={`inline-flex h-6.5 shrink-0 items-center gap-1.5 rounded-[7px] pr-2.5 pl-2 text-caption/none font-label whitespace-nowrap ${className}`}
    >
      <Icon className="size-3.5" strokeWidth={2.2} aria-hidden="true" />
      {children}
    </span>
  );
}
