import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { standBetween } from '../../../testing/postgres/between.ts';
import { openNotches } from '../../../testing/postgres/notches.ts';
import { isDatabaseAway } from '../away.ts';
import { poolsOf, type Statement } from '../db.ts';
import { column, text } from '../wire/binary.ts';
import { copied } from '../wire/copy.ts';
import { readThenWrite, writeAtOnce } from './read-then-write.ts';

const { db, notches, clear, close } = await openNotches();
afterAll(close);

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
    if (asked[0] !== 'begin read write') return answer;
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
const nap = named('nap', 'select pg_sleep(0.1)');
const failing = named('failing', 'select 1 / 0');
const cutOff = named('cut off', 'select pg_terminate_backend(pg_backend_pid())');
const write = (...statements: Statement[]) => writeAtOnce(db, statements);

/** Has a connection when this is over, and takes a while. */
async function begin(...statements: Statement[]) {
  const before = began.length;
  const written = write(nap, ...statements);
  await vi.waitFor(() => expect(began).toHaveLength(before + 1), { interval: 1 });
  // A promise in a promise would be waited for.
  return { written };
}

it('is behind another where that will be over soon, and a third beside both', async () => {
  const over: string[] = [];
  const noted = (name: string, written: Promise<void>) => written.then(() => over.push(name));
  const { written } = await begin(cut(['one']));
  await Promise.all([
    noted('one', written),
    noted('two', write(cut(['two']))),
    noted('three', write(cut(['three']))),
  ]);
  expect(connections()).toEqual([0, 0, 1]);
  expect(over).toEqual(['three', 'one', 'two']);
  expect(await notches()).toEqual(['one', 'three', 'two']);
});

it('is whole where the one before has failed, and fails where that is whole', async () => {
  const one = await begin(cut(['one']), failing);
  const two = write(cut(['two']));
  await expect(one.written).rejects.toMatchObject({ code: '22012' });
  await two;
  const three = await begin(cut(['three']));
  const again = write(cut(['two']));
  await three.written;
  await expect(again).rejects.toMatchObject({ code: '23505' });
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
  const { written } = await begin(cut(['one']));
  nowMs += 40;
  await write(cut(['two']));
  expect(await notches()).toEqual(['two']);
  await written;
  expect(connections()).toEqual([0, 1]);
});

it('is beside others once one took long, until one is over soon again', async () => {
  const long = await begin();
  nowMs += 40;
  await long.written;
  const one = await begin(cut(['one']));
  await Promise.all([one.written, write(cut(['two']))]);
  expect(connections()).toEqual([0, 0, 1]);
  const three = await begin(cut(['three']));
  await Promise.all([three.written, write(cut(['four']))]);
  expect(connections().slice(3)).toEqual([0, 0]);
});

it('did not take long where it had to wait for the one before', async () => {
  const one = await begin();
  const two = write(nap);
  nowMs += 39;
  await one.written;
  nowMs += 39;
  await two;
  const three = await begin();
  await Promise.all([three.written, write()]);
  expect(connections()).toEqual([0, 0, 0, 0]);
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

it('fails with the connection that both were on, which nobody is given any more', async () => {
  const { written } = await begin(cut(['one']), cutOff);
  const both = await Promise.allSettled([written, write(cut(['two']))]);
  expect(both.map((one) => 'reason' in one && isDatabaseAway(one.reason))).toEqual([true, true]);
  await write(cut(['three']));
  expect(connections()).toEqual([0, 0, 1]);
  expect(await notches()).toEqual(['three']);
});

it('is not behind one on a connection that is to be closed; who was there already is not harmed', async () => {
  await sql`create table later (name text unique deferrable initially deferred)`.execute(db);
  const late = copied<string>('later', { name: column(text, (name) => name) });
  const refused = await begin(late(['one', 'one']));
  const two = write(nap, cut(['two']));
  await expect(refused.written).rejects.toMatchObject({ code: '23505' });
  await write(cut(['three']));
  await two;
  await write(cut(['four']));
  expect(connections()).toEqual([0, 0, 1, 1]);
  expect(await notches()).toEqual(['four', 'three', 'two']);
});
