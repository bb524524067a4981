import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { runMigrations } from 'graphile-worker';
import type pg from 'pg';

const migrationsDir = new URL('../migrations/', import.meta.url);
/** Any constant will do: it only has to be the same for every server that starts on one database. */
const migrationLock = 7_315_114;

interface Migration {
  name: string;
  sql: string;
  sha256: string;
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(migrationsDir)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, migrationsDir), 'utf8');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function applyPending(client: pg.PoolClient): Promise<string[]> {
  await client.query(
    'create table if not exists migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
  );
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from migrations',
  );
  const applied = new Map(rows.map((row) => [row.name, row.sha256]));
  const fresh: string[] = [];
  for (const migration of await readMigrations()) {
    const known = applied.get(migration.name);
    if (known === migration.sha256) continue;
    if (known) throw new Error(`Migration ${migration.name} was changed after it had been applied.`);
    await client.query('begin');
    try {
      await client.query(migration.sql);
      await client.query('insert into migrations (name, sha256) values ($1, $2)', [
        migration.name,
        migration.sha256,
      ]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw new Error(`Migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
    }
    fresh.push(migration.name);
  }
  return fresh;
}

/** Brings the database up to date, once, however many servers start at the same moment. Needs the owner's pool. */
export async function migrate(owner: pg.Pool): Promise<string[]> {
  const client = await owner.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await runMigrations({ pgPool: owner });
    return await applyPending(client);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]);
    client.release();
  }
}
