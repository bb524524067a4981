import { summary } from '@tallystick/contract/ledger';
import { makenewwithdrawal } from '@tallystick/contract/withdrawal';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { poolsOf } from './platform/postgres/db.ts';
import { call } from './testing/call.ts';
import { deposit, type Offers, withdrawalForm, withOffers } from './testing/money.ts';
import { type SignedIn, signedIn } from './testing/people.ts';
import { startTestApp, type TestApp } from './testing/start-app.ts';

let test: TestApp;
let offers: Offers;
let person: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  person = await signedIn(test);
  await deposit(test, person.userid, 10_000);
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

it('what every request asks of whoever is alone is planned once', async () => {
  for (let n = 0; n < times; n += 1) await call(test, summary, { as: person });
  const plans = await plansOn(poolsOf(test.context.db).app);
  for (const name of ['sessions by bearer_hash', 'accounts of investors']) {
    const ofIt = plans.filter((each) => each.name === name);
    expect(ofIt.reduce((sum, { generic }) => sum + generic, 0)).toBeGreaterThan(0);
  }
  expect(plans.filter(({ custom }) => custom > triedFirst)).toEqual([]);
});

it('what moves money is planned once, however few move it', async () => {
  const body = withdrawalForm({ offers, who: person });
  for (let n = 0; n < triedFirst; n += 1) await call(test, makenewwithdrawal, { as: person, body });
  const plans = await plansOn(poolsOf(test.context.db).money);
  expect(plans.map(({ name }) => name)).toContain('find commands');
  expect(plans.filter(({ custom }) => custom > 0)).toEqual([]);
});
