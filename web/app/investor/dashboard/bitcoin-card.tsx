import { chartDays } from '@tallystick/contract/prices';
import { useCallback, useMemo, useState } from 'react';
import { Card, CardTitle } from '../../ui/layout/card.tsx';
import { Failed } from '../../ui/lists/empty.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import { useIsAway } from '../offline/reach.ts';
import { useBitcoinChart, useBitcoinPlot } from './bitcoin-chart.ts';
import { BitcoinTable } from './bitcoin-table.tsx';
import { bitcoinText, type ChartFigures, chartSummary, figuresOf, pointsOf } from './chart-figures.ts';

const plotHeight = 'h-[190px] tablet:h-[282px]';

export function BitcoinCard() {
  const chart = useBitcoinChart();
  const [place, isNear] = useNear();
  const plot = useBitcoinPlot(isNear);
  // The drawing begins anew with other points, so the same answer gives the same ones.
  const points = useMemo(() => (chart.data ? pointsOf(chart.data.chart) : []), [chart.data]);
  const figures = figuresOf(points);
  const isAway = useIsAway();
  const hasFailed = (chart.isError && !chart.data) || (chart.data && !figures);
  return (
    <Card aria-label="Bitcoin chart" className="flex flex-col px-4 pt-5 pb-1.5 tabular-nums tablet:px-6">
      <Head figures={figures} />
      <div ref={place} className="mt-3">
        {hasFailed ? (
          <div className={`grid content-center ${plotHeight}`}>
            <Failed onRetry={chart.refetch}>The Bitcoin chart could not be fetched.</Failed>
          </div>
        ) : figures ? (
          <>
            {!plot.data && (plot.isError || isAway) ? (
              <NotDrawn onRetry={plot.refetch} />
            ) : (
              <div
                role="img"
                aria-label={`Bitcoin in US dollars. ${chartSummary(figures)}`}
                className={plotHeight}
              >
                {plot.data ? <plot.data points={points} /> : isNear && <Skeleton className={plotHeight} />}
              </div>
            )}
            {/* The words need no drawing, and nobody has to wait for it who does not see it. */}
            <p className="mt-2 px-1 text-caption text-3">{chartSummary(figures)}</p>
          </>
        ) : (
          <div aria-busy="true">
            <p className="sr-only">Loading</p>
            <Skeleton className={plotHeight} />
          </div>
        )}
      </div>
      <BitcoinTable points={points} isSample={chart.data?.isSample ?? false} />
    </Card>
  );
}

function Head({ figures }: { figures: ChartFigures | null }) {
  return (
    <div className="flex items-start justify-between gap-4 px-1">
      <div>
        <CardTitle>{`Bitcoin, last ${chartDays} days`}</CardTitle>
        <p className="mt-0.5 min-h-8 text-[1.625rem]/8 font-semibold tracking-[-0.025em]">
          {figures && bitcoinText(figures.last.usd)}
        </p>
      </div>
      {figures && (
        <dl className="flex gap-7 max-tablet:hidden">
          {[
            { name: 'High', usd: figures.high.usd },
            { name: 'Low', usd: figures.low.usd },
          ].map(({ name, usd }) => (
            <div key={name}>
              <dt className="text-caption text-3">{name}</dt>
              <dd className="text-control/5 font-semibold">{bitcoinText(usd)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

/** The figures are there, and what draws them is not. */
function NotDrawn({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={`grid content-center ${plotHeight}`}>
      <Failed onRetry={onRetry}>The line could not be drawn. Its figures stand beneath.</Failed>
    </div>
  );
}

/** So far ahead of the finger what is scrolled to should be there. */
const aheadPx = 300;

/** Whether a place is, or has once been, on the screen or close to it. */
function useNear() {
  const [isNear, setIsNear] = useState(false);
  const place = useCallback((element: Element | null) => {
    if (!element) return;
    const observer = new IntersectionObserver(
      (seen) => {
        if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
        setIsNear(true);
        observer.disconnect();
      },
      { rootMargin: `${aheadPx}px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [place, isNear] as const;
}
