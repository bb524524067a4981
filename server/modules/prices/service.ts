import { priceRefreshSeconds } from '@tallystick/contract/networks';
import type { MarketChart, SimplePrice } from '@tallystick/contract/prices';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { createCached } from './cached.ts';
import { createPriceClient } from './client.ts';
import { sampleChart } from './rules.ts';

/** Bundled figures for a demo without a network; null in production, where prices are real or absent. */
export interface SamplePrices {
  simple: SimplePrice;
  bitcoinCloses: readonly number[];
}

interface PricesNeeds {
  clock: Clock;
  logger: Logger;
  apiBase: string;
  sample: SamplePrices | null;
}

export interface Quoted<T> {
  value: T;
  ageMs: number;
  source: 'live' | 'sample';
}

const minuteMs = 60_000;
const chartEveryMs = 10 * minuteMs;

/** What coins cost, from the public price service. */
export function createPrices({ clock, logger, apiBase, sample }: PricesNeeds) {
  const client = createPriceClient(apiBase);
  const simple = createCached({
    load: client.simplePrice,
    everyMs: priceRefreshSeconds * 1000,
    clock,
    logger,
  });
  const chart = createCached({ load: client.bitcoinChart, everyMs: chartEveryMs, clock, logger });

  async function quote<T>(
    cached: () => Promise<{ value: T; ageMs: number } | null>,
    fallback: T | null,
  ): Promise<Quoted<T>> {
    const live = await cached();
    if (live) return { ...live, source: 'live' };
    if (fallback) return { value: fallback, ageMs: 0, source: 'sample' };
    throw new AppError('prices_unavailable', 'Prices cannot be read at the moment.', {
      retryAfterSeconds: 60,
    });
  }

  return {
    /** Prices as far as they are known at this moment; for what must not wait. */
    knownPrices: (): SimplePrice | null => simple.known()?.value ?? sample?.simple ?? null,

    simplePrice: (): Promise<Quoted<SimplePrice>> => quote(simple.get, sample?.simple ?? null),
    bitcoinChart: (): Promise<Quoted<MarketChart>> =>
      quote(chart.get, sample && sampleChart(sample.bitcoinCloses, clock.now())),
  };
}

export type Prices = ReturnType<typeof createPrices>;
