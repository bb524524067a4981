import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { standBetween } from '../../../testing/postgres/between.ts';
import { openNotches } from '../../../testing/postgres/notches.ts';
import { isDatabaseAway } from '../away.ts';
import { poolsOf, prepared, type Statement, send } from '../db.ts';
import { Connection } from '../pool/connection.ts';
import { column, text } from '../wire/binary.ts';
import { copied } from '../wire/copy.ts';
import { readThenWrite, writeAtOnce } from './read-then-write.ts';

const { db, notches, clear, close } = await openNotches();
afterAll(close);
beforeEach(clear);
afterEach(() => vi.restoreAllMocks());

const cut = copied<string>('notches', { name: column(text, (name) => name) });
const demand = (holds: boolean) => ({
  name: `demand ${holds}`,
  text: `select 1 / ${holds ? 1 : 0}`,
  values: [],
});

it('is all there, or nothing of it', async () => {
  await writeAtOnce(db, [cut(['one']), demand(true), cut(['two'])]);
  expect(await notches()).toEqual(['one', 'two']);
  const taken = writeAtOnce(db, [cut(['three']), cut(['one']), cut(['four'])]);
  await expect(taken).rejects.toMatchObject({ code: '23505' });
  const unmet = writeAtOnce(db, [cut(['three']), demand(false), cut(['four'])]);
  await expect(unmet).rejects.toMatchObject({ code: '22012' });
  expect(await notches()).toEqual(['one', 'two']);
});

it('waits for no answer before its end', async () => {
  const events: string[] = [];
  standBetween((asked, send) => {
    events.push('sent');
    const answer = send(...asked);
    if (asked[0] === 'begin read write') void answer.then(() => events.push('begun'));
    return answer;
  });
  await writeAtOnce(db, [cut(['one'])]);
  expect(events).toEqual(['sent', 'sent', 'sent', 'begun']);
});

it('is over with its commit, also when it failed: behind that nothing is sent', async () => {
  await writeAtOnce(db, [cut(['one'])]);
  const sent = vi.spyOn(Connection.prototype, 'query');
  await expect(writeAtOnce(db, [cut(['one'])])).rejects.toMatchObject({ code: '23505' });
  const [begin, , ...ends] = sent.mock.calls.map(([asked]) => asked as unknown);
  expect([begin, ...ends]).toEqual(['begin read write', 'commit']);
});

const connectionId = () =>
  readThenWrite(db, {
    read: async (tx) => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)).rows[0]?.pid,
    write: async (_tx, result) => ({ result }),
  });

it('keeps its connection when something failed, and not when the commit itself was refused or not heard of', async () => {
  await sql`create table if not exists later (name text unique deferrable initially deferred)`.execute(db);
  const late = copied<string>('later', { name: column(text, (name) => name) });
  await writeAtOnce(db, [cut(['one'])]);
  const kept = await connectionId();
  await expect(writeAtOnce(db, [cut(['one'])])).rejects.toMatchObject({ code: '23505' });
  expect(await connectionId()).toBe(kept);

  await expect(writeAtOnce(db, [late(['two', 'two'])])).rejects.toMatchObject({ code: '23505' });
  const second = await connectionId();
  expect(second).not.toBe(kept);

  const cutOff = { name: 'cut off', text: 'select pg_terminate_backend(pg_backend_pid())', values: [] };
  await expect(writeAtOnce(db, [cut(['three']), cutOff])).rejects.toSatisfy(isDatabaseAway);
  expect(await connectionId()).not.toBe(second);
  expect(await notches()).toEqual(['one']);
});

it('writes nothing when one cannot be sent', async () => {
  const wrong = { name: 'wrong', text: 'select $1::int', values: [5 as unknown as null] };
  await expect(writeAtOnce(db, [cut(['one']), wrong, cut(['two'])])).rejects.toThrow(TypeError);
  const never = { ...wrong, values: [new Date(Number.NaN)] };
  await expect(writeAtOnce(db, [cut(['one']), never])).rejects.toThrow(RangeError);
  expect(await notches()).toEqual([]);
  await writeAtOnce(db, [cut(['three'])]);
  expect(await notches()).toEqual(['three']);
});

