import { coins } from '@tallystick/contract/networks';
import { ArrowDownRight, ArrowUpRight } from 'lucide-react';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import {
  type CoinPrice,
  movementOf,
  priceText,
  quoteTimeText,
  usePriceQuotes,
} from '../../domain/prices/price-quotes.ts';
import { Card } from '../../ui/layout/card.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import { useBitcoinChart } from './bitcoin-chart.ts';

const stripClass =
  'grid grid-cols-2 max-[350px]:grid-cols-1 desktop:grid-cols-[repeat(auto-fit,minmax(240px,1fr))]';
const tileClass =
  'relative grid grid-cols-[28px_minmax(0,1fr)_auto] content-center items-center gap-x-2.5 gap-y-1 border-line px-4 py-3.5 nth-[n+3]:border-t even:border-l max-[350px]:not-first:border-t max-[350px]:even:border-l-0 tablet:grid-cols-[36px_minmax(0,1fr)_auto] tablet:gap-x-3 tablet:gap-y-0.5 tablet:px-5 tablet:py-4 desktop:border-0! desktop:not-first:before:absolute desktop:not-first:before:inset-y-4 desktop:not-first:before:left-0 desktop:not-first:before:w-px desktop:not-first:before:bg-line';

/** The coins that have a price. The place is kept while prices are on their way and given up when none come. */
export function PriceStrip() {
  const { quotes, isPending } = usePriceQuotes();
  if (!quotes) return isPending ? <Loading /> : null;
  const asOf = `${quotes.isStale ? 'Older prices, from' : 'Updated'} ${quoteTimeText(quotes.quotedAt)}.`;
  return (
    <Card aria-label="Prices">
      <ul className={stripClass}>
        {quotes.coins.map((coin) => (
          <Tile key={coin.id} coin={coin} isStale={quotes.isStale} />
        ))}
      </ul>
      <p className="border-t border-line px-4 py-2 text-caption text-3 tabular-nums tablet:px-5">
        {quotes.isSample
          ? 'Sample prices. The price service could not be reached.'
          : `Prices in USD. ${asOf}`}
      </p>
    </Card>
  );
}

function Tile({ coin, isStale }: { coin: CoinPrice; isStale: boolean }) {
  return (
    <li className={tileClass}>
      <span className="tablet:row-span-2 [&_svg]:size-7 tablet:[&_svg]:size-9">
        <CoinMark coin={coin.id} size={36} />
      </span>
      <span className="text-label/[18px] font-label max-tablet:col-span-2">
        {coin.name} <span className="font-normal text-3 max-tablet:hidden">{coin.ticker}</span>
      </span>
      <span
        className={`text-body/[22px] font-semibold tracking-[-0.015em] tabular-nums max-tablet:col-span-2 tablet:col-start-2 tablet:row-start-2 tablet:text-[1.125rem]/6 ${isStale ? 'text-3' : ''}`}
      >
        {priceText(coin)}
      </span>
      {coin.id === 'bitcoin' && <Movement />}
    </li>
  );
}

/** Bitcoin is the one coin whose past is known here. */
function Movement() {
  const { data } = useBitcoinChart();
  const movement = data && movementOf(data.chart);
  if (!movement) return null;
  const rose = movement.percent >= 0;
  const Arrow = rose ? ArrowUpRight : ArrowDownRight;
  return (
    <span className="col-start-3 row-start-2 flex items-center gap-0.5 self-end justify-self-end pb-0.5 text-caption text-2 tabular-nums">
      <Arrow className="size-3.5" strokeWidth={2.2} aria-hidden="true" />
      <span className="sr-only">{rose ? 'up' : 'down'}</span>
      {Math.abs(movement.percent).toFixed(2)}%<span className="sr-only"> in 30 days</span>
    </span>
  );
}

function Loading() {
  return (
    <Card aria-busy="true" aria-label="Prices">
      <p className="sr-only">Loading</p>
      <div className={stripClass}>
        {coins.map(({ id }) => (
          <div key={id} className={tileClass}>
            <Skeleton className="size-7 rounded-full! tablet:row-span-2 tablet:size-9" />
            <Skeleton className="my-0.5 h-3.5 w-20 max-tablet:col-span-2" />
            <Skeleton className="my-1 h-3.5 w-24 max-tablet:col-span-2 tablet:col-start-2 tablet:h-4" />
          </div>
        ))}
      </div>
      <div className="h-[35px] border-t border-line" />
    </Card>
  );
}
