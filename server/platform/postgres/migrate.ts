import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { runMigrations } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from '../logger.ts';
import { NotNow, StartRefusal } from '../start-refusal.ts';
import { sayingWhoHolds } from './locks.ts';
import { type Applied, fitOf, fitsFromOf } from './versions/fit.ts';

const migrationsDir = new URL('../../migrations/', import.meta.url);
/** Any constant will do: it only has to be the same for every server that starts on one database. */
const migrationLock = 7_315_114;

/** Waiting for another server's migrations, or for a long one of ours, is no failure. */
const patiently = (text: string): pg.QueryConfig & { answerMsMax: number } => ({
  text,
  answerMsMax: 60 * 60 * 1000,
});

interface Migration {
  name: string;
  sql: string;
  sha256: string;
  fitsFrom: number | null;
}

/** One that says nothing yet has only been begun, and none that has landed is like that (tools/migration/names.ts). */
export const isBegun = (sql: string) => sql.replace(/--.*/g, '').trim() === '';

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(migrationsDir)).filter((name) => name.endsWith('.sql')).sort();
  const all = await Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, migrationsDir), 'utf8');
      const sha256 = createHash('sha256').update(sql).digest('hex');
      return { name, sql, sha256, fitsFrom: fitsFromOf(sql) };
    }),
  );
  return all.filter(({ sql }) => !isBegun(sql));
}

export async function knownMigrations(): Promise<string[]> {
  return (await readMigrations()).map(({ name }) => name);
}

/** Read so that a database from before there was such a column has nothing in it. */
export const appliedSql = `select name, (to_jsonb(migrations) ->> 'fits_servers_from')::int as "fitsFrom"
  from migrations order by name`;

/** Throws where this server does not fit; answers with what is newer than it, and fits. */
async function refuseMisfit(client: pg.ClientBase): Promise<string[]> {
  const { newer, refusal } = await lookWhetherItFits(client);
  if (refusal !== null) throw new StartRefusal(refusal);
  return newer;
}

/** What a newer version has done to this database, and why this server cannot work on it, where it cannot. */
export async function lookWhetherItFits(
  client: pg.ClientBase,
): Promise<{ newer: string[]; refusal: string | null }> {
  const { rows: found } = await client.query("select to_regclass('migrations') is not null as there");
  const { rows } = found[0]?.there ? await client.query<Applied>(appliedSql) : { rows: [] };
  const { newer, misfits, gap } = fitOf(await knownMigrations(), rows);
  if (misfits.length > 0) return { newer, refusal: newerSchema(misfits) };
  return { newer, refusal: gap && `The migrations have a gap: ${gap}. ${wayOutOfGap}` };
}

const wayOutOfGap = 'Start the version that made this database, from a whole copy of it.';

interface Migrating {
  /** What a refusal ends with, where there is a way out. */
  wayOut?: string;
  logger?: Logger | undefined;
  signal?: AbortSignal | undefined;
  /** After how long another's migrations are worth a word. */
  afterMs?: number | undefined;
}

/**
 * A migration that waits for a table makes everyone who comes after it wait, too: servers of the version before are at
 * work on it. So it waits for less than they do, lets them pass and tries again.
 */
const lockMsMax = 1_000;
const pauseMs = 3_000;
const givenUpMs = 10 * 60 * 1000;
/** It waited for a lock in vain; it and somebody waited for each other. Either way everything was undone. */
const heldUpCodes = ['55P03', '40P01'];

async function whenOthersLetIt(
  client: pg.PoolClient,
  what: string,
  work: () => Promise<void>,
  { logger, signal }: Migrating,
): Promise<void> {
  for (const giveUpAt = performance.now() + givenUpMs; ; ) {
    try {
      await client.query(`begin; set local lock_timeout = ${lockMsMax}`);
      await work();
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      const { message, code = '' } = error as Error & { code?: string };
      if (!heldUpCodes.includes(code)) throw new Error(`${what} failed: ${message}`, { cause: error });
      if (performance.now() > giveUpAt) {
        throw new NotNow(`${what} waits for a table that somebody holds, a backup for example: ${message}`);
      }
      logger?.warn({ why: message }, `${what} lets others pass and tries again`);
    }
    await delay(pauseMs, undefined, { signal });
  }
}

/** Asked first: to add what is there already would wait for every reader all the same. */
const lacksFits = `select not exists (select from pg_attribute
  where attrelid = 'migrations'::regclass and attname = 'fits_servers_from') as lacks`;

async function keepBook(client: pg.PoolClient, migrating: Migrating): Promise<void> {
  await client.query(
    `create table if not exists migrations (name text primary key, sha256 text not null,
       applied_at timestamptz not null default now(), fits_servers_from int)`,
  );
  const { rows } = await client.query(lacksFits);
  if (!rows[0]?.lacks) return;
  const add = async () => void (await client.query('alter table migrations add fits_servers_from int'));
  await whenOthersLetIt(client, 'Noting which servers fit', add, migrating);
}

async function applyPending(client: pg.PoolClient, migrating: Migrating): Promise<void> {
  await keepBook(client, migrating);
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from migrations',
  );
  const applied = new Map(rows.map((row) => [row.name, row.sha256]));
  for (const { name, sql, sha256, fitsFrom } of await readMigrations()) {
    const known = applied.get(name);
    if (known === sha256) continue;
    if (known) {
      throw new StartRefusal(
        `Migration ${name} was changed after it had been applied.${migrating.wayOut ?? ''}`,
      );
    }
    const apply = async () => {
      await client.query(patiently(sql));
      await noteRights(client);
      await client.query('insert into migrations (name, sha256, fits_servers_from) values ($1, $2, $3)', [
        name,
        sha256,
        fitsFrom,
      ]);
    };
    await whenOthersLetIt(client, `Migration ${name}`, apply, migrating);
  }
}

/** What the server may do from here on, so that it can tell when a right is missing. */
async function noteRights(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query("select to_regprocedure('note_app_rights()') is not null as there");
  if (rows[0]?.there) await client.query('select note_app_rights()');
}

/**
 * Brings the database up to date, once, however many servers start at the same moment. Needs the owner's pool; what is
 * handed along is done under the same lock. One that a newer version has brought further is left as it is.
 */
export async function migrate<T>(
  owner: pg.Pool,
  alongside: (client: pg.PoolClient) => Promise<T> = async () => undefined as T,
  migrating: Migrating = {},
): Promise<T> {
  const client = await owner.connect();
  try {
    const { logger, afterMs } = migrating;
    const held = { lock: String(migrationLock), what: 'the lock of the migrations', logger, afterMs };
    await sayingWhoHolds(owner, held, () =>
      client.query(patiently(`select pg_advisory_lock(${migrationLock})`)),
    );
    const newer = await refuseMisfit(client);
    if (newer.length > 0) logger?.warn({ newer }, 'the schema is newer than this server, and fits');
    await runMigrations({ pgPool: owner });
    await applyPending(client, migrating);
    return await alongside(client);
  } finally {
    // Ending the session gives the lock back, whatever state it is in.
    client.release(true);
  }
}

export const newerSchema = (unknown: string[]) =>
  `A newer version of Tallystick has changed this database (${unknown.join(', ')}): start that version.`;
