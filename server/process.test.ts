import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, inject, it, type TestContext, vi } from 'vitest';
import { cloneTemplate } from './testing/database.ts';
import { startMailServer } from './testing/outside/mail-server.ts';
import { makeProcessHome, type ProcessHome, type ServerProcess } from './testing/processes.ts';

// Real processes on a busy machine; what is asserted are orders of things, and ends far from where they were.
vi.setConfig({ testTimeout: 200_000 });
const patience = { timeout: 90_000 };

let home: ProcessHome;
let admin: pg.Client;
beforeAll(async () => {
  home = await makeProcessHome();
  admin = new pg.Client({ connectionString: inject('adminUrl') });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await home.close();
});

/** A database and a mail server for one test, and the servers that it starts on them. */
async function makeWorld({ onTestFinished, expect }: TestContext) {
  const mail = await startMailServer();
  const database = await cloneTemplate(inject('adminUrl'));
  const name = new URL(database.url).pathname.slice(1);
  const servers: ServerProcess[] = [];
  onTestFinished(async () => {
    mail.release();
    for (const server of servers) server.kill('SIGKILL');
    await Promise.all(servers.map(({ ended }) => ended));
    await database.drop();
    await mail.close();
  });

  async function begin(env: NodeJS.ProcessEnv = {}, shell?: string): Promise<ServerProcess> {
    const server = await home.start({ DATABASE_URL: database.url, SMTP_URL: mail.url, ...env }, shell);
    servers.push(server);
    return server;
  }

  async function ready(server: ServerProcess): Promise<ServerProcess> {
    await expect.poll(() => server.said(), patience).toContain('ready');
    return server;
  }

  async function query(text: string) {
    const client = new pg.Client({ connectionString: database.adminUrl });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Requests that write a message wait, until it is let go. */
  async function holdUpMessages(): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: database.adminUrl });
    // A test that has failed leaves it to the end of the database.
    client.on('error', () => {});
    await client.connect();
    await client.query('begin; lock table contact_messages in access exclusive mode');
    return () => client.end();
  }

  async function goAway(): Promise<void> {
    await admin.query(`alter database ${name} with allow_connections false`);
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  }

  const waitingSql = `select from pg_stat_activity where datname = '${name}' and wait_event_type = 'Lock'`;
  return {
    mail,
    databaseUrl: database.url,
    begin,
    ready,
    query,
    holdUpMessages,
    goAway,
    comeBack: () => admin.query(`alter database ${name} with allow_connections true`),
    jobs: () => query('select locked_by, attempts from graphile_worker.jobs'),
    waiting: async () => (await admin.query(waitingSql)).rowCount,
  };
}

/** For a visitor; a letter to support follows from it. */
function writeToSupport(server: ServerProcess): Promise<Response> {
  return fetch(`${server.url}/api/mail/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Visitor', email: 'visitor@example.com', message: 'Is anyone there?' }),
  });
}

it.concurrent('a database that goes away while a letter is on its way neither ends the server nor repeats the letter', async (context) => {
  const { mail, begin, ready, jobs, goAway, comeBack } = await makeWorld(context);
  const { expect } = context;
  const server = await ready(await begin());
  mail.hold();
  expect((await writeToSupport(server)).status).toBe(200);
  await expect.poll(() => mail.received.length, patience).toBe(1);
  await goAway();
  mail.release();
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status, patience).toBe(503);
  await comeBack();
  await expect.poll(jobs, patience).toEqual([]);
  expect((await writeToSupport(server)).status).toBe(200);
  await expect.poll(() => mail.received.length, patience).toBe(2);
  expect(server.isRunning()).toBe(true);
});

it.concurrent('a job that ends while the database is away does not end the server, and is done later', async (context) => {
  const { mail, begin, ready, jobs, goAway, comeBack } = await makeWorld(context);
  const { expect } = context;
  const server = await ready(await begin());
  mail.hold();
  expect((await writeToSupport(server)).status).toBe(200);
  await expect.poll(() => mail.received.length, patience).toBe(1);
  await goAway();
  mail.refuse();
  await expect.poll(() => server.said(), patience).toContain('jobs rest for a while');
  await comeBack();
  await expect.poll(jobs, patience).toEqual([]);
  expect([mail.received.length, server.isRunning()]).toEqual([2, true]);
});

it.concurrent('a database that is away at the start is waited for', async (context) => {
  const { begin, ready, goAway, comeBack } = await makeWorld(context);
  const { expect } = context;
  await goAway();
  const server = await begin();
  await expect.poll(() => server.said(), patience).toContain('waiting for the database');
  await comeBack();
  await ready(server);
});

it.concurrent('a killed server holds no job once another starts', async (context) => {
  const { mail, begin, ready, jobs } = await makeWorld(context);
  const { expect } = context;
  const first = await ready(await begin());
  mail.hold();
  await writeToSupport(first);
  await expect.poll(() => mail.received.length, patience).toBe(1);
  first.kill('SIGKILL');
  await first.ended;
  expect(await jobs()).toMatchObject([{ locked_by: expect.stringContaining('pool'), attempts: 1 }]);
  mail.release();
  await ready(await begin());
  await expect.poll(jobs, patience).toEqual([]);
  // Nobody had said that it was taken, so it is sent once more, recognisable as the same.
  const ids = mail.received.map((message) => /^Message-ID: (.*)$/im.exec(message)?.[1]);
  expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
});

it.concurrent('a server that is told to end leaves no job locked, even when a letter hangs', async (context) => {
  const { mail, begin, ready, jobs, query } = await makeWorld(context);
  const { expect } = context;
  const server = await ready(await begin());
  mail.hold();
  await writeToSupport(server);
  await expect.poll(() => mail.received.length, patience).toBe(1);
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(await jobs()).toMatchObject([{ locked_by: null }]);
  expect(await query('select from job_pools')).toEqual([]);
});

/** A connection that is kept, with or without a request on it. */
async function keepConnection({ port }: ServerProcess, request?: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  if (request) {
    socket.write(`GET ${request} HTTP/1.1\r\nHost: tally.example\r\n\r\n`);
    await new Promise<void>((resolve) => socket.once('data', () => resolve()));
  }
  return socket;
}

it.concurrent('a server that is told to end answers what it was asked and does not wait for connections without a request', async (context) => {
  const { begin, ready, holdUpMessages, waiting } = await makeWorld(context);
  const { expect } = context;
  const server = await ready(await begin());
  const idle = [await keepConnection(server, '/healthz'), await keepConnection(server)];
  const letGo = await holdUpMessages();
  const slow = connect(server.port, '127.0.0.1');
  const answer = text(slow);
  const body = JSON.stringify({ name: 'Visitor', email: 'visitor@example.com', message: 'Wait for me' });
  const head = `Host: tally.example\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  slow.write(`POST /api/mail/contact HTTP/1.1\r\n${head}\r\n\r\n${body}`);
  await expect.poll(waiting, patience).toBe(1);
  const toldAt = performance.now();
  server.kill('SIGTERM');
  await Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('close', resolve).resume())));
  expect(server.isRunning()).toBe(true);
  await letGo();
  expect(await answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*connection: close/i);
  expect(await server.ended).toBe(0);
  // A connection that is kept alive and asks nothing lives for two minutes.
  expect(performance.now() - toldAt).toBeLessThan(10_000);
});

