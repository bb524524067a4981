import type pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { dayMs } from '../../testing/clock.ts';
import { fundedInvestor } from '../../testing/ledger/investors.ts';
import { withOffers } from '../../testing/money.ts';
import { startMailServer, startSilentServer } from '../../testing/outside/mail-server.ts';
import { standBetween } from '../../testing/postgres/between.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { startClockWork } from './clock-work.ts';
import { addJobs, startJobs } from './jobs.ts';

let test: TestApp;
let mail: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  mail = await startMailServer();
  test = await startTestApp({ SMTP_URL: mail.url });
  await withOffers(test);
});
afterAll(async () => {
  await test.close();
  await mail.close();
});

/** Behind the server's back, as its owner. */
const sql = async (text: string, values: unknown[] = [], on = test) =>
  (await on.context.owner.query(text, values)).rows;

const write = (on = test) =>
  on.context.contact.sendContactMessage({
    name: 'Visitor',
    email: 'visitor@example.com',
    message: 'Is anyone there?',
    clientAddress: `203.0.113.${Math.floor(Math.random() * 250)}`,
  });

/** Until no letter of what went before is on its way any more. */
async function allSent(): Promise<void> {
  await expect.poll(() => test.context.telling.hasTold()).toBe(true);
  await expect.poll(() => sql('select from graphile_worker.jobs')).toEqual([]);
}

/** An investor whose investment has run its term. */
async function dueInvestment(on: TestApp): Promise<string> {
  const userId = await fundedInvestor(on);
  const [plan] = await on.context.investment.plans();
  const wish = { userId, planId: plan?.id ?? '', amountCents: 10_000n, idempotencyKey: null };
  await on.context.investment.makeInvestment(wish);
  on.clock.advance(400 * dayMs);
  return userId;
}
const investedCents = async (on: TestApp, userId: string) =>
  (await on.context.ledger.summary({ userId })).investedCents;

it('clock work that a clock ahead has dated into the future is done all the same', async () => {
  const userId = await dueInvestment(test);
  await sql(`update clock_work set last_run_at = now() + interval '1 day'`);
  await expect.poll(() => investedCents(test, userId)).toBe(0n);
  const ahead = await sql('select name from clock_work where last_run_at > now()');
  expect(ahead).toEqual([]);
});

it('a database that goes away while the queue is first looked at holds up no letter once it is back', async () => {
  await allSent();
  const before = mail.received.length;
  let failed = 0;
  const goesAway = standBetween((asked, send) => {
    const { text = '' } = Object(asked[0]) as { text?: string };
    if (failed > 0 || !text.includes('_private_tasks')) return send(...asked);
    failed += 1;
    return Promise.reject(Object.assign(new Error('terminating connection'), { code: '57P01' }));
  });
  try {
    await test.restart();
    await expect.poll(() => failed).toBe(1);
  } finally {
    goesAway.mockRestore();
  }
  await write();
  await expect.poll(() => mail.received.length).toBe(before + 1);
});

it('a job that was given to a worker who never heard of it is done by another', async () => {
  await allSent();
  const said: unknown[] = [];
  let unheard = 0;
  const isCut = standBetween((asked, send) => {
    const { text = '', values = [] } = Object(asked[0]) as { text?: string; values?: unknown[] };
    const answer = send(...asked);
    // As the library takes a job. The database has done it; the line breaks before its answer is heard.
    if (!/locked_by = \$1/.test(text) || !/attempts \+ 1/.test(text) || values.length === 0) return answer;
    return (answer as Promise<pg.QueryResult>).then((result) => {
      if (unheard > 0 || !result.rows[0]?.payload?.unheard) return result;
      unheard += 1;
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    });
  });
  const jobs = startJobs({
    owner: test.context.owner,
    tasks: { hum: async ({ payload }) => void said.push(payload) },
    support: { isAway: () => false, isBack: async () => true },
    logger: test.context.logger,
  });
  try {
    await addJobs(test.context.db, [{ task: 'hum', payload: { unheard: true } }]);
    await expect.poll(() => unheard).toBe(1);
    await expect.poll(() => said).toEqual([{ unheard: true }]);
    await allSent();
  } finally {
    isCut.mockRestore();
    await jobs.stop();
  }
});

