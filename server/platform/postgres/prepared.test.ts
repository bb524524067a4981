import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { isDatabaseAway } from './away.ts';
import { inTransaction, prepared } from './db.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

it('a prepared statement gives its rows, again and again, with whatever values', async () => {
  const double = prepared<{ twice: number }>('twice', 'select 2 * $1::int as twice');
  const { db } = test.context;
  const answers = await Promise.all([1, 2, 3, 4].map((value) => double(db, [value])));
  expect(answers).toEqual([[{ twice: 2 }], [{ twice: 4 }], [{ twice: 6 }], [{ twice: 8 }]]);
  expect(await double(db, [21])).toEqual([{ twice: 42 }]);
});

it('one that is not heard of in time is given up, and its connection for another', async () => {
  const { db, owner } = test.context;
  const key = 12_345;
  const holder = await owner.connect();
  try {
    await holder.query('select pg_advisory_lock($1)', [key]);
    const waits = prepared('waits', 'select pg_advisory_lock_shared($1)', { msMax: 20 });
    const error = await waits(db, [key]).catch((reason) => reason);
    expect(isDatabaseAway(error)).toBe(true);
    const alive = prepared<{ alive: boolean }>('alive', 'select true as alive');
    expect(await alive(db, [])).toEqual([{ alive: true }]);
  } finally {
    await holder.query('select pg_advisory_unlock($1)', [key]);
    holder.release();
  }
});

it('one that is asked in a transaction belongs to it', async () => {
  const { db } = test.context;
  const asked = prepared<{ word: string | null }>(
    'word',
    "select current_setting('test.word', true) as word",
  );
  const inside = await inTransaction(db, async (tx) => {
    await sql`select set_config('test.word', 'inside', true)`.execute(tx);
    return asked(tx, []);
  });
  expect(inside).toEqual([{ word: 'inside' }]);
  expect(await asked(db, [])).not.toEqual(inside);
});
