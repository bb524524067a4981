import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import { openOwner } from '../platform/postgres/db.ts';
import { migrate } from '../platform/postgres/migrate.ts';
import { templateDatabase, testOwner } from './database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    adminUrl: string;
  }
}

/** One real PostgreSQL for the whole run, with a migrated template that each test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-test-'));
  const logger = pino({ level: 'silent' });
  const postgres = await startEmbeddedPostgres({
    dataDir,
    logger: pino({ level: 'silent' }),
    durable: false,
  });
  const admin = new pg.Pool({ connectionString: postgres.adminUrl, max: 1 });
  await admin.query(`create role ${testOwner} login createrole password '${testOwner}'`);
  await admin.query(`create database ${templateDatabase} owner ${testOwner}`);
  await admin.end();

  const url = new URL(postgres.adminUrl);
  url.username = testOwner;
  url.password = testOwner;
  url.pathname = `/${templateDatabase}`;
  const owner = openOwner(url.href, logger);
  await migrate(owner);
  await owner.end();
  project.provide('adminUrl', postgres.adminUrl);

  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
    await rm(postgres.dataDir, { recursive: true, force: true });
  };
}
