import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as demo from '@tallystick/contract/demo';
import { enrol } from '@tallystick/contract/operator/session';
import { signin } from '@tallystick/contract/users';
import { sql } from 'kysely';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { createConfig } from './config/config.ts';
import { readSamplePeople } from './config/content.ts';
import { readEnv } from './config/env.ts';
import { createContext } from './context.ts';
import { demoInvestor, demoOperators, seedOperators } from './demo/people.ts';
import { createOperatorAccounts } from './modules/users/operators/accounts.ts';
import { systemClock } from './platform/clock.ts';
import { type Db, openOwner, ownersDb } from './platform/postgres/db.ts';
import { emptyUnfinished, writeSamples } from './platform/postgres/installation.ts';
import { StartRefusal } from './platform/start-refusal.ts';
import { refusal, send, tryCall } from './testing/call.ts';
import { cloneTemplate, type TestDatabase } from './testing/database.ts';
import { enrolled, signIn as signInAsOperator } from './testing/operators.ts';
import { goodPassword, newAddress, registered } from './testing/people.ts';
import { productionEnv, productionFiles } from './testing/production.ts';
import { lightHashing, startTestApp, type TestApp } from './testing/start-app.ts';

const logger = pino({ level: 'silent' });
const dirs: string[] = [];
let database: TestDatabase;
let owner: pg.Pool;

/** Each test of a group begins with a database that no server has seen yet. */
function onNewDatabases(): void {
  beforeEach(async () => {
    database = await cloneTemplate(inject('adminUrl'));
    owner = openOwner(database.url, logger);
  });
  afterEach(async () => {
    await owner.end();
    await database.drop();
  });
}

afterAll(async () => {
  for (const dir of dirs) await rm(dir, { recursive: true, force: true });
});

const accounts = () =>
  createOperatorAccounts({ owner: ownersDb(owner), clock: systemClock, hashingCost: lightHashing });
const createOperator = (email: string) =>
  accounts().createOperator({ name: email.replace(/@.*/, ''), email, password: 'seven sticks of hazel' });

/** Starts a server on the database and ends it: what it says to it is all that is asked. */
async function start(
  mode: 'demo' | 'production',
  url = database.url,
  meanwhile: (db: Db) => Promise<void> = async () => {},
): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'tallystick-mode-'));
  dirs.push(dir);
  // All demos have one secret, and all productions another: of two on one database only one has a login.
  const files = await productionFiles(dir);
  if (mode === 'demo') await writeFile(files.SECRET_FILE, 'd'.repeat(48));
  const env = { ...(mode === 'production' && productionEnv), ...files };
  const config = createConfig(readEnv({ ...env, DATA_DIR: dir, DATABASE_URL: url }));
  const context = await createContext(config, {
    logger,
    durabilityUnchecked: true,
    hashingCost: lightHashing,
  });
  await meanwhile(context.db).finally(context.close);
}

const mark = async () => (await owner.query('select mode from installation')).rows[0]?.mode ?? null;
const insertUser = (email: string, verified: boolean) =>
  owner.query(
    `insert into users (fullname, email, email_key, password_hash, verified_at, created_at)
     values ('Someone', $1, $1, 'x', ${verified ? 'now()' : 'null'}, now())`,
    [email],
  );

describe('a database is a demo’s or a production’s, for good', () => {
  onNewDatabases();

  it('a demo is not started on a production’s database, nor a production on a demo’s', async () => {
    await start('production');
    await expect(start('demo')).rejects.toThrow(/database of a production/);
    await expect(start('demo')).rejects.toBeInstanceOf(StartRefusal);
    await start('production');
    expect(await mark()).toBe('production');

    const other = await cloneTemplate(inject('adminUrl'));
    try {
      await start('demo', other.url);
      await expect(start('production', other.url)).rejects.toThrow(/database of a demo/);
      await start('demo', other.url);
    } finally {
      await other.drop();
    }
  });

  it('of a demo and productions that start at once on a new database, one kind is refused', async () => {
    const modes = ['production', 'demo', 'production', 'demo'] as const;
    const started = await Promise.allSettled(modes.map((mode) => start(mode)));
    const winner = await mark();
    const refused = expect.stringContaining(`This is the database of a ${winner}`);
    expect(started.map((end) => (end.status === 'fulfilled' ? 'started' : end.reason.message))).toEqual(
      modes.map((mode) => (mode === winner ? 'started' : refused)),
    );
  });

  it.each(["update installation set mode = 'demo'", 'delete from installation', 'truncate installation'])(
    'the mark refuses "%s" to its owner, and to the server even to be read',
    async (statement) => {
      await start('production', database.url, async (db) => {
        await expect(sql.raw(statement).execute(db)).rejects.toThrow(/permission denied/);
      });
      await expect(owner.query(statement)).rejects.toThrow(/append-only/);
    },
  );
});

