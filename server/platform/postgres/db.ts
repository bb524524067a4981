import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Logger } from '../logger.ts';
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

/** Rather a clear refusal after a while than a request that hangs. */
const connectionTimeoutMillis = 10_000;
const tryingMsMax = 5_000;
const statementMsMax = 30_000;
/** Beyond the database's own limit, for one that hangs itself or cannot be heard any more. */
const unheardMsMax = 5_000;

/** Whether an address opens: null, or why it does not. */
export async function tryConnecting(databaseUrl: string): Promise<DatabaseError | null> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: tryingMsMax });
  client.on('error', () => {});
  try {
    await client.connect();
    return null;
  } catch (error) {
    return error as DatabaseError;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Owns the tables: migrations and the job queue. */
export function openOwner(databaseUrl: string, logger: Logger): pg.Pool {
  const owner = new pg.Pool({
    connectionString: databaseUrl,
    // Four workers, one that listens, one on the roll and some to spare.
    max: 8,
    connectionTimeoutMillis,
    query_timeout: 2 * statementMsMax,
    keepAlive: true,
  });
  return heard(owner, logger);
}

/** Everything else. The server hands in a login that owns nothing; only a command acts as whoever runs it. */
export function openApp(databaseUrl: string, logger: Logger): Db {
  const app = new pg.Pool({
    connectionString: databaseUrl,
    max: 20,
    connectionTimeoutMillis,
    query_timeout: statementMsMax + unheardMsMax,
    keepAlive: true,
    options: `-c statement_timeout=${statementMsMax}`,
    types: bigintTypes,
  });
  return dbOn(heard(app, logger));
}

const pools = new WeakMap<Db, pg.Pool>();

function dbOn(pool: pg.Pool): Db {
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  pools.set(db, pool);
  return db;
}

/**
 * A statement that is written once and, outside a transaction, parsed once by each connection: for the few that nearly
 * every request makes, where building and planning it anew would cost more than its rows.
 */
export function prepared<Row extends object>(name: string, text: string, { msMax }: { msMax?: number } = {}) {
  return async (on: Db | Tx, values: unknown[]): Promise<Row[]> => {
    const pool = pools.get(on);
    if (!pool) return (await on.executeQuery<Row>(CompiledQuery.raw(text, values))).rows;
    const query = { name, text, values, query_timeout: msMax };
    return (await pool.query<Row>(query)).rows;
  };
}

/** A connection that breaks is replaced by the pool; unheard, its error would end the process. */
function heard(pool: pg.Pool, logger: Logger): pg.Pool {
  // Not the error itself: the whole connection, with the key that cancels its statements, hangs on it.
  const tell = ({ message, code }: DatabaseError) =>
    logger.warn({ code, reason: message }, 'database connection lost');
  return pool.on('error', tell).on('connect', (client) => client.on('error', tell));
}

/**
 * Queries as the owner of the tables, for the few commands that may do what the server must not. The pool stays its
 * opener's to close.
 */
export function ownersDb(owner: pg.Pool): Db {
  return dbOn(owner);
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

/**
 * Connections that were refused, reset or cut, a server that shuts down, crashes, recovers, is full or may only read:
 * the SQLSTATEs of classes 08, 53, 57P and 58, and what the network says.
 */
const awayCodes =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08...|53...|57P0.|58...|25006)$/;
const awayMessages =
  /Connection terminated|[Cc]onnection error|not queryable|timeout exceeded when trying to connect|timeout expired|not currently accepting connections|after calling end on the pool/;
/** Whatever the reason, the database ended the connection with these. */
const lastWords = ['FATAL', 'PANIC'];

/** A row that another holds too long, or a statement that took too long. */
const slowCodes = /^(55P03|57014)$/;

type DatabaseError = Error & { code?: string; severity?: string };

export function isDatabaseSlow(error: DatabaseError): boolean {
  return slowCodes.test(error.code ?? '') || error.message.includes('Query read timeout');
}

/** Whether an error says that the database cannot be used just now, and not that something is wrong with us. */
export function isDatabaseAway(error: DatabaseError): boolean {
  return (
    isDatabaseSlow(error) ||
    awayCodes.test(error.code ?? '') ||
    awayMessages.test(error.message) ||
    lastWords.includes(error.severity ?? '')
  );
}
