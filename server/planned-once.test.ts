import { summary } from '@tallystick/contract/ledger';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { poolsOf } from './platform/postgres/db.ts';
import { call } from './testing/call.ts';
import { fundedInvestor, investOn } from './testing/ledger/investors.ts';
import { withOffers } from './testing/money.ts';
import { signedIn } from './testing/people.ts';
import { startTestApp, type TestApp } from './testing/start-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

/** PostgreSQL tries so many plans of a statement's own, on each connection, before it settles on one for all values. */
const triedFirst = 5;
/** More than a few connections try, whichever of them is idle. */
const times = 40;

/** How often each statement that is prepared was planned for its values, and how often it was not planned at all. */
async function plansOn(pool: pg.Pool | undefined) {
  const idle = await Promise.all(Array.from({ length: pool?.idleCount ?? 0 }, () => pool?.connect()));
  const answers = idle.map((client) =>
    client?.query<{ name: string; custom: number; generic: number }>(
      'select name, custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements',
    ),
  );
  const rows = (await Promise.all(answers)).flatMap((answer) => answer?.rows ?? []);
  for (const client of idle) client?.release();
  return rows;
}

/** Every one that was asked often enough, and these among them. */
async function expectPlannedOnce(pool: pg.Pool | undefined, names: string[]): Promise<void> {
  const plans = await plansOn(pool);
  for (const wanted of names) {
    const all = plans.filter(({ name }) => name === wanted).map(({ generic }) => generic);
    expect({ wanted, generic: Math.max(0, ...all) }).not.toEqual({ wanted, generic: 0 });
  }
  expect(plans.filter(({ custom }) => custom > triedFirst)).toEqual([]);
}

it('what every request asks of whoever is alone is planned once', async () => {
  const person = await signedIn(test);
  for (let n = 0; n < times; n += 1) await call(test, summary, { as: person });
  const names = ['sessions by bearer_hash', 'accounts of investors'];
  await expectPlannedOnce(poolsOf(test.context.db).app, names);
});

it('what moves money is planned once, also for one command at a time', async () => {
  const offers = await withOffers(test);
  const userId = await fundedInvestor(test, 100 * times);
  for (let n = 0; n < times; n += 1) await investOn(test.context, { offers, userId, amountCents: 100_00n });
  const names = ['update accounts', 'keys are new', 'plans are offered'];
  await expectPlannedOnce(poolsOf(test.context.db).money, names);
});
