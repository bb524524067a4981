import pg from 'pg';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import type { Logger } from './logger.ts';

const owner = 'tallystick';
const database = 'tallystick';

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

/** PostgreSQL from an npm package, with one role and one database in it, for one server at a time. */
export async function openEmbeddedDatabase(options: {
  dataDir: string;
  logger: Logger;
}): Promise<EmbeddedDatabase> {
  const postgres = await startEmbeddedPostgres(options);
  if (postgres.sharedWithPid !== null) {
    throw new Error(
      `Tallystick is running on ${postgres.dataDir} already (process ${postgres.sharedWithPid}). Stop it first, or set DATA_DIR and PORT.`,
    );
  }
  const url = new URL(postgres.adminUrl);
  const admin = new pg.Client({ connectionString: postgres.adminUrl });
  await admin.connect();
  await ensureOwnerAndDatabase(admin, decodeURIComponent(url.password));
  await admin.end();
  url.username = owner;
  url.pathname = `/${database}`;
  return { url: url.href, dataDir: postgres.dataDir, stop: postgres.stop };
}
