import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Call, CallAnswer } from '@tallystick/contract/call';
import { fetchallinvestmentmethod, makeinvestment } from '@tallystick/contract/investment';
import { summary } from '@tallystick/contract/ledger';
import { checklist } from '@tallystick/contract/operator/checklist';
import * as proof from '@tallystick/contract/proof';
import { signin } from '@tallystick/contract/users';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { dumpDatabase } from '../platform/backup/dump.ts';
import { exportDatabase } from '../platform/backup/export.ts';
import { writeFolder } from '../platform/backup/folder.ts';
import { refuseUsed } from '../platform/backup/import.ts';
import { type Manifest, readManifest, writeManifest } from '../platform/backup/manifest.ts';
import { exitCodes } from '../platform/backup/refusal.ts';
import { refuseRestoringBase } from '../platform/backup/restore-base.ts';
import { hourMs } from '../platform/clock.ts';
import { call } from '../testing/call.ts';
import { cloneTemplate, type TestDatabase } from '../testing/database.ts';
import { deposit, withOffers } from '../testing/money.ts';
import { signedInOperator } from '../testing/operators.ts';
import { type SignedIn, signedIn, signIn } from '../testing/people.ts';
import { makeProcessHome } from '../testing/processes.ts';
import { startTestApp, type TestApp } from '../testing/start-app.ts';
import { commandOfThis } from '../testing/versions/tree.ts';

const dir = mkdtempSync(join(tmpdir(), 'backup-'));
// As root the database runs as another user, who has to pass.
chmodSync(dir, 0o755);
const at = (name: string) => join(dir, name);
let test: TestApp;
let person: SignedIn;

/** As `npm run <name> -- <args>` would, in a folder without a configuration file. */
function run(name: string, args: string[], env: Record<string, string> = {}) {
  return new Promise<{ code: number; said: string }>((resolve) => {
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
    const ownEnv = { PATH, NODE_COMPILE_CACHE, DATA_DIR: test.context.config.dataDir, ...env };
    const command = join(import.meta.dirname, `${name}.ts`);
    execFile(process.execPath, [command, ...args], { cwd: dir, env: ownEnv }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), said: stdout + stderr });
    });
  });
}

const backupItem = async () => {
  const { items } = await call(test, checklist, { as: await signedInOperator(test) });
  return items.find(({ key }) => key === 'backup');
};

beforeAll(async () => {
  // On an embedded database of its own.
  test = await startTestApp({ DATABASE_URL: '' });
  await withOffers(test);
  person = await signedIn(test);
  await deposit(test, person.userid, 250);
});
afterAll(async () => {
  await test.close();
  rmSync(dir, { recursive: true, force: true });
});

describe('a backup that is made beside a running server', () => {
  const before = { done: false, detail: expect.stringContaining('npm run backup') };

  it('is whole, is for us alone, and the console and the collector know of it by themselves', async () => {
    expect(await backupItem()).toMatchObject(before);
    expect((await test.app.inject('/metrics')).body).toContain('tallystick_last_backup_seconds Nan');
    const { code, said } = await run('backup', [at('first')]);
    expect([code, said]).toEqual([0, expect.stringContaining('log/checkpoint')]);
    const { kind, schema, migrations, wal, files, folders } = await readManifest(at('first'));
    expect({ kind, schema }).toEqual({
      kind: 'base',
      schema: Number.parseInt(migrations.at(-1)?.name ?? '', 10),
    });
    expect(wal.stop > wal.start).toBe(true);
    const modes = [...files.map(({ path }) => path), ...folders].map((path) =>
      statSync(join(at('first'), path)),
    );
    expect(modes.filter((each) => (each.mode & 0o077) !== 0)).toEqual([]);
    expect(files.map(({ path }) => path)).not.toContain('data/log/checkpoint');
    expect(readdirSync(dir)).toEqual(['first']);
    // The database's clock has dated it.
    test.clock.advance(Date.now() - test.clock.now().getTime() + 3 * hourMs);
    expect(await backupItem()).toMatchObject({ done: true, detail: 'The newest was made 3 h ago.' });
    expect((await test.app.inject('/metrics')).body).toMatch(/tallystick_last_backup_seconds 10\d{3}/);
  });

  it('is never written over another', async () => {
    const writing = writeFolder(at('first'), new AbortController().signal, async () => {});
    await expect(writing).rejects.toThrow('is there already and is not empty');
  });

  it('comes back with its roles, rights, sessions and secrets, and signs nothing before it was told what was signed', async () => {
    const { code, said } = await run('restore', [at('first')], { DATA_DIR: at('second') });
    expect([code, said]).toEqual([0, expect.stringContaining('The books agree.')]);
    const restored = await startTestApp({ DATABASE_URL: '', DATA_DIR: at('second') });
    try {
      expect(await call(restored, summary, { as: person })).toMatchObject({ available: 250 });
      await deposit(restored, person.userid, 50);
      expect(await call(restored, summary, { as: person })).toMatchObject({ available: 300 });
      await restored.context.log.write();
      expect(await call(restored, proof.state, {})).toMatchObject({
        stopped: expect.stringContaining('cannot be read'),
      });
    } finally {
      await restored.close();
    }
  });
});

