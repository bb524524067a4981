import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { standBetween } from '../../../testing/postgres/between.ts';
import { openNotches } from '../../../testing/postgres/notches.ts';
import { isDatabaseAway } from '../away.ts';
import { type Db, prepared, type Statement, type Tx } from '../db.ts';
import { Connection } from '../pool/connection.ts';
import { column, columnOf, text } from '../wire/binary.ts';
import { copied } from '../wire/copy.ts';
import * as transactions from './read-then-write.ts';

const { db, adminUrl, notches, clear, close } = await openNotches();
afterAll(close);
beforeEach(clear);
afterEach(() => vi.restoreAllMocks());

const cut = (on: Db | Tx, name: string) => sql`insert into notches values (${name})`.execute(on);
const nothing = async () => {};
/** Everything is answered before the end, unless some of it is sent last. */
const readThenWrite = <Facts, T>(
  on: Db,
  {
    read,
    write,
    last = [],
  }: { read(tx: Tx): Promise<Facts>; write(tx: Tx, facts: Facts): Promise<T>; last?: Statement[] },
) =>
  transactions.readThenWrite(on, {
    read,
    write: async (tx, facts) => ({ result: await write(tx, facts), last }),
  });
const count = prepared<{ n: number }>('count notches', 'select count(*)::int as n from notches where $1');
const cutQuickly = prepared('cut', 'insert into notches values ($1)');
const divided = prepared<{ n: number }>('divide', 'select (1 / $1::int)::int as n');
const pid = prepared<{ pid: number }>('which backend', 'select pg_backend_pid() as pid');

