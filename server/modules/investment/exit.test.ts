import { fetchbalance } from '@tallystick/contract/funding';
import * as calls from '@tallystick/contract/investment';
import { summary } from '@tallystick/contract/ledger';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Context } from '../../context.ts';
import { outcomes, times } from '../../testing/at-once.ts';
import { blockedBackends } from '../../testing/blocked.ts';
import { answerOf, call, send, tryCall } from '../../testing/call.ts';
import { createTestClock, dayMs } from '../../testing/clock.ts';
import { newInvestor } from '../../testing/ledger/investors.ts';
import { startSecondServer } from '../../testing/ledger/second-server.ts';
import { deposit, type Offers, operator, withOffers } from '../../testing/money.ts';
import { type SignedIn, signedIn, signIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

// A busy machine takes its time; nothing here is about speed.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let test: TestApp;
let offers: Offers;
let ada: SignedIn;
/** A server whose clock the tests move by itself. */
let other: Context;
const othersClock = createTestClock();
let admin: pg.Client;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  ada = await signedIn(test);
  other = await startSecondServer(test, othersClock);
  // What is due is settled by the tests alone.
  await test.jobs.stop();
  admin = new pg.Client({ connectionString: test.database.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await other.close();
  await test.close();
});
afterEach(async () => {
  expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
});

/** Both clocks show the same again, so many days later. */
function wait(days: number): void {
  test.clock.advance(days * dayMs);
  othersClock.advance(test.clock.now().getTime() - othersClock.now().getTime());
}

async function invested(amountCents = 200_000n, plan: keyof Offers['plans'] = 'Standard') {
  const userId = await newInvestor(test);
  await deposit(test, userId, Number(amountCents) / 100);
  const wish = { userId, planId: offers.plans[plan], amountCents, idempotencyKey: null };
  return { userId, investmentId: (await test.context.investment.makeInvestment(wish)).id };
}
type Invested = Awaited<ReturnType<typeof invested>>;

const leave = (
  { investment }: Pick<Context, 'investment'>,
  of: Invested,
  payoutCents = 199_475n,
  key: string | null = null,
) => investment.exitInvestment({ ...of, payoutCents, idempotencyKey: key });
const held = async (userId: string) => {
  const { availableCents, investedCents } = await test.context.ledger.summary({ userId });
  return [availableCents, investedCents];
};

describe('an investor who leaves early', () => {
  let made: calls.Investment;
  beforeAll(async () => {
    await deposit(test, ada.userid, 2_000);
    const body = { userid: ada.userid, planid: offers.plans.Standard, investinvestmemntamount: 2_000 };
    made = (await call(test, calls.makeinvestment, { body, as: ada })).investment;
  });
  const quoted = () => tryCall(test, calls.exitquote, { params: { investmentid: made._id }, as: ada });
  const left = (payout: number, key?: string) =>
    tryCall(test, calls.exitinvestment, {
      body: { userid: ada.userid, investmentid: made._id, payout },
      as: ada,
      key,
    });

  it('is told from when on, and refused before', async () => {
    const opened = Date.parse(made.openedat);
    expect([made.exitfrom, made.exit]).toEqual([new Date(opened + 15 * dayMs).toISOString(), null]);
    wait(15);
    test.clock.advance(-1);
    ada = await signIn(test, ada);
    expect([(await quoted()).code, (await left(1_994.75)).code]).toEqual(['exit_refused', 'exit_refused']);
    test.clock.advance(1);
    expect(answerOf(await quoted()).quote).toEqual({
      ...{ investmentid: made._id, days: 15, amount: 2_000, accrued: 9.5, keeps: 50, kept: 4.75 },
      ...{ feepercent: 0.5, fee: 10, payout: 1_994.75, profit: 38, maturesat: made.maturesat },
      validuntil: new Date(opened + 16 * dayMs).toISOString(),
    });
  });

  it('is paid what was shown, or nothing moves', async () => {
    test.clock.advance(dayMs - 1);
    ada = await signIn(test, ada);
    expect(answerOf(await quoted()).quote.payout).toBe(1_994.75);
    test.clock.advance(1);
    expect(answerOf(await quoted()).quote.payout).toBe(1_995.06);
    const late = await left(1_994.75);
    expect([late.status, late.code]).toEqual([409, 'terms_changed']);
    expect((await left(1_995.07)).code).toBe('terms_changed');
    expect(await call(test, summary, { as: ada })).toMatchObject({ available: 0, invested: 2_000 });
  });

  it('is paid once, to the cent, and told so again under the same key', async () => {
    const first = await left(1_995.06, 'leave');
    const settledat = test.clock.now().toISOString();
    expect(answerOf(first).investment).toMatchObject({
      ...{ _id: made._id, status: 1, settledat },
      exit: {
        at: settledat,
        transactionid: expect.stringMatching(/^TS-/),
        days: 16,
        profit: 5.06,
        fee: 10,
        paid: 1_995.06,
      },
    });
    expect(answerOf(await left(1_995.06, 'leave'))).toEqual(answerOf(first));
    const elsewhere = { userId: ada.userid, investmentId: made._id };
    expect(await leave(other, elsewhere, 199_506n, 'leave')).toMatchObject({ id: made._id });
    expect((await left(1_995.05, 'leave')).code).toBe('key_reused');
    expect([(await left(1_995.06)).code, (await quoted()).code]).toEqual([
      ...['already_decided', 'already_decided'],
    ]);
    expect(await call(test, summary, { as: ada })).toMatchObject({ available: 1_995.06, invested: 0 });
    const { balance } = await call(test, fetchbalance, { as: ada });
    const entries = balance.map(({ fundingtype, finalBalance }) => [fundingtype, finalBalance]);
    expect(entries.slice(0, 3)).toEqual([
      ['Exit Fee', -10],
      ['Profit', 5.06],
      ['Early Exit', 2_000],
    ]);
  });

  it('finds it in sums, list and file as left, not as completed', async () => {
    expect(await call(test, calls.investmentsums, { as: ada })).toEqual({
      ...{ ongoing: 0, completed: 1, profitdue: 0, profitpaid: 5.06 },
    });
    const list = await call(test, calls.fetchsingleinvestment, { params: ada, as: ada });
    expect(list.investment[0]?.exit?.paid).toBe(1_995.06);
    const path = calls.fetchsingleinvestment.path.replace(':userid', ada.userid);
    const file = await send(test, 'GET', `${path}/export.csv`, undefined, { token: ada.token });
    expect(file.body).toContain(',5.06,1.9,60,');
    expect(file.body).toMatch(/,Left early,10\.00\r?\n/);
  });

  it('cannot leave what is not theirs, what is not there, and a plan that runs to its end', async () => {
    const theirs = await invested();
    const starter = await invested(10_000n, 'Starter');
    wait(20);
    expect(
      await outcomes([
        leave(test.context, { ...theirs, userId: ada.userid }, 199_633n),
        leave(test.context, { ...theirs, investmentId: 'nothing' }),
        leave(test.context, { ...theirs, investmentId: crypto.randomUUID() }),
        leave(test.context, starter, 10_000n),
      ]),
    ).toEqual(['not_found', 'not_found', 'not_found', 'exit_refused']);
    expect(await held(theirs.userId)).toEqual([0n, 200_000n]);
  });

  it('keeps the terms of the purchase, whatever the plan says later', async () => {
    const of = await invested();
    const plan = {
      ...{ planname: 'Standard', fromCents: 200_000n, toCents: 999_900n, durationDays: 60, roiPoints: 190 },
      ...{ exitFromDay: 50, exitKeepsPoints: 0, exitFeePoints: 10_000 },
    };
    const { investment } = test.context;
    await investment.replacePlan({ planId: offers.plans.Standard, plan, actor: operator() });
    wait(15);
    await leave(test.context, of);
    expect(await held(of.userId)).toEqual([199_475n, 0n]);
    const newer = (await investment.plans()).find(({ planname }) => planname === 'Standard')?.id ?? '';
    const wish = { userId: of.userId, planId: newer, amountCents: 199_475n, idempotencyKey: null };
    await expect(investment.makeInvestment(wish)).rejects.toMatchObject({ code: 'outside_range' });
    await deposit(test, of.userId, 100);
    const all = await investment.makeInvestment({ ...wish, amountCents: 200_000n });
    wait(50);
    // All of it is the fee, and nothing is paid.
    await leave(test.context, { userId: of.userId, investmentId: all.id }, 0n);
    expect(await held(of.userId)).toEqual([9_475n, 0n]);
    await investment.replacePlan({
      planId: newer,
      plan: { ...plan, exitFromDay: 15, exitKeepsPoints: 5_000, exitFeePoints: 50 },
      actor: operator(),
    });
    offers = await withOffers(test);
  });
});

/** Holds somebody's wallet, so that whoever has their investment waits behind it. */
async function holding(userId: string, work: () => Promise<void>): Promise<void> {
  await admin.query('begin');
  const wallet = `select from ledger_accounts where kind = 'wallet' and owner_id = $1 for update`;
  await admin.query(wallet, [userId]);
  try {
    await work();
  } finally {
    await admin.query('rollback');
  }
}

describe('an exit that is pressed while the investment matures', () => {
  /** One server's clock is a millisecond before the end, the other's at it. */
  async function atTheEnd(): Promise<Invested & { settle(): Promise<unknown>; exit(): Promise<unknown> }> {
    const of = await invested();
    wait(60);
    test.clock.advance(-1);
    return {
      ...of,
      settle: () => other.investment.settleDue(),
      exit: () => leave(test.context, of, 200_868n),
    };
  }
  const paidBy = async (userId: string) =>
    (
      await admin.query(
        `select kind from ledger_movements where reference in (select transactionid from investments where user_id = $1)`,
        [userId],
      )
    ).rows.map(({ kind }) => kind);

  it('and was first is the one effect: the settlement passes by', async () => {
    const { userId, settle, exit } = await atTheEnd();
    const leaving = { ends: [] as string[] };
    await holding(userId, async () => {
      const pressed = outcomes([exit()]).then((ends) => Object.assign(leaving, { ends }));
      await blockedBackends(test, 1);
      expect(await settle()).toEqual({ settled: 0 });
      await admin.query('rollback');
      await pressed;
    });
    expect(leaving.ends).toEqual(['done']);
    expect(await settle()).toEqual({ settled: 0 });
    expect([await held(userId), await paidBy(userId)]).toEqual([[200_868n, 0n], ['exit']]);
  });

  it('and was second has none: all of the profit is paid', async () => {
    const { userId, settle, exit } = await atTheEnd();
    await holding(userId, async () => {
      const settling = settle();
      await blockedBackends(test, 1);
      const pressed = outcomes([exit()]);
      await blockedBackends(test, 2);
      await admin.query('rollback');
      expect([await settling, await pressed]).toEqual([{ settled: 1 }, ['already_decided']]);
    });
    expect([await held(userId), await paidBy(userId)]).toEqual([[203_800n, 0n], ['maturity']]);
  });

  it('many times over has one effect each, whoever is first', async () => {
    const all = await Promise.all(times(12, () => invested()));
    wait(60);
    test.clock.advance(-1);
    const ends = await Promise.all([
      outcomes(all.map((of) => leave(test.context, of, 200_868n))),
      ...times(3, () => other.investment.settleDue()),
    ]);
    // What an exit held at that moment the settlement passed by.
    await other.investment.settleDue();
    for (const [n, of] of all.entries()) {
      const isLeft = ends[0][n] === 'done';
      expect([ends[0][n], ...(await held(of.userId))]).toEqual(
        isLeft ? ['done', 200_868n, 0n] : ['already_decided', 203_800n, 0n],
      );
      expect(await paidBy(of.userId)).toEqual([isLeft ? 'exit' : 'maturity']);
    }
  });
});

describe('twenty exits at once, on two servers', () => {
  const twenty = (of: Invested, keyOf: (n: number) => string) =>
    outcomes(times(20, (n) => leave(n % 2 ? other : test.context, of, 199_475n, keyOf(n))));

  it('with keys of their own are one, and refusals', async () => {
    const of = await invested();
    wait(15);
    const ends = await twenty(of, (n) => `own-${n}`);
    expect(ends.toSorted()).toEqual([...times(19, () => 'already_decided'), 'done']);
    expect(await held(of.userId)).toEqual([199_475n, 0n]);
  });

  it('with one key are one, and all are told so', async () => {
    const of = await invested();
    wait(15);
    expect(await twenty(of, () => 'shared')).toEqual(times(20, () => 'done'));
    expect(await held(of.userId)).toEqual([199_475n, 0n]);
  });
});

it('exits and settlements that meet at the account of profits keep its chain whole', async () => {
  const leaving = await Promise.all(times(10, () => invested()));
  wait(10);
  const maturing = await Promise.all(times(60, () => invested(10_000n, 'Starter')));
  wait(30);
  await Promise.all([
    test.context.investment.settleDue(),
    ...leaving.map((of) => leave(test.context, of, 200_266n)),
    other.investment.settleDue(),
  ]);
  await test.context.investment.settleDue();
  for (const { userId } of leaving) expect(await held(userId)).toEqual([200_266n, 0n]);
  for (const { userId } of maturing) expect(await held(userId)).toEqual([10_080n, 0n]);
});

it('the database lets nobody leave on other terms, and a plan say nothing else', async () => {
  const of = await invested();
  wait(20);
  const now = test.clock.now();
  const insert = (days: number, profit: number, fee: number, at = now) =>
    admin
      .query('insert into investment_exits values ($1, $2, $3, $4, $5, $6, $7)', [
        ...[of.investmentId, of.userId, days, profit, fee, 200_000 + profit - fee, at],
      ])
      .catch(({ code }) => code);
  const early = new Date(now.getTime() - 6 * dayMs);
  for (const wrong of [insert(20, 634, 1_000), insert(20, 633, 999), insert(21, 665, 1_000)])
    expect(await wrong).toBe('23514');
  expect(await insert(14, 443, 1_000, early)).toBe('23514');
  await admin.query('begin');
  expect(await insert(20, 633, 1_000)).toMatchObject({ rowCount: 1 });
  await admin.query('rollback');
  for (const terms of [
    'exit_fee_points = 1',
    'exit_from_day = null',
    'roi_points = 1',
    'reinvestable = true',
  ])
    await expect(admin.query(`update plans set ${terms}`)).rejects.toMatchObject({ code: '42501' });
});
