import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import { openOwner } from '../platform/postgres/db.ts';
import { migrate } from '../platform/postgres/migrate.ts';
import { templateDatabase, testOwner } from './database.ts';

interface ThrowAwayDatabase {
  adminUrl: string;
  /** The migrated database, as its owner. */
  url: string;
  stop(): Promise<void>;
}

/** A real PostgreSQL with a migrated database in it, which leaves nothing behind. */
export async function startThrowAwayDatabase(): Promise<ThrowAwayDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-test-'));
  const logger = pino({ level: 'silent' });
  const postgres = await startEmbeddedPostgres({ dataDir, logger, durable: false });
  const admin = new pg.Pool({ connectionString: postgres.adminUrl, max: 1 });
  admin.on('connect', (client) => client.on('error', () => {})).on('error', () => {});
  await admin.query(`create role ${testOwner} login createrole password '${testOwner}'`);
  await admin.query(`create database ${templateDatabase} owner ${testOwner}`);
  await admin.end();

  const url = new URL(postgres.adminUrl);
  url.username = testOwner;
  url.password = testOwner;
  url.pathname = `/${templateDatabase}`;
  const stop = async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
    await rm(postgres.dataDir, { recursive: true, force: true });
  };
  const owner = openOwner(url.href, logger);
  try {
    await migrate(owner);
  } catch (error) {
    await owner.end();
    await stop();
    throw error;
  }
  await owner.end();
  return { adminUrl: postgres.adminUrl, url: url.href, stop };
}
