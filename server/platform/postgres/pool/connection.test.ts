import { once } from 'node:events';
import v8 from 'node:v8';
import vm from 'node:vm';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { isDatabaseAway } from '../away.ts';
import { together } from '../wire/together.ts';
import { Connection } from './connection.ts';

let connection: Connection;
const open = async (query_timeout?: number) => {
  connection = new Connection({
    connectionString: inject('adminUrl'),
    ...(query_timeout && { query_timeout }),
  });
  connection.on('error', () => {});
  await connection.connect();
};
beforeEach(() => open());
afterEach(() => connection.end());

const failed = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (error: Error) => error,
  );
const msOf = async (asked: Promise<unknown>) => {
  const begun = performance.now();
  await asked;
  return performance.now() - begun;
};

describe('an answer that does not come in time', () => {
  it('is given up with its connection, and so are those behind it', async () => {
    await connection.end();
    await open(100);
    const asked = [connection.query('select pg_sleep(5)'), connection.query('select 1')];
    const errors = await Promise.all(asked.map(failed));
    for (const error of errors) {
      expect(error?.message).toBe('Query read timeout');
      expect(isDatabaseAway(error as Error)).toBe(true);
    }
    expect((await failed(connection.query('select 2')))?.message).toBe('Query read timeout');
  });

  it('is missed by its own limit, whatever was asked before it', async () => {
    const patient = failed(connection.query({ text: 'select pg_sleep(5)', answerMsMax: 60_000 }));
    const asked = failed(connection.query({ text: 'select 1', answerMsMax: 100 }));
    expect(await msOf(Promise.all([patient, asked]))).toBeLessThan(3_000);
    expect((await asked)?.message).toBe('Query read timeout');
  });

  it('is told whoever asked with a callback', async () => {
    const { promise, resolve } = Promise.withResolvers<Error>();
    connection.query({ text: 'select pg_sleep(5)', answerMsMax: 100 }, [], resolve);
    expect((await promise).message).toBe('Query read timeout');
  });
});

it('is waited for as long as each question lets it, and forgotten when it has come', async () => {
  await connection.end();
  await open(1_000);
  for (let n = 0; n < 3; n += 1) await connection.query('select pg_sleep(0.4)');
  // One that could not be sent at all owes nothing.
  const wrong = { text: 'select 1', values: 'no list' } as unknown as pg.QueryConfig;
  expect(await failed(connection.query(wrong))).not.toBeNull();
  await connection.query({ text: 'select pg_sleep(1.2)', answerMsMax: 30_000 });
  expect((await connection.query('select 6 as six')).rows).toEqual([{ six: 6 }]);
});

it('is read first where it came while this process was busy', async () => {
  const asked = connection.query({ text: 'select 1 as one', answerMsMax: 100 });
  await new Promise((resolve) => setImmediate(resolve));
  for (const until = performance.now() + 300; performance.now() < until; );
  expect((await asked).rows).toEqual([{ one: 1 }]);
});

it('is waited for as long as the address of the database says, and no longer than a timer can', async () => {
  await connection.end();
  connection = new Connection({ connectionString: `${inject('adminUrl')}?query_timeout=300` });
  connection.on('error', () => {});
  await connection.connect();
  const warned = vi.spyOn(process, 'emitWarning');
  await connection.query({ text: 'select pg_sleep(0.01)', answerMsMax: 2 ** 40 });
  expect(warned).not.toHaveBeenCalled();
  expect((await failed(connection.query('select pg_sleep(5)')))?.message).toBe('Query read timeout');
});

it('can be asked for in all the ways that the driver has', async () => {
  const text = 'select $1::int as n';
  const byCallback = (...asked: unknown[]) =>
    new Promise<pg.QueryResult>((resolve, reject) => {
      const answered = (error: Error | null, result: pg.QueryResult) =>
        error ? reject(error) : resolve(result);
      connection.query(...asked, answered);
    });
  const inConfig = new Promise<pg.QueryResult>((resolve) => {
    const callback = (_error: Error | null, result: pg.QueryResult) => resolve(result);
    connection.query({ text, values: [5], callback });
  });
  const answers = await Promise.all([
    connection.query(text, [0]),
    connection.query({ text, values: [1] }),
    connection.query({ text }, [2]),
    byCallback(text, [3]),
    byCallback({ text, values: [4] }),
    inConfig,
    byCallback(new pg.Query(text, [6])),
  ]);
  expect(answers.map(({ rows }) => rows[0].n)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  const rows = connection.query(
    new pg.Query('select 7 as n, pg_sleep(0.2)'),
  ) as unknown as NodeJS.EventEmitter;
  await expect.poll(() => connection.silentMs(), { interval: 5 }).toBeGreaterThan(0);
  expect(await once(rows, 'row')).toMatchObject([{ n: 7 }, {}]);
  await expect(connection.query(text, 'no list')).rejects.toThrow('must be an array');
});

it('an error leads back to whoever asked', async () => {
  async function whoAsks() {
    await connection.query('select 1 / 0');
  }
  const error = await failed(whoAsks());
  expect(error).toMatchObject({ code: '22012' });
  expect(error?.stack).toContain('whoAsks');
});

describe('what was asked and answered', () => {
  v8.setFlagsFromString('--expose-gc');
  const collect: (kind: { type: 'minor' | 'major' }) => void = vm.runInNewContext('gc');
  /**
   * Whatever is there while V8 goes on, little by little, with a full collection that it began by itself, grows old with it, plain
   * objects of no connection included; and so does what is in use where it prepares to compile what has run often.
   */
  const others = ['incremental-marking', 'lazy-feedback-allocation', 'sparkplug', 'maglev', 'turbofan'];
  beforeAll(() => {
    for (const flag of others) v8.setFlagsFromString(`--no-${flag}`);
    // One that had begun comes to its end.
    collect({ type: 'major' });
  });
  // All of them are on by default, and the next file may run in this process.
  afterAll(() => {
    for (const flag of others) v8.setFlagsFromString(`--${flag}`);
  });
  /** Of what lives shortly only: a full collection finds everything. */
  const isLetGo = async (kept: WeakRef<object>) => {
    // What survives once is moved, what survives twice is taken for something that stays.
    for (let times = 0; times < 3; times += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      collect({ type: 'minor' });
    }
    return kept.deref() === undefined;
  };

  it('is let go, rows and all, without a full collection', async () => {
    const rowsOf = async () => new WeakRef((await connection.query('select 1 as one')).rows);
    const rowsOfCallback = () =>
      new Promise<WeakRef<object>>((resolve) => {
        connection.query('select 1 as one', (_error: Error, { rows }: pg.QueryResult) =>
          resolve(new WeakRef(rows)),
        );
      });
    await rowsOf();
    await rowsOfCallback();
    expect(await isLetGo(await rowsOf())).toBe(true);
    expect(await isLetGo(await rowsOfCallback())).toBe(true);
  });

  it('is let go when it was sent together', async () => {
    const sent = async () => {
      const value = Buffer.from('rows');
      const statement = { name: 'let go', text: 'select $1::bytea', values: [value] };
      await together(connection as unknown as pg.PoolClient, [statement]);
      return new WeakRef(value);
    };
    await sent();
    expect(await isLetGo(await sent())).toBe(true);
  });
});
