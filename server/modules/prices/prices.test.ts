import { simplePrice } from '@tallystick/contract/prices';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerOf, tryCall } from '../../testing/call.ts';
import { createTestClock, dayMs, minuteMs, secondMs, type TestClock } from '../../testing/clock.ts';
import { type PriceMood, type PriceServer, startPriceServer } from '../../testing/outside/price-server.ts';
import { startTestApp } from '../../testing/start-app.ts';
import { backOffMs } from './rules.ts';
import { createPrices, type Prices, type SamplePrices } from './service.ts';

let upstream: PriceServer;
let clock: TestClock;
beforeEach(async () => {
  upstream = await startPriceServer();
  clock = createTestClock();
});
afterEach(() => upstream.close());

const sample: SamplePrices = { simple: { bitcoin: { usd: 1 } }, bitcoinCloses: [1, 2, 3] };
const create = (bundled: SamplePrices | null = null): Prices =>
  createPrices({ clock, logger: pino({ level: 'silent' }), apiBase: upstream.base, sample: bundled });
/** A question of another kind, asked last: once it is answered, those before it have reached the service. */
const settled = () => create().bitcoinChart();
const pricesAskedFor = () => upstream.calls.filter((url) => url.includes('/simple/price')).length;

describe('prices', () => {
  it('are asked for with the specified calls and passed on in the same shape', async () => {
    const prices = create();
    expect(await prices.simplePrice()).toEqual({
      value: {
        bitcoin: { usd: 70_000.5 },
        ethereum: { usd: 3500 },
        binancecoin: { usd: 600 },
        ripple: { usd: 0.5 },
      },
      ageMs: 0,
      source: 'live',
    });
    expect((await prices.bitcoinChart()).value.prices.at(-1)).toEqual([1_794_786_400_000, 70_000.5]);
    expect(upstream.calls).toEqual([
      '/api/v3/simple/price?ids=bitcoin%2Cethereum%2Cbinancecoin%2Cripple&vs_currencies=usd',
      '/api/v3/coins/bitcoin/market_chart?vs_currency=usd&days=30',
    ]);
  });

  it('are fetched once for a thousand watchers, and once a minute', async () => {
    const prices = create();
    await Promise.all(Array.from({ length: 1000 }, () => prices.simplePrice()));
    expect(upstream.calls).toHaveLength(1);
    clock.advance(59 * secondMs);
    await prices.simplePrice();
    await settled();
    expect(pricesAskedFor()).toBe(1);
    clock.advance(secondMs);
    await Promise.all(Array.from({ length: 100 }, () => prices.simplePrice()));
    await expect.poll(pricesAskedFor).toBe(2);
    await settled();
    expect(pricesAskedFor()).toBe(2);
  });

  it('are as old as whoever watches is told, which fetches none', async () => {
    const prices = create(sample);
    const age = () => prices.health().find(({ coin }) => coin === 'bitcoin')?.ageSeconds;
    expect(age()).toBeNull();
    await prices.simplePrice();
    clock.advance(3 * dayMs);
    expect(age()).toBe((3 * dayMs) / secondMs);
    await settled();
    expect(pricesAskedFor()).toBe(1);
  });

  it.each<PriceMood>(['wrong-shape', 'not-json', 'failing', 'limited', 'endless'])(
    'are never invented when the service is %s: there are none',
    async (mood) => {
      upstream.mood = mood;
      await expect(create().simplePrice()).rejects.toMatchObject({ code: 'prices_unavailable' });
      await expect(create().bitcoinChart()).rejects.toMatchObject({ code: 'prices_unavailable' });
    },
  );

  it('stay as they were, with their age, while the service is down, for a day at most', async () => {
    const prices = create();
    await prices.simplePrice();
    upstream.mood = 'failing';
    clock.advance(10 * minuteMs);
    expect(await prices.simplePrice()).toMatchObject({ ageMs: 10 * minuteMs, source: 'live' });
    await expect.poll(() => upstream.calls.length).toBe(2);
    clock.advance(dayMs);
    await expect.poll(() => prices.simplePrice().catch(({ code }) => code)).toBe('prices_unavailable');
  });

  it('are left alone as long as the service asks for, and a growing while after failures', async () => {
    const prices = create();
    upstream.mood = 'limited';
    const ask = () => prices.simplePrice().catch(() => null);
    await ask();
    clock.advance(299 * secondMs);
    await ask();
    expect(upstream.calls).toHaveLength(1);
    clock.advance(secondMs);
    upstream.mood = 'failing';
    await ask();
    expect(upstream.calls).toHaveLength(2);
    clock.advance(119 * secondMs);
    await ask();
    expect(upstream.calls).toHaveLength(2);
    clock.advance(secondMs);
    upstream.mood = 'good';
    expect(await ask()).toMatchObject({ source: 'live' });
  });

  it('are asked for again at once when the clock was set back, and do not count as fresh until it has caught up', async () => {
    const prices = create();
    clock.advance(400 * dayMs);
    await prices.simplePrice();
    clock.advance(-400 * dayMs);
    upstream.mood = 'failing';
    expect(await prices.simplePrice()).toMatchObject({ source: 'live', ageMs: 0 });
    await expect.poll(pricesAskedFor).toBe(2);
    clock.advance(dayMs + secondMs);
    await expect.poll(() => prices.simplePrice().catch(({ code }) => code)).toBe('prices_unavailable');
  });

  it('are asked for again within the hour, however long the service wants to be left alone', () => {
    const yearMs = 365 * dayMs;
    expect(backOffMs(1, minuteMs, yearMs)).toBe(60 * minuteMs);
    expect(backOffMs(20, minuteMs, yearMs)).toBe(60 * minuteMs);
  });

  it('give up on a service that does not answer within five seconds', async () => {
    upstream.mood = 'slow';
    const began = performance.now();
    await expect(create().simplePrice()).rejects.toMatchObject({ code: 'prices_unavailable' });
    expect(performance.now() - began).toBeGreaterThan(4_900);
    expect(performance.now() - began).toBeLessThan(9_000);
  });

  it('are sample ones only where there are some, and say so', async () => {
    upstream.mood = 'failing';
    expect(await create(sample).simplePrice()).toMatchObject({ source: 'sample', value: sample.simple });
    const { value, source } = await create(sample).bitcoinChart();
    const now = clock.now().getTime();
    expect([source, value.prices]).toEqual([
      'sample',
      [
        [now - 2 * dayMs, 1],
        [now - dayMs, 2],
        [now, 3],
      ],
    ]);
  });
});

it('over HTTP a demo without the service answers with labelled sample prices; with it, with real ones', async () => {
  const test = await startTestApp({ PRICE_API_BASE: upstream.base });
  try {
    upstream.mood = 'failing';
    const down = await tryCall(test, simplePrice);
    expect([down.status, down.headers['price-source']]).toEqual([200, 'sample']);
    upstream.mood = 'good';
    test.clock.advance(minuteMs);
    const up = await tryCall(test, simplePrice);
    expect([up.status, up.headers['price-source'], up.headers.age]).toEqual([200, 'live', '0']);
    expect(answerOf(up).bitcoin).toEqual({ usd: 70_000.5 });
  } finally {
    await test.close();
  }
});
