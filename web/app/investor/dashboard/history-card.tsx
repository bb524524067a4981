import { history } from '@tallystick/contract/ledger';
import { type Cents, formatUsd } from '@tallystick/contract/money';
import { shortDayOf } from '../../domain/dates.ts';
import { useLive } from '../../domain/live.ts';
import { centsOf } from '../../domain/money/amount.ts';
import { Card, CardTitle } from '../../ui/layout/card.tsx';
import { Failed } from '../../ui/lists/empty.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import { useIsAway } from '../offline/reach.ts';

const days = 30;
const plotClass = 'h-30';
const [width, height] = [1000, 120];

interface Day {
  at: string;
  cents: Cents;
}

/** What the wallet held at the end of each day. */
export function HistoryCard() {
  const { data, isError, refetch } = useLive(
    history,
    { query: { days: String(days) } },
    'Error fetching balance history:',
  );
  const points = data?.history.map(({ at, balance }) => ({ at, cents: centsOf(balance) })) ?? [];
  return (
    <Card aria-label="Balance over time" className="px-5 py-5 tabular-nums tablet:px-6">
      <CardTitle>{`Balance, last ${days} days`}</CardTitle>
      <div className="mt-3 min-h-[178px]">
        {points.length > 1 ? (
          <History points={points} />
        ) : isError ? (
          <Failed onRetry={refetch}>The balance of the last days could not be fetched.</Failed>
        ) : (
          <div aria-busy="true">
            <p className="sr-only">Loading</p>
            <Skeleton className={plotClass} />
          </div>
        )}
      </div>
    </Card>
  );
}

function History({ points }: { points: Day[] }) {
  const isAway = useIsAway();
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  const high = points.reduce((best, point) => (point.cents > best.cents ? point : best));
  const low = points.reduce((best, point) => (point.cents < best.cents ? point : best));
  const words =
    high.cents === low.cents
      ? `${formatUsd(last.cents)} on each of these days.`
      : `From ${formatUsd(first.cents)} on ${shortDayOf(first.at)} to ${formatUsd(last.cents)} ${isAway ? `on ${shortDayOf(last.at)}` : 'now'}. Highest ${formatUsd(high.cents)} on ${shortDayOf(high.at)}, lowest ${formatUsd(low.cents)} on ${shortDayOf(low.at)}.`;
  const line = stepsOf(points, high.cents);
  return (
    <>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Balance over time. ${words}`}
        className={`block w-full ${plotClass} text-accent-text`}
      >
        <path d={`${line}V${height}H0Z`} fill="currentColor" opacity=".12" />
        <path
          d={line}
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <p className="mt-1.5 flex justify-between text-caption text-3">
        <span>{shortDayOf(first.at)}</span>
        <span>{shortDayOf(last.at)}</span>
      </p>
      <p className="mt-1.5 text-caption text-3">{words}</p>
    </>
  );
}

/** A balance stays until something moves it, so the line goes in steps, from nothing at the foot. */
function stepsOf(points: readonly Day[], highest: Cents): string {
  const x = (index: number) => ((index / (points.length - 1)) * width).toFixed(1);
  const y = ({ cents }: Day) =>
    (height - 2 - (Number(cents) / Number(highest || 1n)) * (height - 6)).toFixed(1);
  return points.map((point, index) => (index === 0 ? `M0 ${y(point)}` : `H${x(index)}V${y(point)}`)).join('');
}
