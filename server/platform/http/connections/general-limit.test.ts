import Fastify from 'fastify';
import { pino } from 'pino';
import { afterAll, expect, it } from 'vitest';
import { createTestClock, minuteMs, type TestClock } from '../../../testing/clock.ts';
import { openDatabase } from '../../../testing/postgres/opened.ts';
import { openApp } from '../../postgres/db.ts';
import { answerError } from '../refusals.ts';
import { forgetCounts, limitRequests } from './general-limit.ts';

const { db, close } = await openDatabase();
afterAll(close);
const logger = pino({ level: 'silent' });

/** A server that lets an address ask so often, and how many of so many requests it has answered. */
async function serverOf(clock: TestClock, perMinute: number, on = db) {
  const app = Fastify();
  app.setErrorHandler(answerError);
  app.decorateRequest('clientAddress', '');
  app.addHook('onRequest', async (request) => {
    request.clientAddress = request.ip;
  });
  limitRequests(app, { db: on, clock, logger, perMinute });
  for (const url of ['/', '/healthz', '/readyz', '/api/prices/simple'])
    app.get(url, async () => ({ done: true }));
  return {
    close: () => app.close(),
    ask: (url: string, remoteAddress: string) => app.inject({ url, remoteAddress }),
    async answered(count: number, remoteAddress: string): Promise<number> {
      let done = 0;
      for (let n = 0; n < count; n += 1) {
        const { statusCode } = await app.inject({ url: '/', remoteAddress });
        if (statusCode === 200) done += 1;
      }
      return done;
    },
  };
}
const rows = () => db.selectFrom('request_counts').selectAll().execute();

it('an address that asks little is told to nobody, one that asks much is counted by all, each for itself', async () => {
  const clock = createTestClock();
  const [one, two, three] = await Promise.all([1, 2, 3].map(() => serverOf(clock, 50)));
  expect(await one?.answered(4, '203.0.113.1')).toBe(4);
  expect(await one?.answered(30, '203.0.113.2')).toBe(30);
  expect(await two?.answered(15, '203.0.113.2')).toBe(15);
  await expect.poll(async () => (await rows()).map(({ hits }) => hits).toSorted()).toEqual([15, 30]);
  expect((await rows()).map(({ address }) => address)).toEqual(['203.0.113.2', '203.0.113.2']);
  // The third learns of 45 a moment after its fifth, and is at 50 with that.
  expect(await three?.answered(5, '203.0.113.2')).toBe(5);
  // Asked again so seldom that its own count does not come near.
  await expect.poll(() => three?.answered(1, '203.0.113.2'), { timeout: 15_000, interval: 400 }).toBe(0);
  expect(await three?.answered(10, '203.0.113.1')).toBe(10);
  clock.advance(minuteMs);
  expect(await three?.answered(50, '203.0.113.2')).toBe(50);
  expect(await three?.answered(1, '203.0.113.2')).toBe(0);
  await Promise.all([one, two, three].map((server) => server?.close()));
  await forgetCounts(db, new Date(clock.now().getTime() + minuteMs));
  expect(await rows()).toEqual([]);
});

it('while the database is away each counts alone, and nobody waits for it', async () => {
  const away = openApp('postgres://nobody@127.0.0.1:9/nothing', logger);
  const clock = createTestClock();
  const [one, two] = [await serverOf(clock, 20, away), await serverOf(clock, 20, away)];
  expect([await one.answered(25, '203.0.113.3'), await two.answered(25, '203.0.113.3')]).toEqual([20, 20]);
  await Promise.all([one.close(), two.close()]);
  await away.destroy();
});

it('who is refused is told for how long, an address that leads nowhere counts, and prices and whoever watches do not', async () => {
  const clock = createTestClock();
  const address = '203.0.113.4';
  const server = await serverOf(clock, 3);
  for (const url of ['/healthz', '/readyz', '/api/prices/simple', '/api/prices/simple']) {
    expect((await server.ask(url, address)).statusCode).toBe(200);
  }
  expect((await server.ask('/nowhere', address)).statusCode).toBe(404);
  expect(await server.answered(2, address)).toBe(2);
  clock.advance(20_500);
  for (const url of ['/', '/nowhere']) {
    const refused = await server.ask(url, address);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '40']);
    expect(refused.json()).toEqual({
      code: 'too_many_requests',
      message: 'Too many requests. Slow down a little.',
    });
  }
  expect((await server.ask('/readyz', address)).statusCode).toBe(200);
  await server.close();
});
