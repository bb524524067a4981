import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { cloneTemplate, type TestDatabase } from '../../testing/database.ts';
import { arrayOf, type Db, openApp, prepared } from './db.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await cloneTemplate(inject('adminUrl'));
  db = openApp(database.url, pino({ level: 'silent' }));
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

describe('a column of values arrives as it was', () => {
  const hostile = [
    '',
    ' ',
    'NULL',
    'null',
    '"',
    '\\',
    '\\"',
    '{}',
    '{',
    '},',
    ',',
    "'",
    '\n',
    '\r\n',
    '\t',
    '\\x00',
    '✂️',
    '𝒳',
    'a"b\\c,{d}',
  ];
  const text = fc.oneof(
    fc.constantFrom(...hostile),
    // PostgreSQL keeps no zero character and no half of a pair.
    fc.string({ unit: 'binary' }).filter((each) => !each.includes('\0') && each.isWellFormed()),
    fc.array(fc.constantFrom(...'"\\{},\n NUL'), { maxLength: 12 }).map((each) => each.join('')),
  );
  const cents = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const bytes = fc.uint8Array({ maxLength: 40 }).map((each) => Buffer.from(each));
  const dates = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  const ints = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

  it.each<[string, fc.Arbitrary<string | bigint | Buffer | Date | number>]>([
    ['text', text],
    ['bigint', cents],
    ['bytea', bytes],
    ['timestamptz', dates],
    ['int', ints],
    ['uuid', fc.uuid()],
  ])('of %s', async (type, one) => {
    const back = prepared<{ value: unknown }>(
      `back as ${type}`,
      `select value from unnest($1::${type}[]) with ordinality as given (value, n) order by n`,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(one), { maxLength: 20 }), async (values) => {
        const rows = await back(db, [arrayOf(values)]);
        expect(rows.map(({ value }) => value)).toEqual(values);
      }),
      { numRuns: 100 },
    );
  });

  it('each hostile text by itself, and all of them together', async () => {
    const back = prepared<{ values: (string | null)[] }>('array of text', 'select $1::text[] as values');
    for (const values of [...hostile.map((each) => [each]), hostile, [null], []]) {
      expect((await back(db, [arrayOf(values)]))[0]?.values).toEqual(values);
    }
  });

  it('of JSON', async () => {
    const back = prepared<{ value: unknown }>(
      'array of json',
      'select value from unnest($1::jsonb[]) as value',
    );
    const json = fc.dictionary(
      fc.constantFrom('row', 'made', 'refused'),
      text.filter((each) => !each.includes('\\u0000')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(json, { maxLength: 10 }), async (values) => {
        const rows = await back(db, [arrayOf(values.map((each) => JSON.stringify(each)))]);
        expect(rows.map(({ value }) => value)).toEqual(values.map((each) => ({ ...each })));
      }),
      { numRuns: 50 },
    );
  });
});
