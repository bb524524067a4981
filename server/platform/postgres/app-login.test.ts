import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deriveSecrets } from '../../config/secrets.ts';
import { createContext } from '../../context.ts';
import { createOperatorAccounts } from '../../modules/users/operators/accounts.ts';
import { testOwner } from '../../testing/database.ts';
import { enrolled } from '../../testing/operators.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { systemClock } from '../clock.ts';
import { ensureAppLogin, refusePowerfulLogin } from './app-login.ts';
import { openApp, ownersDb } from './db.ts';

const logger = pino({ level: 'silent' });
let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

/** On one connection of the server's own, each statement after the other. */
async function asServer(statements: string[]): Promise<string[]> {
  return test.context.db.connection().execute(async (connection) => {
    const outcomes: string[] = [];
    for (const statement of statements) {
      const outcome = await sql
        .raw(statement)
        .execute(connection)
        .then(
          () => 'done',
          (error) => error.code,
        );
      outcomes.push(outcome);
    }
    return outcomes;
  });
}

const hostile = [
  'alter table ledger_entries disable trigger all',
  'truncate ledger_entries',
  'drop trigger ledger_entries_append_only on ledger_entries',
  'update ledger_entries set amount_cents = 0',
  "insert into operators (name, email, email_key, password_hash) values ('x', 'x', 'x', 'x')",
  'select * from graphile_worker._private_jobs',
  'create table public.mine ()',
  `create role mine`,
  `grant ${testOwner} to tallystick_app`,
  `select rolpassword from pg_authid`,
];
const refused = hostile.map(() => '42501');

describe('no statement gives the server the power of the owner:', () => {
  it.each([
    ['as it is', []],
    ['RESET ROLE', ['reset role']],
    ['SET ROLE NONE', ['set role none']],
    ['RESET SESSION AUTHORIZATION', ['reset session authorization']],
    ['SET SESSION AUTHORIZATION DEFAULT', ['set session authorization default']],
    ['all of them', ['reset all', 'reset role', 'set role none', 'discard all']],
  ])('%s', async (_case, statements) => {
    const outcomes = await asServer([...statements, ...hostile]);
    expect(outcomes.slice(statements.length)).toEqual(refused);
  });

  it.each([
    [`set role ${testOwner}`],
    ['set role postgres'],
    [`set session authorization ${testOwner}`],
    ['set session authorization postgres'],
  ])('%s is refused', async (statement) => {
    expect(await asServer([statement])).toEqual(['42501']);
  });

  it('a type of its own in the place of one that the owner’s functions use', async () => {
    const shadow = (type: string) => [
      `create function pg_temp.run_${type}(value pg_catalog.${type}) returns boolean language plpgsql
         as $$ begin execute 'create table public.made_by_${type} ()'; return true; end $$`,
      `create domain pg_temp.${type} as pg_catalog.${type} check (pg_temp.run_${type}(value))`,
    ];
    const outcomes = await asServer([
      ...shadow('text'),
      ...shadow('json'),
      `select queue_jobs(array['nothing']::pg_catalog.text[], array[null]::pg_catalog.json[], array[1], null, array[0])`,
      'select oldest_due_job_seconds()',
      'discard temp',
    ]);
    expect(outcomes.slice(4)).toEqual(['done', 'done', 'done']);
    const { rows } = await test.context.owner.query(
      "select relname from pg_class where relname like 'made_by_%'",
    );
    expect(rows).toEqual([]);
  });

  it('whatever acts as the owner looks for names in the caller’s temporary schema last', async () => {
    const { rows } = await test.context.owner.query(
      `select proname, proconfig from pg_proc where prosecdef and pronamespace = 'public'::regnamespace order by 1`,
    );
    const path = 'search_path=pg_catalog, pg_temp';
    expect(rows).toEqual([
      { proname: 'forget_unproven_users', proconfig: [path] },
      { proname: 'oldest_due_job_seconds', proconfig: [path] },
      { proname: 'queue_jobs', proconfig: [path, 'enable_hashjoin=off', 'enable_mergejoin=off'] },
    ]);
  });
});