it.concurrent.for([
  { again: false, CLOSING_MS_MAX: '1000' },
  { again: true, CLOSING_MS_MAX: '60000' },
])(
  'a request that never ends does not keep a server from ending, and that is told; who tells it again ($again) waits less',
  async (how, context) => {
    const { begin, ready, holdUpMessages, waiting } = await makeWorld(context);
    const { expect } = context;
    const server = await ready(await begin({ CLOSING_MS_MAX: how.CLOSING_MS_MAX }));
    const letGo = await holdUpMessages();
    const answer = writeToSupport(server).catch(() => null);
    await expect.poll(waiting, patience).toBe(1);
    server.kill('SIGTERM');
    // Longer than it takes npm to hand on the same wish.
    if (how.again) await delay(1_000).then(() => server.kill('SIGTERM'));
    expect(await server.ended).toBe(1);
    for (const words of ['not everything had ended', 'did not stop within'])
      expect(server.said().includes(words)).toBe(!how.again);
    await letGo();
    await answer;
  },
);

// Who ends a group tells it twice, directly and by way of a shell or npm: there is time to tidy up all the same.
it.concurrent.for([['SIGTERM'], ['SIGTERM', 'SIGTERM'], ['SIGHUP', 'SIGHUP']] as const)(
  '%s, which ends npm start, ends the server',
  async (signals, context) => {
    const { begin, ready } = await makeWorld(context);
    const { expect } = context;
    const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    const server = await ready(await begin({}, scripts.start));
    for (const signal of signals) server.kill(signal);
    expect(await server.ended).toBe(0);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  },
);

it.concurrent('an npm that is killed, or dies without handing the signal on, takes the server with it', async (context) => {
  const { begin, ready } = await makeWorld(context);
  const { expect } = context;
  const npm_package_json = fileURLToPath(new URL('../package.json', import.meta.url));
  // Like an npm, this shell waits for what it runs and tells it nothing.
  const shell = 'node server/main.ts; true';
  const npm = await ready(await begin({ npm_lifecycle_event: 'start', npm_package_json }, shell));
  npm.kill('SIGKILL');
  await npm.ended;
  const answers = () =>
    fetch(`${npm.url}/healthz`)
      .then(() => true)
      .catch(() => false);
  await expect.poll(answers, patience).toBe(false);
});

it.concurrent('a server that is told to end while it starts ends', async (context) => {
  const { begin, goAway, comeBack } = await makeWorld(context);
  const { expect } = context;
  await goAway();
  const server = await begin();
  await expect.poll(() => server.said(), patience).toContain('waiting for the database');
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  await comeBack();
});

it.concurrent('what somebody has to change ends a start with 78, what may pass with 75, each in one line', async (context) => {
  const { begin, ready, mail, databaseUrl } = await makeWorld(context);
  const { expect } = context;
  const running = await ready(await begin());
  const wrongPassword = new URL(databaseUrl);
  wrongPassword.password = 'hush-hush';
  const cases: [NodeJS.ProcessEnv, number, string][] = [
    [{ PORT: '70000' }, 78, 'PORT must be a whole number from 1 to 65535, and is "70000".'],
    [{ PORT: String(running.port) }, 75, 'The port is in use.'],
    [{ HOST: '192.0.2.1' }, 78, 'HOST 192.0.2.1 is no address of this machine'],
    [{ DATABASE_URL: wrongPassword.href }, 78, 'DATABASE_URL: the database does not let us in'],
    [{ DATABASE_APP_URL: wrongPassword.href.replace('//', '//other') }, 78, 'DATABASE_APP_URL: the database'],
  ];
  const ends = await Promise.all(
    cases.map(async ([env, code, words]) => {
      const server = await begin(env);
      expect(await server.ended).toBe(code);
      expect(server.said()).toContain(`Tallystick cannot start. ${words}`);
      expect(server.said()).not.toMatch(/hush-hush|^ +at /m);
      return server
        .said()
        .split('\n')
        .filter((line) => line.startsWith('Tallystick')).length;
    }),
  );
  expect(ends).toEqual(cases.map(() => 1));
  expect([running.isRunning(), mail.received.length]).toEqual([true, 0]);
});
