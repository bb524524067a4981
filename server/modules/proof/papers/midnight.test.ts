import { makeinvestment } from '@tallystick/contract/investment';
import { cancelwithdrawal, makenewwithdrawal } from '@tallystick/contract/withdrawal';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../../../testing/call.ts';
import { dayMs, minuteMs, secondMs } from '../../../testing/clock.ts';
import { deposit, type Offers, withdrawalForm, withOffers } from '../../../testing/money.ts';
import { type SignedIn, signedIn, signIn } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';

/**
 * An entry may be dated up to a minute after what it is about, so that those of an account are in order. Around midnight
 * the one then lies in another day than the other; what a paper says must still add up.
 */

let test: TestApp;
let offers: Offers;
let ada: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  ada = await signedIn(test);
  await deposit(test, ada.userid, 1_000);
});
afterAll(() => test.close());

const toMidnight = async (after: number) => {
  test.clock.advance(dayMs - (test.clock.now().getTime() % dayMs) + after);
  ada = await signIn(test, ada);
};
const day = (offset: number) => new Date(test.clock.now().getTime() + offset).toISOString().slice(0, 10);

/** What its own row says of a moment, and not its movement. */
async function setBack(table: string, column: string): Promise<void> {
  const admin = new pg.Client({ connectionString: test.database.adminUrl });
  await admin.connect();
  await admin.query('set session_replication_role = replica');
  await admin.query(`update ${table} set ${column} = ${column} - interval '5 seconds' where user_id = $1`, [
    ada.userid,
  ]);
  await admin.end();
}

async function paperOf(date: string) {
  const asked = { userId: ada.userid, kind: 'json', from: date, to: date } as const;
  const { body } = await test.context.papers.paper(asked);
  return JSON.parse(Buffer.concat(await body.toArray()).toString());
}

it('an investment is there with its money, at its beginning and at its end', async () => {
  await toMidnight(2 * secondMs);
  const body = { userid: ada.userid, planid: offers.plans.Starter, investinvestmemntamount: 100 };
  await call(test, makeinvestment, { body, as: ada });
  await setBack('investments', 'opened_at');
  const [before, first] = [day(-dayMs), day(0)];
  await toMidnight(2 * minuteMs);
  expect(await paperOf(before)).toMatchObject({ investments: [], owed: { invested: 0 } });
  expect(await paperOf(first)).toMatchObject({ investments: [{ settledat: null }], owed: { invested: 100 } });

  test.clock.advance(28 * dayMs);
  await toMidnight(2 * secondMs);
  await test.context.investment.settleDue();
  await setBack('investments', 'settled_at');
  const [last, after] = [day(-dayMs), day(0)];
  await toMidnight(2 * minuteMs);
  expect(await paperOf(last)).toMatchObject({
    investments: [{ settledat: null }],
    owed: { invested: 100, profit: expect.closeTo(0.8, 1) },
  });
  expect(await paperOf(after)).toMatchObject({
    investments: [{ settledat: expect.any(String) }],
    owed: { invested: 0 },
  });
});

it('a withdrawal is there with its money, at its beginning and at its end', async () => {
  await toMidnight(2 * secondMs);
  const asked = await call(test, makenewwithdrawal, { body: withdrawalForm({ offers, who: ada }), as: ada });
  await setBack('withdrawals', 'requested_at');
  const [before, first] = [day(-dayMs), day(0)];
  await toMidnight(2 * secondMs);
  await call(test, cancelwithdrawal, { params: { withdrawalid: asked.withdrawal._id }, as: ada });
  await setBack('withdrawals', 'ended_at');
  const after = day(0);
  await toMidnight(2 * minuteMs);
  expect(await paperOf(before)).toMatchObject({ withdrawals: [], owed: { withdrawing: 0 } });
  expect(await paperOf(first)).toMatchObject({ withdrawals: [{ amount: 100 }], owed: { withdrawing: 100 } });
  expect(await paperOf(after)).toMatchObject({ withdrawals: [], owed: { withdrawing: 0 } });
});

it('money that was dated before midnight is in the paper of its day, whenever its transaction ends', async () => {
  await toMidnight(-secondMs);
  const admin = new pg.Client({ connectionString: test.database.adminUrl });
  const blocker = new pg.Client({ connectionString: test.database.adminUrl });
  await Promise.all([admin.connect(), blocker.connect()]);
  const until = async (text: string) => {
    while ((await admin.query(text)).rowCount === 0) await new Promise((next) => setTimeout(next, 10));
  };
  await blocker.query('begin');
  await blocker.query(`select from ledger_accounts where kind = 'wallet' and owner_id = $1 for update`, [
    ada.userid,
  ]);
  const last = day(0);
  const investing = { userId: ada.userid, planId: offers.plans.Starter, idempotencyKey: null };
  const invested = test.context.investment.makeInvestment({ ...investing, amountCents: 10_000n });
  await until('select from pg_locks where not granted');
  test.clock.advance(2 * minuteMs);
  const paper = paperOf(last);
  await until(
    `select from pg_stat_activity where query like '%virtualxid%' and datname = current_database() and pid <> pg_backend_pid()`,
  );
  await blocker.query('commit');
  await invested;
  expect(await paper).toMatchObject({ investments: [{ amount: 100 }], owed: { invested: 100 } });
  await Promise.all([admin.end(), blocker.end()]);
});
