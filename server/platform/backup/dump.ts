import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { appLoginOf, appRole } from '../postgres/app-login.ts';
import { type Draft, hashFile, listFolder, syncFile } from './folder.ts';
import { type Manifest, readFacts } from './manifest.ts';
import { Refusal, Unfinished } from './refusal.ts';

const run = promisify(execFile);
const folderName = 'dump';
const saidMax = 16 * 1024 * 1024;

/** PostgreSQL's own programs read the password from the environment: arguments are seen by everyone on the machine. */
function forProgram(databaseUrl: string): { url: string; env: NodeJS.ProcessEnv } {
  const { PATH = '', HOME = '' } = process.env;
  const url = new URL(databaseUrl);
  const password = url.searchParams.get('password') ?? decodeURIComponent(url.password);
  url.password = '';
  url.searchParams.delete('password');
  // What the driver understands and they do not.
  url.searchParams.delete('uselibpqcompat');
  if (url.searchParams.get('sslmode') === 'no-verify') url.searchParams.set('sslmode', 'require');
  return { url: url.href, env: { PATH, HOME, LC_ALL: 'C', ...(password && { PGPASSWORD: password }) } };
}

async function runProgram(
  program: 'pg_dump' | 'pg_restore',
  databaseUrl: string,
  args: string[],
  signal: AbortSignal,
): Promise<void> {
  const { url, env } = forProgram(databaseUrl);
  try {
    await run(program, [...args, '--dbname', url], { env, signal, maxBuffer: saidMax });
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string };
    throw new Error(`${program} failed: ${stderr.trim().split('\n').slice(0, 5).join(' ') || message}`);
  }
}

/** One that is older than the server cannot read it, and says so only when everything has been prepared. */
async function demandProgram(program: 'pg_dump' | 'pg_restore', serverVersion: number): Promise<void> {
  const wanted = Math.floor(serverVersion / 10_000);
  const needed = `${program} of PostgreSQL ${wanted} or newer is needed for this database`;
  const install = `install PostgreSQL's client programs (on Debian postgresql-client-${wanted}) and see that it is in PATH`;
  const { stdout } = await run(program, ['--version'], { env: { PATH: process.env.PATH ?? '' } }).catch(
    () => {
      throw new Refusal(
        'failed',
        `${needed} and was not found: ${install}. npm run export needs no such program.`,
      );
    },
  );
  const found = Number(/(\d+)(\.\d+)*/.exec(stdout)?.[1]);
  if (found < wanted) {
    throw new Refusal(
      'failed',
      `${needed}, and the one in PATH is ${found}: ${install}. npm run export needs no such program.`,
    );
  }
}

type DumpFacts = Omit<Manifest, 'format' | 'kind' | 'keptApart'>;

/**
 * What pg_dump writes of one snapshot. For a database that is somebody's to look after the right form is the dump: it
 * needs no more than the owner's login, holds this database and not those beside it, and goes into a newer PostgreSQL, on
 * other hardware or at a provider. The files of the cluster need a superuser and the very same version, and with them
 * belongs what looks after the write-ahead log: that is pgBackRest's work (docs/operations.md).
 */
export async function dumpDatabase(databaseUrl: string, draft: Draft): Promise<DumpFacts> {
  const client = await connect(databaseUrl);
  try {
    // Before the snapshot is taken: what was committed by then is in it.
    const { rows: clock } = await client.query('select clock_timestamp() as at');
    // It is idle for as long as pg_dump works.
    await client.query('set idle_in_transaction_session_timeout = 0');
    await client.query('begin isolation level repeatable read read only');
    const { rows } = await client.query('select pg_export_snapshot() as snapshot');
    const { position, ...facts } = await readFacts(client);
    await demandProgram('pg_dump', facts.postgres);
    const dir = join(draft.dir, folderName);
    await mkdir(dir, { mode: 0o700 });
    const what = ['--extension', 'plpgsql', '--no-owner', '--no-comments', '--no-publications'];
    const how = [
      '--format',
      'directory',
      '--snapshot',
      rows[0].snapshot,
      '--no-subscriptions',
      '--file',
      dir,
    ];
    await runProgram('pg_dump', databaseUrl, [...what, ...how, '--no-security-labels'], draft.signal);
    const { files, folders } = await writtenBy(draft);
    const ended = await client.query('select clock_timestamp() as at');
    return {
      ...facts,
      files,
      folders,
      wal: { start: position, stop: position },
      asOf: clock[0].at.toISOString(),
      ended: ended.rows[0].at.toISOString(),
    };
  } finally {
    await client.end().catch(() => {});
  }
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, keepAlive: true });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Another program's files, made ours: nobody else reads them, and they are on the disk. */
async function writtenBy({ dir }: Draft): Promise<Pick<Manifest, 'files' | 'folders'>> {
  const { files, folders } = await listFolder(dir);
  const written = [];
  for (const path of files) {
    await syncFile(join(dir, path));
    written.push({ path, ...(await hashFile(join(dir, path))) });
  }
  return { files: written, folders };
}