describe('reading and then writing', () => {
  it('writes all, when everything went well', async () => {
    const answer = await readThenWrite(db, {
      read: (tx) => count(tx, [true]),
      async write(tx, [row]) {
        await Promise.all([cut(tx, 'one'), cut(tx, 'two')]);
        return row?.n;
      },
    });
    expect([answer, await notches()]).toEqual([0, ['one', 'two']]);
  });

  it('is one transaction from the first read on', async () => {
    const number = prepared<{ id: string }>('number', 'select pg_current_xact_id()::text as id');
    const [read, wrote] = await readThenWrite(db, {
      read: (tx) => number(tx, []),
      write: async (tx, first) => [first[0]?.id, (await number(tx, []))[0]?.id],
    });
    expect(wrote).toBe(read);
  });

  it('writes nothing when it could not begin, not even what follows from what was read', async () => {
    const between = standBetween(([text, ...rest], send) =>
      send(String(text).startsWith('begin') ? 'begin nonsense' : text, ...rest),
    );
    const write = vi.fn(nothing);
    const begun = readThenWrite(db, {
      async read(tx) {
        await count(tx, [true]);
        await cutQuickly(tx, ['while reading']);
      },
      write,
    });
    await expect(begun).rejects.toMatchObject({ code: '42601' });
    between.mockRestore();
    expect(write).not.toHaveBeenCalled();
    expect(await notches()).toEqual([]);
  });

  it.each<[string, (tx: Tx) => Promise<unknown>]>([
    ['a statement', (tx) => sql`select 1 / 0`.execute(tx)],
    ['a prepared one', (tx) => divided(tx, [0])],
    [
      'one among several that travel together',
      (tx) => Promise.all([cut(tx, 'b'), divided(tx, [0]), cut(tx, 'c')]),
    ],
    ['one that nobody waited for', async (tx) => void divided(tx, [0]).catch(nothing)],
    ['the program itself', () => Promise.reject(new Error('division by zero'))],
  ])('leaves nothing when %s fails, and the connection goes on', async (_case, fail) => {
    const broken = readThenWrite(db, {
      read: (tx) => pid(tx, []),
      async write(tx) {
        await cut(tx, 'a');
        await fail(tx);
      },
    });
    await expect(broken).rejects.toThrow(/division by zero|had failed before its end/);
    expect(await notches()).toEqual([]);
    await readThenWrite(db, { read: nothing, write: (tx) => cut(tx, 'afterwards') });
    expect(await notches()).toEqual(['afterwards']);
  });

  const cutLast = (name: string): Statement => ({
    name: 'cut last',
    text: 'insert into notches select unnest($1::text[])',
    values: [columnOf(text, [name], (each) => each)],
  });

  it('sends what needs no answer together with its end', async () => {
    const sent = vi.spyOn(Connection.prototype, 'query');
    await readThenWrite(db, { read: nothing, write: nothing, last: [cutLast('one'), cutLast('two')] });
    const said = sent.mock.calls.map(
      ([query]) => (query as { statements?: Statement[] }).statements?.length ?? query,
    );
    expect(said).toEqual(['begin read write', 2, 'commit']);
    expect(await notches()).toEqual(['one', 'two']);
  });

  it.each<[string, Statement]>([
    ['a statement', { name: 'nonsense', text: 'insert into notches_nobody_made values (1)', values: [] }],
    ['a key that is there', cutLast('one')],
    [
      'a copy of what is no row',
      { name: 'no rows', text: 'copy notches from stdin (format binary)', rows: Buffer.of(1, 2, 3) },
    ],
  ])('leaves nothing when %s fails among what is sent last, and says why', async (_case, wrong) => {
    const last = [cutLast('one'), wrong, cutLast('two')];
    const broken = readThenWrite(db, { read: nothing, write: (tx) => cut(tx, 'zero'), last });
    await expect(broken).rejects.toThrow(/does not exist|duplicate key|COPY/);
    expect(await notches()).toEqual([]);
    await readThenWrite(db, { read: nothing, write: (tx) => cut(tx, 'afterwards'), last: [cutLast('last')] });
    expect(await notches()).toEqual(['afterwards', 'last']);
  });

  it.each<[string, Statement]>([
    ['another that is sent last', { name: 'cut last', text: 'select $1::text[]', values: [] }],
    ['a prepared one', { name: 'cut', text: 'select 1', values: [] }],
  ])('commits nothing when a statement has the name of %s, which is never sent', async (_case, namesake) => {
    const first = readThenWrite(db, {
      read: (tx) => cutQuickly(tx, ['zero']),
      write: nothing,
      last: [cutLast('one'), namesake, cutLast('two')],
    });
    await expect(first).rejects.toThrow(/unique|name/);
    expect(await notches()).toEqual([]);
  });

  it('says what failed first, also when what failed because of it is heard of before', async () => {
    const broken = readThenWrite(db, {
      read: nothing,
      async write(tx) {
        const [first, refused] = [divided(tx, [0]), cutQuickly(tx, ['b'])];
        const passedOnLate = first.catch(async (error) => {
          await refused.catch(nothing);
          throw error;
        });
        await Promise.all([passedOnLate, refused]);
      },
    });
    await expect(broken).rejects.toMatchObject({ code: '22012' });
  });

  it('goes on with its prepared statements after a failure, also with those that were never parsed for it', async () => {
    const before = prepared<{ n: number }>('parsed before', 'select 1 as n');
    const never = prepared<{ n: number }>('parsed too late', 'select 2 as n');
    const wrong = prepared<{ n: number }>(
      'never right',
      'select (1 / $1::int)::int as n from notches_nobody_made',
    );
    const read = (tx: Tx) => before(tx, []);
    const [backend] = await readThenWrite(db, { read, write: (tx) => pid(tx, []) });
    for (const failing of [() => divided, () => wrong]) {
      const broken = readThenWrite(db, {
        read,
        write: (tx) => Promise.all([failing()(tx, [0]), before(tx, []), never(tx, []), never(tx, [])]),
      });
      await expect(broken).rejects.toThrow(/division by zero|does not exist/);
      const after = await readThenWrite(db, {
        read,
        write: async (tx) => ({
          values: await Promise.all([before(tx, []), never(tx, []), never(tx, []), divided(tx, [1])]),
          backend: (await pid(tx, []))[0],
        }),
      });
      // It was that connection and no other.
      expect(after).toEqual({ values: [[{ n: 1 }], [{ n: 2 }], [{ n: 2 }], [{ n: 1 }]], backend });
    }
    // What is wrong once is wrong again, and not something else by then.
    await expect(wrong(db, [1])).rejects.toMatchObject({ code: '42P01' });
  });

  it('gives up a connection whose prepared statements do not fit the tables any more', async () => {
    const names = prepared<{ name: string }>('names', 'select name from notches');
    const run = () => readThenWrite(db, { read: (tx) => names(tx, []), write: (tx) => pid(tx, []) });
    const before = await run();
    await sql`alter table notches alter column name type varchar`.execute(db);
    try {
      await expect(run()).rejects.toMatchObject({ code: '0A000' });
      expect(await run()).not.toEqual(before);
    } finally {
      await sql`alter table notches alter column name type text`.execute(db);
    }
  });

  it('gives up a connection that has forgotten a prepared statement, also when a copy behind it is heard of first', async () => {
    const copy = copied<string>('notches', { name: column(text, (name) => name) });
    const run = (...last: Statement[]) =>
      readThenWrite(db, { read: nothing, write: (tx) => pid(tx, []), last });
    const before = await run(cutLast('one'));
    const forget = { name: 'forget', text: 'deallocate "cut last"', values: [] };
    await run(forget);
    await expect(run(cutLast('two'), copy(['three']))).rejects.toMatchObject({ code: '26000' });
    expect(await run(cutLast('two'), copy(['three']))).not.toEqual(before);
    expect(await notches()).toEqual(['one', 'three', 'two']);
  });

  it('is ended by the database when nothing is heard of it any more', async () => {
    const limit = sql<{ timeout: string }>`
      select current_setting('idle_in_transaction_session_timeout') as timeout`;
    const { rows } = await readThenWrite(db, { read: nothing, write: (tx) => limit.execute(tx) });
    expect(rows).toEqual([{ timeout: '1min' }]);
  });

  it('takes no statement after its end, whichever end that was', async () => {
    const kept: Tx[] = [];
    await readThenWrite(db, { read: async (tx) => kept.push(tx), write: nothing });
    const failed = readThenWrite(db, {
      read: async (tx) => kept.push(tx),
      write: () => Promise.reject(new Error('no')),
    });
    await expect(failed).rejects.toThrow('no');
    expect(kept).toHaveLength(2);
    for (const tx of kept) {
      await expect(cut(tx, 'late')).rejects.toThrow('this transaction has ended');
      await expect(count(tx, [true])).rejects.toThrow('this transaction has ended');
    }
    expect(await notches()).toEqual([]);
  });

  it('does not begin inside another', async () => {
    const inside = readThenWrite(db, {
      read: nothing,
      write: (tx) => readThenWrite(tx, { read: nothing, write: nothing }),
    });
    await expect(inside).rejects.toThrow('cannot begin inside another');
  });

  it('is done again when the database has undone it to end a deadlock', async () => {
    const tries = vi.fn();
    await readThenWrite(db, {
      read: nothing,
      async write(tx) {
        tries();
        await cut(tx, 'again');
        const undone = `do $$ begin raise exception 'undone' using errcode = '40P01'; end $$`;
        if (tries.mock.calls.length === 1) await sql.raw(undone).execute(tx);
      },
    });
    expect(tries).toHaveBeenCalledTimes(2);
    expect(await notches()).toEqual(['again']);
  });

  it.each(['read', 'write'] as const)(
    'says that the database is away when the connection is cut during its %s, and the next goes through',
    async (when) => {
      const admin = new pg.Client({ connectionString: adminUrl });
      await admin.connect();
      const die = async (tx: Tx) => {
        const [row] = await pid(tx, []);
        await admin.query('select pg_terminate_backend($1)', [row?.pid]);
        await Promise.all([cut(tx, 'one'), cut(tx, 'two')]);
      };
      const write = vi.fn(when === 'write' ? die : nothing);
      const broken = readThenWrite(db, { read: when === 'read' ? die : nothing, write });
      const error = await broken.catch((reason) => reason);
      expect(isDatabaseAway(error)).toBe(true);
      expect(write).toHaveBeenCalledTimes(when === 'write' ? 1 : 0);
      await admin.end();
      await readThenWrite(db, { read: (tx) => pid(tx, []), write: (tx) => cut(tx, 'afterwards') });
      expect(await notches()).toEqual(['afterwards']);
    },
  );
});
