import { connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { startThrowAwayDatabase } from '../../../testing/throw-away-database.ts';
import { freePort } from '../../embedded-postgres/process.ts';
import { type DatabaseError, isDatabaseAway } from '../away.ts';
import { openPool } from './pool.ts';

const logger = pino({ level: 'silent' });
const name = `watched_${process.pid}`;
let old: Awaited<ReturnType<typeof startThrowAwayDatabase>>;
let nodes: pg.Client[];
/** As HAProxy does it: one address, behind which the node changes. */
let node: number;
let isHanging = false;
let url: string;
const lines = new Set<Socket>();
const front = createServer((near) => {
  const far = connect(node, '127.0.0.1');
  const isOld = node === Number(new URL(old.adminUrl).port);
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    lines.add(from);
    from.on('data', (data) => void (isHanging && isOld ? null : to.write(data)));
    from.on('close', () => to.destroy()).on('error', () => to.destroy());
  }
});

beforeAll(async () => {
  old = await startThrowAwayDatabase();
  nodes = [old.adminUrl, inject('adminUrl')].map((adminUrl) => new pg.Client(adminUrl));
  for (const each of nodes) {
    await each.connect();
    await each.query(`create role ${name} login password 'w'`);
    await each.query(`create database ${name} owner ${name}`);
  }
  const port = await freePort();
  await new Promise<void>((resolve) => front.listen(port, '127.0.0.1', resolve));
  url = `postgres://${name}:w@127.0.0.1:${port}/${name}`;
});
afterAll(async () => {
  for (const line of lines) line.destroy();
  front.close();
  for (const each of nodes) {
    await each.query(`drop database ${name} with (force)`);
    await each.query(`drop role ${name}`);
    await each.end();
  }
  await old.stop();
});
const portOf = (adminUrl: string) => Number(new URL(adminUrl).port);
const failed = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (error: DatabaseError) => error,
  );

it.each([true, false])(
  'an answer that a hanging node owes is given up once the address leads to another (pipeline %s)',
  async (pipeline) => {
    node = portOf(old.adminUrl);
    isHanging = false;
    const pool = openPool({ config: { connectionString: url, pipeline, query_timeout: 25_000 }, logger });
    await Promise.all([pool.query('select 1'), pool.query('select 2')]);
    const held = await pool.connect();
    isHanging = true;
    const asked = failed(held.query('select 3'));
    node = portOf(inject('adminUrl'));
    const begun = performance.now();
    expect(await asked).toMatchObject({ code: '08006' });
    expect(performance.now() - begun).toBeLessThan(12_000);
    held.release();
    // The other one hung, too, and nobody had to find out by waiting for it.
    expect((await pool.query('select 4 as four')).rows).toEqual([{ four: 4 }]);
    expect(pool.totalCount).toBe(1);
    await pool.end();
  },
);

it('a node that is there and slow is waited for', async () => {
  node = portOf(inject('adminUrl'));
  const pool = openPool({ config: { connectionString: url }, logger });
  expect((await pool.query('select pg_sleep(6), 5 as five')).rows).toMatchObject([{ five: 5 }]);
  await pool.end();
});

it('a node is the same one whatever a login says of how times are written', async () => {
  node = portOf(inject('adminUrl'));
  const [, admin] = nodes;
  const pool = openPool({ config: { connectionString: url }, logger });
  const held = await pool.connect();
  const asked = failed(held.query('select pg_sleep(0.5)'));
  await admin?.query(`alter role ${name} set timezone = 'Asia/Tokyo'`);
  await pool.query('select 1');
  expect(await asked).toBeNull();
  held.release();
  await admin?.query(`alter role ${name} reset timezone`);
  await pool.end();
});

it('a standby is not used, and a connection that a standby has refused is not used again', async () => {
  node = portOf(inject('adminUrl'));
  const [, admin] = nodes;
  const there = new pg.Client({ connectionString: url });
  await there.connect();
  await there.query(`create schema standby; create function standby.pg_is_in_recovery() returns boolean
    language sql as 'select true'`);
  await there.end();
  await admin?.query(`alter role ${name} in database ${name} set search_path = standby, pg_catalog`);
  const pool = openPool({ config: { connectionString: url }, logger });
  const refused = await failed(pool.query('select 1'));
  expect(refused).toMatchObject({ code: '25006' });
  expect(isDatabaseAway(refused as DatabaseError)).toBe(true);
  await admin?.query(`alter role ${name} in database ${name} reset search_path`);

  const client = await pool.connect();
  await client.query('set default_transaction_read_only = on');
  expect(await failed(client.query('create table no ()'))).toMatchObject({ code: '25006' });
  client.release();
  await pool.query('create table yes ()');
  await pool.end();
});

it('no login makes commits that nobody waits for', async () => {
  node = portOf(inject('adminUrl'));
  const [, admin] = nodes;
  for (const [given, used] of [
    ['off', 'on'],
    ['local', 'on'],
    ['remote_apply', 'remote_apply'],
  ]) {
    await admin?.query(`alter role ${name} set synchronous_commit = ${given}`);
    const pool = openPool({ config: { connectionString: url }, logger });
    expect((await pool.query('show synchronous_commit')).rows).toEqual([{ synchronous_commit: used }]);
    await pool.end();
  }
});

it('no login keeps the notice from us that a commit was not waited for', async () => {
  node = portOf(inject('adminUrl'));
  const [, admin] = nodes;
  await admin?.query(`alter role ${name} set client_min_messages = error`);
  const pool = openPool({ config: { connectionString: url }, logger });
  expect((await pool.query('show client_min_messages')).rows).toEqual([{ client_min_messages: 'warning' }]);
  await pool.end();
});
