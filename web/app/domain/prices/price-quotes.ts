import type { CallAddress } from '@tallystick/contract/call';
import {
  type CoinId,
  coinOf,
  coins,
  priceRefreshSeconds,
  priceSourceHeader,
} from '@tallystick/contract/networks';
import type { bitcoinChart, MarketChart, SimplePrice, simplePrice } from '@tallystick/contract/prices';
import { useQuery } from '@tanstack/react-query';
import { callApiWithHeaders } from '../../api.ts';
import { orLog } from '../../log.ts';
import { ownTask } from '../../turns.ts';
import { grouped } from '../money/amount.ts';

const staleAfterMs = 5 * 60_000;
export const refreshMs = priceRefreshSeconds * 1000;
const failed = 'Error fetching crypto rates:';

/** Without the schemas: the landing page shows prices, and a phone's first moments there are few. */
const quotesCall: CallAddress<typeof simplePrice> = { method: 'GET', path: '/api/prices/simple/price' };
const chartCall: CallAddress<typeof bitcoinChart> = {
  method: 'GET',
  path: '/api/prices/coins/bitcoin/market_chart',
};

export interface CoinPrice {
  id: CoinId;
  name: string;
  ticker: string;
  usd: number;
}

export interface PriceQuotes {
  /** Only coins that have a price. */
  coins: CoinPrice[];
  quotedAt: Date;
  isSample: boolean;
  isStale: boolean;
}

/** `null` until a price has arrived; a failure after that keeps what was there, which then grows stale. */
export function usePriceQuotes(): { quotes: PriceQuotes | null; isPending: boolean } {
  const { data, isPending, dataUpdatedAt, errorUpdatedAt } = useQuery({
    queryKey: ['prices', 'simple'],
    queryFn: () => ownTask().then(readQuotes),
    refetchInterval: refreshMs,
    staleTime: refreshMs,
    retry: false,
  });
  if (!data || data.coins.length === 0) return { quotes: null, isPending };
  const isStale = isStaleAt(data.quotedAt, Math.max(dataUpdatedAt, errorUpdatedAt));
  return { quotes: { ...data, isStale }, isPending };
}

export function isStaleAt(quotedAt: Date, nowMs: number): boolean {
  return nowMs - quotedAt.getTime() > staleAfterMs;
}

export const readQuotes = () => orLog(failed, askForQuotes());

async function askForQuotes(): Promise<Omit<PriceQuotes, 'isStale'>> {
  const { answer, headers } = await callApiWithHeaders<typeof simplePrice>(quotesCall, {});
  return {
    coins: pricedCoins(answer),
    quotedAt: quotedAt(headers, Date.now()),
    isSample: headers.get(priceSourceHeader) === 'sample',
  };
}

export function pricedCoins(answer: SimplePrice): CoinPrice[] {
  return coins.flatMap((coin) => {
    const usd = answer[coin.id]?.usd;
    return typeof usd === 'number' && usd > 0 ? [{ ...coin, usd }] : [];
  });
}

/** The server says when it answered and how old its figures were then; a browser's cache may have kept both. */
export function quotedAt(headers: Headers, nowMs: number): Date {
  const answeredMs = Date.parse(headers.get('date') ?? '') || nowMs;
  return new Date(answeredMs - (Number(headers.get('age')) || 0) * 1000);
}

export interface Movement {
  percent: number;
  /** Prices from the oldest to the newest, few enough to draw small. */
  points: number[];
}

/** Bitcoin is the one coin whose past the price service is asked for. */
export const readBitcoinMovement = () =>
  orLog(
    failed,
    callApiWithHeaders<typeof bitcoinChart>(chartCall, {}).then(({ answer }) => movementOf(answer)),
  );

const pointsDrawn = 30;

export function movementOf({ prices }: MarketChart): Movement | null {
  const [first, last] = [prices[0]?.[1], prices.at(-1)?.[1]];
  if (prices.length < 2 || !first || !last) return null;
  const step = Math.max(1, Math.floor(prices.length / pointsDrawn));
  const points = prices.filter((_, index) => index % step === 0).map(([, usd]) => usd);
  return { percent: (last / first - 1) * 100, points: [...points, last] };
}

/** Two decimals; a coin that costs less than most has four. */
export function priceText({ id, usd }: Pick<CoinPrice, 'id' | 'usd'>): string {
  const [dollars = '', fraction] = usd.toFixed(coinOf(id)?.priceDecimals).split('.');
  return `$${grouped(dollars)}.${fraction}`;
}

/** 15 Nov 2026, 09:41 UTC */
export function quoteTimeText(at: Date): string {
  const words = at.toUTCString();
  return `${words.slice(5, 16).replace(/^0/, '')}, ${words.slice(17, 22)} UTC`;
}