const isTaken = `exists (select from pg_class join pg_namespace as schema on schema.oid = relnamespace
  where relkind in ('r', 'p', 'v', 'm', 'S') and nspname !~ '^pg_' and nspname <> 'information_schema')`;

export async function isEmpty(databaseUrl: string): Promise<boolean> {
  const client = await connect(databaseUrl);
  try {
    return !(await client.query(`select ${isTaken} as taken`)).rows[0].taken;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Before anything is touched. */
export async function refuseRestoringDump(databaseUrl: string, { postgres }: Manifest): Promise<void> {
  const client = await connect(databaseUrl);
  try {
    const { rows } = await client.query(
      `select current_setting('server_version_num')::int as version, datname as name, ${isTaken} as taken,
         (select min(pid) from pg_stat_activity where datname = current_database()
            and usename = $1 || database.oid) as pid
       from pg_database as database where datname = current_database()`,
      [appLoginOf('')],
    );
    const { version, name, pid, taken } = rows[0];
    if (pid) throw new Refusal('serverRuns', `A server works on the database ${name}: stop it first.`);
    if (taken) throw new Refusal('notEmpty', `The database ${name} is not empty: name a new one.`);
    await demandProgram('pg_restore', Math.max(version, postgres));
    if (version < Math.floor(postgres / 10_000) * 10_000) {
      throw new Refusal(
        'otherVersion',
        `The backup is of a newer PostgreSQL (${postgres}) than ${name} (${version}).`,
      );
    }
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * In one transaction: what fails leaves the database empty. The role that the grants are for belongs to no database, so
 * a dump does not make it: without it every grant would be passed over.
 */
export async function restoreDump(databaseUrl: string, folder: string, signal: AbortSignal): Promise<void> {
  const client = await connect(databaseUrl);
  try {
    await client.query(`do $$ begin create role ${appRole} nologin; exception
      when duplicate_object or unique_violation then null; end $$; grant ${appRole} to current_user`);
    const args = ['--format', 'directory', '--no-owner', '--exit-on-error', '--single-transaction'];
    await runProgram('pg_restore', databaseUrl, [...args, join(folder, folderName)], signal);
  } finally {
    await client.end().catch(() => {});
  }
}

/** What has just been restored can be used by the server, which may do no more than it should; the planner knows it. */
export async function demandRights(databaseUrl: string): Promise<void> {
  const client = await connect(databaseUrl);
  try {
    const { rows } = await client.query(
      'select object, right_to from app_rights_wanted except select object, right_to from app_rights',
    );
    if (rows.length > 0)
      throw new Unfinished(
        `All rows are there, but rights of ${appRole} are missing, on ${rows[0].object} for example.`,
      );
    const { rows: tooMuch } = await client.query(
      `select object as what from
         (select object, right_to from app_rights except select object, right_to from app_rights_wanted) as more
       union all select tgname::text from pg_trigger where not tgisinternal and tgenabled <> 'O'`,
    );
    if (tooMuch.length > 0)
      throw new Unfinished(
        `All rows are there, but what guards them is not: see the rights or the trigger of ${tooMuch[0].what}.`,
      );
    await client.query('analyze');
  } finally {
    await client.end().catch(() => {});
  }
}
