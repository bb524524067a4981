import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { findRunningPostgres } from '../../server/platform/embedded-postgres/embedded-postgres.ts';
import { freePort } from '../../server/platform/embedded-postgres/process.ts';
import { errorsIn, takeErrorsOf } from './server-log.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readyMsMax = 150_000;

/** The server as `npm start` runs it (`server-process.ts`), with its own port, database and mail. */
export interface TallystickServer {
  url: string;
  /** Ends it as an operator would, until it begins again on the same data. */
  end(): Promise<void>;
  begin(): Promise<void>;
  /** Makes the codes of an account a minute older: a browser's clock can be moved, the server's cannot. */
  letMinutePass(email: string): Promise<void>;
  /** Makes the running investments of an account as old as their term, and lets the server see what is due. */
  letTermPass(email: string): Promise<void>;
  /** Makes the running investments of an account so many days older. */
  letDaysPass(email: string, days: number): Promise<void>;
  /** Puts a name into an account that no form takes any more; older accounts may have one. */
  storeName(email: string, fullname: string): Promise<void>;
  /** What the owner of the database could do: the first entry of a wallet gets another text, and nothing else is changed. */
  rewriteFirstEntry(email: string, label: string): Promise<void>;
  /** Puts a passkey on an account that nobody has any more. */
  storeLostPasskey(email: string): Promise<void>;
  /** Makes the removal of an account's factors as old as it has to be, and lets the server see that it is due. */
  letRemovalPass(email: string): Promise<void>;
  /** With the command that whoever runs the site uses. */
  createOperator(operator: { email: string; name: string; password: string }): Promise<void>;
  /** What it has logged as an error since this was last asked. */
  takeErrors(): string[];
  stop(): Promise<void>;
}

const lostPasskey = `
  insert into passkeys (user_id, credential_id, public_key, counter, transports, backed_up, name, created_at)
  select id, 'lost-' || id, '', 0, '{}', false, 'A lost telephone', now() from users where email = $1`;
const removalOlder = `
  update factor_removals set due_at = due_at - interval '7 days'
  where user_id = (select id from users where email = $1) and ended_at is null`;

/** A first start lives through eight sample months; servers begin with a copy of what it left, in `E2E_DATA`. */
export async function prepareData(): Promise<string | null> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-e2e-'));
  const log = join(dataDir, 'server.log');
  try {
    const child = await launchServer({ port: await freePort(), dataDir, log });
    const running = await findRunningPostgres({ dataDir });
    await endServer(child, log);
    const errors = errorsIn(log);
    if (errors.length > 0) throw new Error(`The sample months went wrong:\n${errors.join('\n')}`);
    await rm(log);
    if (running?.dataDir === dataDir) return dataDir;
    // Its user could not reach the folder, so the database is elsewhere: each server then makes its own.
    await forget(running?.dataDir ?? dataDir, dataDir);
    return null;
  } catch (error) {
    await forget(dataDir);
    throw error;
  }
}

async function forget(...folders: string[]): Promise<void> {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
}

const olderBy = (days: number | 'duration_days') =>
  `update investments set opened_at = opened_at - ${days} * interval '24 hours',
     matures_at = matures_at - ${days} * interval '24 hours'
   where settled_at is null and user_id = (select id from users where email = $1)`;

/** A choice for the end of an investment keeps the time of that end, which never changes outside of tests. */
const choicesAsOld = `with of as (select id from users where email = $1), moved as (
    update maturity_choices c set matures_at = i.matures_at from investments i
    where i.id = c.investment_id and c.outcome is null and c.user_id = (select id from of))
  select from of`;

async function makeOlder(dataDir: string, email: string, days: number | 'duration_days'): Promise<void> {
  await changeAsOwner(dataDir, olderBy(days), [email]);
  await changeAsOwner(dataDir, choicesAsOld, [email], noTriggers);
}

