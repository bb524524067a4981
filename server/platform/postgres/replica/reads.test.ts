import cookie from '@fastify/cookie';
import { fetchrequests } from '@tallystick/contract/funding';
import {
  fetchallinvestmentmethod,
  fetchsingleinvestment,
  makeinvestment,
} from '@tallystick/contract/investment';
import { summary } from '@tallystick/contract/ledger';
import Fastify, { type FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { call, ownPage, refusal, tryCall } from '../../../testing/call.ts';
import { secondMs } from '../../../testing/clock.ts';
import { newInvestors } from '../../../testing/ledger/investors.ts';
import { deposit, type Offers, operator, withOffers } from '../../../testing/money.ts';
import { type SignedIn, signedIn } from '../../../testing/people.ts';
import { startReplica, type TestReplica } from '../../../testing/replica/replica.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';
import { startThrowAwayDatabase } from '../../../testing/throw-away-database.ts';
import { inTransaction, openApp } from '../db.ts';
import { createMarks } from './marks.ts';
import { openReads } from './reads.ts';
import { readAfterOwnWrites } from './requests.ts';

let primary: Awaited<ReturnType<typeof startThrowAwayDatabase>>;
let replica: TestReplica;
let test: TestApp;
let offers: Offers;
let investor: SignedIn;

beforeAll(async () => {
  primary = await startThrowAwayDatabase();
  replica = await startReplica(primary.adminUrl);
  test = await startTestApp({
    DATABASE_URL: primary.url,
    DATABASE_READ_URL: replica.urlOf(primary.url),
  });
  offers = await withOffers(test);
  investor = await signedIn(test);
  // Nobody else writes meanwhile.
  await test.jobs.stop();
  await deposit(test, investor.userid, 5_000);
  await replica.caughtUp();
});
afterAll(async () => {
  await test.close();
  await replica.stop();
  await primary.stop();
});

/** How many statements were answered where, and why there, since the last time. */
let counted: Record<string, number> = {};
async function answeredBy(): Promise<Record<string, number>> {
  const found = await test.context.metrics.registry.getSingleMetric('tallystick_reads_total')?.get();
  const now = Object.fromEntries(
    (found?.values ?? []).map(({ labels, value }) => [`${labels.from} ${labels.why}`.trim(), value]),
  );
  const since = Object.entries(now).map(([name, value]) => [name, value - (counted[name] ?? 0)] as const);
  counted = now;
  return Object.fromEntries(since.filter(([, value]) => value > 0));
}

/** As a browser sends them: what was told when the investor signed in, or since. */
const browser = (more: Record<string, string> = {}) => ({ cookies: { ...investor.cookies, ...more } });
const planNames = async (asking: { cookies?: Record<string, string>; as?: { token: string } } = {}) =>
  (await call(test, fetchallinvestmentmethod, asking)).data.map(({ planname }) => planname);

/** While nothing more arrives there. */
async function paused(work: () => Promise<void>): Promise<void> {
  // It is known where the primary stood before: by that it is told whether the replica is too old.
  await planNames();
  await replica.caughtUp();
  await replica.admin.query('select pg_wal_replay_pause()');
  try {
    await work();
  } finally {
    await replica.admin.query('select pg_wal_replay_resume()');
    await replica.caughtUp();
  }
}

async function invest(): Promise<{ transactionid: string; written: string }> {
  const body = { userid: investor.userid, planid: offers.plans.Starter, investinvestmemntamount: 200 };
  const reply = await tryCall(test, makeinvestment, { as: browser(), body, headers: ownPage });
  if (reply.code !== 'done') throw new Error(reply.text);
  return {
    transactionid: reply.answer.investment.investmentransactionid,
    written: reply.cookies.written ?? '',
  };
}
async function investments(more: Record<string, string> = {}): Promise<string[]> {
  const asked = { params: { userid: investor.userid }, query: { page: 1 }, as: browser(more) };
  const { investment } = await call(test, fetchsingleinvestment, asked);
  return investment.map(({ investmentransactionid }) => investmentransactionid);
}

const openWith = (databaseReadUrl: string, onRead = (_from: string, _why: string) => {}) => {
  const { db, logger } = test.context;
  return openReads({ db, databaseReadUrl, databaseAppUrl: primary.url, appUrl: primary.url, logger, onRead });
};

describe('with a replica', () => {
  it('what may be a moment old is read there', async () => {
    await planNames();
    await answeredBy();
    expect(await planNames()).toContain('Starter');
    await investments();
    await call(test, fetchrequests, { query: {}, as: browser() });
    const where = await answeredBy();
    expect(Object.keys(where)).toEqual(['replica']);
  });

  it('whoever has just written sees it, and a stranger what was there a moment ago', async () => {
    await paused(async () => {
      const { transactionid, written } = await invest();
      expect(await investments()).not.toContain(transactionid);
      expect(await investments({ written })).toContain(transactionid);
      expect(await answeredBy()).toHaveProperty('primary written');
      // Of a program that keeps no cookies nobody knows what it has written.
      const asked = { params: { userid: investor.userid }, query: { page: 1 }, as: investor };
      const { investment } = await call(test, fetchsingleinvestment, asked);
      expect(investment.map((each) => each.investmentransactionid)).toContain(transactionid);
      expect(Object.keys(await answeredBy())).toEqual(['primary asked']);
    });
  });

  it('whoever has written reads from it again as soon as it has come that far', async () => {
    const { transactionid, written } = await invest();
    await replica.caughtUp();
    await answeredBy();
    // Where it stood when it was looked at for the investment counts for a moment longer.
    await expect
      .poll(async () => {
        expect(await investments({ written })).toContain(transactionid);
        return Object.keys(await answeredBy());
      })
      .toEqual(['replica']);
  });

  it('no money is moved by what only the replica still says', async () => {
    await paused(async () => {
      const plan = { planId: offers.plans.Standard, actor: operator() };
      await test.context.investment.switchPlan({ ...plan, active: false });
      expect(await planNames()).toContain('Standard');
      const body = { userid: investor.userid, planid: offers.plans.Standard, investinvestmemntamount: 1_500 };
      expect(await refusal(test, makeinvestment, { as: browser(), body, headers: ownPage })).toMatchObject({
        code: 'not_found',
      });
      const before = await call(test, summary, { as: browser() });
      await deposit(test, investor.userid, 300);
      const after = await call(test, summary, { as: browser() });
      expect(after.available - before.available).toBe(300);
    });
    expect(await planNames()).not.toContain('Standard');
  });

  it('a position that somebody has made up costs nobody else anything', async () => {
    await planNames();
    await answeredBy();
    await planNames({ cookies: { written: `1.${2n ** 62n}` } });
    expect(Object.keys(await answeredBy())).toEqual(['replica']);
    await planNames({ cookies: { written: 'nonsense' } });
    expect(Object.keys(await answeredBy())).toEqual(['primary asked']);
  });

  it('nothing is written by way of it', async () => {
    const { reads } = test.context;
    const writing = sql`update plans set active = true`.execute(reads.after(null));
    await expect(writing).rejects.toMatchObject({ code: '25006' });
    // @ts-expect-error What a transaction begins on is not what may be old.
    const begin = () => inTransaction(reads.after(null), async () => {});
    expect(begin).toBeTypeOf('function');
  });

  it('a command cannot read there what it decides on', async () => {
    const app = Fastify();
    await app.register(cookie);
    app.decorateRequest('identity', null);
    app.decorateRequest('operator', null);
    readAfterOwnWrites(app, { reads: test.context.reads, siteUrl: 'http://127.0.0.1' });
    const read = async ({ readDb }: FastifyRequest) => (await sql`select 1`.execute(readDb)).rows;
    app.get('/list', read);
    app.post('/command', read);
    expect((await app.inject('/list')).statusCode).toBe(200);
    expect((await app.inject({ method: 'POST', url: '/command' })).statusCode).toBe(500);
    await app.close();
  });

  it('a cookie is told by what writes, and by nothing else', async () => {
    const read = await tryCall(test, fetchallinvestmentmethod);
    expect(read.cookies).not.toHaveProperty('written');
    expect((await invest()).written).toMatch(/^1\.\d+$/);
  });

  it('a session without a position reads from the primary once, and has one then', async () => {
    const { written: _, ...cookies } = investor.cookies;
    const asked = { params: { userid: investor.userid }, query: { page: '1' } };
    await answeredBy();
    const reply = await tryCall(test, fetchsingleinvestment, { ...asked, as: { cookies } });
    expect(Object.keys(await answeredBy())).toEqual(['primary asked']);
    expect(reply.cookies.written).toMatch(/^1\.\d+$/);
  });

  it('a part of the log that has not arrived there is not said to be missing', async () => {
    await paused(async () => {
      const plan = { planId: offers.plans.Reserve, actor: operator() };
      await test.context.investment.switchPlan({ ...plan, active: false });
      await test.context.log.write();
      // Nobody asks the witness here: after its time the checkpoint is served without.
      test.clock.advance(5 * secondMs);
      const size = Number((await test.app.inject('/log/checkpoint')).body.split('\n')[1]);
      const there = sql<{ size: bigint }>`select size from log_size`;
      const { rows } = await there.execute(test.context.reads.after(null));
      expect(size).toBeGreaterThan(Number(rows[0]?.size));
      for (const path of ['entries', '0']) {
        // It is kept for a year, by caches that many share: a stranger's position is nobody else's.
        const asked = { url: `/log/tile/${path}/000.p/${size}`, cookies: { written: 'made up' } };
        const tile = await test.app.inject(asked);
        expect([tile.statusCode, tile.headers['set-cookie']]).toEqual([200, undefined]);
      }
    });
  });

  it('an investor who has not arrived there is not said to be missing', async () => {
    await paused(async () => {
      const [userId = ''] = await newInvestors(test, 1);
      const { operator: house, papers, reads } = test.context;
      const on = reads.after(null);
      expect((await house.addresses({ userId, page: 1, pageSize: 10, on })).total).toBe(0);
      expect(await papers.span({ userId, on })).toHaveProperty('entries', 0);
      expect(await answeredBy()).toHaveProperty('replica');
    });
  });

  it.each([
    ['is another database', () => inject('adminUrl'), 'leads to another database'],
    ['lets the owner in', () => replica.urlOf(primary.url), 'must not log in'],
  ])('one that %s is refused at the start', async (_, url, why) => {
    await expect(openWith(url())).rejects.toThrow(why);
  });

  it('one that is away is no reason not to start, and the primary is read', async () => {
    const asked: string[] = [];
    const reads = await openWith('postgres://nobody@127.0.0.1:1/nowhere', (...where) =>
      asked.push(where.join(' ')),
    );
    const { rows } = await sql<{ n: number }>`select 1 as n`.execute(reads.after(null));
    await reads.close();
    expect(rows).toEqual([{ n: 1 }]);
    expect(asked).toEqual(['primary away']);
  });

  it('one that is promoted under us is read no more', async () => {
    await planNames();
    await replica.admin.query('select pg_promote()');
    await answeredBy();
    // What a server has said of itself is believed for a second.
    await expect
      .poll(async () => (await planNames()).length && answeredBy())
      .toHaveProperty('primary promoted');
    expect(await planNames()).toContain('Starter');
    // A position is of the primary's own life: from here on there are two.
    const { logger, reads } = test.context;
    const promoted = openApp(replica.urlOf(primary.url), logger);
    expect((await createMarks(promoted).position()).timeline).toBe(2);
    expect((await reads.position?.())?.timeline).toBe(1);
    await promoted.destroy();
  });
});
