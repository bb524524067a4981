import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countJobs } from './platform/work/job-counts.ts';
import { dayMs, minuteMs, secondMs } from './testing/clock.ts';
import { investOn } from './testing/ledger/investors.ts';
import { tamperingWith } from './testing/ledger/tampering.ts';
import { deposit, type Offers, operator, withOffers } from './testing/money.ts';
import { type SignedIn, signedIn } from './testing/people.ts';
import { startTestApp, type TestApp } from './testing/start-app.ts';

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

const scrape = async () => (await test.app.inject('/metrics')).body;
/** The value of a figure as it is written, labels included; undefined when it is not there. */
async function told(figure: string): Promise<number | undefined> {
  const line = (await scrape()).split('\n').find((each) => each.startsWith(`${figure} `));
  return line === undefined ? undefined : Number(line.slice(figure.length + 1).replace('Nan', 'NaN'));
}
const sql = (text: string) => test.context.owner.query(text);
const invest = () => investOn(test.context, { offers, userId: ada.userid, amountCents: 10_000n });

describe('whoever watches is told of', () => {
  it('money: how many commands went together, and how long the writing took', async () => {
    const [batches = 0, commits = 0] = [
      await told('tallystick_batch_size_count'),
      await told('tallystick_commit_duration_seconds_count'),
    ];
    await Promise.all([invest(), invest(), invest()]);
    expect(await told('tallystick_batch_size_count')).toBe(batches + 1);
    // Settlement writes by itself, too.
    expect(await told('tallystick_commit_duration_seconds_count')).toBeGreaterThan(commits);
  });

  it('settlement: when it last ended well, and what it has not paid', async () => {
    const settled = 'tallystick_clock_work_success_seconds{work="settle-due"}';
    const overdue = 'tallystick_overdue_investment_seconds';
    await sql(`update clock_work set last_run_at = clock_timestamp() where name = 'settle-due'`);
    const { maturesAt } = await invest();
    test.clock.advance(maturesAt.getTime() - test.clock.now().getTime() + 5 * minuteMs);
    expect(await told(overdue)).toBe(300);
    expect(await told('tallystick_overdue_investments')).toBeGreaterThanOrEqual(1);
    expect(await told(settled)).toBeGreaterThan(dayMs / secondMs);
    await sql(`update clock_work set last_run_at = null where name = 'settle-due'`);
    await expect.poll(() => told(settled)).toBe(0);
    expect([await told(overdue), await told('tallystick_overdue_investments')]).toEqual([0, 0]);
  });

  it('the books: when they were checked, what was wrong, and that they are frozen', async () => {
    const figures = async () => [
      await told('tallystick_ledger_check_seconds'),
      await told('tallystick_ledger_check_findings'),
      await told('tallystick_ledger_frozen'),
    ];
    await test.context.ledger.checkBooks();
    test.clock.advance(minuteMs);
    expect(await figures()).toEqual([60, 0, 0]);
    const tampering = await tamperingWith(test.database.adminUrl);
    await tampering.sql(`update ledger_accounts set balance_cents = balance_cents + 1 where kind = 'wallet'`);
    await test.context.ledger.checkBooks();
    expect(await figures()).toEqual([0, expect.any(Number), 1]);
    expect(await told('tallystick_ledger_check_findings')).toBeGreaterThan(0);
    await tampering.undo();
    await tampering.end();
    await test.context.ledger.checkBooks();
    expect(await figures()).toEqual([0, 0, 0]);
  });

  it('investors whose withdrawals are frozen', async () => {
    expect(await told('tallystick_frozen_investors')).toBe(0);
    await test.context.withdrawal.freezeInvestor({ userId: ada.userid, reason: 'why', actor: operator() });
    expect(await told('tallystick_frozen_investors')).toBe(1);
  });

  it('letters: how many wait, and how many were sent', async () => {
    await expect.poll(() => told('tallystick_mail_waiting')).toBe(0);
    expect(await told('tallystick_mail_oldest_seconds')).toBe(0);
    expect(await told('tallystick_job_runs_total{task="send-mail",outcome="done"}')).toBeGreaterThan(0);
    expect(await told('tallystick_job_runs_total{task="send-mail",outcome="failed"}')).toBe(0);
  });

  it('connections, disk and database', async () => {
    const { app, free, size, bytes } = {
      app: await told('tallystick_pool_size{pool="app"}'),
      free: await told('tallystick_disk_free_bytes'),
      size: await told('tallystick_disk_size_bytes'),
      bytes: await told('tallystick_database_size_bytes'),
    };
    expect(app).toBe(12);
    // Nor does the question itself make anyone wait.
    for (const pool of ['app', 'money', 'owner']) {
      expect(await told(`tallystick_pool_waiting{pool="${pool}"}`)).toBe(0);
    }
    expect(free).toBeGreaterThan(0);
    expect(size).toBeGreaterThanOrEqual(free ?? Number.NaN);
    expect(bytes).toBeGreaterThan(1_000_000);
  });

  it('and of nobody', async () => {
    const text = await scrape();
    for (const own of [ada.email, ada.userid, ada.token]) expect(text).not.toContain(own);
  });
});