describe('what must not be restored is refused before anything is touched', () => {
  const folder = at('first');
  const refused = (reason: keyof typeof exitCodes, why: string, asked: Promise<unknown>) =>
    expect(asked).rejects.toMatchObject({
      exitCode: exitCodes[reason],
      message: expect.stringContaining(why),
    });
  const ask = async (dataDir: string, change: Partial<Manifest> = {}) => {
    const manifest = { ...(await readManifest(folder)), ...change };
    const { signal } = new AbortController();
    await refuseRestoringBase({ folder, manifest, dataDir, signal, logger: test.context.logger });
  };

  it('one that lacks some of the write-ahead log, even if its manifest does not know of it', async () => {
    const { files } = await readManifest(folder);
    const rest = files.filter(({ path }) => !path.startsWith('postgres/pg_wal/'));
    await refused('notWhole', 'the write-ahead log is missing', ask(at('never'), { files: rest }));
    const later = { start: '0/1', stop: 'FF/10000000' };
    await refused('notWhole', 'the write-ahead log 0000', ask(at('never'), { wal: later }));
  });

  it('one of another PostgreSQL; into a folder that is taken, or where a server runs', async () => {
    await refused('otherVersion', 'The backup is of PostgreSQL 17', ask(at('never'), { postgres: 170_004 }));
    await refused('serverRuns', 'A server runs on', ask(test.context.config.dataDir));
    await refused('notEmpty', 'is not empty', ask(dir));
    await ask(at('never'));
  });
});

describe('of another database', () => {
  let other: TestDatabase;
  beforeAll(async () => {
    other = await cloneTemplate(new URL(test.database.adminUrl).href);
  });
  afterAll(() => other.drop());

  /** What the tables of a database come to. */
  const exported = (url: string, name: string) =>
    writeFolder(at(name), new AbortController().signal, async (draft) => {
      const facts = await exportDatabase(url, draft);
      await writeManifest(draft, { format: 1, kind: 'export', keptApart: [], ...facts });
      // The check of the books at the end leaves its own row.
      const same = ({ name: table }: { name: string }) => !/ledger_checks/.test(table);
      return { tables: facts.tables?.filter(same), sequences: facts.sequences?.filter(same) };
    });

  it('everything is moved there, row by row, and only into an empty one', async () => {
    const owner = String(test.context.owner.options.connectionString);
    const before = await exported(owner, 'moving');
    const moved = await run('import', [at('moving')], { DATABASE_URL: other.url, DATA_DIR: at('elsewhere') });
    expect(moved).toEqual({ code: 0, said: expect.stringContaining('The books agree.') });
    expect(moved.said).toContain('The public log is not signed until log/checkpoint is there');
    expect(await exported(other.url, 'moved')).toEqual(before);
    await expect(refuseUsed(test.context.owner)).rejects.toMatchObject({ exitCode: exitCodes.notEmpty });
  });

  it('pg_dump is named where it is missing or too old', async () => {
    const programs = at('programs');
    mkdirSync(programs);
    vi.stubEnv('PATH', programs);
    const dump = () =>
      writeFolder(at('dump'), new AbortController().signal, (draft) => dumpDatabase(other.url, draft));
    await expect(dump()).rejects.toThrow(/pg_dump of PostgreSQL \d+ or newer.*not found/);
    writeFileSync(join(programs, 'pg_dump'), '#!/bin/sh\necho "pg_dump (PostgreSQL) 9.6.2"\n', {
      mode: 0o755,
    });
    await expect(dump()).rejects.toThrow(/the one in PATH is 9:/);
    vi.unstubAllEnvs();
    expect(existsSync(at('dump'))).toBe(false);
  });
});

describe('a move to servers and a database apart', () => {
  let other: TestDatabase;
  const patience = { timeout: 60_000 };
  beforeAll(async () => {
    other = await cloneTemplate(test.database.adminUrl);
  });
  afterAll(() => other.drop());

  it('goes on there with every cent, whoever was known, and the log', async ({ onTestFinished }) => {
    const { dataDir, siteUrl } = test.context.config;
    const signed = join(dataDir, 'log', 'checkpoint');
    await expect.poll(() => existsSync(signed)).toBe(true);
    // As the runbook has it: stopped, exported, imported, what is in DATA_DIR taken along.
    await test.jobs.stop();
    const { available: had, head } = await call(test, summary, { as: await signIn(test, person) });
    expect((await run('export', [at('leaving')])).code).toBe(0);
    const env = { DATABASE_URL: other.url, DATA_DIR: at('arrived') };
    expect((await run('import', [at('leaving')], env)).code).toBe(0);
    copyFileSync(signed, at('arrived/log/checkpoint'));

    const home = await makeProcessHome();
    onTestFinished(home.close);
    const files = { SECRET_FILE: join(dataDir, 'secret'), LOG_KEY_FILE: join(dataDir, 'log', 'key') };
    const both = { ...env, ...files, MODE: 'demo', SITE_URL: siteUrl, SMTP_URL: '' };
    const worker = await home.start({ ...both, ROLE: 'worker' }, commandOfThis);
    const web = await home.start({ ...both, ROLE: 'web', DATA_DIR: at('web') }, commandOfThis);
    for (const server of [worker, web]) await expect.poll(server.said, patience).toMatch(/^ready$/m);

    const ask = async <C extends Call>(asked: C, token = '', body?: object): Promise<CallAnswer<C>> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await fetch(`${web.url}${asked.path}`, {
        headers,
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      expect(answer.status, asked.path).toBe(200);
      return (await answer.json()) as CallAnswer<C>;
    };
    const { email, password, userid } = person;
    const { token } = await ask(signin, '', { email, password, isAdmin: false });
    expect(await ask(summary, token)).toMatchObject({ available: had, head });
    const [plan] = (await ask(fetchallinvestmentmethod)).data;
    if (!plan) throw new Error('there is no plan');
    const investing = { userid, planid: plan._id, investinvestmemntamount: plan.from };
    await ask(makeinvestment, token, investing);
    expect((await ask(summary, token)).available).toBe(had - plan.from);
    const stopped = async () => (await ask(proof.state)).stopped;
    await expect.poll(stopped, patience).toBe(null);
    expect((await run('ledger-check', [], env)).said).toContain('The books agree.');
  });
});
