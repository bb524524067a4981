import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Logger } from '../logger.ts';
import { StartRefusal } from '../start-refusal.ts';
import { type Db, silentMsMax, statementMsMax } from './db.ts';
import { tryConnecting } from './pool/connection.ts';

/** Has every right that the running server needs, and owns nothing. The migrations grant to it. */
export const appRole = 'tallystick_app';

/** Roles belong to a whole cluster, so each database has a login of its own. */
export const appLoginOf = (databaseOid: string | number) => `${appRole}_${databaseOid}`;

const wrongPassword = '28P01';

/** Named in the query, a user is taken instead of the one before the host, and a socket's address has no such place. */
function withLogin(databaseUrl: string, user: string, password: string): string {
  const login = `user=${encodeURIComponent(user)}&password=${encodeURIComponent(password)}`;
  return `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}${login}`;
}

/** The login that the server made for itself, at another address of the same database. */
export function withLoginOf(appUrl: string, databaseUrl: string): string {
  const { searchParams } = new URL(appUrl);
  return withLogin(databaseUrl, searchParams.get('user') ?? '', searchParams.get('password') ?? '');
}

interface LoginNeeds {
  databaseUrl: string;
  /** Servers with the same secret know the same password, so none has to be kept anywhere. */
  secret: Buffer;
}

interface Login {
  login: string;
  password: string;
  url: string;
  /** Shut is one that may not log in: as whoever has lost the secret says that nobody needs its password any more. */
  state: 'missing' | 'shut' | 'ours' | "another secret's";
}

const passwordOf = (login: string, secret: Buffer) =>
  createHmac('sha256', secret).update(login).digest('base64url');

async function nameOfLogin(
  owner: pg.Pool | pg.ClientBase,
): Promise<{ login: string; isOpen: boolean | null }> {
  const { rows } = await owner.query<{ login: string; isOpen: boolean | null }>(
    `select login, rolcanlogin as "isOpen"
     from (select $1 || oid as login from pg_database where datname = current_database()) as mine
       left join pg_roles on rolname = login`,
    [appLoginOf('')],
  );
  return rows[0] ?? { login: '', isOpen: null };
}

async function findLogin(
  owner: pg.Pool | pg.ClientBase,
  { databaseUrl, secret }: LoginNeeds,
): Promise<Login> {
  const { login, isOpen } = await nameOfLogin(owner);
  const password = passwordOf(login, secret);
  const url = withLogin(databaseUrl, login, password);
  if (isOpen === null) return { login, password, url, state: 'missing' };
  if (!isOpen) return { login, password, url, state: 'shut' };
  return { login, password, url, state: (await opens(url)) ? 'ours' : "another secret's" };
}

/**
 * A password that is set anew locks out every server that has the other secret, so nobody takes a login over unasked: of two
 * secrets one is a mistake, and a start cannot know which.
 */
const takenBy = ({ login, state }: Login) =>
  state === "another secret's"
    ? new StartRefusal(
        `SECRET_FILE, or DATA_DIR/secret where none is named, is not what the server's own login was made with: all servers of a database have the same. If that secret is lost, stop all of them, ALTER ROLE "${login}" NOLOGIN; and start again.`,
      )
    : null;

/** Asked before anything is written: why this server may not have the login, or null. */
export const whyNotOurLogin = async (owner: pg.Pool, needs: LoginNeeds) =>
  takenBy(await findLogin(owner, needs));

/**
 * The server logs in as someone who is `tallystick_app` and nobody else: with no more than the owner's login, a hostile
 * statement could say RESET ROLE and be the owner. Made by the owner, while it holds the lock of the migrations.
 * Answers with the address for the server's own connections. One whose database nobody else can be on takes it over.
 */
export async function ensureAppLogin(
  owner: pg.ClientBase,
  { logger, isAlone, ...needs }: LoginNeeds & { logger: Logger; isAlone: boolean },
): Promise<string> {
  const found = await findLogin(owner, needs);
  const { login, password, url, state } = found;
  if (state === 'ours') return url;
  if (state === 'missing') {
    await owner.query(`create role ${login} login password '${verifierOf(password)}' in role ${appRole}`);
    return url;
  }
  const refusal = isAlone ? null : takenBy(found);
  if (refusal) throw refusal;
  logger.warn({ login, state }, 'the password of the login is set anew');
  await setPassword(owner, login, password);
  if (!(await opens(url)))
    throw new StartRefusal(`PostgreSQL does not let ${login} in with its new password.`);
  return url;
}

const setPassword = (owner: pg.ClientBase, login: string, password: string) =>
  owner.query(`alter role ${login} login password '${verifierOf(password)}'`).catch((error) => {
    throw new StartRefusal(
      `The password of ${login} cannot be set (${error.message}): ALTER ROLE <the owner> CREATEROLE;`,
    );
  });

