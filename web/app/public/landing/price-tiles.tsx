import { type CoinId, coins } from '@tallystick/contract/networks';
import { ArrowDownRight, ArrowUpRight } from 'lucide-react';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { sparkSize } from './spark.ts';

const stripClass =
  'grid rounded-card bg-surface inset-ring inset-ring-line tablet:grid-cols-2 desktop:grid-cols-[repeat(auto-fit,minmax(250px,1fr))]';
/** Hairlines between tiles: beneath each other on phones, a cross on tablets, side by side on wide screens. */
const tileLines =
  'relative not-first:before:absolute not-first:before:top-0 not-first:before:right-4 not-first:before:left-16 not-first:before:h-px not-first:before:bg-line tablet:max-desktop:before:hidden tablet:max-desktop:border-line tablet:max-desktop:even:border-l tablet:max-desktop:nth-[n+3]:border-t desktop:not-first:before:inset-y-5 desktop:not-first:before:right-auto desktop:not-first:before:left-0 desktop:not-first:before:h-auto desktop:not-first:before:w-px';
const tileClass = `grid grid-cols-[36px_1fr_56px_minmax(92px,auto)] items-center gap-x-3 px-4 py-3.5 max-[350px]:grid-cols-[36px_1fr_auto] tablet:grid-cols-[36px_1fr_auto] tablet:gap-y-0.5 tablet:px-6 tablet:py-[22px] ${tileLines}`;
const priceClass =
  'justify-self-end text-large/[22px] font-semibold tracking-[-0.015em] tabular-nums tablet:col-start-2 tablet:row-start-2 tablet:justify-self-start tablet:text-[20px]/[26px]';

/**
 * The coins and what they cost, which `live-prices.ts` fills in. The place is kept while prices are on their way and
 * given up when none come; with no price there is nothing to show.
 */
export function PriceTiles() {
  return (
    <section id="price-tiles" aria-label="Prices" className="wrap">
      <Waiting />
      <template>
        <ul className={`group ${stripClass}`} aria-label="Prices in USD">
          {coins.map((coin) => (
            <Tile key={coin.id} coin={coin} />
          ))}
        </ul>
        <div className="mt-3 flex min-h-10 justify-between gap-x-6 gap-y-0.5 text-caption text-3 tabular-nums max-tablet:flex-col tablet:min-h-4.5">
          <p data-text="source" />
          <p data-text="beside" />
        </div>
      </template>
    </section>
  );
}

function Waiting() {
  return (
    <div aria-hidden="true" className="noscript:hidden">
      <div className={stripClass}>
        {coins.map(({ id }) => (
          <div key={id} className={tileClass}>
            <span className="skeleton row-span-2 size-9 rounded-full!" />
            <span className="skeleton my-3 h-4.5 w-20 max-tablet:row-span-2 tablet:my-0.5 tablet:h-3.5" />
            <span className="skeleton col-start-4 h-4.5 w-full max-tablet:row-span-2 max-[350px]:hidden tablet:col-start-2 tablet:my-1 tablet:w-24" />
          </div>
        ))}
      </div>
      <div className="h-13 tablet:h-7.5" />
    </div>
  );
}

function Tile({ coin }: { coin: { id: CoinId; name: string; ticker: string } }) {
  return (
    <li data-coin={coin.id} className={tileClass}>
      <span className="row-span-2">
        <CoinMark coin={coin.id} size={36} />
      </span>
      <span className="row-span-2 text-label/[18px] font-label tablet:row-span-1">
        {coin.name} <span className="font-normal text-3 max-tablet:block">{coin.ticker}</span>
      </span>
      <span
        data-text="price"
        className={`col-start-4 max-[350px]:col-start-3 ${priceClass} group-data-stale:text-3 ${coin.id === 'bitcoin' ? '' : 'max-tablet:row-span-2'}`}
      />
      {coin.id === 'bitcoin' && <BitcoinMovement />}
    </li>
  );
}

/** Of its three parts either the first is shown or the two others. */
function BitcoinMovement() {
  const { width, height } = sparkSize;
  return (
    <>
      {/* An empty line of the same height keeps the price in its place until the figures are there. */}
      <span data-movement="none" className="col-start-4 row-start-2 h-4.5 max-[350px]:hidden tablet:hidden" />
      <svg
        data-movement="some"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="col-start-3 row-span-2 row-start-1 h-6.5 w-14 justify-self-end text-3 max-[350px]:hidden tablet:row-span-1 tablet:h-5.5 tablet:w-15"
        aria-hidden="true"
      >
        <path
          data-spark
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <span
        data-movement="some"
        className="group/movement col-start-4 row-start-2 flex items-center gap-0.5 justify-self-end text-caption text-2 tabular-nums max-[350px]:col-start-3 tablet:col-start-3"
      >
        <ArrowUpRight
          className="size-3.5 group-data-fell/movement:hidden"
          strokeWidth={2.2}
          aria-hidden="true"
        />
        <ArrowDownRight
          className="hidden size-3.5 group-data-fell/movement:block"
          strokeWidth={2.2}
          aria-hidden="true"
        />
        <span data-text="direction" className="sr-only" />
        <span data-text="percent" />
        <span className="sr-only"> in 30 days</span>
      </span>
    </>
  );
}
