import { confirmauthenticator, newauthenticator } from '@tallystick/contract/factors';
import { fetchbalance } from '@tallystick/contract/funding';
import * as calls from '@tallystick/contract/investment';
import { summary } from '@tallystick/contract/ledger';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { outcomes, times } from '../../testing/at-once.ts';
import { answerOf, call, send, tryCall } from '../../testing/call.ts';
import { dayMs, minuteMs } from '../../testing/clock.ts';
import { steppedUp } from '../../testing/factors/people.ts';
import { leave, startExits } from '../../testing/investment/exits.ts';
import { deposit, operator, withOffers } from '../../testing/money.ts';
import { signIn, verified } from '../../testing/people.ts';
import { totpAt } from '../users/factors/authenticator.ts';

const { test, offers, other, admin, wait, invested, held, close } = await startExits();
afterAll(close);
/** One for each test that calls. */
const people = await Promise.all(times(4, () => verified(test)));
afterEach(async () => {
  expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
});

/** Somebody who invested over the calls and is signed in still when so many days are over. */
async function daysAfter(days: number) {
  const person = await signIn(test, people.pop() ?? expect.fail('nobody is left'));
  await deposit(test, person.userid, 2_000);
  const body = { userid: person.userid, planid: offers.plans.Standard, investinvestmemntamount: 2_000 };
  const made = (await call(test, calls.makeinvestment, { body, as: person })).investment;
  wait(days);
  const ada = await signIn(test, person);
  const leaving = { userid: ada.userid, investmentid: made._id };
  return {
    ada,
    made,
    quoted: () => tryCall(test, calls.exitquote, { params: { investmentid: made._id }, as: ada }),
    left: (payout: number, key?: string) =>
      tryCall(test, calls.exitinvestment, { body: { ...leaving, payout }, as: ada, key }),
  };
}

describe('an investor who leaves early', () => {
  it('is told from when on, and refused before', async () => {
    const { made, quoted, left } = await daysAfter(15);
    const opened = Date.parse(made.openedat);
    expect([made.exitfrom, made.exit]).toEqual([new Date(opened + 15 * dayMs).toISOString(), null]);
    test.clock.advance(-1);
    expect([(await quoted()).code, (await left(1_994.75)).code]).toEqual(['exit_refused', 'exit_refused']);
    test.clock.advance(1);
    expect(answerOf(await quoted()).quote).toEqual({
      investmentid: made._id,
      days: 15,
      amount: 2_000,
      accrued: 9.5,
      keeps: 50,
      kept: 4.75,
      feepercent: 0.5,
      fee: 10,
      payout: 1_994.75,
      profit: 38,
      maturesat: made.maturesat,
      validuntil: new Date(opened + 16 * dayMs).toISOString(),
    });
  });

  it('is paid what was shown, or nothing moves', async () => {
    const { ada, quoted, left } = await daysAfter(16);
    test.clock.advance(-1);
    expect(answerOf(await quoted()).quote.payout).toBe(1_994.75);
    test.clock.advance(1);
    expect(answerOf(await quoted()).quote.payout).toBe(1_995.06);
    const late = await left(1_994.75);
    expect([late.status, late.code]).toEqual([409, 'terms_changed']);
    expect((await left(1_995.07)).code).toBe('terms_changed');
    expect(await call(test, summary, { as: ada })).toMatchObject({ available: 0, invested: 2_000 });
  });

  it('is paid once, to the cent, and told so again under the same key', async () => {
    const { ada, made, quoted, left } = await daysAfter(16);
    const first = await left(1_995.06, 'leave');
    const settledat = test.clock.now().toISOString();
    expect(answerOf(first).investment).toMatchObject({
      _id: made._id,
      status: 1,
      settledat,
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
      'already_decided',
      'already_decided',
    ]);
    expect(await call(test, summary, { as: ada })).toMatchObject({ available: 1_995.06, invested: 0 });
    const { balance } = await call(test, fetchbalance, { as: ada });
    const entries = balance.map(({ fundingtype, finalBalance }) => [fundingtype, finalBalance]);
    expect(entries.slice(0, 3)).toEqual([
      ['Exit Fee', -10],
      ['Profit', 5.06],
      ['Early Exit', 2_000],
    ]);
    // Nor does a factor that is asked for by now come before an answer that was given.
    await steppedUp(test, ada);
    const { secret } = await call(test, newauthenticator, { as: ada });
    const body = { code: totpAt(secret, test.clock.now()) };
    await call(test, confirmauthenticator, { as: ada, body });
    test.clock.advance(10 * minuteMs);
    expect((await left(1_995.06, 'leave')).text).toBe(first.text);
    expect((await left(1_995.05, 'leave')).code).toBe('key_reused');
    expect((await left(1_995.06)).code).toBe('step_up_required');
  });

  it('finds it in sums, list and file as left, not as completed', async () => {
    const { ada, left } = await daysAfter(16);
    answerOf(await left(1_995.06));
    expect(await call(test, calls.investmentsums, { as: ada })).toEqual({
      ongoing: 0,
      completed: 1,
      profitdue: 0,
      profitpaid: 5.06,
    });
    const list = await call(test, calls.fetchsingleinvestment, { params: ada, as: ada });
    expect(list.investment[0]?.exit?.paid).toBe(1_995.06);
    const path = calls.fetchsingleinvestment.path.replace(':userid', ada.userid);
    const file = await send(test, 'GET', `${path}/export.csv`, undefined, { token: ada.token });
    expect(file.body).toContain(',5.06,1.9,60,');
    expect(file.body).toMatch(/,Left early,10\.00,Paid to the wallet\r?\n/);
  });

  it('cannot leave what is not theirs, what is not there, and a plan that runs to its end', async () => {
    const theirs = await invested();
    const starter = await invested(10_000n, 'Starter');
    wait(20);
    expect(
      await outcomes([
        leave(test.context, { ...theirs, userId: starter.userId }, 199_633n),
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
      planname: 'Standard',
      fromCents: 200_000n,
      toCents: 999_900n,
      durationDays: 60,
      roiPoints: 190,
      exitFromDay: 50,
      exitKeepsPoints: 0,
      exitFeePoints: 10_000,
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
    Object.assign(offers, await withOffers(test));
  });
});

it('the database lets nobody leave on other terms, and a plan say nothing else', async () => {
  const of = await invested();
  wait(20);
  const now = test.clock.now();
  const insert = (days: number, profit: number, fee: number, at = now) =>
    admin
      .query('insert into investment_exits values ($1, $2, $3, $4, $5, $6, $7)', [
        of.investmentId,
        of.userId,
        days,
        profit,
        fee,
        200_000 + profit - fee,
        at,
      ])
      .catch(({ code }) => code);
  const early = new Date(now.getTime() - 6 * dayMs);
  expect(await insert(20, 634, 1_000)).toBe('23514');
  expect(await insert(20, 633, 999)).toBe('23514');
  expect(await insert(21, 665, 1_000)).toBe('23514');
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
