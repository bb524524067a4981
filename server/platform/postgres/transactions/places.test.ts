import type { EventEmitter } from 'node:events';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { standBetween } from '../../../testing/postgres/between.ts';
import { openNotches } from '../../../testing/postgres/notches.ts';
import { isDatabaseAway } from '../away.ts';
import { openApp, poolsOf, type Statement } from '../db.ts';
import type { Connection } from '../pool/connection.ts';
import { column, text } from '../wire/binary.ts';
import { copied } from '../wire/copy.ts';
import { readThenWrite, writeAtOnce } from './read-then-write.ts';

const { db, url, notches, clear, close } = await openNotches();
/** Has what transactions wait for. */
const holder = new pg.Client({ connectionString: url });
beforeAll(() => holder.connect());
afterAll(async () => {
  await holder.end();
  await close();
});

/** On which connection each transaction was, in the order in which they were sent. */
let began: pg.Client[] = [];
/** Is called when a transaction has sent how it begins, and nothing else. */
let onBegin = () => {};
/** Time stands still, so that a busy machine makes nothing late, and goes on where a case says so. */
let nowMs = 0;
beforeEach(async () => {
  await clear();
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  // What one took in the case before says nothing of this one.
  await write();
  began = [];
  onBegin = () => {};
  standBetween((asked, send, client) => {
    const answer = send(...asked);
    if (!String(asked[0]).startsWith('begin read write')) return answer;
    began.push(client);
    onBegin();
    return answer;
  });
});
afterEach(async () => {
  const { money } = poolsOf(db);
  await vi.waitFor(() => expect(money?.idleCount).toBe(money?.totalCount));
  vi.restoreAllMocks();
});

/** Each connection by the order in which it was first used. */
const connections = () => began.map((client) => [...new Set(began)].indexOf(client));

const cut = copied<string>('notches', { name: column(text, (name) => name) });
const named = (name: string, sql: string): Statement => ({ name, text: sql, values: [] });
const failing = named('failing', 'select 1 / 0');
const cutOff = named('cut off', 'select pg_terminate_backend(pg_backend_pid())');
const write = (...statements: Statement[]) => writeAtOnce(db, statements);

const free = (number: number) => holder.query('select pg_advisory_unlock($1)', [number]);

/** Until the number is free. */
async function held(number: number): Promise<Statement> {
  await holder.query('select pg_advisory_lock($1)', [number]);
  return named(`wait for ${number}`, `select pg_advisory_xact_lock(${number})`);
}

