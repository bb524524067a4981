import { afterAll, beforeAll, expect, it } from 'vitest';
import { times } from '../../testing/at-once.ts';
import { dayMs, hourMs } from '../../testing/clock.ts';
import { fundedInvestor, investOn } from '../../testing/ledger/investors.ts';
import { type Offers, withOffers } from '../../testing/money.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
let offers: Offers;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
});
afterAll(() => test.close());

const invest = (userId: string) => investOn(test.context, { offers, userId, amountCents: 100_00n });

it('many due investments that are not covered keep nobody else from being paid', async () => {
  const [robbed, other] = [await fundedInvestor(test, 6_000), await fundedInvestor(test, 100)];
  await Promise.all(times(60, () => invest(robbed)));
  test.clock.advance(hourMs);
  await invest(other);
  await test.context.owner.query(
    `update ledger_accounts set balance_cents = 0 where kind = 'invested' and owner_id = $1`,
    [robbed],
  );
  test.clock.advance(30 * dayMs);
  await test.context.investment.settleDue();
  // What the minute's timer was just settling, this one passed over.
  const held = async (userId: string) => (await test.context.ledger.summary({ userId })).availableCents;
  await expect.poll(() => held(other)).toBe(100_80n);
  expect(await held(robbed)).toBe(0n);
});
