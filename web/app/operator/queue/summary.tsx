import { formatUsd } from '@tallystick/contract/money';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router';
import { centsOf, usd } from '../../domain/money/amount.ts';
import { TextLink } from '../../ui/actions/links.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import { usePhone } from '../../ui/phone.ts';
import { coverageText, heldSource } from '../facts/wording.ts';
import type { Queue } from './item.ts';

/** What is held against what is owed, and the two kinds of work as sums. */
export function Summary({ queue }: { queue: Queue | undefined }) {
  const cards = <Cards queue={queue} />;
  return usePhone() ? <PhoneSummary queue={queue} cards={cards} /> : cards;
}

function Cards({ queue }: { queue: Queue | undefined }) {
  return (
    <div className="grid gap-3.5 tabular-nums tablet:grid-cols-2 tablet:gap-5 desktop:grid-cols-[1.55fr_1fr_1fr]">
      <SummaryCard title="Coverage, held against owed" className="tablet:max-desktop:col-span-2">
        {queue && <Coverage queue={queue} />}
      </SummaryCard>
      <SummaryCard title="Deposits to confirm">{queue && <Sums sum={depositSum(queue)} />}</SummaryCard>
      <SummaryCard title="Withdrawals to approve">{queue && <Sums sum={withdrawalSum(queue)} />}</SummaryCard>
    </div>
  );
}

interface SummaryCardProps {
  title: string;
  className?: string;
  children: ReactNode;
}

function SummaryCard({ title, className = '', children }: SummaryCardProps) {
  return (
    <Card className={`min-h-34 p-5 tablet:px-6.5 tablet:py-5.5 ${className}`}>
      <h2 className="text-label font-normal text-2">{title}</h2>
      {children ?? <Skeleton className="mt-3 h-7 w-40" />}
    </Card>
  );
}

const figureClass = 'text-[2.125rem]/10 font-semibold tracking-[-0.03em]';

function Coverage({ queue: { coverage, sums } }: { queue: Queue }) {
  const owed = centsOf(coverage.owed);
  if (coverage.held === null) {
    return (
      <>
        <p className={`mt-1 ${figureClass}`}>{usd(coverage.owed)}</p>
        <p className="mt-2 text-label text-2">
          is owed. What is held was never entered, so coverage is not known.{' '}
          <TextLink to="/operator/books">Enter it in Books</TextLink>
        </p>
      </>
    );
  }
  const held = centsOf(coverage.held);
  const leaving = centsOf(sums.requested.amount) + centsOf(sums.approved.amount);
  const after = leaving > 0n ? coverageText(held - leaving, owed - leaving) : null;
  const most = Math.max(coverage.held, coverage.owed, 1);
  return (
    <>
      <div className="mt-3 grid items-center gap-x-8 gap-y-3 tablet:grid-cols-[auto_1fr]">
        <p className={figureClass}>{coverageText(held, owed) ?? 'Nothing owed'}</p>
        <dl className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3 gap-y-1.5 text-label">
          <Bar name="Held" amount={coverage.held} of={most} className="bg-accent-text" />
          <Bar name="Owed" amount={coverage.owed} of={most} className="bg-(--text)" />
        </dl>
      </div>
      <p className="mt-3 text-label text-3">
        {heldSource(coverage.held, coverage.typed)}
        {after && held >= leaving && ` ${after} once every withdrawal below is paid.`}
      </p>
    </>
  );
}

interface BarProps {
  name: string;
  amount: number;
  of: number;
  className: string;
}

function Bar({ name, amount, of, className }: BarProps) {
  return (
    <div className="contents">
      <dt className="text-2">{name}</dt>
      <dd className="contents">
        <span className="block h-3" aria-hidden="true">
          <span
            className={`block h-3 rounded-[2px] ${className}`}
            style={{ width: `${Math.max((amount / of) * 100, 0)}%` }}
          />
        </span>
        <b className="text-right font-semibold">{usd(amount)}</b>
      </dd>
    </div>
  );
}

/** Of which kinds a sum is made. */
interface Sum {
  amount: number;
  parts: readonly { name: string; value: string }[];
}

function depositSum({ sums, deposits }: Queue): Sum {
  const first = deposits.filter(({ confirmedbefore }) => confirmedbefore === 0);
  const firstCents = first.reduce((sum, { amount }) => sum + centsOf(amount), 0n);
  const { count, amount } = sums.deposits;
  const known = {
    name: `${count - first.length} from known investors`,
    value: formatUsd(centsOf(amount) - firstCents),
  };
  return {
    amount,
    parts: [{ name: `${first.length} from new investors`, value: formatUsd(firstCents) }, known],
  };
}

function withdrawalSum({ sums: { requested, needingtwo, approved } }: Queue): Sum {
  const two = needingtwo.count === 1 ? '1 needs two' : `${needingtwo.count} need two`;
  const toPay = { name: `${approved.count} approved, to pay`, value: usd(approved.amount) };
  return { amount: requested.amount, parts: [{ name: two, value: usd(needingtwo.amount) }, toPay] };
}

function Sums({ sum: { amount, parts } }: { sum: Sum }) {
  return (
    <>
      <p className={`mt-1 ${figureClass}`}>{usd(amount)}</p>
      <dl className="mt-2 grid gap-1 text-label">
        {parts.map(({ name, value }) => (
          <div key={name} className="flex justify-between gap-4">
            <dt className="text-2">{name}</dt>
            <dd className="font-label">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** Three lines instead of three cards, so that the first request is in sight; the cards open beneath on demand. */
function PhoneSummary({ queue, cards }: { queue: Queue | undefined; cards: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Card aria-label="Summary" className="flex items-center gap-1 py-2.5 pr-1.5 pl-5 tabular-nums">
        <dl className="grid min-w-0 flex-1 gap-1 text-label">
          <Line name="Coverage">{queue && <CoverageLine queue={queue} />}</Line>
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

function CoverageLine({ queue: { coverage } }: { queue: Queue }) {
  if (coverage.held === null) {
    return (
      <Link to="/operator/books" className="textlink font-normal">
        Not known, enter it in Books
      </Link>
    );
  }
  return coverageText(centsOf(coverage.held), centsOf(coverage.owed)) ?? 'Nothing owed';
}
