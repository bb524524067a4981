import * as calls from '@tallystick/contract/investment';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asking, call, send } from '../../testing/call.ts';
import { dayMs } from '../../testing/clock.ts';
import { deposit, type Offers, operator, withOffers } from '../../testing/money.ts';
import { type SignedIn, signedIn, signIn } from '../../testing/people.ts';
import { proofRuns } from '../../testing/proof-size.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
let offers: Offers;
let person: SignedIn;
/** Newest first: three that are ongoing, then four that are completed. */
let made: calls.Investment[];
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  person = await signedIn(test);
  await deposit(test, person.userid, 50_000);
  const older = await investAll([100, 250.55, 1999, 150]);
  test.clock.advance(30 * dayMs);
  await test.context.investment.settleDue();
  person = await signIn(test, person);
  made = [...(await investAll([100, 200, 300])), ...older];
});
afterAll(() => test.close());

async function investAll(amounts: number[]): Promise<calls.Investment[]> {
  const newestFirst: calls.Investment[] = [];
  for (const investinvestmemntamount of amounts) {
    test.clock.advance(1000);
    const body = { userid: person.userid, planid: offers.plans.Starter, investinvestmemntamount };
    newestFirst.unshift((await call(test, calls.makeinvestment, { body, as: person })).investment);
  }
  return newestFirst;
}

const path = (who = person) => `/api/investment/fetchsingleinvestment/${who.userid}`;
const get = (url: string, who = person) => send(test, 'GET', url, undefined, { token: who.token });
const list = async (query: Asking<typeof calls.fetchsingleinvestment>['query'] = {}, who = person) => {
  const answer = await call(test, calls.fetchsingleinvestment, { params: who, query, as: who });
  return { ids: answer.investment.map(({ _id }) => _id), ...answer };
};
const sums = (who = person) => call(test, calls.investmentsums, { as: who });
const ids = (from: number, to?: number) => made.slice(from, to).map(({ _id }) => _id);

describe('the list of investments', () => {
  it('without a query is whole and newest first', async () => {
    const answer = await list();
    expect(answer.ids).toEqual(ids(0));
    expect(answer.investment[0]).toEqual(made[0]);
    expect(answer.investment.map(({ status }) => status)).toEqual([0, 0, 0, 1, 1, 1, 1]);
    expect(answer.pages).toBeUndefined();
  });

  it('comes in pages of five', async () => {
    expect(await list({ page: '1' })).toMatchObject({ ids: ids(0, 5), page: 1, pages: 2, total: 7 });
    expect(await list({ page: '2' })).toMatchObject({ ids: ids(5), page: 2, pages: 2, total: 7 });
    expect(await list({ page: '3' })).toMatchObject({ ids: [], page: 3, pages: 2, total: 7 });
  });

  it('can be narrowed to what is completed or ongoing', async () => {
    expect(await list({ status: 'all' })).toMatchObject({ ids: ids(0, 5), pages: 2, total: 7 });
    expect(await list({ status: 'ongoing' })).toMatchObject({ ids: ids(0, 3), pages: 1, total: 3 });
    expect(await list({ status: 'completed' })).toMatchObject({ ids: ids(3), pages: 1, total: 4 });
    const wrong = await get(`${path()}?status=Completed`);
    expect([wrong.statusCode, wrong.json().code]).toEqual([400, 'invalid_request']);
  });

  it('is searched by a part of the transaction id, whatever its case, and by nothing else', async () => {
    const wanted = made[4]?.investmentransactionid ?? '';
    for (const search of [wanted, wanted.toLowerCase(), wanted.slice(4)]) {
      expect((await list({ search })).ids).toContain(made[4]?._id);
    }
    expect(await list({ search: wanted })).toMatchObject({ page: 1, pages: 1, total: 1 });
    expect(await list({ search: 'ts-' })).toMatchObject({ pages: 2, total: 7 });
    for (const search of ['Starter', '%', '_', 'T_-', '\\', "' or true --"]) {
      expect(await list({ search }), search).toMatchObject({ ids: [], page: 1, pages: 1, total: 0 });
    }
  });

  it('is refused for a search with a zero character', async () => {
    const answer = await get(`${path()}?search=%00`);
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request']);
  });

  it('is searched within a status', async () => {
    const search = made[0]?.investmentransactionid ?? '';
    expect(await list({ search, status: 'ongoing' })).toMatchObject({ ids: ids(0, 1), total: 1 });
    expect(await list({ search, status: 'completed' })).toMatchObject({ ids: [], total: 0 });
  });

  it('that is empty is page 1 of 1 and adds up to nothing', async () => {
    const someone = await signedIn(test);
    expect(await list({}, someone)).toMatchObject({ ids: [] });
    expect(await list({ page: '1' }, someone)).toMatchObject({ ids: [], page: 1, pages: 1, total: 0 });
    expect(await sums(someone)).toEqual({ ongoing: 0, completed: 0, profitdue: 0, profitpaid: 0 });
  });

  it("is refused with 403 for someone else's id, in every form", async () => {
    const someone = await signedIn(test);
    for (const url of [path(), `${path()}?page=1`, `${path()}/export.csv`]) {
      const answer = await get(url, someone);
      expect([answer.statusCode, answer.json().code], url).toEqual([403, 'not_yours']);
      expect((await send(test, 'GET', url)).statusCode, url).toBe(401);
    }
  });

  it('is whole and in order when a thousand and more were made in one moment', async () => {
    const busy = await signedIn(test);
    await deposit(test, busy.userid, 250_000);
    const made = proofRuns(2_300, 1_100);
    const wish = { userId: busy.userid, planId: offers.plans.Starter, amountCents: 10_000n };
    await Promise.all(
      Array.from({ length: made }, () =>
        test.context.investment.makeInvestment({ ...wish, idempotencyKey: null }),
      ),
    );
    const whole = await list({}, busy);
    expect(new Set(whole.ids).size).toBe(made);
    expect(whole.ids).toEqual(whole.ids.toSorted().reverse());
    expect((await list({ page: '2' }, busy)).ids).toEqual(whole.ids.slice(5, 10));
  });
});

