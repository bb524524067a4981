import type pg from 'pg';
import { StartRefusal } from '../start-refusal.ts';
import { appLoginOf, appRole } from './app-login.ts';
import { lookWhetherItFits } from './migrate.ts';

/** What PostgreSQL says of itself, of the database and of whoever logs in. */
export interface Facts {
  version: number;
  versionText: string;
  encoding: string;
  database: string;
  databaseOid: string;
  owner: string;
  dataDirectory: string | null;
  fsync: string;
  fullPageWrites: string;
  dataChecksums: string;
  synchronousCommit: string;
  synchronousStandbys: string;
  connections: number;
  isStandby: boolean;
  readOnly: string;
  mayCreateSchema: boolean;
  hasQueue: boolean;
  mayCreateTables: boolean;
  anyoneCreatesTables: boolean;
  strangersTables: string | null;
  makesRoles: boolean;
  hasAppRole: boolean;
  givesAppRole: boolean;
  hasLogin: boolean;
}

/** All that the demands are about, asked at once; on an empty database, too. */
async function readFacts(owner: pg.ClientBase): Promise<Facts> {
  const { rows } = await owner.query<Facts>(
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as "versionText",
       pg_encoding_to_char(database.encoding) as encoding, datname as database, database.oid::text as "databaseOid",
       current_user as owner, current_setting('fsync') as fsync,
       (select setting from pg_settings where name = 'data_directory') as "dataDirectory",
       current_setting('full_page_writes') as "fullPageWrites", current_setting('data_checksums') as "dataChecksums",
       (select reset_val from pg_settings where name = 'synchronous_commit') as "synchronousCommit",
       current_setting('synchronous_standby_names') as "synchronousStandbys",
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as connections,
       pg_is_in_recovery() as "isStandby", current_setting('default_transaction_read_only') as "readOnly",
       has_database_privilege(current_database(), 'create') as "mayCreateSchema",
       to_regnamespace('graphile_worker') is not null as "hasQueue",
       has_schema_privilege('public', 'create') as "mayCreateTables",
       has_schema_privilege('public', 'public', 'create') as "anyoneCreatesTables",
       (select min(pg_get_userbyid(relowner)) from pg_class where relkind = 'r'
         and relnamespace = any(array[to_regnamespace('public'), to_regnamespace('graphile_worker')]::oid[])
         and not pg_has_role(relowner, 'usage')) as "strangersTables",
       me.rolcreaterole or me.rolsuper as "makesRoles",
       app.oid is not null as "hasAppRole",
       me.rolsuper or (current_setting('server_version_num')::int < 160000 and me.rolcreaterole) or exists (
         select from pg_auth_members where roleid = app.oid and member = me.oid and admin_option) as "givesAppRole",
       exists (select from pg_roles where rolname = $2 || database.oid) as "hasLogin"
     from pg_database as database join pg_roles as me on me.rolname = current_user
       left join pg_roles as app on app.rolname = $1
     where datname = current_database()`,
    [appRole, appLoginOf('')],
  );
  if (!rows[0]) throw new Error('PostgreSQL says nothing about this database.');
  return rows[0];
}

const oldestVersion = 150_000;
/** What one server opens at most; a second one needs as many again. */
const connectionsMin = 30;

const reload = 'SELECT pg_reload_conf();';

/** Losing what was acknowledged, or not noticing that a disk has changed it, is no choice for a ledger. */
function durabilityOf(facts: Facts): (string | false)[] {
  const { fsync, fullPageWrites, dataChecksums, synchronousCommit, database, dataDirectory } = facts;
  return [
    fsync !== 'on' && `fsync is off: ALTER SYSTEM SET fsync = on; ${reload}`,
    fullPageWrites !== 'on' && `full_page_writes is off: ALTER SYSTEM SET full_page_writes = on; ${reload}`,
    /^(off|local)$/.test(synchronousCommit) &&
      `synchronous_commit is ${synchronousCommit}: ALTER DATABASE "${database}" SET synchronous_commit = on;`,
    dataChecksums !== 'on' &&
      `data_checksums is off: stop PostgreSQL, run  pg_checksums --enable -D ${dataDirectory ?? '<its data directory>'}  and start it`,
  ];
}

function placeOf(facts: Facts): (string | false)[] {
  const { version, versionText, encoding, database, connections, isStandby, readOnly } = facts;
  return [
    version < oldestVersion && `PostgreSQL 15 or newer is needed, this is ${versionText}: pg_upgrade`,
    encoding !== 'UTF8' &&
      `the encoding is ${encoding}: CREATE DATABASE another ENCODING 'UTF8' TEMPLATE template0; and name it in DATABASE_URL`,
    isStandby &&
      'this is a standby, which takes no writes: name the primary in DATABASE_URL, or SELECT pg_promote();',
    !isStandby &&
      readOnly === 'on' &&
      `it takes no writes: ALTER DATABASE "${database}" SET default_transaction_read_only = off;`,
    connections < connectionsMin &&
      `only ${connections} connections are allowed: ALTER SYSTEM SET max_connections = 100; and restart PostgreSQL`,
  ];
}

function rightsOf(facts: Facts, hasOwnLogin: boolean): (string | false)[] {
  const { owner, database, strangersTables } = facts;
  const needsRoles = !facts.hasAppRole || (!hasOwnLogin && !facts.hasLogin);
  const givesAppRole = !facts.hasAppRole || facts.givesAppRole || facts.hasLogin || hasOwnLogin;
  return [
    !facts.mayCreateSchema &&
      !facts.hasQueue &&
      `"${owner}" cannot create a schema: GRANT CREATE ON DATABASE "${database}" TO "${owner}";`,
    !facts.mayCreateTables && `"${owner}" cannot create tables: GRANT CREATE ON SCHEMA public TO "${owner}";`,
    facts.anyoneCreatesTables && 'anyone can create tables: REVOKE CREATE ON SCHEMA public FROM PUBLIC;',
    strangersTables !== null &&
      `there are tables of "${strangersTables}": log in as that role, or REASSIGN OWNED BY "${strangersTables}" TO "${owner}";`,
    needsRoles &&
      !facts.makesRoles &&
      `"${owner}" cannot make the login that the server works with: ALTER ROLE "${owner}" CREATEROLE;`,
    !givesAppRole &&
      `"${owner}" cannot let the server's login in: GRANT ${appRole} TO "${owner}" WITH ADMIN OPTION;`,
  ];
}

