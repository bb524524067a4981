import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Context } from '../../../context.ts';
import { systemClock } from '../../../platform/clock.ts';
import { fundedInvestor, investOn } from '../../../testing/ledger/investors.ts';
import { startSecondServer } from '../../../testing/ledger/second-server.ts';
import { watchStatements } from '../../../testing/ledger/sent.ts';
import { type Offers, withOffers } from '../../../testing/money.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';

let test: TestApp;
let offers: Offers;
/** Has no time of its own: all that it does is dated by the database's clock. */
let server: Context;
let userId: string;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
});
afterAll(() => test.close());
beforeEach(async () => {
  server = await startSecondServer(test, systemClock);
  userId = await fundedInvestor({ ...test, context: server }, 1000);
});
afterEach(async () => {
  vi.restoreAllMocks();
  expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
  await server.close();
});

const invest = () => investOn(server, { offers, userId, amountCents: 100_00n });
const databasesTime = async (): Promise<number> =>
  (await test.context.owner.query('select clock_timestamp() as now')).rows[0].now.getTime();

async function investedByHeart(): Promise<{ isByHeart: boolean; openedAt: number }> {
  const sent = watchStatements();
  const { openedAt } = await invest();
  const isByHeart = !sent.all().some(({ name }) => name === 'lock accounts');
  sent.stop();
  return { isByHeart, openedAt: openedAt.getTime() };
}

it("what is done by heart is dated by the database's clock, and never ahead of it", async () => {
  await invest();
  const before = await databasesTime();
  const { isByHeart, openedAt } = await investedByHeart();
  expect(isByHeart).toBe(true);
  // As much as the database lets it be behind.
  expect(openedAt).toBeGreaterThan(before - 10_000);
  expect(openedAt).toBeLessThanOrEqual(await databasesTime());
});

it.each([
  ['ahead', 5_000],
  ['far behind', -15_000],
])('a time that is %s of what the database shows dates nothing', async (_case, offMs) => {
  await invest();
  const { now } = performance;
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + offMs);
  const before = await databasesTime();
  const { isByHeart, openedAt } = await investedByHeart();
  expect(isByHeart).toBe(false);
  expect(openedAt).toBeGreaterThanOrEqual(before);
  expect(openedAt).toBeLessThanOrEqual(await databasesTime());
});
