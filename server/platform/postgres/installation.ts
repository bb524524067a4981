import { sql } from 'kysely';
import type pg from 'pg';
import type { Logger } from '../logger.ts';
import { NotNow, StartRefusal } from '../start-refusal.ts';
import { appRole } from './app-login.ts';
import type { Db } from './db.ts';
import { oneAtATime, prepareLock } from './locks.ts';

export type Mode = 'demo' | 'production';

/** The people whom a demo makes, by e-mail. Their passwords are published. */
export interface SamplePeople {
  operators: string[];
  investors: string[];
}

interface Installation {
  owner: pg.Pool;
  mode: Mode;
  samplePeople: SamplePeople;
}

/** Who is in a database, as far as it tells whose it is. */
interface Found {
  mark: Mode | null;
  users: number;
  /** Proven ones alone: anyone can sign up under a sample address, nobody can prove it. */
  sampleInvestors: number;
  operators: number;
  sampleOperators: number;
  /** May sign in. */
  activeSampleOperators: string[];
}

/** Asked before the first migration, too, when nothing is there yet. */
async function look(client: pg.Pool | pg.PoolClient, samplePeople: SamplePeople): Promise<Found> {
  const { rows: tables } = await client.query<{ name: string }>(
    "select name from unnest(array['installation', 'users', 'operators']) as name where to_regclass(name) is not null",
  );
  const has = (name: string) => tables.some((table) => table.name === name);
  const rowsOf = async <Row extends object>(table: string, statement: string, values: unknown[] = []) =>
    has(table) ? (await client.query<Row>(statement, values)).rows : [];
  const [installation] = await rowsOf<{ mode: Mode }>('installation', 'select mode from installation');
  const [users] = await rowsOf<{ users: number; samples: number }>(
    'users',
    `select count(*)::int as users,
       count(*) filter (where email_key = any($1) and verified_at is not null)::int as samples from users`,
    [samplePeople.investors],
  );
  const operators = await rowsOf<{ email: string; sample: boolean; active: boolean }>(
    'operators',
    'select email, email_key = any($1) as sample, disabled_at is null as active from operators order by email',
    [samplePeople.operators],
  );
  return {
    mark: installation?.mode ?? null,
    users: users?.users ?? 0,
    sampleInvestors: users?.samples ?? 0,
    operators: operators.length,
    sampleOperators: operators.filter(({ sample }) => sample).length,
    activeSampleOperators: operators
      .filter(({ sample, active }) => sample && active)
      .map(({ email }) => email),
  };
}

const markByHand = (mode: Mode) => `insert into installation (mode) values ('${mode}')`;

function demoRefusal({ mark, users, sampleInvestors, operators, sampleOperators }: Found): string | null {
  const instead = 'Start without DATABASE_URL, or name an empty database. For real, set MODE=production.';
  if (mark === 'production') {
    return `This is the database of a production, and a demo publishes its passwords. ${instead}`;
  }
  const onlyOurs = operators === sampleOperators && (users === 0 || sampleInvestors > 0);
  if (mark === 'demo' || onlyOurs) return null;
  return `This database holds people whom no demo made, and a demo publishes its passwords. ${instead} If it is an older demo's all the same, say so as its owner: ${markByHand('demo')}`;
}

function productionRefusal({ mark, sampleInvestors, activeSampleOperators }: Found): string | null {
  if (mark === 'demo') {
    return 'This is the database of a demo: its people and its money are samples. Name another one in DATABASE_URL.';
  }
  if (mark === null && sampleInvestors > 0) {
    return `A demo was started on this database: there are sample investors in its books. Use a fresh database. If real people are in it, too, say so as its owner: ${markByHand('production')}`;
  }
  if (activeSampleOperators.length === 0) return null;
  const commands = activeSampleOperators.map((email) => `npm run operator -- disable --email ${email}`);
  return `The passwords of the sample operators are published: ${commands.join(' && ')}`;
}

function refuse(found: Found, mode: Mode): void {
  const refusal = mode === 'demo' ? demoRefusal(found) : productionRefusal(found);
  if (refusal) throw new StartRefusal(refusal);
}

/**
 * With another secret nobody could sign in to the console, no proof could be shown, and a server that has the right one
 * would lose its login. Where none opens it is another secret; one that was lost leaves operators who set up an
 * authenticator anew, and no other.
 */
