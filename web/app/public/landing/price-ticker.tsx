import { Pause, Play } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { SampleChip } from '../../domain/page/sample-chip.tsx';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { type CoinPrice, priceText, usePriceQuotes } from '../../domain/prices/price-quotes.ts';
import './price-ticker.css';

/** The narrowest a coin gets, and the time that one takes to pass. */
const itemWidthMin = 150;
const itemPassesSeconds = 5.6;

/** So many that half of the row is wider than the screen, also turned; the row moves by that half and begins again. */
function itemsPerHalf(coinCount: number): number {
  const width = Math.max(screen.width, screen.height, window.innerWidth);
  return Math.ceil(width / itemWidthMin / coinCount) * coinCount;
}

/**
 * The prices that pass by under the header. Its place is kept whether or not prices come, so that nothing ever moves;
 * without a price it is empty.
 */
export function PriceTicker() {
  const { quotes } = usePriceQuotes();
  return (
    <div className="ticker-place noscript:hidden">
      {quotes && <Strip coins={quotes.coins} isSample={quotes.isSample} />}
    </div>
  );
}

function Strip({ coins, isSample }: { coins: CoinPrice[]; isSample: boolean }) {
  const [paused, setPaused] = useState(false);
  const hidden = useTabHidden();
  const [half] = useState(() => itemsPerHalf(coins.length));
  const copies = Math.ceil(half / coins.length) * 2 - 1;
  const Icon = paused ? Play : Pause;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      role="group"
      aria-label="Prices in USD, scrolling"
      className="ticker"
      data-standing={paused || hidden || undefined}
      data-sample={isSample || undefined}
    >
      {isSample && <SampleChip className="ml-3 shrink-0 tablet:ml-6">Sample prices</SampleChip>}
      <div className="ticker-window">
        <ul className="ticker-row" style={{ animationDuration: `${half * itemPassesSeconds}s` }}>
          {coins.map((coin) => (
            <Item key={coin.id} coin={coin} />
          ))}
          {Array.from({ length: copies }, (_, copy) => copy + 1).map((copy) =>
            coins.map((coin) => <Item key={`${coin.id} ${copy}`} coin={coin} isCopy />),
          )}
        </ul>
      </div>
      <button
        type="button"
        aria-label="Pause the ticker"
        aria-pressed={paused}
        onClick={() => setPaused(!paused)}
        className="ticker-pause grid size-11 shrink-0 place-items-center text-3 hover:text-1 motion-reduce:hidden"
      >
        <Icon className="size-4" aria-hidden="true" />
      </button>
    </div>
  );
}

function Item({ coin, isCopy = false }: { coin: CoinPrice; isCopy?: boolean }) {
  return (
    <li aria-hidden={isCopy || undefined} className={isCopy ? 'motion-reduce:hidden' : undefined}>
      <CoinMark coin={coin.id} size={22} />
      <span className="ticker-name text-2">{coin.name}</span>
      <span className="font-semibold tabular-nums">{priceText(coin)}</span>
    </li>
  );
}

function useTabHidden(): boolean {
  return useSyncExternalStore(
    (changed) => {
      document.addEventListener('visibilitychange', changed);
      return () => document.removeEventListener('visibilitychange', changed);
    },
    () => document.hidden,
    () => false,
  );
}