it('servers with one secret share a login, and one with another is refused until somebody gives that up', async () => {
  const { config, owner } = test.context;
  const before = await owner.query('select rolpassword from pg_authid').catch((error) => error.code);
  expect(before).toBe('42501');
  const admin = new pg.Client({ connectionString: test.database.adminUrl });
  await admin.connect();
  const stored = async () =>
    (
      await admin.query(`select rolname, rolpassword from pg_authid where rolname like 'tallystick_app_%'
       and rolname = 'tallystick_app_' || (select oid from pg_database where datname = current_database())`)
    ).rows;
  const client = await owner.connect();
  const login = (secret: Buffer, isAlone = false) =>
    ensureAppLogin(client, { databaseUrl: test.database.url, secret, logger, isAlone });
  const open = async (address: string) => {
    const guest = new pg.Client({ connectionString: address });
    await guest.connect();
    await guest.end();
  };
  const [first] = await stored();
  const url = await login(config.secrets.database);
  const another = randomBytes(32);
  await expect(login(another)).rejects.toThrow(
    `If that secret is lost, stop all of them, ALTER ROLE "${first.rolname}" NOLOGIN; and start again.`,
  );
  expect(await stored()).toEqual([first]);
  await open(url);
  await client.query(`alter role ${first.rolname} nologin`);
  await open(await login(another));
  await expect(open(url)).rejects.toThrow(/password/);
  // Of the embedded database one server is the only one.
  await open(await login(config.secrets.database, true));
  client.release();
  await admin.end();
});

it('a login with too much power, or without rights, is refused with the command that mends it', async () => {
  const admin = new pg.Client({ connectionString: test.database.adminUrl });
  await admin.connect();
  const role = `guest_${randomBytes(4).toString('hex')}`;
  await admin.query(`create role ${role} login createrole password 'guest'`);
  await admin.query(`grant ${testOwner} to ${role}`);
  const url = new URL(test.database.url);
  const complaint = async (user: string, password: string) => {
    Object.assign(url, { username: user, password });
    const db = openApp(url.href, logger);
    const refusal = await refusePowerfulLogin(db, { ownersName: testOwner, durable: false }).catch(
      (error: Error) => error.message,
    );
    await db.destroy();
    return refusal;
  };
  expect(await complaint(testOwner, testOwner)).toContain('who owns the tables');
  const powerful = await complaint(role, 'guest');
  expect(powerful).toContain(`REVOKE "${testOwner}" FROM "${role}";`);
  expect(powerful).toContain(`ALTER ROLE "${role}" NOCREATEROLE;`);
  await admin.query(`revoke ${testOwner} from ${role}; alter role ${role} nocreaterole`);
  for (const other of ['postgres', 'pg_write_all_data', 'pg_execute_server_program']) {
    await admin.query(`grant ${other} to ${role}`);
    expect(await complaint(role, 'guest')).toContain(`REVOKE "${other}" FROM "${role}";`);
    await admin.query(`revoke ${other} from ${role}`);
  }
  expect(await complaint(role, 'guest')).toContain(`GRANT tallystick_app TO "${role}";`);
  await admin.query(`grant tallystick_app to ${role}`);
  expect(await complaint(role, 'guest')).toBeUndefined();
  const databaseAppUrl = url.href;
  const byHand = await createContext(
    { ...test.context.config, databaseAppUrl },
    { logger, durabilityUnchecked: true },
  );
  const { rows } = await sql<{ login: string }>`select session_user as login`.execute(byHand.db);
  expect(rows).toEqual([{ login: role }]);
  await byHand.close();
  url.pathname = '/postgres';
  await expect(
    createContext(
      { ...test.context.config, databaseAppUrl: url.href },
      { logger, durabilityUnchecked: true },
    ),
  ).rejects.toThrow('DATABASE_APP_URL leads to another database');
  await admin.query(`drop role ${role}`);
  await admin.end();
});

it('with another secret than the database was sealed with there is no start, nor with that of another login', async () => {
  const { config, owner, db } = test.context;
  const other = deriveSecrets(randomBytes(48));
  const start = () =>
    createContext({ ...config, secrets: other }, { logger, durabilityUnchecked: true }).then(({ close }) =>
      close(),
    );
  const othersLogin =
    /^SECRET_FILE.* is not what the server's own login was made with.* ALTER ROLE "(\w+)" NOLOGIN;/;
  await expect(start()).rejects.toThrow(othersLogin);
  const { email } = await enrolled(test);
  await expect(start()).rejects.toThrow(/^SECRET_FILE.* is not what this database was sealed with/);
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  // Lost for good: the authenticators are set up anew, and what else was sealed stays so.
  await createOperatorAccounts({ owner: ownersDb(owner), clock: systemClock }).resetTotp({ email });
  const refused = await start().catch(({ message }) => message);
  const [, login] = othersLogin.exec(refused) ?? [];
  await owner.query(`alter role ${login} nologin`);
  await start();
});