interface Wanted {
  /** False for a throw-away test database, which may be fast instead of safe. */
  durable: boolean;
  /** DATABASE_APP_URL names the server's login, so none has to be made. */
  hasOwnLogin: boolean;
}

/** What is wrong with a database, each with what mends it. */
export function lacksOf(facts: Facts, { durable, hasOwnLogin }: Wanted): string[] {
  return [...placeOf(facts), ...(durable ? durabilityOf(facts) : []), ...rightsOf(facts, hasOwnLogin)].filter(
    (lack) => lack !== false,
  );
}

/** How many standbys have a commit before it is acknowledged, of how synchronous_standby_names says it. */
export function standbysOf(synchronousStandbys: string): { count: number; isAnyone: boolean } {
  const [, count = '1'] = /^\s*(?:first|any)?\s*(\d+)\s*\(/i.exec(synchronousStandbys) ?? [];
  // Whoever replicates counts then, on whichever disk, and acknowledges for the one that takes over.
  const isAnyone = synchronousStandbys.includes('*');
  return { count: synchronousStandbys.trim() === '' ? 0 : Number(count), isAnyone };
}
const anyoneWarning =
  'synchronous_standby_names is *: whatever replicates can acknowledge a commit. A cluster in strict mode says so when it has lost its last standby.';

interface Fit {
  ownersName: string;
  /** Nothing to refuse it for. */
  warnings: string[];
}

/** Before anything is touched: everything that this database lacks, all at once, each with what mends it. */
export async function refuseUnfitDatabase(owner: pg.Pool, wanted: Wanted): Promise<Fit> {
  const client = await owner.connect();
  try {
    const facts = await readFacts(client);
    const misfit = facts.strangersTables === null ? (await lookWhetherItFits(client)).refusal : null;
    const lacks = [...lacksOf(facts, wanted), ...(misfit === null ? [] : [misfit])];
    if (lacks.length === 0) {
      const warnings = standbysOf(facts.synchronousStandbys).isAnyone ? [anyoneWarning] : [];
      return { ownersName: facts.owner, warnings };
    }
    throw new StartRefusal(
      `The database "${facts.database}" cannot be used as it is:\n  ${lacks.join('\n  ')}`,
    );
  } finally {
    client.release();
  }
}
