import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { openEmbeddedDatabase } from '../../server/platform/embedded-postgres/embedded-database.ts';
import { openOwner } from '../../server/platform/postgres/db.ts';
import { migrate } from '../../server/platform/postgres/migrate.ts';

/** A database of the bench's own, seen by those who prepare and measure it. */
export interface Database {
  /** The owner's. */
  url: string;
  owner: pg.Client;
}

/** The embedded PostgreSQL as the product starts it: what is acknowledged is on the disk. */
export interface Cluster {
  dir: string;
  version: string;
  postmasterPid: number;
  database: Database;
  /** As the superuser. */
  admin: pg.Client;
  /** Another database in the same cluster, empty. */
  createDatabase(name: string): Promise<Database>;
  /** One that has the product's tables. */
  createMigrated(name: string): Promise<Database>;
  /** All that was ever written to the log that comes before the data. */
  walBytes(): Promise<number>;
  close(): Promise<void>;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

const superusersUrl = (ownersUrl: string) => Object.assign(new URL(ownersUrl), { username: 'postgres' }).href;
/** What belongs to no database stays out of the product's own. */
const adminsUrl = (ownersUrl: string) =>
  Object.assign(new URL(superusersUrl(ownersUrl)), { pathname: 'postgres' }).href;

/** Counting statements costs a little, so it happens only where it is asked for; it needs a start of its own. */
async function countStatements(dir: string): Promise<void> {
  const postgres = await openEmbeddedDatabase({ dataDir: dir, logger });
  const admin = await connect(adminsUrl(postgres.url));
  await admin.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`);
  await admin.query('create extension pg_stat_statements');
  await admin.end();
  await postgres.stop();
}

const logger = pino({ level: 'silent' });

export async function openCluster({ countsStatements }: { countsStatements: boolean }): Promise<Cluster> {
  const dir = await mkdtemp(join(tmpdir(), 'tallystick-bench-'));
  if (countsStatements) await countStatements(dir);
  const postgres = await openEmbeddedDatabase({ dataDir: dir, logger });
  const clients: pg.Client[] = [];
  const open = async (url: string): Promise<Database> => {
    const owner = await connect(url);
    clients.push(owner);
    return { url, owner };
  };
  const admin = await connect(adminsUrl(postgres.url));
  clients.push(admin);
  const { username } = new URL(postgres.url);
  const urlOf = (name: string) => Object.assign(new URL(postgres.url), { pathname: name }).href;
  const create = async (name: string, template: string): Promise<Database> => {
    const [made, owner, like] = [name, username, template].map((each) => admin.escapeIdentifier(each));
    await admin.query(`create database ${made} owner ${owner} template ${like}`);
    return open(urlOf(name));
  };
  /** Made once for all that are like it; nobody stays connected to it. */
  const makeTemplate = async () => {
    await admin.query(`create database migrated owner ${admin.escapeIdentifier(username)}`);
    const owner = openOwner(urlOf('migrated'), logger);
    await migrate(owner);
    await owner.end();
  };
  let template: Promise<void> | undefined;
  const { rows } = await admin.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  );
  const pidFile = readFileSync(join(postgres.dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  const postmasterPid = Number(pidFile.split('\n')[0]);
  return {
    dir,
    version: rows[0]?.version ?? '',
    postmasterPid,
    database: await open(postgres.url),
    admin,
    createDatabase: (name) => create(name, 'template1'),
    async createMigrated(name) {
      template ??= makeTemplate();
      await template;
      return create(name, 'migrated');
    },
    async walBytes() {
      const { rows: log } = await admin.query<{ bytes: string }>(
        `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`,
      );
      return Number(log[0]?.bytes);
    },
    async close() {
      for (const client of clients) await client.end();
      const stopped = postgres.stop();
      // At once: what it would still write to the disk is deleted next.
      endAtOnce(postmasterPid);
      await stopped;
      for (const folder of new Set([dir, postgres.dataDir]))
        await rm(folder, { recursive: true, force: true });
    },
  };
}

function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGQUIT');
  } catch {
    // It has ended, and another was started in its place, which is stopped in order.
  }
}

/** What writes an investment's rows without the server, once the investors are there. */
export async function addSameRows({ owner }: Database): Promise<void> {
  await owner.query(await readFile(new URL('same-rows.sql', import.meta.url), 'utf8'));
}

interface Filling {
  /** The first and the last investor, by their numbers from 1 on. */
  first: number;
  last: number;
  /** How many investments each of them makes. */
  times: number;
  planId: string;
  amountCents: number;
}

const filledAtOnce = 25_000;
const fillers = 2;

/** Investments that were made long ago. The checks of single rows rest meanwhile: what is written is true without. */
export async function fill({ url }: Database, filling: Filling): Promise<void> {
  const { first, last, times, planId, amountCents } = filling;
  const each = Math.max(1, Math.floor(filledAtOnce / times));
  const parts = Array.from({ length: Math.ceil((last - first + 1) / each) }, (_, n) => first + n * each);
  const work = async () => {
    const client = await connect(superusersUrl(url));
    await client.query(`set session_replication_role = replica; set work_mem = '64MB'`);
    for (let from = parts.shift(); from !== undefined; from = parts.shift()) {
      const values = [from, Math.min(from + each - 1, last), times, planId, amountCents];
      await client.query('select bench.fill($1, $2, $3, $4, $5)', values);
    }
    await client.end();
  };
  await Promise.all(Array.from({ length: fillers }, work));
}