it('sends again what was sent twice for the first time, once before and once behind one that failed', async () => {
  const again = { name: 'again', text: `insert into notches values ('again')`, values: [] };
  const broken = readThenWrite(db, {
    read: async (tx) => {
      await Promise.all([[again], [demand(false)], [again]].map((each) => send(tx, each)));
    },
    write: async () => ({ result: undefined }),
  });
  await expect(broken).rejects.toMatchObject({ code: '22012' });
  await writeAtOnce(db, [again]);
  expect(await notches()).toEqual(['again']);
});

it('keeps no connection on which something was prepared that nobody heard of', async () => {
  const both = { name: 'both', text: 'select 1 as one', values: [] };
  await expect(writeAtOnce(db, [both, demand(false)])).rejects.toMatchObject({ code: '22012' });
  const alone = prepared<{ one: number }>(both.name, both.text);
  const ask = () =>
    readThenWrite(db, { read: (tx) => alone(tx, []), write: async (_tx, result) => ({ result }) });
  await expect(ask()).rejects.toMatchObject({ code: '42P05' });
  expect(await ask()).toEqual([{ one: 1 }]);
});

it.each([
  ['before', (first: Statement) => [first, demand(false)]],
  ['behind', (first: Statement) => [demand(false), first]],
])('sends again what it sent for the first time %s one that failed', async (where, both) => {
  const first = { name: `first ${where}`, text: `insert into notches values ('${where}')`, values: [] };
  await expect(writeAtOnce(db, both(first))).rejects.toMatchObject({ code: '22012' });
  await writeAtOnce(db, [first]);
  await expect(writeAtOnce(db, [first])).rejects.toMatchObject({ code: '23505' });
  expect(await notches()).toEqual([where]);
});

it('writes nothing behind a beginning that failed', async () => {
  standBetween(([text, ...rest], send) =>
    send(String(text).startsWith('begin') ? 'begin nonsense' : text, ...rest),
  );
  const broken = [true, false].map((holds) => writeAtOnce(db, [demand(holds), cut(['one'])]));
  for (const each of broken) await expect(each).rejects.toMatchObject({ code: '42601' });
  vi.restoreAllMocks();
  expect(await notches()).toEqual([]);
});

const cutQuickly = prepared('cut quickly', 'insert into notches values ($1)');

it('writes nothing when one that was sent before the end has the name of another, also when nobody waits for it', async () => {
  const namesake = { name: 'cut quickly', text: 'select 1', values: [] };
  const broken = readThenWrite(db, {
    read: (tx) => cutQuickly(tx, ['zero']),
    async write(tx) {
      send(tx, [namesake]).catch(() => {});
      await sql`select 1`.execute(tx);
      return { result: undefined, last: [cut(['one'])] };
    },
  });
  await expect(broken).rejects.toThrow(/unique|name/);
  expect(await notches()).toEqual([]);
});

it('says that the database is away when it is a standby', async () => {
  const standby = `do $$ begin
    raise exception 'cannot set transaction read-write mode during recovery' using errcode = '0A000'; end $$`;
  standBetween(([text, ...rest], send) => send(String(text).startsWith('begin') ? standby : text, ...rest));
  const broken = [
    readThenWrite(db, { read: async () => {}, write: async () => ({ result: undefined }) }),
    writeAtOnce(db, [cut(['one'])]),
  ];
  const errors = await Promise.all(broken.map((one) => one.catch((error) => error)));
  expect(errors.map(isDatabaseAway)).toEqual([true, true]);
  vi.restoreAllMocks();
  expect(await notches()).toEqual([]);
});

async function nothingIsKept() {
  const { money } = poolsOf(db);
  await vi.waitFor(() => expect(money?.idleCount).toBe(money?.totalCount));
}

it('is whole or nothing for each of several at once: what fails, or cannot be sent, takes no other along and keeps no connection', async () => {
  const never = { name: 'never', text: 'select $1::int', values: [5 as unknown as null] };
  const all = await Promise.allSettled([
    writeAtOnce(db, [cut(['one'])]),
    writeAtOnce(db, [cut(['two']), demand(false), cut(['three'])]),
    writeAtOnce(db, [cut(['four']), never]),
    writeAtOnce(db, [cut(['five'])]),
  ]);
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(await notches()).toEqual(['five', 'one']);
  await writeAtOnce(db, [cut(['six'])]);
  expect(await notches()).toEqual(['five', 'one', 'six']);
  await nothingIsKept();
});
