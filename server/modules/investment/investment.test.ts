import { fetchbalance } from '@tallystick/contract/funding';
import * as calls from '@tallystick/contract/investment';
import { summary } from '@tallystick/contract/ledger';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf, call, send, tryCall } from '../../testing/call.ts';
import { dayMs, secondMs } from '../../testing/clock.ts';
import { deposit, type Offers, operator, withOffers } from '../../testing/money.ts';
import { type SignedIn, signedIn, signIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
let offers: Offers;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
});
afterAll(() => test.close());

async function funded(dollars: number): Promise<SignedIn> {
  const person = await signedIn(test);
  if (dollars > 0) await deposit(test, person.userid, dollars);
  return person;
}

const form = (who: SignedIn, amount: number | string) => ({
  userid: who.userid,
  planid: offers.plans.Starter,
  investinvestmemntamount: amount,
});
const invest = (who: SignedIn, amount: number | string, key?: string) =>
  tryCall(test, calls.makeinvestment, { body: form(who, amount), as: who, key });
const invested = async (who: SignedIn, amount: number | string) =>
  answerOf(await invest(who, amount)).investment;
const balance = (who: SignedIn) => call(test, summary, { as: who });
const entriesOf = async (who: SignedIn) => (await call(test, fetchbalance, { as: who })).balance;
const investmentsOf = async (who: SignedIn) =>
  (await call(test, calls.fetchsingleinvestment, { params: who, as: who })).investment;

describe('the plans', () => {
  it('are listed for everyone with the specified fields and values', async () => {
    const { data } = await call(test, calls.fetchallinvestmentmethod);
    expect(data.map(({ _id, ...plan }) => plan)).toEqual([
      { planname: 'Starter', from: 100, to: 1999, duration: 30, roi: 0.8, reinvestable: false, exit: null },
      {
        planname: 'Standard',
        from: 2000,
        to: 9999,
        duration: 60,
        roi: 1.9,
        reinvestable: true,
        exit: { fromday: 15, keeps: 50, fee: 0.5 },
      },
      {
        planname: 'Reserve',
        from: 10_000,
        to: 50_000,
        duration: 90,
        roi: 3.2,
        reinvestable: true,
        exit: { fromday: 30, keeps: 50, fee: 1 },
      },
    ]);
  });
});

describe('investing', () => {
  it('takes the amount from the wallet at once and freezes the terms', async () => {
    const person = await funded(500);
    const made = await invested(person, 150.31);
    expect(made).toMatchObject({
      investmentransactionid: expect.stringMatching(/^TS-[2-9A-Z]{4}-[2-9A-Z]{4}$/),
      investinvestmemntamount: 150.31,
      duration: 30,
      roi: 0.8,
      profit: 1.2,
      status: 0,
    });
    expect(await balance(person)).toMatchObject({
      available: 349.69,
      invested: 150.31,
      withdrawing: 0,
      together: 500,
    });
    expect((await entriesOf(person))[0]).toMatchObject({
      fundingtype: 'Investment',
      finalBalance: -150.31,
      transactionid: made.investmentransactionid,
    });
  });

  it.each([
    ['a shape that is no amount', 400, { investinvestmemntamount: '1e5' }],
    ['an unknown key', 400, { extra: 1 }],
    ['an unknown plan', 404, { planid: 'nothing' }],
    ['a plan that never was', 404, { planid: crypto.randomUUID() }],
    ['less than the plan takes', 422, { investinvestmemntamount: 99.99 }],
    ['more than the plan takes', 422, { investinvestmemntamount: 1999.01 }],
    ['more than the wallet holds', 402, { investinvestmemntamount: 500.01 }],
  ])('is refused for %s with %i, and nothing changes', async (_case, status, wrong) => {
    const person = await funded(500);
    const body = { ...form(person, 100), ...wrong };
    const answer = await send(test, 'POST', calls.makeinvestment.path, body, { token: person.token });
    expect([answer.statusCode, answer.json().message]).toEqual([status, expect.stringMatching(/\.$/)]);
    expect(await balance(person)).toMatchObject({ available: 500, invested: 0, entries: 1 });
    expect(await investmentsOf(person)).toEqual([]);
  });

  it("is refused with 403 in someone else's name, before anything is said of the plan", async () => {
    const person = await funded(500);
    const body = { ...form(await funded(0), 100), planid: 'nothing' };
    expect((await tryCall(test, calls.makeinvestment, { body, as: person })).status).toBe(403);
  });

  it('works at both ends of the range and down to the last cent', async () => {
    const person = await funded(2099);
    expect((await invest(person, '1999.00')).status).toBe(200);
    expect((await invest(person, 100)).status).toBe(200);
    expect(await balance(person)).toMatchObject({ available: 0, invested: 2099 });
  });
});

