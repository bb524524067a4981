import { coins, priceRefreshSeconds } from '@tallystick/contract/networks';
import type { MarketChart, SimplePrice } from '@tallystick/contract/prices';
import { AppError } from '../../platform/app-error.ts';
import { type Clock, dayMs } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { createPriceClient, RateLimited } from './client.ts';
import { backOffMs, sampleChart } from './rules.ts';

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

    /** For whoever watches the server: how old each coin's price is. Asking for it fetches nothing. */
    health: (): { coin: string; ageSeconds: number | null }[] => {
      const kept = simple.peek();
      return coins.map(({ id }) => ({ coin: id, ageSeconds: kept?.value[id] ? kept.ageMs / 1000 : null }));
    },

    simplePrice: (): Promise<Quoted<SimplePrice>> => quote(simple.get, sample?.simple ?? null),
    bitcoinChart: (): Promise<Quoted<MarketChart>> =>
      quote(chart.get, sample && sampleChart(sample.bitcoinCloses, clock.now())),
  };
}

export type Prices = ReturnType<typeof createPrices>;

interface CachedOptions<T> {
  load(): Promise<T>;
  everyMs: number;
  clock: Clock;
  logger: Logger;
}

interface Kept<T> {
  value: T;
  at: number;
}

/** Older than this an answer says nothing about today and is not shown any more. */
const keptMsMax = dayMs;

/**
 * One call upstream in a while, however many ask. Whoever asks gets the last good answer at once, while a fresh one is
 * fetched behind it; only the very first waits. Failures space the calls out.
 */
function createCached<T>({ load, everyMs, clock, logger }: CachedOptions<T>) {
  let kept: Kept<T> | null = null;
  let flight: Promise<void> | null = null;
  let failures = 0;
  let rest = { from: Number.POSITIVE_INFINITY, until: Number.NEGATIVE_INFINITY };

  function restFor(ms: number): void {
    const from = clock.now().getTime();
    rest = { from, until: from + ms };
  }

  async function refresh(): Promise<void> {
    try {
      kept = { value: await load(), at: clock.now().getTime() };
      failures = 0;
      restFor(everyMs);
    } catch (error) {
      failures += 1;
      const askedForMs = error instanceof RateLimited ? error.retryAfterMs : null;
      restFor(backOffMs(failures, everyMs, askedForMs));
      logger.warn({ reason: (error as Error).message, failures }, 'Error fetching crypto rates:');
    } finally {
      flight = null;
    }
  }

  function peek(): { value: T; ageMs: number } | null {
    if (!kept) return null;
    const now = clock.now().getTime();
    kept.at = Math.min(kept.at, now);
    return { value: kept.value, ageMs: now - kept.at };
  }

  function known(): { value: T; ageMs: number } | null {
    const now = clock.now().getTime();
    // A rest that begins later than now is one of a clock that was set back since.
    if (!flight && (now < rest.from || now >= rest.until)) flight = refresh();
    const last = peek();
    return last && last.ageMs <= keptMsMax ? last : null;
  }

  return {
    /** What is known at this moment, without waiting for anything. */
    known,

    /** The last good answer, however old; nothing is fetched for it. */
    peek,

    async get(): Promise<{ value: T; ageMs: number } | null> {
      const atOnce = known();
      if (atOnce || kept) return atOnce;
      await flight;
      return known();
    },
  };
}