describe('the sums of the investments', () => {
  it('are what the list adds up to', async () => {
    const { investment } = await list();
    const profit = (status: number) =>
      investment
        .filter((each) => each.status === status)
        .reduce((cents, each) => cents + Math.round(each.profit * 100), 0) / 100;
    expect(await sums()).toEqual({ ongoing: 3, completed: 4, profitdue: profit(0), profitpaid: profit(1) });
  });
});

describe('the list as CSV', () => {
  it('holds every investment, with amounts to the cent', async () => {
    const answer = await get(`${path()}/export.csv`);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="investments.csv"',
    });
    const lines = answer.body.split('\r\n');
    expect(lines).toHaveLength(9);
    expect(lines[0]).toBe(
      'Transaction ID,Plan,Amount,Profit,ROI %,Days,Opened,Matures,Status,Exit fee,At maturity',
    );
    expect(lines[1]).toMatch(
      /^TS-\S{9},Starter,300\.00,2\.40,0\.8,30,\S{24},\S{24},Ongoing,,Paid to the wallet$/,
    );
    expect(lines[6]).toMatch(
      /^TS-\S{9},Starter,250\.55,2\.00,0\.8,30,\S{24},\S{24},Completed,,Paid to the wallet$/,
    );
    expect(lines.slice(1, 8).map((line) => line.slice(0, 12))).toEqual(
      made.map(({ investmentransactionid }) => investmentransactionid),
    );
  });

  it('holds what the list shows when it is searched or narrowed', async () => {
    const rowsOf = async (query: Record<string, string>) => {
      const answer = await get(`${path()}/export.csv?${new URLSearchParams(query)}`);
      return answer.body
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.slice(0, 12));
    };
    const shown = (from: number, to?: number) =>
      made.slice(from, to).map(({ investmentransactionid }) => investmentransactionid);
    expect(await rowsOf({ status: 'ongoing' })).toEqual(shown(0, 3));
    expect(await rowsOf({ status: 'completed' })).toEqual(shown(3));
    expect(await rowsOf({ search: shown(4, 5)[0] ?? '' })).toEqual(shown(4, 5));
    expect((await get(`${path()}/export.csv?status=other`)).statusCode).toBe(400);
  });

  it('disarms a plan whose name a spreadsheet would run', async () => {
    const plan = { planname: '=1+1, "best"', fromCents: 1_000n, toCents: 2_000n, durationDays: 7 };
    const added = await test.context.investment.addPlan({
      plan: { ...plan, roiPoints: 0 },
      actor: operator(),
    });
    test.clock.advance(1000);
    if (!('planId' in added)) throw new Error('not on the site');
    const { planId } = added;
    const wish = { userId: person.userid, planId, amountCents: 1_000n, idempotencyKey: null };
    await test.context.investment.makeInvestment(wish);
    const [, newest] = (await get(`${path()}/export.csv`)).body.split('\r\n');
    expect(newest).toContain(`,"'=1+1, ""best""",10.00,0.00,0,7,`);
  });
});
