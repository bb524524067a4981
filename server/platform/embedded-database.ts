import pg from 'pg';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import type { Logger } from './logger.ts';

const owner = 'tallystick';
const database = 'tallystick';
/** Held by the server that uses the database, for as long as it lives. */
const soleUserLock = 7_315_115;

export interface EmbeddedDatabase {
  url: string;
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

/**
 * PostgreSQL from an npm package, with one role and one database in it. A server that finds the database running
 * takes it over, if the server it belonged to is gone; the lock tells, because it ends with the connection.
 */
export async function openEmbeddedDatabase(options: {
  dataDir: string;
  logger: Logger;
}): Promise<EmbeddedDatabase> {
  const postgres = await startEmbeddedPostgres(options);
  const adminUrl = new URL(postgres.adminUrl);
  const holder = new pg.Client({ connectionString: postgres.adminUrl });
  holder.on('error', (error) => options.logger.warn({ err: error }, 'database connection lost'));
  await holder.connect();
  const { rows } = await holder.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [
    soleUserLock,
  ]);
  if (!rows[0]?.free) {
    await holder.end();
    throw new Error(
      `Another Tallystick is running on ${postgres.dataDir}. Stop it first, or set DATA_DIR and PORT.`,
    );
  }
  await ensureOwnerAndDatabase(holder, decodeURIComponent(adminUrl.password));
  const url = new URL(adminUrl);
  url.username = owner;
  url.pathname = `/${database}`;
  return {
    url: url.href,
    dataDir: postgres.dataDir,
    async stop() {
      await holder.end();
      await postgres.stop();
    },
  };
}