/** Where the server has made one: with another secret it has another password from now on. */
export async function rekeyAppLogin(owner: pg.ClientBase, secret: Buffer): Promise<void> {
  const { login, isOpen } = await nameOfLogin(owner);
  if (isOpen !== null) await setPassword(owner, login, passwordOf(login, secret));
}

/** What PostgreSQL itself would store: the password stands in no statement, and so in no log of statements. */
function verifierOf(password: string): string {
  const iterations = 4096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyed = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`;
}

async function opens(url: string): Promise<boolean> {
  const error = await tryConnecting(url);
  if (error && error.code !== wrongPassword) {
    if (!/^(28|42)/.test(error.code ?? '')) throw error;
    throw new StartRefusal(`PostgreSQL does not let the server's own login in: ${error.message}`);
  }
  return error === null;
}

interface Powers {
  login: string;
  owner: boolean;
  superuser: boolean;
  makesRoles: boolean;
  /** Roles above the rules that it belongs to: SET ROLE gives what they have. */
  powerfulRoles: string[];
  isApp: boolean;
  owns: boolean;
  synchronousCommit: string;
  hears: string;
  statementMs: number;
  silentMs: number;
}

/** On connections of its own the server says so itself; a pooler's have what the login has. */
const limitsOf = ({ login, statementMs, silentMs }: Powers) =>
  [
    ['statement_timeout', statementMs, statementMsMax] as const,
    ['idle_in_transaction_session_timeout', silentMs, silentMsMax] as const,
  ].map(
    ([name, ms, msMax]) =>
      (ms === 0 || ms > msMax) &&
      `behind a pooler it may take for ever: ALTER ROLE "${login}" SET ${name} = '${msMax / 1000}s'; and RECONNECT at the pooler`,
  );

/** Whatever address it was given, the server does not work with more rights than it needs. */
export async function refusePowerfulLogin(
  db: Db,
  { ownersName, durable }: { ownersName: string; durable: boolean },
): Promise<void> {
  const { rows } = await sql<Powers>`
    select session_user as login, rolsuper or rolreplication or rolbypassrls as superuser, rolcreaterole as "makesRoles",
      (select reset_val from pg_settings where name = 'synchronous_commit') as "synchronousCommit",
      current_setting('client_min_messages') as hears,
      (select setting::int from pg_settings where name = 'statement_timeout') as "statementMs",
      (select setting::int from pg_settings where name = 'idle_in_transaction_session_timeout') as "silentMs",
      pg_has_role(session_user, ${ownersName}, 'member') as owner,
      array(select other.rolname::text from pg_roles as other
        where not me.rolsuper and other.rolname not in (session_user, ${ownersName})
          and pg_has_role(session_user, other.oid, 'member')
          and (other.rolsuper or other.rolreplication or other.rolbypassrls or other.rolcreaterole
            or other.rolname ~ '^pg_(execute|read|write)_')) as "powerfulRoles",
      pg_has_role(session_user, ${appRole}, 'usage') as "isApp",
      exists (select from pg_class where relnamespace = 'public'::regnamespace
        and pg_has_role(session_user, relowner, 'member')) as owns
    from pg_roles as me where rolname = session_user`.execute(db);
  const [powers] = rows;
  if (!powers) throw new Error('PostgreSQL does not say who is logged in.');
  const { login } = powers;
  const wrong = [
    powers.owner &&
      `it can become ${ownersName}, who owns the tables: REVOKE "${ownersName}" FROM "${login}";`,
    powers.superuser && `it is above all rules: ALTER ROLE "${login}" NOSUPERUSER NOREPLICATION NOBYPASSRLS;`,
    powers.makesRoles && `it can make roles: ALTER ROLE "${login}" NOCREATEROLE;`,
    ...powers.powerfulRoles.map((other) => `it can become ${other}: REVOKE "${other}" FROM "${login}";`),
    powers.owns && !powers.owner && `it owns tables: REASSIGN OWNED BY "${login}" TO "${ownersName}";`,
    !powers.isApp && `it has no rights: GRANT ${appRole} TO "${login}";`,
    ...limitsOf(powers),
    durable &&
      /^(off|local)$/.test(powers.synchronousCommit) &&
      `what it commits may be lost: ALTER ROLE "${login}" SET synchronous_commit = on;`,
    // On connections of its own the server says so itself.
    durable &&
      powers.hears === 'error' &&
      `it is not told when a commit was not waited for: ALTER ROLE "${login}" SET client_min_messages = notice; and RECONNECT at the pooler`,
  ].filter((each) => each !== false);
  if (wrong.length === 0) return;
  throw new StartRefusal(`The server must not log in to the database as ${login}:\n  ${wrong.join('\n  ')}`);
}