/** All that it has to send is sent then: this is the first of it. */
async function waits(number: number): Promise<void> {
  const waiting = `select from pg_locks where locktype = 'advisory' and objid = $1 and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  await vi.waitFor(async () => expect((await holder.query(waiting, [number])).rowCount).toBe(1), {
    interval: 1,
  });
}

/** Has a connection once this is over, and waits there to go on. */
async function begin(...statements: Statement[]) {
  const first = await held(1);
  const written = write(first, ...statements);
  // It may fail before anybody looks.
  written.catch(() => {});
  await waits(1);
  const ended = async () => {
    await free(1);
    await written;
  };
  return { ended };
}

it('is behind another where that will be over soon, and a third beside both', async () => {
  const one = await begin(cut(['one']));
  const two = write(cut(['two']));
  await vi.waitFor(() => expect(began).toHaveLength(2), { interval: 1 });
  await write(cut(['three']));
  expect(await notches()).toEqual(['three']);
  await one.ended();
  await two;
  expect(connections()).toEqual([0, 0, 1]);
  expect(await notches()).toEqual(['one', 'three', 'two']);
});

it('is whole where the one before has failed, and fails where that is whole', async () => {
  const one = await begin(cut(['one']), failing);
  const two = write(cut(['two']));
  await expect(one.ended()).rejects.toMatchObject({ code: '22012' });
  await two;
  const three = await begin(cut(['three']));
  const again = write(cut(['two']));
  await Promise.all([three.ended(), expect(again).rejects.toMatchObject({ code: '23505' })]);
  expect(connections()).toEqual([0, 0, 0, 0]);
  expect(await notches()).toEqual(['three', 'two']);
});

it('is never in the middle of another that is being sent', async () => {
  let second: Promise<void> | undefined;
  onBegin = () => {
    second ??= write(cut(['two']));
  };
  await write(cut(['one']));
  await second;
  expect(connections()).toEqual([0, 1]);
  expect(await notches()).toEqual(['one', 'two']);
});

it('is beside one that is silent for a while, as who waits for a row is', async () => {
  const one = await begin(cut(['one']));
  nowMs += 20;
  await write(cut(['two']));
  expect(await notches()).toEqual(['two']);
  await one.ended();
  expect(connections()).toEqual([0, 1]);
});

it('is beside others once one took long, until one is over soon again', async () => {
  const long = await begin();
  nowMs += 20;
  await long.ended();
  const one = await begin(cut(['one']));
  await write(cut(['two']));
  await one.ended();
  expect(connections()).toEqual([0, 0, 1]);
  const three = await begin(cut(['three']));
  const four = write(cut(['four']));
  await three.ended();
  await four;
  expect(began[4]).toBe(began[3]);
});

it('did not take long where it had to wait for the one before, nor was its commit longer under way', async () => {
  const commits: number[] = [];
  const told = openApp(url, pino({ level: 'silent' }), { onCommit: (seconds) => commits.push(seconds) });
  const send = (...statements: Statement[]) => writeAtOnce(told, statements);
  const [first, second] = [await held(1), await held(2)];
  const one = send(first);
  await waits(1);
  const two = send(second);
  await vi.waitFor(() => expect(began).toHaveLength(2), { interval: 1 });
  nowMs += 19;
  await free(1);
  await one;
  nowMs += 19;
  await free(2);
  await two;
  const three = send(await held(1));
  await waits(1);
  const four = send();
  await free(1);
  await Promise.all([three, four]);
  expect(connections()).toEqual([0, 0, 0, 0]);
  expect(commits.slice(0, 2)).toEqual([0.019, 0.019]);
  await told.destroy();
});

it('is never behind one that asks, which is over whenever it likes', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const asking = readThenWrite(db, { read: () => asked, write: async () => ({ result: undefined }) });
  await vi.waitFor(() => expect(began).toHaveLength(1), { interval: 1 });
  await write(cut(['one']));
  resolve();
  await asking;
  expect(connections()).toEqual([0, 1]);
});

it('is never behind another by way of a pooler, which gives connections away at the end of a transaction', async () => {
  const pooled = openApp(url, pino({ level: 'silent' }), { shared: true });
  const first = writeAtOnce(pooled, [await held(1)]);
  await waits(1);
  await writeAtOnce(pooled, [cut(['one'])]);
  await free(1);
  await first;
  expect(connections()).toEqual([0, 1]);
  await pooled.destroy();
});

it('fails with the connection that both were on, which nobody is given any more', async () => {
  const one = await begin(cut(['one']), cutOff);
  const two = write(cut(['two']));
  const both = await Promise.allSettled([one.ended(), two]);
  expect(both.map((each) => 'reason' in each && isDatabaseAway(each.reason))).toEqual([true, true]);
  await write(cut(['three']));
  expect(connections()).toEqual([0, 0, 1]);
  expect(await notches()).toEqual(['three']);
});

it('is not behind one whose line has broken, also before that one has heard of it', async () => {
  const one = await begin();
  const { promise: second, resolve } = Promise.withResolvers<void>();
  const [client] = began as unknown as { connection: EventEmitter }[];
  client?.connection.once('end', () => resolve(write(cut(['two']))));
  await holder.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  await second;
  await expect(one.ended()).rejects.toSatisfy(isDatabaseAway);
  expect(connections()).toEqual([0, 1]);
  expect(await notches()).toEqual(['two']);
});

it('is not behind one whose database has turned out to take no writes', async () => {
  const one = await begin();
  (began[0] as unknown as Connection).isStandby = true;
  await write(cut(['two']));
  await one.ended();
  expect(connections()).toEqual([0, 1]);
});

it('is not behind one on a connection that is to be closed; who was there already is not harmed', async () => {
  await sql`create table later (name text unique deferrable initially deferred)`.execute(db);
  const late = copied<string>('later', { name: column(text, (name) => name) });
  const refused = await begin(late(['one', 'one']));
  const two = write(await held(2), cut(['two']));
  await expect(refused.ended()).rejects.toMatchObject({ code: '23505' });
  await write(cut(['three']));
  await free(2);
  await two;
  await write(cut(['four']));
  expect(connections()).toEqual([0, 0, 1, 1]);
  expect(await notches()).toEqual(['four', 'three', 'two']);
});
