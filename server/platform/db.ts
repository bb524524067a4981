import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Logger } from './logger.ts';
import type { DB as Schema } from './schema.ts';

export type Db = Kysely<Schema>;
export type Tx = Transaction<Schema>;

/** Amounts are bigint columns and must never pass through a float. Only in our own pool: the job queue expects text. */
const bigintTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 && format !== 'binary'
      ? BigInt
      : pg.types.getTypeParser(oid, format as 'text'),
};

const appRole = 'tallystick_app';

export interface Pools {
  /** Owns the tables: migrations and the job queue. */
  owner: pg.Pool;
  /** Everything else, as a role that owns nothing. */
  db: Db;
  close(): Promise<void>;
}

/** Rather a clear refusal after a while than a request that hangs. */
const connectionTimeoutMillis = 10_000;
const statementMsMax = 30_000;

export function openPools(databaseUrl: string, logger: Logger): Pools {
  // Four workers, one that listens and one to spare.
  const owner = new pg.Pool({ connectionString: databaseUrl, max: 6, connectionTimeoutMillis });
  const app = new pg.Pool({
    connectionString: databaseUrl,
    max: 20,
    connectionTimeoutMillis,
    // The database ends a statement that takes too long; should it hang itself, the client gives up.
    query_timeout: statementMsMax + 5_000,
    keepAlive: true,
    options: `-c role=${appRole} -c statement_timeout=${statementMsMax}`,
    types: bigintTypes,
  });
  // A connection that breaks is replaced by the pool; unheard, its error would end the process.
  const heard = (error: Error) => logger.warn({ err: error }, 'database connection lost');
  for (const pool of [owner, app])
    pool.on('error', heard).on('connect', (client) => client.on('error', heard));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: app }) });
  return {
    owner,
    db,
    async close() {
      await db.destroy();
      await owner.end();
    },
  };
}

/**
 * Queries as the owner of the tables, for the few commands that may do what the server must not. The pool stays its
 * opener's to close.
 */
export function ownersDb(owner: pg.Pool): Db {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: owner }) });
}

/** Deadlock and serialisation failure: the database has undone everything, so it can be done again. */
const undoneCodes = ['40P01', '40001'];

export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await db.transaction().execute(work);
  } catch (error) {
    if (!undoneCodes.includes((error as { code?: string }).code ?? '')) throw error;
    return db.transaction().execute(work);
  }
}

const oldestVersion = 150_000;
const durableSettings = ['fsync', 'full_page_writes', 'data_checksums'] as const;

/** A database that may lose what it acknowledged is no place for money: refuse to start on one. */
export async function refuseUnsafeDatabase(owner: pg.Pool): Promise<void> {
  const { rows } = await owner.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [['server_version_num', 'synchronous_commit', ...durableSettings]],
  );
  const settings = Object.fromEntries(rows.map((row) => [row.name, row.setting]));
  if (Number(settings.server_version_num) < oldestVersion) {
    throw new Error('PostgreSQL 15 or newer is needed.');
  }
  const off = durableSettings.filter((name) => settings[name] !== 'on');
  if (settings.synchronous_commit === 'off' || settings.synchronous_commit === 'local')
    off.push('synchronous_commit' as never);
  if (off.length > 0) throw new Error(`PostgreSQL would risk money: turn on ${off.join(', ')}.`);
}

/** Connection refused or reset, and the SQLSTATEs for connections that failed, shut down or are too many. */
const awayCodes = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|08...|57P0[123]|53300)$/;
const awayMessages =
  /Connection terminated|timeout exceeded when trying to connect|not currently accepting connections/;

/** A row that another holds too long, or a statement that took too long. */
const slowCodes = /^(55P03|57014)$/;

export function isDatabaseSlow(error: Error & { code?: string }): boolean {
  return slowCodes.test(error.code ?? '') || error.message.includes('Query read timeout');
}

/** Whether an error says that the database cannot be reached just now, and not that something is wrong with us. */
export function isDatabaseAway(error: Error & { code?: string }): boolean {
  return isDatabaseSlow(error) || awayCodes.test(error.code ?? '') || awayMessages.test(error.message);
}

const answerMsMax = 2_000;

export async function answersQueries(db: Db): Promise<boolean> {
  const answer = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
  return Promise.race([answer, delay(answerMsMax, false, { ref: false })]);
}

/** A pooler, or options in the address, may have dropped the role: then the server would act as the owner. */
export async function refuseOwnersRole(db: Db): Promise<void> {
  const { rows } = await sql<{ role: string }>`select current_user as role`.execute(db);
  if (rows[0]?.role === appRole) return;
  throw new Error(
    `The server must act as ${appRole} but is ${rows[0]?.role}: take "options" out of DATABASE_URL.`,
  );
}
