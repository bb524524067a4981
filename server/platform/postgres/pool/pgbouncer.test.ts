import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchsingleinvestment, makeinvestment } from '@tallystick/contract/investment';
import { summary } from '@tallystick/contract/ledger';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { createContext } from '../../../context.ts';
import { times } from '../../../testing/at-once.ts';
import { call, tryCall } from '../../../testing/call.ts';
import { minuteMs } from '../../../testing/clock.ts';
import { testOwner } from '../../../testing/database.ts';
import { deposit, operator, withOffers } from '../../../testing/money.ts';
import { type SignedIn, signedUp, signIn } from '../../../testing/people.ts';
import { standBetween } from '../../../testing/postgres/between.ts';
import { lightHashing, startTestApp, type TestApp } from '../../../testing/start-app.ts';
import { freePort } from '../../embedded-postgres/process.ts';
import { openApp } from '../db.ts';
import { createReadiness } from '../readiness.ts';
import { readThenWrite, writeAtOnce } from '../transactions/read-then-write.ts';
import { column, text } from '../wire/binary.ts';
import { copied } from '../wire/copy.ts';

const program = '/usr/sbin/pgbouncer';
const isMissing = !existsSync(program);
const given = join(import.meta.dirname, '../../../../ops/pgbouncer/pgbouncer.ini');
const logger = pino({ level: 'silent' });
const role = `bounced_${randomBytes(4).toString('hex')}`;

let admin: pg.Client;
let test: TestApp;
let bouncer: { port: number; stop(): Promise<void> };

