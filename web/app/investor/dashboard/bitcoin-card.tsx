import { chartDays } from '@tallystick/contract/prices';
import { type ReactNode, useMemo } from 'react';
import { Card, CardTitle } from '../../ui/layout/card.tsx';
import { Failed } from '../../ui/lists/empty.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import { useNear } from '../../ui/near.ts';
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
  const hasFailed =
    (chart.isError && !chart.data) || (plot.isError && !plot.data) || (chart.data && !figures);
  const retry = () => {
    chart.refetch();
    plot.refetch();
  };
  return (
    <Card aria-label="Bitcoin chart" className="flex flex-col px-4 pt-5 pb-1.5 tabular-nums tablet:px-6">
      <Head figures={figures} />
      <div ref={place} className="mt-3">
        {hasFailed ? (
          <div className={`grid content-center ${plotHeight}`}>
            <Failed onRetry={retry}>The Bitcoin chart could not be fetched.</Failed>
          </div>
        ) : figures ? (
          <Plot figures={figures}>
            {plot.data ? <plot.data points={points} /> : isNear && <Skeleton className={plotHeight} />}
          </Plot>
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

/** The words need no drawing, and nobody has to wait for it who does not see it. */
function Plot({ figures, children }: { figures: ChartFigures; children: ReactNode }) {
  const summary = chartSummary(figures);
  return (
    <>
      <div role="img" aria-label={`Bitcoin in US dollars. ${summary}`} className={plotHeight}>
        {children}
      </div>
      <p className="mt-2 px-1 text-caption text-3">{summary}</p>
    </>
  );
}
