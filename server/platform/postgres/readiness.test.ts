import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createContext } from '../../context.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { NotNow, StartRefusal } from '../start-refusal.ts';
import { waitForDatabase } from './database.ts';
import { refuseUnfitDatabase } from './demands.ts';
import { knownMigrations } from './migrate.ts';
import { createReadiness } from './readiness.ts';
import { numbered } from './versions/fit.ts';

const logger = pino({ level: 'silent' });
let test: TestApp;
let admin: pg.Client;
beforeAll(async () => {
  test = await startTestApp();
  admin = new pg.Client({ connectionString: test.database.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await test.close();
});

const readyz = async () => {
  const answer = await test.app.inject('/readyz');
  return { status: answer.statusCode, failing: answer.json().failing };
};
const well = { status: 200, failing: [] };
const name = () => new URL(test.database.url).pathname.slice(1);

afterEach(async () => {
  await expect.poll(readyz).toEqual(well);
});

it('a server whose rights were taken away is not ready, and says which', async () => {
  await admin.query('revoke insert on ledger_entries from tallystick_app');
  await expect
    .poll(readyz)
    .toEqual({ status: 503, failing: ['rights are missing: INSERT on ledger_entries'] });
  await admin.query('grant insert on ledger_entries to tallystick_app');
  await admin.query('revoke update (settled_at) on investments from tallystick_app');
  await expect.poll(readyz).toEqual({
    status: 503,
    failing: ['rights are missing: UPDATE on investments.settled_at'],
  });
  await admin.query('grant update (settled_at) on investments to tallystick_app');
});

it('a server is not ready on a schema that is older or newer than itself', async () => {
  await admin.query(`insert into migrations (name, sha256) values ('9999-tomorrow.sql', '')`);
  await expect
    .poll(readyz)
    .toEqual({ status: 503, failing: ['the schema is newer than this server: 9999-tomorrow.sql'] });
  await admin.query(`update migrations set name = '0001-users.old' where name = '0001-users.sql'`);
  await admin.query(`delete from migrations where name = '9999-tomorrow.sql'`);
  await expect
    .poll(async () => (await readyz()).failing?.[0])
    .toContain('older than this server: 0001-users.sql');
  await admin.query(`update migrations set name = '0001-users.sql' where name = '0001-users.old'`);
});

/** As a version that does not exist yet would note it; how far back that one fits, and how many numbers it left out. */
async function noteTomorrow({ back = 0, left = 0, fits = true }): Promise<string> {
  const { length } = await knownMigrations();
  const tomorrow = `${numbered(length + 1 + left)}-tomorrow.sql`;
  await admin.query('insert into migrations (name, sha256, fits_servers_from) values ($1, $2, $3)', [
    tomorrow,
    '',
    fits ? length - back : null,
  ]);
  return tomorrow;
}
const forgetTomorrow = () => admin.query(`delete from migrations where name like '%-tomorrow.sql'`);
const start = () => createContext(test.context.config, { logger, durabilityUnchecked: true });

it.each([0, 1])(
  'a newer schema that fits servers %i versions back is worked on and started on',
  async (back) => {
    await noteTomorrow({ back });
    expect(await createReadiness(test.context.db)()).toEqual([]);
    const older = await start();
    expect(await older.db.selectFrom('plans').select('id').execute()).toBeInstanceOf(Array);
    await older.close();
    await forgetTomorrow();
  },
);

it('a newer schema that does not fit is neither worked on nor started on', async () => {
  const tomorrow = await noteTomorrow({ back: -1 });
  expect(await createReadiness(test.context.db)()).toEqual([
    `the schema is newer than this server: ${tomorrow}`,
  ]);
  await expect(start()).rejects.toThrow(
    `newer version of Tallystick has changed this database (${tomorrow})`,
  );
  await expect(start()).rejects.toBeInstanceOf(StartRefusal);
  await forgetTomorrow();
});

it('a gap in the numbers is neither worked on nor started on, whatever fits', async () => {
  const tomorrow = await noteTomorrow({ left: 1 });
  const words = `the database has ${tomorrow} and no `;
  expect((await createReadiness(test.context.db)())[0]).toContain(`the migrations have a gap: ${words}`);
  await expect(start()).rejects.toThrow(`The migrations have a gap: ${words}`);
  await expect(start()).rejects.toBeInstanceOf(StartRefusal);
  await forgetTomorrow();
});

it('a database from before there was a word of it is read as one that says nothing, and gets the column', async () => {
  await admin.query('alter table migrations drop column fits_servers_from');
  expect(await createReadiness(test.context.db)()).toEqual([]);
  await (await start()).close();
  const { rows } = await admin.query('select fits_servers_from from migrations where fits_servers_from < 23');
  expect(rows).toEqual([]);
});

it('a database that takes no writes is not ready, however well it can be read', async () => {
  await admin.query(`alter database ${name()} set default_transaction_read_only = on`);
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
    [name()],
  );
  await expect.poll(readyz).toEqual({ status: 503, failing: ['the database takes no writes'] });
  const answer = await test.app.inject({
    method: 'POST',
    url: '/api/mail/contact',
    payload: { name: 'Visitor', email: 'visitor@example.com', message: 'Is anyone there?' },
  });
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
  await admin.query('begin read write');
  await admin.query(`alter database ${name()} reset default_transaction_read_only`);
  await admin.query('commit');
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
    [name()],
  );
});