describe('an older database, without a mark', () => {
  onNewDatabases();

  it('is not taken by a demo when it holds an operator whom no demo made, and nothing is written to it', async () => {
    await createOperator('wren@tallystick.example');
    // As an older version left it.
    await owner.query("drop table installation; delete from migrations where name >= '0007'");
    await expect(start('demo')).rejects.toThrow(/people whom no demo made/);
    const { rows } = await owner.query("select to_regclass('installation') as made");
    expect(rows).toEqual([{ made: null }]);
  });

  it('is not taken by a demo when it holds investors alone, even one who chose a sample address', async () => {
    await insertUser('wren@tallystick.example', true);
    await insertUser(demoInvestor.email, false);
    await expect(start('demo')).rejects.toThrow(/people whom no demo made/);
    expect(await mark()).toBeNull();
  });

  it('is a demo’s when its operators are the sample ones and the sample investor is there', async () => {
    for (const { email } of readSamplePeople().operators) await createOperator(email);
    await insertUser(demoInvestor.email, true);
    await insertUser('visitor@example.com', true);
    await start('demo');
    expect(await mark()).toBe('demo');
  });

  it('is not taken by a production with sample people in it, until its owner says so', async () => {
    for (const { email } of readSamplePeople().operators) await createOperator(email);
    await insertUser('priya@example.com', true);
    await expect(start('production')).rejects.toThrow(/sample investors/);
    await owner.query("insert into installation (mode) values ('production')");
    await expect(start('production')).rejects.toThrow(
      'npm run operator -- disable --email operator@example.com && npm run operator -- disable --email second@example.com',
    );
    for (const { email } of readSamplePeople().operators) await accounts().disableOperator({ email });
    await start('production');
  });

  it('cannot be kept from starting by a stranger who signs up under a sample address', async () => {
    await createOperator('wren@tallystick.example');
    await insertUser(demoInvestor.email, false);
    await start('production');
    expect(await mark()).toBe('production');
  });
});

describe('sample people in a production’s database', () => {
  it('a demo that is started on it seeds nobody, and its published codes do not open the console', async () => {
    const test = await startTestApp(productionEnv);
    try {
      await enrolled(test);
      const countPeople = async () =>
        (
          await test.context.owner.query(
            'select (select count(*) from operators) + (select count(*) from users) as n',
          )
        ).rows;
      const before = await countPeople();
      await expect(start('demo', test.database.url)).rejects.toThrow(/database of a production/);
      expect(await countPeople()).toEqual(before);
      // No production has this call, whatever the contract says of it.
      expect((await send(test, 'GET', demo.demoOperators.path)).statusCode).toBe(404);

      // However they got in.
      await seedOperators(test.context);
      const published = await demoOperators({ db: test.context.db, clock: test.clock })();
      for (const { email, password, code } of published) {
        const reply = await signInAsOperator(test, { email }, { password, code });
        expect(reply).toMatchObject({ status: 401, code: 'wrong_credentials' });
        const body = { email, password, code };
        expect((await refusal(test, enrol, { body, from: newAddress() })).code).toBe('wrong_credentials');
      }
      const { rows } = await test.context.owner.query(
        "select count(*)::int as n from audit_log where action = 'operator.refused'",
      );
      expect(rows).toEqual([{ n: 2 * published.length }]);
    } finally {
      await test.close();
    }
  });

  it('a sample investor is refused at every sign-in, in whichever spelling, just as a stranger is', async () => {
    const test = await startTestApp(productionEnv);
    try {
      await registered(test, demoInvestor.email);
      await test.context.owner.query('update users set verified_at = now()');
      const tryIn = (email: string) =>
        tryCall(test, signin, { body: { email, password: goodPassword }, from: newAddress() });
      const stranger = await tryIn('nobody@example.com');
      for (const email of [demoInvestor.email, 'AMARA@Example.com', ' amara@example.com ']) {
        const answer = await tryIn(email);
        expect([answer.status, answer.text]).toEqual([401, stranger.text]);
      }
      const { rows } = await test.context.owner.query(
        "select count(*)::int as n from audit_log where action = 'session.refused'",
      );
      expect(rows).toEqual([{ n: 4 }]);
    } finally {
      await test.close();
    }
  });
});

describe('sample data that was not finished', () => {
  onNewDatabases();
  const there = async (table: string) =>
    (await owner.query('select to_regclass($1) is not null as there', [table])).rows[0].there;

  it('is taken away, and never anything that was there before it', async () => {
    const killed = () => writeSamples(owner, () => Promise.reject(new Error('killed')));
    await owner.query('create table somebody_elses ()');
    await expect(killed()).rejects.toThrow('killed');
    await emptyUnfinished(owner, logger);
    expect([await there('somebody_elses'), await there('installation')]).toEqual([true, true]);
    await owner.query('drop table somebody_elses');
    await expect(killed()).rejects.toThrow('killed');
    await emptyUnfinished(owner, logger);
    expect(await there('installation')).toBe(false);
  });
});

describe('a demo answers to the names of its own machine alone', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
  });
  afterAll(() => test.close());

  it.each([
    ['evil.example', 421],
    ['evil.example:3000', 421],
    ['localhost.evil.example', 421],
    ['127.0.0.1.evil.example', 421],
    ['169.254.169.254', 421],
    ['127.0.0.1@evil.example', 421],
    ['127.0.0.1:3000', 200],
    ['LOCALHOST', 200],
    ['[::1]:3000', 200],
  ])('Host: %s is answered %i', async (host, status) => {
    for (const url of ['/dev/inbox', '/api/demo/operators', '/healthz']) {
      const answer = await test.app.inject({ url, headers: { host } });
      expect(answer.statusCode, url).toBe(status);
      if (status === 421) expect(answer.json()).toMatchObject({ code: 'misdirected' });
    }
    const nowhere = await test.app.inject({ url: '/nowhere', headers: { host } });
    expect(nowhere.statusCode).toBe(status === 421 ? 421 : 404);
  });

  it('but a production to whatever name its proxy passes on', async () => {
    const production = await startTestApp(productionEnv);
    const { statusCode } = await production.app.inject({ url: '/healthz', headers: { host: 'inside:8080' } });
    await production.close();
    expect(statusCode).toBe(200);
  });
});
