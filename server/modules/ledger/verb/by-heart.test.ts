import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Context } from '../../../context.ts';
import { poolsOf } from '../../../platform/postgres/db.ts';
import { Connection } from '../../../platform/postgres/pool/connection.ts';
import { outcomes, times } from '../../../testing/at-once.ts';
import { blockedBackends } from '../../../testing/blocked.ts';
import { balancesOf, fundedInvestor, investOn, newInvestor } from '../../../testing/ledger/investors.ts';
import { startSecondServer } from '../../../testing/ledger/second-server.ts';
import { watchStatements } from '../../../testing/ledger/sent.ts';
import { tamperingWith } from '../../../testing/ledger/tampering.ts';
import { deposit, type Offers, operator, withOffers } from '../../../testing/money.ts';
import { leaveCommitUnheard, standBetween } from '../../../testing/postgres/between.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';
import { type MoneyCommand, movement } from '../service.ts';

let test: TestApp;
let offers: Offers;
/** Begins to remember with each case, and doubts nothing. */
let server: Context;
let userId: string;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  // What happens by the clock ends transactions, too, and is not what is waited for here.
  await test.jobs.stop();
});
afterAll(() => test.close());
beforeEach(async () => {
  server = await startSecondServer(test);
  userId = await fundedInvestor(test, 1000);
});
afterEach(async () => {
  vi.restoreAllMocks();
  expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
  await server.close();
});

const invest = (on: Context, dollars: number, key: string | null = null) =>
  investOn(on, { offers, userId, amountCents: BigInt(100 * dollars), key });
const balances = async () => {
  const [available, invested] = await balancesOf(test, userId);
  return [available / 100n, invested / 100n];
};

/** How often accounts were read, locked, and written, meanwhile. */
async function readLockedWritten(work: () => Promise<unknown>): Promise<[number, number, number]> {
  const sent = watchStatements();
  await work();
  const names = sent.all().map(({ name }) => name);
  sent.stop();
  const count = (...wanted: string[]) => names.filter((name) => name && wanted.includes(name)).length;
  return [
    count('read accounts', 'read changed accounts'),
    count('lock accounts', 'lock known accounts'),
    count('update accounts'),
  ];
}

it('what this server has written itself it does not ask for again', async () => {
  await invest(test.context, 100);
  expect(await readLockedWritten(() => invest(server, 100))).toEqual([0, 1, 1]);
  expect(await readLockedWritten(() => invest(server, 100))).toEqual([0, 0, 1]);
  const many = () => Promise.all(times(5, () => invest(server, 100)));
  expect((await readLockedWritten(many)).slice(0, 2)).toEqual([0, 0]);
  expect(await balances()).toEqual([200n, 800n]);
});

it('whom this server has not seen yet it reads, and holds nobody up', async () => {
  await invest(server, 100);
  userId = await fundedInvestor(test, 1000);
  await invest(test.context, 100);
  expect(await readLockedWritten(() => invest(server, 100))).toEqual([1, 0, 1]);
  expect(await readLockedWritten(() => invest(server, 100))).toEqual([0, 0, 1]);
  expect(await balances()).toEqual([700n, 300n]);
});

it('whom it reads it reads beside all who look at pages, and waits for none of them', async () => {
  await invest(server, 100);
  await invest(test.context, 100);
  const { app } = poolsOf(server.db);
  const pages = times(app?.options.max ?? 0, () => app?.query('select pg_sleep(3)'));
  expect(pages).toHaveLength(12);
  const begun = performance.now();
  expect(await readLockedWritten(() => invest(server, 100))).toEqual([1, 0, 2]);
  expect(performance.now() - begun).toBeLessThan(2_000);
  await Promise.all(pages);
});

it('who has no account yet is refused as ever', async () => {
  await invest(server, 100);
  userId = await newInvestor(test);
  expect(await outcomes([invest(server, 100)])).toEqual(['insufficient_funds']);
});

