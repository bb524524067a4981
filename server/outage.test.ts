import { makeinvestment } from '@tallystick/contract/investment';
import { viewprofile } from '@tallystick/contract/users';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tryCall } from './testing/call.ts';
import { minuteMs } from './testing/clock.ts';
import { deposit, withOffers } from './testing/money.ts';
import { type SignedIn, signedIn } from './testing/people.ts';
import { startTestApp, type TestApp } from './testing/start-app.ts';

let test: TestApp;
let investor: SignedIn;
let admin: pg.Client;
beforeAll(async () => {
  test = await startTestApp();
  investor = await signedIn(test);
  const url = new URL(test.database.adminUrl);
  url.pathname = '/postgres';
  admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await test.close();
});

const name = () => new URL(test.database.url).pathname.slice(1);
const profile = () => tryCall(test, viewprofile, { as: investor });

it('a database that goes away is told as 503 with Retry-After, and all is well when it is back', async () => {
  expect((await test.app.inject('/readyz')).statusCode).toBe(200);
  await admin.query(`alter database ${name()} with allow_connections false`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name()]);
  const away = await profile();
  expect([away.status, away.code, away.headers['retry-after']]).toEqual([503, 'busy', '5']);
  await expect.poll(async () => (await test.app.inject('/readyz')).statusCode).toBe(503);
  expect((await test.app.inject('/healthz')).statusCode).toBe(200);
  const { statusCode, body: figures } = await test.app.inject('/metrics');
  expect(statusCode).toBe(200);
  for (const line of [
    'tallystick_part_answered{part="ledger"} 0',
    'tallystick_part_answered{part="disk"} 1',
    'tallystick_ledger_frozen Nan',
    'tallystick_pool_size{pool="money"} 8',
  ])
    expect(figures).toContain(line);
  await admin.query(`alter database ${name()} with allow_connections true`);
  await expect.poll(async () => (await profile()).status).toBe(200);
  await expect.poll(async () => (await test.app.inject('/readyz')).statusCode).toBe(200);
});

it('a clock behind what it has dated already moves no money, which is told as 503, and goes on when it has caught up', async () => {
  const { userid } = investor;
  const { plans } = await withOffers(test);
  await deposit(test, userid, 300);
  const invest = () =>
    tryCall(test, makeinvestment, {
      as: investor,
      body: { userid, planid: plans.Starter, investinvestmemntamount: 100 },
    });
  test.clock.advance(10 * minuteMs);
  expect((await invest()).status).toBe(200);
  test.clock.advance(-10 * minuteMs);
  const behind = await invest();
  expect([behind.status, behind.code, behind.headers['retry-after']]).toEqual([503, 'busy', '5']);
  test.clock.advance(10 * minuteMs);
  expect((await invest()).status).toBe(200);
});
