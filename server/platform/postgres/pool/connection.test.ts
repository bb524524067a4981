import v8 from 'node:v8';
import vm from 'node:vm';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
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
  await open(300);
  for (let n = 0; n < 5; n += 1) await connection.query('select pg_sleep(0.1)');
  // One that could not be sent at all owes nothing.
  const wrong = { text: 'select 1', values: 'no list' } as unknown as pg.QueryConfig;
  expect(await failed(connection.query(wrong))).not.toBeNull();
  await connection.query({ text: 'select pg_sleep(0.4)', answerMsMax: 5_000 });
  expect((await connection.query('select 6 as six')).rows).toEqual([{ six: 6 }]);
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
  /** Of what lives shortly only: a full collection finds everything. */
  v8.setFlagsFromString('--expose-gc');
  const collect: (kind: { type: 'minor' }) => void = vm.runInNewContext('gc');
  const isLetGo = async (kept: WeakRef<object>) => {
    // Twice: what survives once is moved, and only then taken for something that stays.
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
