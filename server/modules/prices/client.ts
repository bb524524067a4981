import { coins } from '@tallystick/contract/networks';
import { chartDays, MarketChart, SimplePrice } from '@tallystick/contract/prices';
import type { z } from 'zod';

const timeLimitMs = 5_000;
const answerBytesMax = 1024 * 1024;

/** The price service says that it is asked too often. */
export class RateLimited extends Error {
  readonly retryAfterMs: number | null;

  constructor(retryAfterMs: number | null) {
    super('the price service asks for fewer calls');
    this.retryAfterMs = retryAfterMs;
  }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > answerBytesMax) throw new Error('the price service answered with too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function retryAfterOf(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}

/** The two calls of the public price service that we make, with a time limit and their shapes checked. */
export function createPriceClient(base: string) {
  async function get<T>(path: string, query: Record<string, string>, shape: z.ZodType<T>): Promise<T> {
    const response = await fetch(`${base}/${path}?${new URLSearchParams(query)}`, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeLimitMs),
    });
    if (response.status === 429) throw new RateLimited(retryAfterOf(response));
    if (!response.ok) throw new Error(`the price service answered ${response.status}`);
    return shape.parse(JSON.parse(await textOf(response)));
  }

  return {
    simplePrice: (): Promise<SimplePrice> =>
      get('simple/price', { ids: coins.map(({ id }) => id).join(','), vs_currencies: 'usd' }, SimplePrice),
    bitcoinChart: (): Promise<MarketChart> =>
      get('coins/bitcoin/market_chart', { vs_currency: 'usd', days: String(chartDays) }, MarketChart),
  };
}