/** With further settings where a test is about them. */
export async function startServer(settings: Record<string, string> = {}): Promise<TallystickServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-e2e-'));
  const prepared = process.env.E2E_DATA;
  // Not by Node's own means: they would not keep the files in the hands of the database's user.
  if (prepared) await promisify(execFile)('cp', ['-a', `${prepared}/.`, dataDir]);
  const log = join(dataDir, 'server.log');
  const launch = (port: number) => launchServer({ port, dataDir, log, settings });
  let port = await freePort();
  const takeErrors = takeErrorsOf(log);
  let child = await launch(port)
    .catch(async (error) => {
      // Somebody else has taken it since it was free.
      if (!String(error).includes('The port is in use')) throw error;
      port = await freePort();
      return launch(port);
    })
    .catch(async (error) => {
      await forget(dataDir);
      throw error;
    });

  return {
    url: `http://127.0.0.1:${port}`,
    end: () => endServer(child, log),
    async begin() {
      child = await launch(port);
    },
    async letMinutePass(email) {
      await changeAsOwner(
        dataDir,
        `update codes set issued_at = issued_at - interval '1 minute'
         where user_id = (select id from users where email = $1)`,
        [email],
      );
    },
    async letTermPass(email) {
      await makeOlder(dataDir, email, 'duration_days');
      await changeAsOwner(dataDir, `update clock_work set last_run_at = null where name = 'settle-due'`);
    },
    letDaysPass: (email, days) => makeOlder(dataDir, email, days),
    async storeName(email, fullname) {
      await changeAsOwner(dataDir, 'update users set fullname = $2 where email = $1', [email, fullname]);
    },
    storeLostPasskey: (email) => changeAsOwner(dataDir, lostPasskey, [email]),
    async letRemovalPass(email) {
      await changeAsOwner(dataDir, removalOlder, [email]);
      await changeAsOwner(dataDir, `update clock_work set last_run_at = null where name = 'remove-factors'`);
    },
    rewriteFirstEntry: (email, label) => changeAsOwner(dataDir, firstEntry, [email, label], noTriggers),
    async createOperator({ email, name, password }) {
      const command = ['server/commands/operator.ts', 'create', '--email', email, '--name', name];
      const env = { ...process.env, NODE_OPTIONS: '', DATABASE_URL: '', MODE: 'demo', DATA_DIR: dataDir };
      await promisify(execFile)(process.execPath, command, {
        cwd: root,
        env: { ...env, OPERATOR_PASSWORD: password },
      });
    },
    takeErrors,
    async stop() {
      const running = await findRunningPostgres({ dataDir });
      await endServer(child, log);
      const last = takeErrors();
      await forget(running?.dataDir ?? dataDir, dataDir);
      // No test is left to hear of them.
      if (last.length > 0) throw new Error(`the server logged errors at its end:\n${last.join('\n')}`);
    },
  };
}

interface Launch {
  port: number;
  dataDir: string;
  log: string;
  settings?: Record<string, string>;
}

async function launchServer({ port, dataDir, log, settings }: Launch): Promise<ChildProcess> {
  // A file and no pipe: the server must be able to end in order when the tests are gone already.
  const output = openSync(log, 'a');
  const child = spawn(process.execPath, ['e2e/servers/server-process.ts'], {
    cwd: root,
    env: {
      ...process.env,
      // Empty means not set: nothing of the machine's own settings, the server brings its database and its mail.
      NODE_OPTIONS: '',
      DATABASE_URL: '',
      DATABASE_APP_URL: '',
      DATABASE_READ_URL: '',
      SMTP_URL: '',
      SITE_URL: '',
      HOST: '',
      SECRET_FILE: '',
      MODE: 'demo',
      PORT: String(port),
      DATA_DIR: dataDir,
      // Each test then says in a header which address it comes from.
      TRUST_PROXY: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', output, output],
    // Out of the terminal's group: Ctrl-C is for the tests, and they then stop the server.
    detached: true,
  });
  closeSync(output);
  const endWithTests = () => void child.kill('SIGTERM');
  process.once('exit', endWithTests);
  child.once('exit', () => process.off('exit', endWithTests));
  const giveUpAt = performance.now() + readyMsMax;
  while (!(await isReady(port))) {
    if (hasEnded(child) || performance.now() > giveUpAt) {
      await end(child);
      throw new Error(`The server did not get ready:\n${readFileSync(log, 'utf8')}`);
    }
    await delay(50);
  }
  return child;
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  );
}

async function endServer(child: ChildProcess, log: string): Promise<void> {
  await end(child);
  if (child.exitCode !== 0) throw new Error(`The server did not end well:\n${readFileSync(log, 'utf8')}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function connect(dataDir: string): Promise<pg.Client> {
  const running = await findRunningPostgres({ dataDir });
  if (!running) throw new Error('the database is not running');
  const url = new URL(running.adminUrl);
  url.pathname = '/tallystick';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return client;
}

const noTriggers = 'set session_replication_role = replica';
const firstEntry = `update ledger_entries set label = $2 where seq = 1 and account_id = (select a.id from ledger_accounts a
  join users u on u.id = a.owner_id where a.kind = 'wallet' and u.email = $1)`;

/** Time is moved in the database, behind the server's back; a change that meets nothing is a mistake of the test. */
async function changeAsOwner(
  dataDir: string,
  statement: string,
  values: string[] = [],
  before?: string,
): Promise<void> {
  const database = await connect(dataDir);
  try {
    if (before) await database.query(before);
    const { rowCount } = await database.query(statement, values);
    if (!rowCount) throw new Error(`nothing to change for ${values.join(', ')}`);
  } finally {
    await database.end();
  }
}
