import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallAnswer } from '@tallystick/contract/call';
import { demoInvestor, demoOperators } from '@tallystick/contract/demo';
import { signin as operatorSignin } from '@tallystick/contract/operator/session';
import { signin, viewprofile } from '@tallystick/contract/users';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { ownPage } from './testing/call.ts';
import { cloneTemplate, type TestDatabase } from './testing/database.ts';
import { makeProcessHome, type ProcessHome, type ServerProcess } from './testing/processes.ts';

// Real processes on a busy machine; what is asserted is who does what, and not how soon.
vi.setConfig({ testTimeout: 200_000, hookTimeout: 200_000 });
const patience = { timeout: 90_000, interval: 250 };

let home: ProcessHome;
let database: TestDatabase;
let query: (text: string) => Promise<Record<string, unknown>[]>;
let dataDir: string;
let webs: [ServerProcess, ServerProcess];
let workers: [ServerProcess, ServerProcess];
const closing: (() => Promise<unknown>)[] = [];

const ready = (server: ServerProcess) =>
  vi.waitFor(() => expect(server.said()).toMatch(/^ready$/m), patience);

/** A demo of several processes: everything but the address, the database and the folder is left to itself. */
const begin = (role: string, more: NodeJS.ProcessEnv = {}) =>
  home.start({
    MODE: 'demo',
    ROLE: role,
    SITE_URL: 'http://127.0.0.1:3000',
    LOG_LEVEL: 'warn',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRET_FILE: '',
    LOG_KEY_FILE: '',
    SMTP_URL: '',
    MAIL_FROM: '',
    TRUST_PROXY: '',
    ...more,
  });

beforeAll(async () => {
  home = await makeProcessHome();
  closing.push(home.close);
  database = await cloneTemplate(inject('adminUrl'));
  dataDir = join(await mkdtemp(join(tmpdir(), 'tallystick-roles-')), 'data');
  const admin = new pg.Pool({ connectionString: database.adminUrl, max: 1 });
  query = async (text) => (await admin.query(text)).rows;
  closing.push(async () => {
    await admin.end();
    await database.drop();
    await rm(join(dataDir, '..'), { recursive: true });
  });
  const all = await Promise.all(['web', 'web', 'worker', 'worker'].map((role) => begin(role)));
  webs = [all[0], all[1]] as typeof webs;
  workers = [all[2], all[3]] as typeof workers;
  await Promise.all(all.map(ready));
});
afterAll(async () => {
  for (const server of workers ?? []) server.kill('SIGCONT');
  for (const close of closing) await close();
});

const get = (server: ServerProcess, path: string, token = '') =>
  fetch(server.url + path, { headers: token ? { authorization: `Bearer ${token}` } : {} });
const textOf = async (server: ServerProcess, path: string) => (await get(server, path)).text();
type DemoOperators = CallAnswer<typeof demoOperators>;
const post = (server: ServerProcess, path: string, body: object, headers = {}) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** In the folder of the inbox, whichever process has put it there. */
async function lettersWith(words: string): Promise<number> {
  const names = await readdir(join(dataDir, 'inbox'));
  const texts = await Promise.all(
    names
      .filter((name) => name.endsWith('.eml'))
      .map((name) => readFile(join(dataDir, 'inbox', name), 'utf8')),
  );
  return texts.filter((text) => text.includes(words)).length;
}
const writeToSupport = (server: ServerProcess, message: string) =>
  post(server, '/api/mail/contact', { name: 'Visitor', email: 'visitor@example.com', message });

async function signInAt(server: ServerProcess): Promise<string> {
  const investor = (await (await get(server, demoInvestor.path)).json()) as object;
  const answer = await post(server, signin.path, { ...investor, isAdmin: false });
  return ((await answer.json()) as { token: string }).token;
}

it('two that answer and two that work begin at one moment on one empty database, as one demo', async () => {
  const [counts] = await query(
    `select (select count(*) from operators)::int as operators, (select count(*) from plans)::int as plans,
       (select count(distinct planname) from plans)::int as names, (select count(*) from payment_methods)::int as ways,
       (select count(distinct paymentname) from payment_methods)::int as coins`,
  );
  expect(counts).toMatchObject({ operators: 2, plans: counts?.names, ways: counts?.coins });
  // One secret and one key of each, and nothing half made beside them.
  expect((await readdir(dataDir)).toSorted()).toEqual(['inbox', 'log', 'secret', 'witness']);
  expect((await readdir(join(dataDir, 'log'))).filter((name) => name.startsWith('key'))).toEqual(['key']);
  const [one, other] = webs;
  await expect.poll(() => textOf(one, '/log/checkpoint'), patience).toContain('— sample-witness ');
  expect(await textOf(other, '/log/checkpoint')).toBe(await textOf(one, '/log/checkpoint'));
});

