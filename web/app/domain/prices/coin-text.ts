import { coinOf } from '@tallystick/contract/networks';
import { grouped } from '../money/amount.ts';

/** `0.181254 BTC`; null when no price was known at that moment. */
export function coinText({ coin, coinamount }: { coin: string; coinamount: string | null }): string | null {
  if (coinamount === null) return null;
  const ticker = coinOf(coin)?.ticker;
  return ticker ? `${groupedDecimal(coinamount)} ${ticker}` : groupedDecimal(coinamount);
}

/** `2128.021791` is `2,128.021791`: coins have more decimals than a float keeps, so the text stays text. */
export function groupedDecimal(text: string): string {
  const [whole = '', ...fraction] = text.split('.');
  return [grouped(whole), ...fraction].join('.');
}