describe('an Idempotency-Key', () => {
  it('sent fifty times at once has one effect and one answer', async () => {
    const person = await funded(1000);
    const answers = await Promise.all(Array.from({ length: 50 }, () => invest(person, 100, 'submit-1')));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(await balance(person)).toMatchObject({ available: 900, invested: 100 });
    expect((await invest(person, 100, 'submit-1')).text).toBe(answers[0]?.text);
  });

  it('sent again with another body is refused with 409', async () => {
    const person = await funded(1000);
    await invest(person, 100, 'submit-1');
    expect(await invest(person, 200, 'submit-1')).toMatchObject({ status: 409, code: 'key_reused' });
    expect(await balance(person)).toMatchObject({ invested: 100 });
  });

  it('gives a refusal again, even when it could be done by now', async () => {
    const person = await funded(100);
    expect((await invest(person, 200, 'submit-1')).status).toBe(402);
    await deposit(test, person.userid, 500);
    expect((await invest(person, 200, 'submit-1')).status).toBe(402);
    expect((await invest(person, 200)).status).toBe(200);
  });

  it("is one person's own", async () => {
    const people = await Promise.all([funded(500), funded(500)]);
    const answers = await Promise.all(people.map((person) => invest(person, 100, 'the-same')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.text).not.toBe(answers[1]?.text);
  });

  it('of no sensible form is refused', async () => {
    expect((await invest(await funded(500), 100, 'x'.repeat(201))).status).toBe(400);
  });
});

describe('two hundred investments at once', () => {
  it('share transactions, and one that is refused changes nothing for its neighbours', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => funded(10_000)));
    const poor = await funded(50);
    const each = people.flatMap((person) => Array.from({ length: 50 }, () => invest(person, 100)));
    const [refused, ...answers] = await Promise.all([invest(poor, 100), ...each]);
    expect(refused?.status).toBe(402);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    for (const person of people)
      expect(await balance(person)).toMatchObject({ available: 5000, invested: 5000 });
    const { rows } = await test.context.owner.query(
      `select count(distinct i.xmin::text)::int as commits from investments i where user_id = any($1)`,
      [people.map((person) => person.userid)],
    );
    expect(rows[0].commits).toBeLessThan(40);
  });
});

describe('at maturity', () => {
  it('principal and profit are paid once, to the cent, and the investor is told', async () => {
    const person = await funded(1500);
    const { maturesat } = await invested(person, 1500);
    expect(new Date(maturesat).getTime() - test.clock.now().getTime()).toBe(30 * dayMs);
    test.clock.advance(30 * dayMs - secondMs);
    await test.context.investment.settleDue();
    expect(await balance(await signIn(test, person))).toMatchObject({ available: 0, invested: 1500 });
    test.clock.advance(secondMs);
    await Promise.all(Array.from({ length: 20 }, () => test.context.investment.settleDue()));
    const again = await signIn(test, person);
    // What the minute's timer is just settling the others pass over; it is paid once it has committed.
    await expect.poll(() => balance(again)).toMatchObject({ available: 1512, invested: 0, together: 1512 });
    const newest = (await entriesOf(again)).slice(0, 2);
    expect(newest.map(({ fundingtype, finalBalance }) => [fundingtype, finalBalance])).toEqual([
      ['Profit', 12],
      ['Investment Return', 1500],
    ]);
    expect((await investmentsOf(again))[0]).toMatchObject({ status: 1, profit: 12 });
    const letters = await test.mailbox.letters(person.email);
    expect(letters.map(({ subject }) => subject)).toEqual([
      'Your Starter investment matured: $1,512.00 is in your wallet',
      'You invested $1,500.00 in Starter',
      'Your deposit arrived: $1,500.00 is in your wallet',
      'We noted your deposit of $1,500.00 in Bitcoin',
    ]);
  });

  it('nothing reprices what was invested before a plan was replaced', async () => {
    const person = await funded(1000);
    const made = await invested(person, 1000);
    const [plan] = await test.context.investment.plans();
    if (!plan) throw new Error('no plan');
    const replaced = await test.context.investment.replacePlan({
      planId: plan.id,
      plan: { ...plan, roiPoints: 500, durationDays: 10 },
      actor: operator(),
    });
    expect((await invest(person, 100)).status).toBe(404);
    if (!('planId' in replaced)) throw new Error('not on the site');
    offers.plans.Starter = replaced.planId;
    test.clock.advance(30 * dayMs);
    await test.context.investment.settleDue();
    const again = await signIn(test, person);
    await expect.poll(() => balance(again)).toMatchObject({ available: 1008 });
    const [settled] = await investmentsOf(again);
    expect(settled).toMatchObject({ ...made, status: 1, settledat: expect.any(String) });
  });
});
