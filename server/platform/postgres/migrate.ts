import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { runMigrations } from 'graphile-worker';
import type pg from 'pg';
import { StartRefusal } from '../start-refusal.ts';

const migrationsDir = new URL('../../migrations/', import.meta.url);
/** Any constant will do: it only has to be the same for every server that starts on one database. */
const migrationLock = 7_315_114;

/** Waiting for another server's migrations, or for a long one of ours, is no failure. */
const patiently = (text: string): pg.QueryConfig & { query_timeout: number } => ({
  text,
  query_timeout: 60 * 60 * 1000,
});

interface Migration {
  name: string;
  sql: string;
  sha256: string;
}

/** One that says nothing yet has only been begun, and none that has landed is like that (tools/migration/names.ts). */
export const isBegun = (sql: string) => sql.replace(/--.*/g, '').trim() === '';

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(migrationsDir)).filter((name) => name.endsWith('.sql')).sort();
  const all = await Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, migrationsDir), 'utf8');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
  return all.filter(({ sql }) => !isBegun(sql));
}

export async function knownMigrations(): Promise<string[]> {
  return (await readMigrations()).map(({ name }) => name);
}

/** What a newer version has done to this database. */
export async function unknownMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows: found } = await client.query("select to_regclass('migrations') is not null as there");
  if (!found[0]?.there) return [];
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name');
  const known = await knownMigrations();
  return rows.map(({ name }) => name).filter((name) => !known.includes(name));
}

async function applyPending(client: pg.PoolClient, wayOut: string): Promise<void> {
  await client.query(
    'create table if not exists migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
  );
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from migrations',
  );
  const applied = new Map(rows.map((row) => [row.name, row.sha256]));
  for (const migration of await readMigrations()) {
    const known = applied.get(migration.name);
    if (known === migration.sha256) continue;
    if (known) {
      throw new StartRefusal(`Migration ${migration.name} was changed after it had been applied.${wayOut}`);
    }
    await client.query('begin');
    try {
      await client.query(patiently(migration.sql));
      await noteRights(client);
      await client.query('insert into migrations (name, sha256) values ($1, $2)', [
        migration.name,
        migration.sha256,
      ]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw new Error(`Migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
    }
  }
}

/** What the server may do from here on, so that it can tell when a right is missing. */
async function noteRights(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query("select to_regprocedure('note_app_rights()') is not null as there");
  if (rows[0]?.there) await client.query('select note_app_rights()');
}

/**
 * Brings the database up to date, once, however many servers start at the same moment. Needs the owner's pool; what is
 * handed along is done under the same lock. A refusal ends with the way out, where there is one.
 */
export async function migrate<T>(
  owner: pg.Pool,
  alongside: (client: pg.PoolClient) => Promise<T> = async () => undefined as T,
  wayOut = '',
): Promise<T> {
  const client = await owner.connect();
  try {
    await client.query(patiently(`select pg_advisory_lock(${migrationLock})`));
    const unknown = await unknownMigrations(client);
    if (unknown.length > 0) throw new StartRefusal(newerSchema(unknown));
    await runMigrations({ pgPool: owner });
    await applyPending(client, wayOut);
    return await alongside(client);
  } finally {
    // Ending the session gives the lock back, whatever state it is in.
    client.release(true);
  }
}

export const newerSchema = (unknown: string[]) =>
  `A newer version of Tallystick has changed this database (${unknown.join(', ')}): start that version.`;