export async function refuseForeignSecret(owner: pg.Pool, unseal: (sealed: string) => string): Promise<void> {
  const { rows: tables } = await owner.query("select to_regclass('operators') is not null as there");
  if (!tables[0]?.there) return;
  const { rows } = await owner.query<{ sealed: string }>(
    `select totp_sealed as sealed from operators
     where totp_sealed is not null and disabled_at is null order by created_at limit 100`,
  );
  const isOpened = ({ sealed }: { sealed: string }) => {
    try {
      unseal(sealed);
      return true;
    } catch {
      return false;
    }
  };
  if (rows.length === 0 || rows.some(isOpened)) return;
  throw new StartRefusal(
    "SECRET_FILE, or DATA_DIR/secret where none is named, is not what this database was sealed with: it opens no operator's authenticator. Name the file that it had before; docs/operations.md, Secret rotation, says what to do when that is lost.",
  );
}

/** The login of the server's own must lead to where its owner's leads. One without rights is told what it lacks. */
export async function refuseOtherDatabase(owner: pg.Pool, db: Db): Promise<void> {
  const { rows: owners } = await owner.query<{ at: Date }>('select marked_at as at from installation');
  const found = await sql<{ at: Date }>`select marked_at as at from installation`
    .execute(db)
    .catch((error) => {
      if (error.code === '42P01') return { rows: [] };
      if (error.code === '42501') return { rows: owners };
      throw error;
    });
  if (found.rows[0]?.at.getTime() === owners[0]?.at.getTime()) return;
  throw new StartRefusal('DATABASE_APP_URL leads to another database than DATABASE_URL: name the same one.');
}

/** Before anything is written, migrations included: the database may be another's. */
export async function refuseForeignDatabase({ owner, mode, samplePeople }: Installation): Promise<void> {
  refuse(await look(owner, samplePeople), mode);
}

/** Says once and for good what the database is for. Of two that start at once the second sees the first one's mark. */
export async function markInstallation({ owner, mode, samplePeople }: Installation): Promise<void> {
  const client = await owner.connect();
  try {
    await client.query('begin');
    await client.query('lock table installation in exclusive mode');
    const found = await look(client, samplePeople);
    refuse(found, mode);
    if (found.mark === null) await client.query('insert into installation (mode) values ($1)', [mode]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** Said of the table that marks the database, while sample data is being written: it outlives whoever writes it. */
const unfinished = 'sample data is being written';

async function isUnfinished(owner: pg.Pool): Promise<boolean> {
  const { rows } = await owner.query<{ said: string | null }>(
    "select obj_description(to_regclass('installation'), 'pg_class') as said",
  );
  return rows[0]?.said === unfinished;
}

/** Not `drop owned`, which takes the server's login its rights as well. */
export const emptying = `begin;
  drop schema if exists graphile_worker cascade;
  drop schema public cascade;
  create schema public authorization pg_database_owner;
  grant usage on schema public to public;
commit`;

/**
 * Sample data is many transactions, and a process that is killed between two leaves a half that looks like the whole. Nobody
 * has used such a database: no server answers before all of it is there. So a demo that finds one begins anew.
 */
export async function emptyUnfinished(owner: pg.Pool, logger: Logger, signal?: AbortSignal): Promise<void> {
  if (!(await isUnfinished(owner))) return;
  // Whoever is still writing it holds this.
  const empty = async () => {
    if (!(await isUnfinished(owner))) return;
    logger.warn('the sample data was not finished, and is made anew');
    await owner.query(emptying);
  };
  await oneAtATime(owner, prepareLock, empty, { logger, signal });
}

/** People, or tables that are no business of the server's: an older demo's, or of whatever else its owner has there. */
const more = `
  select exists (select from users) or exists (select from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> 'job_pools'
      and not has_any_column_privilege('${appRole}', oid, 'select')) as more`;

/**
 * Writes sample data so that a half of it is noticed, unless more than that would go with it. Under the lock of what is
 * prepared.
 */
export async function writeSamples(owner: pg.Pool, write: () => Promise<void>): Promise<void> {
  // Another has been killed at it since this server looked.
  if (await isUnfinished(owner))
    throw new NotNow('The sample data was not finished: the next start makes it anew.');
  const { rows } = await owner.query<{ more: boolean }>(more);
  if (rows[0]?.more) return write();
  await owner.query(`comment on table installation is '${unfinished}'`);
  await write();
  await owner.query('comment on table installation is null');
}
