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

export interface Pools {
  /** Owns the tables: migrations and the job queue. */
  owner: pg.Pool;
  /** Everything else, as a role that owns nothing. */
  db: Db;
  close(): Promise<void>;
}

/** Rather a clear refusal after a while than a request that hangs. */
const connectionTimeoutMillis = 5_000;
const statementMsMax = 30_000;

export function openPools(databaseUrl: string, logger: Logger): Pools {
  // Four workers, one that listens and one to spare.
  const owner = new pg.Pool({ connectionString: databaseUrl, max: 6, connectionTimeoutMillis });
  const app = new pg.Pool({
    connectionString: databaseUrl,
    max: 20,
    connectionTimeoutMillis,
    options: `-c role=tallystick_app -c statement_timeout=${statementMsMax}`,
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

export function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(work);
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
const awayCodes = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|08...|57P0[123]|53300|57014)$/;
const awayMessages =
  /Connection terminated|timeout exceeded when trying to connect|not currently accepting connections/;

/** Whether an error says that the database cannot be reached just now, and not that something is wrong with us. */
export function isDatabaseAway(error: Error & { code?: string }): boolean {
  return awayCodes.test(error.code ?? '') || awayMessages.test(error.message);
}

export async function answersQueries(db: Db): Promise<boolean> {
  try {
    await sql`select 1`.execute(db);
    return true;
  } catch {
    return false;
  }
}
