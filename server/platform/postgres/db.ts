import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Logger } from '../logger.ts';
import { type Kind, openPool } from './pool/pool.ts';
import type { DB as Schema } from './schema.ts';
import { createPlaces, type Places } from './transactions/places.ts';
import { againIfUndone } from './undone.ts';
import { nameStatement, type Statement } from './wire/together.ts';

export type { Statement } from './wire/together.ts';

export type Db = Kysely<Schema>;
export type Tx = Transaction<Schema>;
/**
 * For what only reads, and may read what is a moment old: a replica, or any of the two above. What writes, and what
 * begins a transaction, asks for one of those and cannot be given this by mistake.
 */
export type ReadDb = Pick<Db, 'selectFrom' | 'executeQuery' | 'getExecutor'>;

/** Amounts are bigint columns and must never pass through a float. Only in our own pool: the job queue expects text. */
export const bigintTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 && format !== 'binary'
      ? BigInt
      : pg.types.getTypeParser(oid, format as 'text'),
};

export const statementMsMax = 30_000;
/** A server that stands still, or cannot be heard any more, holds its locks and everyone's letters no longer than this. */
export const silentMsMax = 60_000;
/** How long money waits for a row that another holds. */
export const lockMsMax = 3_000;
/** Beyond the database's own limit, for one that hangs itself or cannot be heard any more. */
const unheardMsMax = 5_000;

/** Owns the tables: migrations and the job queue. */
export function openOwner(databaseUrl: string, logger: Logger, kind: Kind = {}): pg.Pool {
  const config = {
    connectionString: databaseUrl,
    // Four workers, one that listens, one on the roll and some to spare.
    max: 8,
    query_timeout: 2 * statementMsMax,
  };
  return openPool({ config, logger, ...kind });
}

interface AppNeeds extends Kind {
  /** Told how long the writing of each movement of money took, until it was acknowledged. */
  onCommit?(seconds: number): void;
}

/** Everything else. The server hands in a login that owns nothing; only a command acts as whoever runs it. */
export function openApp(
  databaseUrl: string,
  logger: Logger,
  { onCommit = () => {}, durable = true, shared = false }: AppNeeds = {},
): Db {
  const open = (max: number, settings: Settings) => {
    const config = {
      connectionString: databaseUrl,
      max,
      query_timeout: statementMsMax + unheardMsMax,
      types: bigintTypes,
      // Statements that wait for nothing but the network travel together.
      pipeline: true,
      // A pooler lets nobody say them: there they are the login's, or come with each transaction.
      ...(!shared && { options: asOptions({ ...limits, ...settings }) }),
    };
    return openPool({ config, logger, durable, shared });
  };
  const app = open(12, {});
  const money = open(8, moneySettings);
  const db = dbOn({
    connect: () => app.connect(),
    end: async () => void (await Promise.all([app.end(), money.end()])),
    options: app.options,
  });
  pools.set(db, app);
  const begin = shared ? beginShared(durable) : beginMoney;
  moneyPools.set(db, { pool: money, places: createPlaces(money), onCommit, begin, shared, durable });
  return db;
}

/** Where the connections of each come from. */
export const pools = new WeakMap<Db, pg.Pool>();
const moneyPools = new WeakMap<Db, MoneyPool>();
export const isDurable = (db: Db) => moneyPools.get(db)?.durable ?? false;
export const poolsOf = (db: Db) => ({ app: pools.get(db), money: moneyPools.get(db)?.pool });

const dbOn = (pool: Pick<pg.Pool, 'connect' | 'end' | 'options'>): Db =>
  new Kysely<Schema>({ dialect: new PostgresDialect({ pool: pool as pg.Pool }) });

/**
 * Queries as the owner of the tables, for the few commands that may do what the server must not. The pool stays its
 * opener's to close.
 */
export function ownersDb(owner: pg.Pool): Db {
  const db = dbOn(owner);
  pools.set(db, owner);
  return db;
}

export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return againIfUndone(() => db.transaction().execute(work));
}

type Settings = Record<string, string | number>;
const asOptions = (settings: Settings) =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
const limits: Settings = {
  statement_timeout: statementMsMax,
  idle_in_transaction_session_timeout: silentMsMax,
};
/**
 * Of the connections that money is moved on. Statements are planned once and their tables grow: each finds its rows by an
 * index, whatever the statistics say, which lag behind. And where a transaction could not begin, nothing of it is written
 * that was sent behind its beginning.
 */
const inMoney: Settings = { lock_timeout: lockMsMax, enable_seqscan: 'off' };
const moneySettings: Settings = { ...inMoney, default_transaction_read_only: 'on' };
const beginMoney = 'begin read write';

/** By way of a pooler all of it is said anew; nothing is sent before it has been heard that the transaction has begun. */
const beginShared = (durable: boolean) =>
  [
    beginMoney,
    ...Object.entries({ ...limits, ...inMoney }).map(([name, value]) => `set local ${name} = ${value}`),
    hearWarnings,
    ...(durable ? [waitForStandbys] : []),
  ].join('; ');
/** One of them says that a commit was not waited for. */
const hearWarnings = 'set local client_min_messages = warning';
const waitForStandbys = `select set_config('synchronous_commit', 'on', true)
  where current_setting('synchronous_commit') in ('off', 'local')`;

interface MoneyPool {
  pool: pg.Pool;
  /** Where its transactions are. */
  places: Places;
  onCommit(seconds: number): void;
  begin: string;
  shared: boolean;
  durable: boolean;
}

export function moneyPoolOf(db: Db): MoneyPool {
  const money = moneyPools.get(db);
  if (!money) throw new Error('a transaction of money cannot begin inside another');
  return money;
}

/** Takes statements for one connection, and no more once its transaction has ended. */
export interface Line {
  query: pg.PoolClient['query'];
  send(statements: readonly Statement[]): Promise<unknown>;
  release(): void;
}
const lines = new WeakMap<Tx, Line>();

/** Queries on one connection that do not wait for each other, which those of a library's transaction do. */
export function transactionOn(line: Line): Tx {
  const pool = { connect: async () => line, end: async () => {} } as unknown as pg.Pool;
  const tx = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }) as Tx;
  lines.set(tx, line);
  return tx;
}

interface How {
  msMax?: number;
  /** Read on a connection of money's own: neither waits for pages nor goes by a plan of theirs. */
  ofMoney?: boolean;
}

/**
 * A statement that is written once and parsed once by each connection: for those that nearly every request or every
 * movement makes, where building and planning it anew would cost more than its rows.
 */
export function prepared<Row extends object>(name: string, text: string, { msMax, ofMoney }: How = {}) {
  const planned = nameStatement(name, text);
  return async (on: ReadDb, values: unknown[]): Promise<Row[]> => {
    const way = lines.get(on as Tx) ?? (ofMoney ? moneyPools.get(on as Db)?.pool : pools.get(on as Db));
    const query = { name, text: planned, values, answerMsMax: msMax };
    if (way) return (await way.query<Row>(query)).rows;
    return (await on.executeQuery<Row>(CompiledQuery.raw(text, values))).rows;
  };
}

/** Sends statements together, in the transaction of `readThenWrite` or of `inLongTransaction`. */
export async function send(tx: Tx, statements: readonly Statement[]): Promise<void> {
  const line = lines.get(tx);
  if (!line) throw new Error('statements are not sent together here');
  await line.send(statements);
}
