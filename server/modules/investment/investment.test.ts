import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayMs, secondMs } from '../../testing/clock.ts';
import { deposit, type Offers, operator, withOffers } from '../../testing/money.ts';
import { type SignedIn, send, signedIn, signIn } from '../../testing/people.ts';
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

const invest = (who: SignedIn, body: object, headers: Record<string, string> = {}) =>
  send(
    test,
    'POST',
    '/api/investment/makeinvestment',
    { userid: who.userid, ...body },
    { token: who.token, headers },
  );
const starter = (amount: unknown) => ({ planid: offers.plans.Starter, investinvestmemntamount: amount });
const get = async (who: SignedIn, path: string) =>
  (await send(test, 'GET', path, undefined, { token: who.token })).json();
const balance = async (who: SignedIn) => (await get(who, '/api/ledger/summary')) as Record<string, number>;

describe('the plans', () => {
  it('are listed for everyone with the specified fields and values', async () => {
    const { data } = (await send(test, 'GET', '/api/investment/fetchallinvestmentmethod')).json();
    expect(data.map(({ _id, ...plan }: { _id: string }) => plan)).toEqual([
      { planname: 'Starter', from: 100, to: 1999, duration: 30, roi: 0.8 },
      { planname: 'Standard', from: 2000, to: 9999, duration: 60, roi: 1.9 },
      { planname: 'Reserve', from: 10_000, to: 50_000, duration: 90, roi: 3.2 },
    ]);
  });
});

describe('investing', () => {
  it('takes the amount from the wallet at once and freezes the terms', async () => {
    const person = await funded(500);
    const answer = await invest(person, starter(150.31));
    expect(answer.statusCode).toBe(200);
    expect(answer.json().investment).toMatchObject({
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
    const { balance: entries } = await get(person, '/api/funding/fetchbalance');
    expect(entries[0]).toMatchObject({
      fundingtype: 'Investment',
      finalBalance: -150.31,
      transactionid: answer.json().investment.investmentransactionid,
    });
  });

  it.each([
    ['a shape that is no amount', 400, () => starter('1e5')],
    ['an unknown key', 400, () => ({ ...starter(100), extra: 1 })],
    ['an unknown plan', 404, () => ({ planid: 'nothing', investinvestmemntamount: 100 })],
    ['a plan that never was', 404, () => ({ planid: crypto.randomUUID(), investinvestmemntamount: 100 })],
    ['less than the plan takes', 422, () => starter(99.99)],
    ['more than the plan takes', 422, () => starter(1999.01)],
    ['more than the wallet holds', 402, () => starter(500.01)],
  ])('is refused for %s with %i, and nothing changes', async (_case, status, body) => {
    const person = await funded(500);
    const answer = await invest(person, body());
    expect([answer.statusCode, answer.json().message]).toEqual([status, expect.stringMatching(/\.$/)]);
    expect(await balance(person)).toMatchObject({ available: 500, invested: 0, entries: 1 });
    expect((await get(person, `/api/investment/fetchsingleinvestment/${person.userid}`)).investment).toEqual(
      [],
    );
  });

  it("is refused with 403 in someone else's name, before anything is said of the plan", async () => {
    const person = await funded(500);
    const other = await funded(0);
    const answer = await invest(person, { ...starter(100), userid: other.userid, planid: 'nothing' });
    expect(answer.statusCode).toBe(403);
  });

  it('works at both ends of the range and down to the last cent', async () => {
    const person = await funded(2099);
    expect((await invest(person, starter('1999.00'))).statusCode).toBe(200);
    expect((await invest(person, starter(100))).statusCode).toBe(200);
    expect(await balance(person)).toMatchObject({ available: 0, invested: 2099 });
  });
});

describe('an Idempotency-Key', () => {
  it('sent fifty times at once has one effect and one answer', async () => {
    const person = await funded(1000);
    const headers = { 'idempotency-key': 'submit-1' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => invest(person, starter(100), headers)),
    );
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
    expect(answers[0]?.statusCode).toBe(200);
    expect(await balance(person)).toMatchObject({ available: 900, invested: 100 });
    const later = await invest(person, starter(100), headers);
    expect(later.body).toBe(answers[0]?.body);
  });

  it('sent again with another body is refused with 409', async () => {
    const person = await funded(1000);
    const headers = { 'idempotency-key': 'submit-1' };
    await invest(person, starter(100), headers);
    const other = await invest(person, starter(200), headers);
    expect([other.statusCode, other.json().code]).toEqual([409, 'key_reused']);
    expect(await balance(person)).toMatchObject({ invested: 100 });
  });

  it('gives a refusal again, even when it could be done by now', async () => {
    const person = await funded(100);
    const headers = { 'idempotency-key': 'submit-1' };
    expect((await invest(person, starter(200), headers)).statusCode).toBe(402);
    await deposit(test, person.userid, 500);
    expect((await invest(person, starter(200), headers)).statusCode).toBe(402);
    expect((await invest(person, starter(200))).statusCode).toBe(200);
  });

  it("is one person's own", async () => {
    const headers = { 'idempotency-key': 'the-same' };
    const answers = await Promise.all(
      (await Promise.all([funded(500), funded(500)])).map((person) => invest(person, starter(100), headers)),
    );
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200]);
    expect(answers[0]?.body).not.toBe(answers[1]?.body);
  });

  it('of no sensible form is refused', async () => {
    const person = await funded(500);
    const answer = await invest(person, starter(100), { 'idempotency-key': 'x'.repeat(201) });
    expect(answer.statusCode).toBe(400);
  });
});