it('what another server has changed meanwhile is seen, and read; for a while nothing is taken for known', async () => {
  await invest(server, 100);
  await invest(test.context, 100);
  expect(await readLockedWritten(() => invest(server, 100))).toEqual([1, 0, 2]);
  expect(await readLockedWritten(() => invest(server, 100))).toEqual([1, 0, 1]);
  expect(await balances()).toEqual([600n, 400n]);
});

it('as long as what it reads is another than it knew, it goes on reading', async () => {
  const another = await startSecondServer(test);
  await invest(server, 100);
  await invest(another, 100);
  await invest(server, 100);
  const real = performance.now.bind(performance);
  let later = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + later);
  try {
    for (let seconds = 0.7; seconds < 2; seconds += 0.7) {
      later = 1000 * seconds;
      await invest(another, 100);
      expect(await readLockedWritten(() => invest(server, 100))).toEqual([1, 0, 1]);
    }
    // Found as it was known, it is no reason to go on.
    later += 600;
    expect(await readLockedWritten(() => invest(server, 100))).toEqual([1, 0, 1]);
    later += 600;
    expect(await readLockedWritten(() => invest(server, 100))).toEqual([0, 0, 1]);
  } finally {
    clock.mockRestore();
    await another.close();
  }
  expect(await balances()).toEqual([100n, 900n]);
});

/** Once, when accounts have been read and nobody has heard of it yet. */
function afterReading(act: () => Promise<unknown>): void {
  const reads = standBetween(([asked, values, callback], send) => {
    if ((asked as { name?: string }).name !== 'read accounts') return send(asked, values, callback);
    reads.mockRestore();
    const hear = callback as (...answer: unknown[]) => void;
    return send(asked, values, (...answer: unknown[]) => act().then(() => hear(...answer)));
  });
}

it('whose guess was wrong although it had just read locks, and for a while at once', async () => {
  await invest(server, 100);
  await invest(test.context, 100);
  let others = [0, 0, 0];
  afterReading(async () => {
    others = await readLockedWritten(() => invest(test.context, 100));
  });
  await invest(server, 100);
  expect(others).toEqual([0, 0, 1]);
  expect(await readLockedWritten(() => invest(server, 100))).toEqual([0, 1, 1]);
  expect(await balances()).toEqual([500n, 500n]);
});

it('who meets a key that was used locks for a while, which tells beforehand', async () => {
  await invest(server, 100, 'once');
  expect(await readLockedWritten(() => invest(server, 100, 'once'))).toEqual([0, 1, 1]);
  expect(await readLockedWritten(() => invest(server, 100, 'once'))).toEqual([0, 1, 0]);
  expect(await balances()).toEqual([900n, 100n]);
});

it('two servers that both remember spend the same money once', async () => {
  const both = [server, test.context] as const;
  for (const each of both) await invest(each, 100);
  const ends = await outcomes(times(40, (n) => invest(both[n % 2 ? 1 : 0], 100)));
  expect(ends.filter((end) => end === 'done')).toHaveLength(8);
  expect(ends.filter((end) => end === 'insufficient_funds')).toHaveLength(32);
  expect(await balances()).toEqual([0n, 1000n]);
});

it('a key that was used gets its first answer, and one that was refused its refusal', async () => {
  const short = () => outcomes([invest(server, 1500, 'too much')]);
  expect(await short()).toEqual(['insufficient_funds']);
  const first = await invest(server, 100, 'once');
  await deposit(test, userId, 1000);
  await invest(server, 100);
  expect(await invest(server, 100, 'once')).toEqual(first);
  expect(await outcomes([invest(server, 200, 'once')])).toEqual(['key_reused']);
  expect(await short()).toEqual(['insufficient_funds']);
  expect(await balances()).toEqual([1800n, 200n]);
});

it('a key that a request for a deposit has is not good for an investment, which finds it out in its one trip', async () => {
  for (const _ of times(2, () => null)) await invest(server, 100);
  const wish = { userId, paymentname: 'Bitcoin', amountCents: 5_000n, idempotencyKey: 'asked' };
  await server.funding.askForFunding(wish);
  const reused = async () => expect(await outcomes([invest(server, 100, 'asked')])).toEqual(['key_reused']);
  expect(await readLockedWritten(reused)).toEqual([1, 1, 2]);
  expect(await balances()).toEqual([800n, 200n]);
});

