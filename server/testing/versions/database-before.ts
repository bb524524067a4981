import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { inject } from 'vitest';

const migrationsDir = new URL('../../migrations/', import.meta.url);

/** A database as it was before a migration, to be filled, and brought up to date. */
export async function databaseBefore(migration: string) {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Pool({ connectionString: inject('adminUrl'), max: 1 });
  await admin.query(`create database ${name}`);
  const url = new URL(inject('adminUrl'));
  url.pathname = `/${name}`;
  /** One connection, which is gone when it has ended: the database can be dropped then. */
  const db = new pg.Client({ connectionString: url.href });
  await db.connect();
  await runMigrations({ connectionString: url.href });
  await db.query('create table migrations (name text primary key)');
  const all = (await readdir(migrationsDir)).filter((file) => file.endsWith('.sql')).sort();
  async function apply(files: readonly string[]): Promise<void> {
    for (const file of files) await db.query(await readFile(new URL(file, migrationsDir), 'utf8'));
  }
  await apply(all.filter((file) => file < migration));
  return {
    db,
    /** With all that came since, or only with some of it. */
    migrate: (files: readonly string[] = all.filter((file) => file >= migration)) => apply(files),
    async drop(): Promise<void> {
      await db.end();
      await admin.query(`drop database ${name}`);
      await admin.end();
    },
  };
}
