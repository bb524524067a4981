import { coins } from '@tallystick/contract/networks';
import { ArrowDownRight, ArrowUpRight } from 'lucide-react';
import { CoinMark } from './coin-mark.tsx';
import {
  type CoinPrice,
  type Movement,
  type PriceQuotes,
  priceText,
  quoteTimeText,
  useBitcoinMovement,
  usePriceQuotes,
} from './price-quotes.ts';

const stripClass =
  'grid rounded-card bg-surface inset-ring inset-ring-line tablet:grid-cols-2 desktop:grid-cols-[repeat(auto-fit,minmax(250px,1fr))]';
/** Hairlines between tiles: beneath each other on phones, a cross on tablets, side by side on wide screens. */
const tileLines =
  'relative not-first:before:absolute not-first:before:top-0 not-first:before:right-4 not-first:before:left-16 not-first:before:h-px not-first:before:bg-line tablet:max-desktop:before:hidden tablet:max-desktop:border-line tablet:max-desktop:even:border-l tablet:max-desktop:nth-[n+3]:border-t desktop:not-first:before:inset-y-5 desktop:not-first:before:right-auto desktop:not-first:before:left-0 desktop:not-first:before:h-auto desktop:not-first:before:w-px';
const tileClass = `grid grid-cols-[36px_1fr_56px_minmax(92px,auto)] items-center gap-x-3 px-4 py-3.5 max-[350px]:grid-cols-[36px_1fr_auto] tablet:grid-cols-[36px_1fr_auto] tablet:gap-y-0.5 tablet:px-6 tablet:py-[22px] ${tileLines}`;
const priceClass =
  'justify-self-end text-large/[22px] font-semibold tracking-[-0.015em] tabular-nums tablet:col-start-2 tablet:row-start-2 tablet:justify-self-start tablet:text-[20px]/[26px]';

/**
 * The coins and what they cost. The place is kept while prices are on their way and given up when none come; with
 * no price there is nothing to show.
 */
export function PriceTiles() {
  const { quotes, isPending } = usePriceQuotes();
  if (!quotes) return isPending ? <Waiting /> : null;
  return (
    <>
      <ul className={stripClass} aria-label="Prices in USD">
        {quotes.coins.map((coin) => (
          <Tile key={coin.id} coin={coin} isStale={quotes.isStale} />
        ))}
      </ul>
      <Source quotes={quotes} />
    </>
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

function Tile({ coin, isStale }: { coin: CoinPrice; isStale: boolean }) {
  return (
    <li className={tileClass}>
      <span className="row-span-2">
        <CoinMark coin={coin.id} size={36} />
      </span>
      <span className="row-span-2 text-label/[18px] font-label tablet:row-span-1">
        {coin.name} <span className="font-normal text-3 max-tablet:block">{coin.ticker}</span>
      </span>
      <span
        className={`col-start-4 max-[350px]:col-start-3 ${priceClass} ${isStale ? 'text-3' : ''} ${coin.id === 'bitcoin' ? '' : 'max-tablet:row-span-2'}`}
      >
        {priceText(coin)}
      </span>
      {coin.id === 'bitcoin' && <BitcoinMovement />}
    </li>
  );
}

function BitcoinMovement() {
  const movement = useBitcoinMovement();
  // An empty line of the same height keeps the price in its place until the figures are there.
  if (!movement) return <span className="col-start-4 row-start-2 h-4.5 max-[350px]:hidden tablet:hidden" />;
  return (
    <>
      <Spark {...movement} />
      <MovementText
        {...movement}
        className="col-start-4 row-start-2 justify-self-end max-[350px]:col-start-3 tablet:col-start-3"
      />
    </>
  );
}

export function MovementText({ percent, className }: Pick<Movement, 'percent'> & { className: string }) {
  const rose = percent >= 0;
  const Arrow = rose ? ArrowUpRight : ArrowDownRight;
  return (
    <span className={`flex items-center gap-0.5 text-caption text-2 tabular-nums ${className}`}>
      <Arrow className="size-3.5" strokeWidth={2.2} aria-hidden="true" />
      <span className="sr-only">{rose ? 'up' : 'down'}</span>
      {Math.abs(percent).toFixed(2)}%<span className="sr-only"> in 30 days</span>
    </span>
  );
}

const sparkSize = { width: 64, height: 32 };

function Spark({ points }: Movement) {
  const { width, height } = sparkSize;
  const [low, high] = [Math.min(...points), Math.max(...points)];
  const line = points.map((usd, index) => {
    const x = (index / (points.length - 1)) * width;
    const y = 2 + (1 - (usd - low) / (high - low || 1)) * (height - 4);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="col-start-3 row-span-2 row-start-1 h-6.5 w-14 justify-self-end text-3 max-[350px]:hidden tablet:row-span-1 tablet:h-5.5 tablet:w-15"
      aria-hidden="true"
    >
      <path
        d={`M${line.join('L')}`}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

function Source({ quotes }: { quotes: PriceQuotes }) {
  const movement = useBitcoinMovement();
  const about = movement ? 'Line and arrow: Bitcoin over 30 days.' : '';
  const updated = `${quotes.isStale ? 'Older prices, from' : 'Updated'} ${quoteTimeText(quotes.quotedAt)}`;
  return (
    <div className="mt-3 flex min-h-10 justify-between gap-x-6 gap-y-0.5 text-caption text-3 tabular-nums max-tablet:flex-col tablet:min-h-4.5">
      <p>
        {quotes.isSample
          ? 'Sample prices. The price service could not be reached.'
          : `Prices in USD. ${about}`}
      </p>
      <p>{quotes.isSample ? about : updated}</p>
    </div>
  );
}
