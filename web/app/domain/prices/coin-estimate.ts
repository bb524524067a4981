import type { Cents } from '@tallystick/contract/money';
import { coinOf } from '@tallystick/contract/networks';
import { type CoinPrice, type PriceQuotes, usePriceQuotes } from './price-quotes.ts';

/** `About 0.036543 BTC`, or null while no price is known. */
export function useCoinEstimate(coinOrNetwork: string | undefined, cents: Cents | null): string | null {
  const { quotes } = usePriceQuotes();
  if (!quotes || coinOrNetwork === undefined || cents === null) return null;
  return estimateText(quotes, coinOf(coinOrNetwork)?.id ?? null, cents);
}

export function estimateText(
  { coins: priced, isSample }: Pick<PriceQuotes, 'coins' | 'isSample'>,
  coin: CoinPrice['id'] | null,
  cents: Cents,
): string | null {
  const price = priced.find(({ id }) => id === coin);
  if (!price) return null;
  // A coin that costs little needs fewer places to be as exact.
  const places = price.usd < 10 ? 2 : 6;
  const amount = (Number(cents) / 100 / price.usd).toLocaleString('en-US', {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
  return `About ${amount} ${price.ticker}${isSample ? ' at a sample price' : ''}`;
}