it('a disk without room for a new file is not ready, even while what is there can be written again', async () => {
  // As PostgreSQL says it: nobody fills a disk for a test.
  await admin.query(`create function no_room() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
  await admin.query(
    'create trigger no_room before insert on readiness for each row execute function no_room()',
  );
  expect(await createReadiness(test.context.db)()).toEqual(['the disk is full']);
  await admin.query('drop function no_room cascade');
  expect(await createReadiness(test.context.db)()).toEqual([]);
});

it('a database that hangs is told within seconds, and asked once however many ask', async () => {
  await expect.poll(readyz).toEqual(well);
  const holder = new pg.Client({ connectionString: test.database.adminUrl });
  await holder.connect();
  await holder.query('begin; lock table readiness in access exclusive mode');
  const waiting = async () =>
    (
      await admin.query(`select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`, [
        name(),
      ])
    ).rowCount;
  const hanging = { status: 503, failing: ['the database does not answer'] };
  // One that is only slow, with all hands full, stays in service: for a moment what was found last is the answer.
  expect(await readyz()).toEqual(well);
  await expect.poll(readyz, { timeout: 20_000 }).toEqual(hanging);
  const answers = await Promise.all(Array.from({ length: 20 }, readyz));
  expect(answers).toEqual(answers.map(() => hanging));
  expect(await waiting()).toBe(1);
  await holder.end();
});

it('an older server refuses a schema that a newer one has made, and leaves it alone', async () => {
  await admin.query(`insert into migrations (name, sha256) values ('9999-tomorrow.sql', '')`);
  await expect(start()).rejects.toThrow(/newer version of Tallystick .*9999-tomorrow\.sql/);
  await admin.query(`delete from migrations where name = '9999-tomorrow.sql'`);
});

it('all that a database lacks is told at once, each with what mends it, before anything is migrated', async () => {
  const role = `${name()}_owner`;
  await admin.query(`create role ${role} login password 'poor'`);
  await admin.query(`create database ${name()}_bare encoding 'LATIN1' locale 'C' template template0`);
  await admin.query(`alter database ${name()}_bare set default_transaction_read_only = on`);
  const url = new URL(test.database.url);
  Object.assign(url, { username: role, password: 'poor', pathname: `/${name()}_bare` });
  const owner = new pg.Pool({ connectionString: url.href });
  const complaint = await refuseUnfitDatabase(owner, { durable: true, hasOwnLogin: false }).then(
    () => '',
    (error: Error) => error.message,
  );
  const mends = [
    "ENCODING 'UTF8'",
    `ALTER DATABASE "${name()}_bare" SET default_transaction_read_only = off;`,
    'ALTER SYSTEM SET fsync = on; SELECT pg_reload_conf();',
    'ALTER SYSTEM SET full_page_writes = on; SELECT pg_reload_conf();',
    `ALTER DATABASE "${name()}_bare" SET synchronous_commit = on;`,
    `GRANT CREATE ON DATABASE "${name()}_bare" TO "${role}";`,
    `GRANT CREATE ON SCHEMA public TO "${role}";`,
    `ALTER ROLE "${role}" CREATEROLE;`,
    `GRANT tallystick_app TO "${role}" WITH ADMIN OPTION;`,
  ];
  for (const mend of mends) expect(complaint).toContain(mend);
  expect(complaint.split('\n')).toHaveLength(1 + mends.length);
  expect((await owner.query(`select from pg_class where relname = 'migrations'`)).rowCount).toBe(0);
  await owner.end();
  await admin.query(`drop database ${name()}_bare`);
  await admin.query(`drop role ${role}`);
});

it('a database that does not come is refused in the end, one that knows us not at once', async () => {
  await expect(
    waitForDatabase('postgres://127.0.0.1:9/none', logger, undefined, { msMax: 300 }),
  ).rejects.toThrow(/did not answer within/);
  const url = new URL(test.database.url);
  url.password = 'wrong';
  await expect(waitForDatabase(url.href, logger)).rejects.toThrow(/does not let us in: .*password/);
  await expect(waitForDatabase(url.href, logger)).rejects.toBeInstanceOf(StartRefusal);
  const away = waitForDatabase('postgres://127.0.0.1:9/none', logger, undefined, { msMax: 0 });
  await expect(away).rejects.toBeInstanceOf(NotNow);
});