it('a key that another server refuses at the same moment is not good for another wish', async () => {
  await invest(server, 100);
  const mayEnd = Promise.withResolvers<void>();
  const ends = standBetween((asked, send) => {
    if (asked[0] !== 'commit') return send(...asked);
    ends.mockRestore();
    return mayEnd.promise.then(() => send(...asked));
  });
  const refused = outcomes([invest(test.context, 1500, 'k')]);
  await expect.poll(() => vi.isMockFunction(Connection.prototype.query)).toBe(false);
  const other = outcomes([invest(server, 100, 'k')]);
  await blockedBackends(test);
  mayEnd.resolve();
  expect(await refused).toEqual(['insufficient_funds']);
  expect(await other).toEqual(['key_reused']);
  expect(await balances()).toEqual([900n, 100n]);
});

it('a balance that was changed beside the journal is not written over, so that the check finds it', async () => {
  await invest(server, 100);
  const tampering = await tamperingWith(test.database.adminUrl);
  try {
    await tampering.sql(
      `update ledger_accounts set balance_cents = balance_cents + 7 where kind = 'wallet' and owner_id = $1`,
      [userId],
    );
    await invest(server, 100);
    expect((await test.context.ledger.checkBooks()).findings).not.toEqual([]);
  } finally {
    await tampering.undo();
    await tampering.end();
  }
});

it('a plan that is not offered any more takes nothing', async () => {
  await invest(server, 100);
  const switched = (active: boolean) =>
    test.context.investment.switchPlan({ planId: offers.plans.Starter, active, actor: operator() });
  await switched(false);
  expect(await outcomes([invest(server, 100)])).toEqual(['not_found']);
  await switched(true);
  await invest(server, 100);
  expect(await balances()).toEqual([800n, 200n]);
});

it('a batch that fails leaves nothing to go on from', async () => {
  await invest(server, 100);
  standBetween(([text, ...rest], send) => send(text === 'commit' ? 'rollback' : text, ...rest));
  expect(await outcomes([invest(server, 100)])).not.toEqual(['done']);
  vi.restoreAllMocks();
  await invest(server, 100);
  expect(await balances()).toEqual([800n, 200n]);
});

it('a commit that was made and not heard of has its effect once, is answered, and is gone on from', async () => {
  await invest(server, 100);
  leaveCommitUnheard(() => expect.poll(balances).toEqual([600n, 400n]));
  const made = await Promise.all(times(3, () => invest(server, 100)));
  expect(await balances()).toEqual([600n, 400n]);
  made.push(await invest(server, 100));
  const { rows } = await test.context.owner.query<{ id: string }>(
    'select id from investments where user_id = $1',
    [userId],
  );
  expect(new Set(rows.map(({ id }) => id)).isSupersetOf(new Set(made.map(({ id }) => id)))).toBe(true);
  expect(rows).toHaveLength(5);
});

it("what posts to the house's accounts is done behind locks, however well they are known", async () => {
  const accounts = [
    { kind: 'wallet', ownerId: userId },
    { kind: 'corrections', ownerId: null },
  ] as const;
  const [wallet, corrections] = accounts;
  const give = server.ledger.verb<MoneyCommand, object, { given: boolean }>({
    bodyOf: () => 'give',
    read: async (_tx, _commands, { openBook }) => ({ facts: {}, book: await openBook([...accounts]) }),
    decide({ book, now }) {
      const postings = [
        { account: wallet, amountCents: 100n, label: 'Test' },
        { account: corrections, amountCents: -100n, label: 'Test' },
      ];
      book.post(movement({ kind: 'correction', at: now, postings }));
      return { row: { given: true } };
    },
    byHeart: { accountsOf: () => [...accounts], factsFor: () => ({}), demand: () => [] },
  });
  await invest(server, 100);
  const giving = () => give({ scope: userId, idempotencyKey: null });
  await giving();
  expect((await readLockedWritten(giving)).slice(0, 2)).toEqual([0, 1]);
  expect(await balances()).toEqual([902n, 100n]);
});