it('jobs are counted by task and state, with the age of the oldest, also of those that a worker holds', async () => {
  const client = await test.context.owner.connect();
  try {
    // Uncommitted: no worker sees them.
    await client.query('begin');
    await client.query(`
      select graphile_worker.add_job('send-mail', '{}', run_at => now() - make_interval(secs => secs))
      from unnest(array[10, 70]) as secs`);
    await client.query(`select graphile_worker.add_job('a-held-one')`);
    await client.query(`select graphile_worker.add_job('a-lost-one', max_attempts => 1)`);
    await client.query(`
      update graphile_worker._private_jobs set locked_by = 'somebody', locked_at = now() - interval '20 minutes'
      where task_id = (select id from graphile_worker._private_tasks where identifier = 'a-held-one')`);
    await client.query(`
      update graphile_worker._private_jobs set attempts = 1, created_at = now() - interval '3 days'
      where task_id = (select id from graphile_worker._private_tasks where identifier = 'a-lost-one')`);
    const counts = (await countJobs(client)).map(({ task, state, count, seconds }) => [
      task,
      state,
      count,
      seconds,
    ]);
    expect(counts).toContainEqual(['send-mail', 'due', 2, 70]);
    expect(counts).toContainEqual(['a-held-one', 'locked', 1, 1200]);
    expect(counts).toContainEqual(['a-lost-one', 'given_up', 1, 3 * 24 * 3600]);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

describe('what is written about the figures', () => {
  const read = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8');
  const alerts = read('ops/monitoring/alerts.yml');
  const handbook = read('docs/operations.md');
  const each = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);
  const figure = /\b((?:tallystick|http|nodejs|process)_[a-z0-9_]+)\b/g;
  let names: Set<string>;
  beforeAll(async () => {
    names = new Set(each(await scrape(), /^([a-z0-9_]+)[{ ]/gm));
    // Of those that only something outside brings, the name alone is there.
    for (const name of each(await scrape(), /^# TYPE ([a-z0-9_]+) /gm)) names.add(name);
  });

  it('every alert has all that it needs', () => {
    const keys = [
      'alert',
      'expr',
      'for',
      'labels',
      'severity',
      'annotations',
      'summary',
      'description',
      'runbook',
    ];
    const rules = alerts.split(/^(?= {6}- alert)/m).slice(1);
    expect(rules.length).toBeGreaterThan(20);
    expect(each(alerts, /severity: (critical|warning)$/gm)).toHaveLength(rules.length);
    for (const rule of rules)
      expect(each(rule, /^ {6,10}(?:- )?(\w+):/gm).slice(0, keys.length)).toEqual(keys);
  });

  it('every figure in the alerts and on the dashboard is there', () => {
    const { panels } = JSON.parse(read('ops/monitoring/dashboard.json')) as {
      panels: { targets?: { expr: string }[] }[];
    };
    const shown = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const asked = [...each(alerts, /expr: ['"](.*)['"]$/gm), ...shown].flatMap((expr) => each(expr, figure));
    expect(asked.length).toBeGreaterThan(50);
    expect([...new Set(asked)].filter((name) => !names.has(name))).toEqual([]);
  });

  it('every figure of ours is in the handbook, and every figure there is there', () => {
    const [, chapter = ''] = /^### What is told$(.*?)^### /ms.exec(handbook) ?? [];
    const written = new Set(each(chapter, /`((?:tallystick|http)_\w+)`/g));
    const ours = [...names].filter((name) => name.startsWith('tallystick_'));
    const plain = new Set(ours.map((name) => name.replace(/_(bucket|sum|count)$/, '')));
    expect([...plain].filter((name) => !written.has(name))).toEqual([]);
    expect([...written].filter((name) => !names.has(name))).toEqual([]);
  });

  it('every alert is in the handbook, with a chapter that is there', () => {
    const [, chapter = ''] = /^### What somebody is woken by$(.*?)^### /ms.exec(handbook) ?? [];
    expect(each(chapter, /\b(Tallystick[A-Z]\w+)/g).sort()).toEqual(each(alerts, /- alert: (\w+)/g).sort());
    const headings = each(handbook, /^#+ (.+)$/gm).map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    const named = [...each(alerts, /operations\.md#([\w-]+)/g), ...each(chapter, /\]\(#([\w-]+)\)/g)];
    expect([...new Set(named)].filter((anchor) => !headings.includes(anchor))).toEqual([]);
  });
});
