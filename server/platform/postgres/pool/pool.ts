import pg from 'pg';
import type { Logger } from '../../logger.ts';
import { StartRefusal } from '../../start-refusal.ts';
import type { DatabaseError } from '../away.ts';
import { Connection, leftBehind, mayOnlyReadCode, SharedConnection } from './connection.ts';

/** Rather a clear refusal after a while than a request that hangs. */
const connectionTimeoutMillis = 10_000;
/** A line that is cut without a word, and on which nothing is under way, is known to be dead 15 s later: ten tries, a second each. */
const keepAliveInitialDelayMillis = 5_000;
/** An answer may take longer. From then on it is asked whether whoever owes it is still the one to ask. */
const silentMsMax = 3_000;
const lookMs = 2_000;
const askMsMax = 3_000;

export interface Kind {
  /** False for a throw-away test database, which may be fast instead of safe. */
  durable?: boolean;
  /** A pooler stands between, which gives every transaction another connection of its own. */
  shared?: boolean;
}

interface PoolNeeds extends Kind {
  config: pg.PoolConfig & { connectionString: string; pipeline?: boolean };
  logger: Logger;
}

/**
 * Connections to the one node that takes writes, wherever it is by now. One to a standby is not used, and one to a node
 * that the address does not lead to any more is given up, also while it owes an answer: a node that hangs never says
 * goodbye, and the operating system would wait for it for a quarter of an hour.
 */
export function openPool({ config, logger, durable = true, shared = false }: PoolNeeds): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    connectionTimeoutMillis,
    keepAlive: true,
    keepAliveInitialDelayMillis,
    Client: (shared ? SharedConnection : Connection) as new () => pg.ClientBase,
    ...(!shared && { onConnect: (client) => greet(client as Connection, durable) }),
  });
  pool.on('release', (_error, client) => void ((client as unknown as Connection).isStandby && client.end()));
  if (!shared) watch(pool, config.connectionString);
  return heard(pool, logger);
}

/** A connection that breaks is replaced by the pool; unheard, its error would end the process. */
export function heard(pool: pg.Pool, logger: Logger): pg.Pool {
  // Not the error itself: the whole connection, with the key that cancels its statements, hangs on it.
  const tell = ({ message, code }: DatabaseError) =>
    logger.warn({ code, reason: message }, 'database connection lost');
  return pool.on('error', tell).on('connect', (client) => client.on('error', tell));
}

interface Greeting {
  run: string;
  isStandby: boolean;
  pid: number;
}
/**
 * When a node began to run tells it from every other. Whatever a login was given, its commits are waited for, and where
 * that wait was cut short the notice of it is sent.
 */
const greeting = `
  select extract(epoch from pg_postmaster_start_time())::text as run, pg_is_in_recovery() as "isStandby", pg_backend_pid() as pid,
    case when $1 and current_setting('synchronous_commit') in ('off', 'local')
      then set_config('synchronous_commit', 'on', false) end,
    case current_setting('client_min_messages') when 'error'
      then set_config('client_min_messages', 'warning', false) end`;

async function ask(client: pg.Client, durable: boolean): Promise<Greeting> {
  const query = { text: greeting, values: [durable], answerMsMax: askMsMax };
  const { rows } = await client.query<Greeting>(query);
  if (!rows[0]) throw new Error('PostgreSQL does not say who it is.');
  return rows[0];
}

/** What a pooler calls a connection is its own invention. */
const isOthers = (client: pg.Client, { pid }: Greeting) =>
  (client as unknown as { processID: number }).processID !== pid;

async function greet(client: Connection, durable: boolean): Promise<void> {
  const answer = await ask(client, durable);
  if (answer.isStandby)
    throw Object.assign(new Error('a standby answers, which takes no writes'), { code: mayOnlyReadCode });
  if (isOthers(client, answer)) {
    const refusal =
      'A pooler, such as PgBouncer, stands before the database. The job queue and the migrations hold locks and listen for as long as a connection lasts: name PostgreSQL itself in DATABASE_URL, and the pooler in DATABASE_APP_URL.';
    throw Object.assign(new StartRefusal(refusal), { code: '08P01' });
  }
  client.run = answer.run;
}

/** A connection of its own, which is closed again. */
async function askAnew(connectionString: string) {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: askMsMax,
    query_timeout: askMsMax,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const answer = await ask(client, false);
    return { ...answer, isOthers: isOthers(client, answer) };
  } finally {
    void client.end().catch(() => {});
  }
}

/** However many pools want to know. */
function askOnce(connectionString: string) {
  const asked = asking.get(connectionString) ?? askAnew(connectionString);
  asking.set(connectionString, asked);
  return asked.finally(() => asking.delete(connectionString));
}
const asking = new Map<string, ReturnType<typeof askAnew>>();

/** Whether somebody stands between us and PostgreSQL who shares its connections among many. */
export const isBehindPooler = async (databaseUrl: string) => (await askAnew(databaseUrl)).isOthers;

function watch(pool: pg.Pool, connectionString: string): void {
  const open = new Set<Connection>();
  const giveUpOthers = (run: string | null) => {
    for (const each of open) if (each.run !== run) each.giveUp(leftBehind());
  };
  pool.on('connect', (client) => {
    const fresh = client as unknown as Connection;
    open.add(fresh);
    // The last to be let in knows best where the database is.
    giveUpOthers(fresh.run);
  });
  pool.on('remove', (client) => open.delete(client as unknown as Connection));

  let isAsking = false;
  async function look(): Promise<void> {
    if (pool.ended) clearInterval(timer);
    if (isAsking || ![...open].some((each) => each.silentMs() > silentMsMax)) return;
    isAsking = true;
    try {
      const { run, isStandby } = await askOnce(connectionString);
      if (!isStandby) giveUpOthers(run);
    } catch {
      // Nobody is there to ask, and the next look asks again.
    } finally {
      isAsking = false;
    }
  }
  const timer = setInterval(look, lookMs).unref();
}