/** With the file that the handbook hands out, at another address. */
async function startBouncer() {
  const dir = await mkdtemp(join(tmpdir(), 'tallystick-pgbouncer-'));
  const port = await freePort();
  const { hostname, port: postgres } = new URL(inject('adminUrl'));
  const users = [role, testOwner].map((user) => `"${user}" "${user}"\n`).join('');
  const ini = readFileSync(given, 'utf8')
    .replace(/^house = .*$/m, `* = host=${hostname} port=${postgres}`)
    .replace(/^listen_port = .*$/m, `listen_port = ${port}`)
    .replace(/^auth_file = .*$/m, `auth_file = ${join(dir, 'users')}`)
    // Fewer than there are clients, so that they really share.
    .replace(/^default_pool_size = .*$/m, 'default_pool_size = 4');
  await writeFile(join(dir, 'ini'), ini);
  await writeFile(join(dir, 'users'), users);
  await chmod(dir, 0o755);
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(program, [join(dir, 'ini')], { ...nobody, cwd: '/', stdio: 'ignore' });
  const ended = once(child, 'exit');
  return {
    port,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

const through = (url: string, user: string) => {
  const there = new URL(url);
  Object.assign(there, { port: bouncer.port, username: user, password: user });
  return there.href;
};

// Where PgBouncer is not installed this says so: apt-get install pgbouncer.
describe.skipIf(isMissing)('behind PgBouncer in transaction mode', () => {
  beforeAll(async () => {
    admin = new pg.Client({ connectionString: inject('adminUrl') });
    await admin.connect();
    await admin.query(`create role ${role} login password '${role}' in role tallystick_app`);
    await admin.query(`alter role ${role} set statement_timeout = '30s'`);
    await admin.query(`alter role ${role} set idle_in_transaction_session_timeout = '60s'`);
    bouncer = await startBouncer();
    test = await startTestApp(async ({ url }) => ({ DATABASE_APP_URL: through(url, role) }), {
      hashingCost: lightHashing,
    });
  });
  afterAll(async () => {
    await test.close();
    await bouncer.stop();
    await admin.query(`drop role ${role}`);
    await admin.end();
  });

  let ada: SignedIn;
  const invest = (key: string) =>
    tryCall(test, makeinvestment, {
      as: ada,
      key,
      body: { userid: ada.userid, planid, investinvestmemntamount: 100 },
    });
  let planid: string;
  const listed = async () => {
    const { userid } = ada;
    return (await call(test, fetchsingleinvestment, { as: ada, params: { userid } })).investment.length;
  };

  it('people sign up, money moves once a key however many ask at once, and lists, books and exports are whole', async () => {
    planid = (await withOffers(test)).plans.Starter;
    ada = await signIn(test, await signedUp(test));
    await deposit(test, ada.userid, 10_000);
    const keys = times(25, (n) => `bounced-${n}`);
    const told = await Promise.all([...keys, ...keys].map(invest));
    expect(new Set(told.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await listed()).toBe(25);
    expect((await call(test, summary, { as: ada })).available).toBe(7_500);
    expect(await test.context.ledger.checkBooks()).toMatchObject({ findings: [] });
    test.clock.advance(2 * minuteMs);
    const { number } = await test.context.proof.prove();
    const { file } = await test.context.proof.exportLiabilities({ number, actor: operator() });
    expect(Buffer.concat(await file.toArray()).length).toBeGreaterThan(1_000);
  });

  it('money has its limits in every transaction, whoever had the connection before', async () => {
    const settings = [
      'client_min_messages',
      'enable_seqscan',
      'lock_timeout',
      'statement_timeout',
      'transaction_read_only',
    ];
    const told = await Promise.all(
      times(10, () =>
        readThenWrite(test.context.db, {
          async read(tx) {
            const { rows } = await sql<{ name: string; setting: string }>`
              select name, setting from pg_settings where name = any(${settings}) order by name`.execute(tx);
            return rows.map(({ setting }) => setting);
          },
          write: async (_tx, result) => ({ result }),
        }),
      ),
    );
    expect(told).toEqual(told.map(() => ['warning', 'off', '3000', '30000', 'off']));
    const outside = await sql<{ lock: string }>`select current_setting('lock_timeout') as lock`.execute(
      test.context.db,
    );
    expect(outside.rows).toEqual([{ lock: '0' }]);
  });

  it('nothing is sent behind a beginning that failed', async () => {
    const sent: unknown[] = [];
    standBetween((asked, send) => {
      const isBeginning = String(asked[0]).startsWith('begin read write');
      const said = isBeginning ? ['begin nonsense'] : asked;
      sent.push(said[0]);
      return send(...said);
    });
    // By way of connections of its own: what happens by the clock is not on them.
    const db = openApp(through(test.database.url, role), logger, { shared: true });
    const notch = copied<string>('notches', { name: column(text, (name) => name) });
    await test.jobs.stop();
    sent.length = 0;
    await expect(writeAtOnce(db, [notch(['one'])])).rejects.toMatchObject({ code: '42601' });
    vi.restoreAllMocks();
    expect(sent).toEqual(['begin nonsense', 'rollback']);
    await db.destroy();
  });

  it('everyone hears their own answers, however many transactions fail beside them', async () => {
    const db = openApp(through(test.database.url, role), logger, { shared: true });
    const { owner } = test.context;
    await owner.query('create table notches (name text primary key)');
    await owner.query('grant insert on notches to tallystick_app');
    const notch = copied<string>('notches', { name: column(text, (name) => name) });
    await writeAtOnce(db, [notch(['taken'])]);
    const fail = () => expect(writeAtOnce(db, [notch(['taken'])])).rejects.toMatchObject({ code: '23505' });
    const ask = async (n: number) =>
      expect((await sql`select ${n}::int as n`.execute(db)).rows).toEqual([{ n }]);
    const inTurn = async (count: number, once: (n: number) => Promise<void>) => {
      for (let n = 0; n < count; n += 1) await once(n);
    };
    try {
      // As many as the pools have connections, so that none waits for one of those.
      await Promise.all([...times(8, () => inTurn(100, fail)), ...times(12, () => inTurn(200, ask))]);
    } finally {
      await owner.query('drop table notches');
      await db.destroy();
    }
  });

  it('commits of money are waited for whatever the login says, and it is told that the others are not', async () => {
    const db = openApp(through(test.database.url, role), logger, { shared: true });
    const waits = sql<{ waits: string }>`select current_setting('synchronous_commit') as waits`;
    const inMoney = await readThenWrite(db, {
      read: async (tx) => (await waits.execute(tx)).rows,
      write: async (_tx, result) => ({ result }),
    });
    expect([inMoney, (await waits.execute(db)).rows]).toEqual([[{ waits: 'on' }], [{ waits: 'off' }]]);
    expect(await createReadiness(db)()).toEqual([
      'what is acknowledged may be lost: synchronous_commit is not on',
    ]);
    await db.destroy();
  });

  it('connections that PgBouncer loses cost a short 503, and nothing is done twice', async () => {
    const before = await listed();
    const name = new URL(test.database.url).pathname.slice(1);
    const cut = () =>
      admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = $2',
        [name, role],
      );
    const statuses = new Set<number>();
    const untilDone = async (key: string): Promise<void> => {
      for (;;) {
        const { status } = await invest(key);
        statuses.add(status);
        if (status === 200) return;
      }
    };
    const all = times(20, (n) => untilDone(`cut-${n}`));
    for (let cuts = 0; cuts < 5; cuts += 1) await cut();
    await Promise.all(all);
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(await listed()).toBe(before + 20);
    expect(await test.context.ledger.checkBooks()).toMatchObject({ findings: [] });
  });

  it('the owner is sent past it, and a login without limits is told which', async () => {
    const { config } = test.context;
    const overrides = { logger, durabilityUnchecked: true };
    const asOwner = {
      ...config,
      databaseUrl: through(test.database.url, testOwner),
      databaseAppUrl: undefined,
    };
    await expect(createContext(asOwner, overrides)).rejects.toThrow(/name PostgreSQL itself in DATABASE_URL/);
    await admin.query(`alter role ${role} reset statement_timeout`);
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role]);
    await expect(createContext(config, overrides)).rejects.toThrow(
      `ALTER ROLE "${role}" SET statement_timeout = '30s';`,
    );
    await admin.query(`alter role ${role} set statement_timeout = '30s'`);
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role]);
  });
});
