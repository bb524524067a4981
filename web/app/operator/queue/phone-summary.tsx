import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router';
import { centsOf, usd } from '../../domain/money/amount.ts';
import { Card } from '../../ui/layout/card.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import type { Queue } from './item.ts';
import { coverageText } from './wording.ts';

/** Three lines instead of three cards, so that the first request is in sight; the cards open beneath on demand. */
export function PhoneSummary({ queue, cards }: { queue: Queue | undefined; cards: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Card aria-label="Summary" className="flex items-center gap-1 py-2.5 pr-1.5 pl-5 tabular-nums">
        <dl className="grid min-w-0 flex-1 gap-1 text-label">
          <Line name="Coverage">{queue && <Coverage queue={queue} />}</Line>
          <Line name="Deposits to confirm">{queue && usd(queue.sums.deposits.amount)}</Line>
          <Line name="Withdrawals to approve">{queue && usd(queue.sums.requested.amount)}</Line>
        </dl>
        <button
          type="button"
          aria-label="All figures"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="grid size-11 shrink-0 place-items-center rounded-control text-2"
        >
          <ChevronDown
            className={`size-5 transition-transform duration-140 ${isOpen ? 'rotate-180' : ''}`}
            strokeWidth={1.75}
            aria-hidden="true"
          />
        </button>
      </Card>
      <div id={id} hidden={!isOpen}>
        {isOpen && cards}
      </div>
    </>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-5 justify-between gap-3">
      <dt className="text-2">{name}</dt>
      <dd className="text-right font-semibold">{children ?? <Skeleton className="mt-0.5 h-4 w-24" />}</dd>
    </div>
  );
}

function Coverage({ queue: { coverage } }: { queue: Queue }) {
  if (coverage.held === null) {
    return (
      <Link to="/operator/books" className="textlink font-normal">
        Not known, enter it in Books
      </Link>
    );
  }
  return coverageText(centsOf(coverage.held), centsOf(coverage.owed)) ?? 'Nothing owed';
}