describe('two hundred investments at once', () => {
  it('share transactions, and one that is refused changes nothing for its neighbours', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => funded(10_000)));
    const poor = await funded(50);
    const each = people.flatMap((person) => Array.from({ length: 50 }, () => invest(person, starter(100))));
    const [refused, ...answers] = await Promise.all([invest(poor, starter(100)), ...each]);
    expect(refused?.statusCode).toBe(402);
    expect(answers.every((answer) => answer.statusCode === 200)).toBe(true);
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
    const { maturesat } = (await invest(person, starter(1500))).json().investment;
    expect(new Date(maturesat).getTime() - test.clock.now().getTime()).toBe(30 * dayMs);
    test.clock.advance(30 * dayMs - secondMs);
    await test.context.investment.settleDue();
    expect(await balance(await signIn(test, person))).toMatchObject({ available: 0, invested: 1500 });
    test.clock.advance(secondMs);
    await Promise.all(Array.from({ length: 20 }, () => test.context.investment.settleDue()));
    const again = await signIn(test, person);
    expect(await balance(again)).toMatchObject({ available: 1512, invested: 0, together: 1512 });
    const { balance: entries } = await get(again, '/api/funding/fetchbalance');
    expect(
      entries
        .slice(0, 2)
        .map((e: { fundingtype: string; finalBalance: number }) => [e.fundingtype, e.finalBalance]),
    ).toEqual([
      ['Profit', 12],
      ['Investment Return', 1500],
    ]);
    const { investment } = await get(again, `/api/investment/fetchsingleinvestment/${person.userid}`);
    expect(investment[0]).toMatchObject({ status: 1, profit: 12 });
    const letters = await test.mailbox.letters(person.email, 5);
    expect(letters.map(({ subject }) => subject)).toContainEqual(expect.stringContaining('$1,512.00'));
  });

  it('nothing reprices what was invested before a plan was replaced', async () => {
    const person = await funded(1000);
    const made = (await invest(person, starter(1000))).json().investment;
    const [plan] = await test.context.investment.plans();
    if (!plan) throw new Error('no plan');
    const replaced = await test.context.investment.replacePlan({
      planId: plan.id,
      plan: { ...plan, roiPoints: 500, durationDays: 10 },
      actor: operator(),
    });
    expect((await invest(person, starter(100))).statusCode).toBe(404);
    if (!('planId' in replaced)) throw new Error('not on the site');
    offers.plans.Starter = replaced.planId;
    test.clock.advance(30 * dayMs);
    await test.context.investment.settleDue();
    const again = await signIn(test, person);
    const { investment } = await get(again, `/api/investment/fetchsingleinvestment/${person.userid}`);
    expect(investment[0]).toMatchObject({ ...made, status: 1, settledat: expect.any(String) });
    expect(await balance(again)).toMatchObject({ available: 1008 });
  });
});
