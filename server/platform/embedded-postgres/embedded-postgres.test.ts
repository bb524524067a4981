import { type ChildProcess, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, expect, it } from 'vitest';
import { openEmbeddedDatabase } from './embedded-database.ts';
import { type EmbeddedPostgres, findRunningPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

const logger = pino({ level: 'silent' });
const asRoot = process.getuid?.() === 0;
const folders: string[] = [];
const started: EmbeddedPostgres[] = [];
const processes: ChildProcess[] = [];

/** Open to other users unless a test closes it, because as root the database runs as another user. */
function newFolder(mode = 0o755): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'embedded-postgres-'));
  fs.chmodSync(folder, mode);
  folders.push(folder);
  return folder;
}

/** One for several tests, each of which leaves it stopped: making a new cluster is the slow part. */
const dataDir = path.join(newFolder(), 'data');

async function start(options: Omit<Parameters<typeof startEmbeddedPostgres>[0], 'logger'>) {
  const database = await startEmbeddedPostgres({ logger, ...options });
  started.push(database);
  return database;
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function settings(url: string): Promise<Record<string, unknown>> {
  const rows = await query(url, 'select name, setting from pg_settings');
  return Object.fromEntries(rows.map((row) => [String(row.name), row.setting]));
}

afterAll(async () => {
  for (const child of processes) child.kill('SIGKILL');
  for (const database of started) await database.stop();
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

it('a fresh start is durable, keeps checksums and listens to this machine only', async () => {
  const database = await start({ dataDir });
  expect(database).toMatchObject({ dataDir, startedByUs: true, sharedWithPid: null });
  expect(await settings(database.adminUrl)).toMatchObject({
    data_checksums: 'on',
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    password_encryption: 'scram-sha-256',
    server_encoding: 'UTF8',
  });
  const [locale] = await query(
    database.adminUrl,
    'select datlocprovider, datlocale from pg_database limit 1',
  );
  expect(locale).toEqual({ datlocprovider: 'b', datlocale: 'C.UTF-8' });
  expect(fs.statSync(path.join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600);
  await expect(query(database.adminUrl.replace(/:[0-9a-f]+@/, ':wrong@'), 'select 1')).rejects.toThrow(
    /password/,
  );
  await database.stop();
});

it('a restart keeps the data, and neither a half-made cluster nor a stale pid file hinders it', async () => {
  fs.mkdirSync(path.join(dataDir, 'postgres.init-999999999-abcdef', 'data'), { recursive: true });
  const first = await start({ dataDir, durable: false });
  expect(await settings(first.adminUrl)).toMatchObject({ fsync: 'off', synchronous_commit: 'off' });
  await query(first.adminUrl, 'create table kept as select 7 as n');
  expect(await findRunningPostgres({ dataDir })).toMatchObject({ adminUrl: first.adminUrl });
  await first.stop();
  expect(await findRunningPostgres({ dataDir })).toBeNull();
  // The id of a process that lives and is no database.
  fs.writeFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), `${process.pid}\n${dataDir}\n1\n5432\n`);
  const second = await start({ dataDir, durable: false });
  expect(second.startedByUs).toBe(true);
  expect(await query(second.adminUrl, 'select n from kept')).toEqual([{ n: 7 }]);
  expect(fs.readdirSync(dataDir).filter((name) => name.startsWith('postgres.init-'))).toEqual([]);
  await second.stop();
});

it('a database whose server was killed is adopted, shared while its owner lives, and stopped at the close', async () => {
  const owner = await startInAnotherProcess(dataDir, true);
  const guest = await start({ dataDir, durable: false });
  expect(guest).toMatchObject({ startedByUs: false, sharedWithPid: owner.pid });
  await guest.stop();
  expect(await findRunningPostgres({ dataDir })).not.toBeNull();

  owner.kill('SIGKILL');
  await new Promise((resolve) => owner.once('exit', resolve));
  const heir = await start({ dataDir, durable: false });
  expect(heir).toMatchObject({ startedByUs: false, sharedWithPid: null });
  expect(await query(heir.adminUrl, 'select 1 as n')).toEqual([{ n: 1 }]);
  await heir.stop();
  expect(await findRunningPostgres({ dataDir })).toBeNull();
});

it('a database that was told to stop by a process that is gone, and does not come to its end, is ended by the next', async () => {
  const first = await start({ dataDir });
  const pidFile = path.join(dataDir, 'postgres', 'postmaster.pid');
  const lines = () => fs.readFileSync(pidFile, 'utf8').split('\n');
  const stuck = Number(lines()[0]);
  fs.rmSync(path.join(dataDir, 'postgres-owner'));
  const client = new pg.Client({ connectionString: first.adminUrl });
  client.on('error', () => {});
  await client.connect();
  // It waits for whoever is connected, and lets nobody else in.
  process.kill(stuck, 'SIGTERM');
  await expect.poll(() => lines()[7]?.trim()).toBe('stopping');
  const next = await start({ dataDir });
  expect(next.startedByUs).toBe(true);
  expect(Number(lines()[0])).not.toBe(stuck);
  expect(await query(next.adminUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  await next.stop();
});

it("a test's database ends with the process that started it, however that ends", async () => {
  const owner = await startInAnotherProcess(dataDir, false);
  expect(await findRunningPostgres({ dataDir })).not.toBeNull();
  owner.kill('SIGKILL');
  await expect.poll(() => fs.existsSync(path.join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
});

it('a database that ends by itself is started again at the same address; one that keeps ending is given up, with a reason', async () => {
  const logged: string[] = [];
  const listening = pino({ level: 'error' }, { write: (line: string) => logged.push(line) });
  const database = await openEmbeddedDatabase({ dataDir, logger: listening });
  const { port } = new URL(database.url);
  let lost: Error | undefined;
  database.lost.then((error) => {
    lost = error;
  });
  const killed = new Set<number>();
  const ports = new Set<string | undefined>();
  const killWhoeverIsThere = () => {
    try {
      const lines = fs.readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
      const pid = Number(lines[0]);
      // Once it listens: before that the file does not say where.
      if (!killed.has(pid) && lines[7]?.trim() === 'ready') {
        process.kill(pid, 'SIGKILL');
        killed.add(pid);
        ports.add(lines[3]);
      }
    } catch {
      // Not there just now.
    }
    return lost?.message;
  };
  await expect
    .poll(killWhoeverIsThere, { timeout: 60_000, interval: 20 })
    .toMatch(/cannot be kept running: it keeps ending/);
  expect(logged.join()).toContain('the embedded PostgreSQL has ended; starting it again');
  expect([...ports]).toEqual([port]);
  expect(killed.size).toBeGreaterThan(5);
  expect(killed.size).toBeLessThan(10);
  await database.stop();
});

/** Empty where there is no such file at this moment. */
function read(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** So much that recovering takes a tenth of a second and more, and whoever does it is caught where processors are busy, too. */
const writeMuch = (url: string, table: string) =>
  query(url, `create table ${table} as select n, repeat('x', 500) as x from generate_series(1, 60000) n`);

/** Nothing else happens here until whoever recovers is caught, and stopped. */
function stopRecovery(postmaster: () => number): void {
  for (const giveUpAt = Date.now() + 10_000; Date.now() < giveUpAt; ) {
    const children = read(`/proc/${postmaster()}/task/${postmaster()}/children`).split(' ').filter(Boolean);
    const startup = children.find((child) => read(`/proc/${child}/cmdline`).startsWith('postgres: startup'));
    if (startup) return void process.kill(Number(startup), 'SIGSTOP');
  }
  throw new Error('nobody recovered');
}

it.runIf(process.platform === 'linux')(
  'a database that stands still while it recovers, or starts, is ended and started again at the same address',
  async () => {
    const logged: string[] = [];
    const listening = pino({ level: 'warn' }, { write: (line: string) => logged.push(line) });
    const database = await openEmbeddedDatabase({ dataDir, logger: listening, stillMsMax: 2_000 });
    const pidFile = path.join(dataDir, 'postgres', 'postmaster.pid');
    const postmaster = () => Number(read(pidFile).split('\n')[0]);
    const isBack = () =>
      expect.poll(() => query(database.adminUrl, 'select 1 as one').catch(String)).toEqual([{ one: 1 }]);
    const first = postmaster();
    await writeMuch(database.adminUrl, 'first');
    const checkpointers = "select pid from pg_stat_activity where backend_type = 'checkpointer'";
    const [checkpointer] = await query(database.adminUrl, checkpointers);
    process.kill(Number(checkpointer?.pid), 'SIGKILL');
    stopRecovery(() => first);
    await isBack();
    const second = postmaster();
    expect(second).not.toBe(first);
    expect(logged.join()).toContain('stands still');

    await writeMuch(database.adminUrl, 'second');
    process.kill(second, 'SIGKILL');
    await expect.poll(postmaster, { interval: 1 }).not.toBe(second);
    stopRecovery(postmaster);
    await isBack();
    await database.stop();
  },
  90_000,
);

it('two first starts at once end up with one database', async () => {
  const dataDir = newFolder(0o700);
  const [a, b] = await Promise.all([start({ dataDir, durable: false }), start({ dataDir, durable: false })]);
  expect(a.adminUrl).toBe(b.adminUrl);
  expect([a.startedByUs, b.startedByUs].sort()).toEqual([false, true]);
  expect(a.dataDir).toBe(dataDir);
});

it.runIf(asRoot)(
  'in a checkout that only root can enter, data and programs go elsewhere, each time to the same place',
  async () => {
    const checkout = newFolder(0o700);
    const dataDir = path.join(checkout, 'data');
    const nativeDir = path.join(checkout, 'native');
    const { packagedNativeDir } = await import('./home.ts');
    fs.cpSync(packagedNativeDir(), nativeDir, { recursive: true, verbatimSymlinks: true });
    const elsewhere = newFolder();
    const said: string[] = [];
    const options = {
      dataDir,
      nativeDir,
      fallbackRoots: [elsewhere],
      durable: false,
      onFallback: (message: string) => said.push(message),
    };
    const first = await start(options);
    expect(path.dirname(first.dataDir)).toBe(elsewhere);
    expect(said.join('\n')).toContain(first.dataDir);
    await query(first.adminUrl, 'create table kept as select 7 as n');
    expect(await findRunningPostgres({ dataDir })).toMatchObject({ adminUrl: first.adminUrl });
    await first.stop();
    const second = await start(options);
    expect(second.dataDir).toBe(first.dataDir);
    expect(await query(second.adminUrl, 'select n from kept')).toEqual([{ n: 7 }]);
    expect(said).toHaveLength(2);
  },
);

async function startInAnotherProcess(dataDir: string, durable: boolean) {
  const script = `
    import { pino } from 'pino';
    import { startEmbeddedPostgres } from ${JSON.stringify(path.join(import.meta.dirname, 'embedded-postgres.ts'))};
    const logger = pino({ level: 'silent' });
    await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, logger, durable: ${durable} });
    process.stdout.write('ready');
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  processes.push(child);
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('exit', (code) => reject(new Error(`exited with ${code}`)));
  });
  return child;
}