it('a pool of workers that was cut off and does not come to its end is followed by another', async () => {
  // The server's own pool has nothing to note as done, and is not the one that is cut off.
  await allSent();
  const said: unknown[] = [];
  let cut = 0;
  let hear = () => {};
  const cutsOff = standBetween((asked, send) => {
    const text = typeof asked[0] === 'string' ? asked[0] : (Object(asked[0]) as { text?: string }).text;
    if (cut === 0 && said.length > 0 && /complete_jobs|delete from .*jobs/is.test(text ?? '')) {
      cut = 1;
      return Promise.reject(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    }
    // Nobody hears what became of this one before the test is over.
    if (cut === 1 && /^\s*unlisten/i.test(text ?? '')) {
      cut = 2;
      return new Promise((resolve) => {
        hear = () => resolve(send(...asked));
      });
    }
    return send(...asked);
  });
  const jobs = startJobs({
    owner: test.context.owner,
    tasks: { say: async ({ payload }) => void said.push(payload) },
    support: { isAway: () => false, isBack: async () => true },
    logger: test.context.logger,
    endingMsMax: 300,
  });
  try {
    await addJobs(test.context.db, [{ task: 'say', payload: { word: 'one' } }]);
    await expect.poll(() => cut).toBe(2);
    await addJobs(test.context.db, [{ task: 'say', payload: { word: 'two' } }]);
    await expect.poll(() => said).toContainEqual({ word: 'two' });
    // The one that was cut off is taken up, too: nobody after this pool would know what to do with it.
    await allSent();
  } finally {
    cutsOff.mockRestore();
    hear();
    await jobs.stop();
  }
});

it('a letter that the mail server took is not sent again when its job comes up once more', async () => {
  await allSent();
  const before = mail.received.length;
  mail.hold();
  await write();
  await expect.poll(() => mail.received.length).toBe(before + 1);
  const [job] = await sql('select id::text, payload from graphile_worker._private_jobs');
  // As when its pool has lost the database, and the next one takes it up while the mail server still thinks about it.
  const again = test.context.mail.deliver({ payload: job?.payload, jobId: job?.id, attempt: 2 });
  mail.release();
  await again;
  await allSent();
  expect(mail.received).toHaveLength(before + 1);
  await test.context.mail.deliver({ payload: job?.payload, jobId: job?.id });
  expect(mail.received).toHaveLength(before + 1);
  // What no job can bring up again is not remembered for ever.
  await sql(`update letters_sent set sent_at = now() - interval '31 days'`);
  await test.context.mail.forgetSent();
  expect(await sql('select from letters_sent')).toEqual([]);
});

it('of several servers one does what is due', async () => {
  const { db, logger } = test.context;
  const runs: number[] = [];
  const work = (server: number) => ({
    name: 'test-work',
    everySeconds: 3600,
    run: async () => void runs.push(server),
  });
  const servers = [1, 2, 3, 4].map((server) => startClockWork({ db, logger, works: [work(server)] }));
  await expect.poll(() => runs.length).toBe(1);
  // All have asked once more by then.
  await sql(`update clock_work set last_run_at = null where name = 'test-work'`);
  await expect.poll(() => runs.length).toBe(2);
  for (const server of servers) await server.stop();
  expect(runs).toHaveLength(2);
  await sql(`delete from clock_work where name = 'test-work'`);
});

it('what another server has just begun is not begun again by one that had to wait to ask', async () => {
  const { db, logger, owner } = test.context;
  const run = vi.fn(async () => {});
  const server = startClockWork({ db, logger, works: [{ name: 'raced-work', everySeconds: 1, run }] });
  await expect.poll(() => run.mock.calls.length).toBeGreaterThan(0);
  const other = await owner.connect();
  await other.query(`begin; select from clock_work where name = 'raced-work' for update`);
  const waiting =
    'select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()';
  await expect.poll(() => sql(waiting)).toHaveLength(1);
  const before = run.mock.calls.length;
  await other.query(
    `update clock_work set last_run_at = clock_timestamp() where name = 'raced-work'; commit`,
  );
  other.release();
  await server.stop();
  expect(run).toHaveBeenCalledTimes(before);
  await sql(`delete from clock_work where name = 'raced-work'`);
});

it('clock work that fails is tried again soon, and not only when it is due next', async () => {
  const { db, logger } = test.context;
  const run = vi.fn(() => Promise.reject(new Error('not today')));
  const server = startClockWork({ db, logger, works: [{ name: 'failing-work', everySeconds: 3600, run }] });
  await expect.poll(() => run.mock.calls.length).toBe(1);
  await expect
    .poll(() =>
      sql(
        `select from clock_work where name = 'failing-work' and last_run_at < now() - interval '50 minutes'`,
      ),
    )
    .toHaveLength(1);
  await server.stop();
  await sql(`delete from clock_work where name = 'failing-work'`);
});

// These two wait for others most of their time, and share nothing.
it.concurrent('a letter that a clock ahead has dated into the future leaves all the same', async ({
  expect,
}) => {
  await allSent();
  const before = mail.received.length;
  mail.hold();
  await write();
  await expect.poll(() => mail.received.length).toBe(before + 1);
  // The try fails while the clock is a day ahead: the next one is due a day and a little later.
  mail.refuse();
  await expect
    .poll(() => sql(`select from graphile_worker.jobs where last_error is not null`))
    .toHaveLength(1);
  await sql(
    `select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where last_error is not null),
       run_at := now() + interval '1 day')`,
  );
  await expect.poll(() => mail.received.length).toBe(before + 2);
  await sql(`delete from graphile_worker._private_jobs`);
});

it.concurrent('a mail server that hangs holds up neither money nor more letters than there are workers', async ({
  expect,
}) => {
  const silent = await startSilentServer();
  const other = await startTestApp({ SMTP_URL: silent.url });
  try {
    await withOffers(other);
    const userId = await dueInvestment(other);
    for (let count = 0; count < 12; count += 1) await write(other);
    await expect.poll(() => silent.connections()).toBeGreaterThan(0);
    await sql(`update clock_work set last_run_at = null where name = 'settle-due'`, [], other);
    await expect.poll(() => investedCents(other, userId)).toBe(0n);
    await expect
      .poll(() => sql('select from graphile_worker.jobs where last_error is not null', [], other))
      .toHaveLength(4);
    // The letters rest; that the server is back is asked without one.
    const asked = silent.connections();
    await expect.poll(() => silent.connections()).toBeGreaterThan(asked);
    const [tried] = await sql(
      'select max(attempts)::int as tries, count(*) filter (where attempts > 0)::int as letters from graphile_worker.jobs',
      [],
      other,
    );
    expect(tried).toEqual({ tries: 1, letters: 4 });
  } finally {
    await other.close();
    await silent.close();
  }
});
