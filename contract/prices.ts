import { z } from 'zod';
import { defineCall } from './call.ts';
import { type CoinId, coins } from './networks.ts';

export const chartDays = 30;

const Usd = z.object({ usd: z.number().positive() });
const ofEachCoin = Object.fromEntries(coins.map(({ id }) => [id, Usd.optional()]));

/** The price service's shape. A coin without a price is left out, never invented. */
export const SimplePrice = z.object(ofEachCoin as Record<CoinId, z.ZodOptional<typeof Usd>>);
export type SimplePrice = z.infer<typeof SimplePrice>;

export const MarketChart = z.object({ prices: z.array(z.tuple([z.number(), z.number().positive()])).min(1) });
export type MarketChart = z.infer<typeof MarketChart>;

export const simplePrice = defineCall('GET', '/api/prices/simple/price', {
  summary: 'US dollar prices of the coins, at most a minute behind; the Age header says how old they are',
  answer: SimplePrice,
  refusals: ['prices_unavailable'],
});

export const bitcoinChart = defineCall('GET', '/api/prices/coins/bitcoin/market_chart', {
  summary: 'Bitcoin in US dollars over the last 30 days, as pairs of timestamp and price',
  answer: MarketChart,
  refusals: ['prices_unavailable'],
});