it('one that works answers only whoever watches it', async () => {
  const [worker] = workers;
  const watched = await Promise.all(['/healthz', '/readyz', '/metrics'].map((path) => get(worker, path)));
  expect(watched.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const path of ['/', '/login', '/api/demo/investor', '/api/prices/simple/price', '/assets/x.js']) {
    const answer = await get(worker, path);
    const { code } = (await answer.json()) as { code: string };
    expect([path, answer.status, code]).toEqual([path, 404, 'not_found']);
  }
  expect((await post(worker, signin.path, {})).status).toBe(404);
});

it('figures say who does what, and of one that only answers no work seems to stand still', async () => {
  const [web, worker] = [await textOf(webs[0], '/metrics'), await textOf(workers[0], '/metrics')];
  expect(web).toContain('tallystick_role{role="web"} 1');
  expect(worker).toContain('tallystick_role{role="worker"} 1');
  for (const figure of ['tallystick_clock_work_success_seconds{', 'tallystick_job_runs_total{']) {
    expect([figure, web.includes(figure), worker.includes(figure)]).toEqual([figure, false, true]);
  }
  // Of what is in the database both tell.
  for (const figure of ['tallystick_log_stopped 0', 'tallystick_mail_waiting ']) {
    expect([figure, web.includes(figure), worker.includes(figure)]).toEqual([figure, true, true]);
  }
});

it('a letter asked for at one leaves once, and every one that answers shows it', async () => {
  expect((await writeToSupport(webs[0], 'Half a stick?')).status).toBe(200);
  await expect.poll(() => lettersWith('Half a stick?'), patience).toBe(1);
  for (const web of webs) expect(await textOf(web, '/dev/inbox')).toContain('Visitor');
});

it('one that works and stands still holds up neither letters nor the log of the other', async () => {
  const [frozen] = workers;
  frozen.kill('SIGSTOP');
  try {
    const sizeShown = async () => Number((await textOf(webs[1], '/log/checkpoint')).split('\n')[1]);
    const size = await sizeShown();
    await query(
      `insert into log_entries (kind, entry, written_at) values ('freeze/v1', e'freeze/v1\\nstate on\\n', now())`,
    );
    await query(`update clock_work set last_run_at = null where name = 'settle-due'`);
    expect((await writeToSupport(webs[1], 'Who has stopped?')).status).toBe(200);
    await expect.poll(() => lettersWith('Who has stopped?'), patience).toBe(1);
    await expect.poll(sizeShown, patience).toBe(size + 1);
    const settled = async () =>
      (await query(`select last_run_at is not null as done from clock_work where name = 'settle-due'`))[0];
    await expect.poll(settled, patience).toEqual({ done: true });
  } finally {
    frozen.kill('SIGCONT');
  }
  await expect.poll(async () => (await get(frozen, '/readyz')).status, patience).toBe(200);
  expect(await textOf(frozen, '/metrics')).toContain('tallystick_log_stopped 0');
  expect(await lettersWith('Who has stopped?')).toBe(1);
});

it('a code that an operator has used at one is not handed out by the other', async () => {
  for (const web of webs) {
    const { operators } = (await (await get(web, demoOperators.path)).json()) as DemoOperators;
    const { email, password, code } = operators[0] as DemoOperators['operators'][number];
    expect((await post(web, operatorSignin.path, { email, password, code }, ownPage)).status).toBe(200);
  }
});

it('one that answers and is killed signs nobody out', async () => {
  const [one, other] = webs;
  const token = await signInAt(one);
  expect((await get(other, viewprofile.path, token)).status).toBe(200);
  one.kill('SIGKILL');
  await one.ended;
  expect((await get(other, viewprofile.path, token)).status).toBe(200);
  const next = await begin('web');
  await ready(next);
  expect((await get(next, viewprofile.path, token)).status).toBe(200);
});

it('one with another log key than the others’ is refused before it signs anything', async () => {
  const server = await begin('worker', { DATA_DIR: `${dataDir}-2`, SECRET_FILE: join(dataDir, 'secret') });
  expect(await server.ended).toBe(78);
  expect(server.said()).toContain('LOG_KEY_FILE holds another key');
});

it('so is one with another address, under which the log would have another name', async () => {
  const server = await begin('worker', { SITE_URL: 'http://127.0.0.1:3999' });
  expect(await server.ended).toBe(78);
  expect(server.said()).toContain('SITE_URL makes the public log 127.0.0.1:3999/log');
});
