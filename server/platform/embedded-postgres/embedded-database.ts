import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../logger.ts';
import { isConnectionLost } from '../postgres/away.ts';
import { NotNow } from '../start-refusal.ts';
import { type EmbeddedPostgres, findRunningPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { effectiveDataDir } from './home.ts';

const owner = 'tallystick';
const database = 'tallystick';

interface EmbeddedDatabase {
  url: string;
  /** The superuser's, for what only that one may do. */
  adminUrl: string;
  /** Where the data really is; another folder than wanted when the database's user could not reach that one. */
  dataDir: string;
  stop(): Promise<void>;
}

/** The owner is no superuser: embedded or not, the server has the same rights. */
async function ensureOwnerAndDatabase(admin: pg.Client, password: string): Promise<void> {
  const role = await admin.query('select from pg_roles where rolname = $1', [owner]);
  if (role.rowCount === 0) {
    await admin.query(`create role ${owner} login createrole password ${admin.escapeLiteral(password)}`);
  }
  const found = await admin.query('select from pg_database where datname = $1', [database]);
  if (found.rowCount === 0) await admin.query(`create database ${database} owner ${owner}`);
}

const thereMsMax = 60_000;
const connectMsMax = 5_000;

/** It may crash at this very moment, as at any other: then it is back soon. */
async function prepareWhenThere(adminUrl: string): Promise<void> {
  for (const giveUpAt = performance.now() + thereMsMax; ; await delay(lookMs)) {
    const admin = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: connectMsMax });
    // Whatever waits for the connection is told as well; without this, nobody's error would end the process.
    admin.on('error', () => {});
    try {
      await admin.connect();
      return await ensureOwnerAndDatabase(admin, decodeURIComponent(new URL(adminUrl).password));
    } catch (error) {
      if (!isConnectionLost(error as Error) || performance.now() > giveUpAt) throw error;
    } finally {
      await admin.end().catch(() => {});
    }
  }
}

/** PostgreSQL from an npm package, with one role and one database in it, for one server at a time, which looks after it. */
export async function openEmbeddedDatabase(options: {
  dataDir: string;
  logger: Logger;
  stillMsMax?: number;
}): Promise<EmbeddedDatabase & { lost: Promise<Error> }> {
  const postgres = await startEmbeddedPostgres(options);
  if (postgres.sharedWithPid !== null) {
    throw new NotNow(
      `Tallystick is running on ${postgres.dataDir} already (process ${postgres.sharedWithPid}). Stop it first, or set DATA_DIR and PORT.`,
    );
  }
  const { adminUrl, dataDir } = postgres;
  const { lost, stop } = supervise(postgres, options.logger);
  try {
    await prepareWhenThere(adminUrl);
  } catch (error) {
    // Nobody has it yet who would stop it.
    await stop();
    throw error;
  }
  return { url: ownersUrl(adminUrl), adminUrl, dataDir, lost, stop };
}

/** The owner has the superuser's password: both are known to this folder alone. */
export function ownersUrl(adminUrl: string): string {
  const url = new URL(adminUrl);
  url.username = owner;
  url.pathname = `/${database}`;
  return url.href;
}

/**
 * The same database for a command: beside a running server it is left as it is, otherwise it runs until `stop`. A
 * command makes no database where there is none.
 */
export async function visitEmbeddedDatabase(options: {
  dataDir: string;
  logger: Logger;
}): Promise<EmbeddedDatabase> {
  const running = await findRunningPostgres(options);
  if (running) return { ...running, url: ownersUrl(running.adminUrl), stop: async () => {} };
  const dataDir = effectiveDataDir(resolve(options.dataDir));
  if (!existsSync(join(dataDir, 'postgres'))) {
    throw new Error(
      `There is no database in ${dataDir} yet. Set DATA_DIR or DATABASE_URL, or run npm start.`,
    );
  }
  const postgres = await startEmbeddedPostgres(options);
  return { ...postgres, url: ownersUrl(postgres.adminUrl) };
}

const lookMs = 250;
const retryMs = 1_000;
/** So many starts within so long a time are no accidents any more. */
const startsMax = 5;
const withinMs = 60_000;

type Supervised = Pick<EmbeddedPostgres, 'isRunning' | 'endIfStill' | 'startAgain' | 'stop'>;

/**
 * Nobody else looks after a database that came with the package: when it ends by itself it is started again at the same
 * address, so that connections heal, and when it stands still it is ended. One that keeps ending is given up, and `lost`
 * says so.
 */
function supervise(postgres: Supervised, logger: Logger): { lost: Promise<Error>; stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const starts: number[] = [];
  const pause = (ms: number) => delay(ms, undefined, { signal, ref: false }).catch(() => {});

  async function bringBack(): Promise<Error | null> {
    let why = 'it keeps ending';
    while (!signal.aborted && !postgres.isRunning()) {
      const now = performance.now();
      while (starts[0] !== undefined && now - starts[0] > withinMs) starts.shift();
      if (starts.length >= startsMax)
        return new Error(`The embedded PostgreSQL cannot be kept running: ${why}`);
      starts.push(now);
      logger.error(
        { alert: true, start: starts.length },
        'the embedded PostgreSQL has ended; starting it again',
      );
      try {
        await postgres.startAgain();
        logger.warn('the embedded PostgreSQL runs again');
      } catch (error) {
        why = (error as Error).message;
        logger.error({ err: error }, 'the embedded PostgreSQL did not start');
        await pause(retryMs);
      }
    }
    return null;
  }

  let watching: Promise<Error | null>;
  async function watch(): Promise<Error | null> {
    while (!signal.aborted) {
      await pause(lookMs);
      await postgres.endIfStill().catch((error) => logger.error({ alert: true, err: error }, error.message));
      const lost = await bringBack();
      if (lost) return lost;
    }
    return null;
  }

  const lost = new Promise<Error>((resolve) => {
    watching = watch();
    watching.then((error) => error && resolve(error));
  });
  return {
    lost,
    async stop() {
      stopping.abort();
      // A start that is under way is waited for, so that no database is left behind.
      await watching;
      await postgres.stop();
    },
  };
}
