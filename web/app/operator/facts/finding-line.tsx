import { CircleAlert, CircleCheck, Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '../../ui/layout/card.tsx';

const icons = { passed: CircleCheck, failed: CircleAlert, unknown: Clock };

interface FindingLineProps {
  /** What was looked at. */
  label: string;
  state: keyof typeof icons;
  title: string;
  text: ReactNode;
  /** The button that looks again. */
  children?: ReactNode;
}

/** What a check came to, in one line. */
export function FindingLine({ label, state, title, text, children }: FindingLineProps) {
  const Icon = icons[state];
  return (
    <Card
      aria-label={label}
      className="flex items-center gap-x-3 gap-y-3.5 px-5 py-4 text-control tabular-nums max-tablet:flex-wrap tablet:px-6 desktop:px-7"
    >
      <div className="grid min-w-0 flex-1 grid-cols-[20px_minmax(0,1fr)] gap-3">
        <Icon
          className={`mt-px size-5 ${state === 'failed' ? 'text-debit' : ''}`}
          strokeWidth={1.75}
          aria-hidden="true"
        />
        <div role={state === 'failed' ? 'alert' : undefined} className="text-2">
          <b className="font-semibold text-1">{title}</b> {text}
        </div>
      </div>
      {children && <div className="grid shrink-0 max-tablet:w-full">{children}</div>}
    </Card>
  );
}
