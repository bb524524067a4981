import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../testing/postgres/opened.ts';
import { prepared } from '../db.ts';
import { readThenWrite } from '../transactions/read-then-write.ts';
import {
  type BinaryType,
  bigint,
  bytea,
  column,
  columnOf,
  hexBytes,
  int,
  jsonb,
  text,
  timestamptz,
  uuid,
} from './binary.ts';
import { copied } from './copy.ts';

const { db, close } = await openDatabase();
afterAll(close);
beforeAll(async () => {
  await sql`create table sticks (n int primary key, text text, bigint bigint, int int, bytea bytea,
    timestamptz timestamptz, uuid uuid, jsonb jsonb, check (n < 1000))`.execute(db);
});
beforeEach(() => sql`truncate sticks`.execute(db));

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
  'ß'.repeat(300),
  'a"b\\c,{d}',
];
const texts = fc.oneof(
  fc.constantFrom(...hostile),
  // PostgreSQL keeps no zero character and no half of a pair.
  fc.string({ unit: 'binary' }).filter((each) => !each.includes('\0') && each.isWellFormed()),
  fc.array(fc.constantFrom(...'"\\{},\n NUL'), { maxLength: 12 }).map((each) => each.join('')),
);
const cents = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(0n, -1n, 1n, 2n ** 63n - 1n, -(2n ** 63n), -(2n ** 32n)),
);
const dates = fc.oneof(
  fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
  fc.constantFrom(new Date(0), new Date('1999-12-31T23:59:59.999Z'), new Date('2000-01-01')),
);
const ints = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const json = fc.dictionary(
  fc.constantFrom('row', 'made', 'refused'),
  texts.filter((each) => !each.includes('\\u0000')),
  { noNullPrototype: true },
);
const values = {
  text: texts,
  bigint: cents,
  int: ints,
  bytea: fc.uint8Array({ maxLength: 40 }).map((each) => Buffer.from(each)),
  timestamptz: dates,
  uuid: fc.uuid(),
  jsonb: json,
};
// Each is tried with its own values only.
// biome-ignore lint/suspicious/noExplicitAny: see above
const types: Record<keyof typeof values, BinaryType<any>> = {
  text,
  bigint,
  int,
  bytea,
  timestamptz,
  uuid,
  jsonb,
};
const names = Object.keys(types) as (keyof typeof types)[];

describe('a column of values arrives as it was', () => {
  it.each(names)('of %s', async (name) => {
    const back = prepared<{ value: unknown }>(
      `back as ${name}`,
      `select value from unnest($1::${name}[]) with ordinality as given (value, n) order by n`,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option<unknown>(values[name]), { maxLength: 20 }), async (given) => {
        const rows = await back(db, [columnOf(types[name], given, (each) => each)]);
        expect(rows.map(({ value }) => value)).toEqual(given);
      }),
      { numRuns: 100 },
    );
  });

  it('each hostile text by itself, all of them together, one null, and none', async () => {
    const back = prepared<{ values: (string | null)[] }>('array of text', 'select $1::text[] as values');
    for (const given of [...hostile.map((each) => [each]), hostile, [null], []]) {
      const rows = await back(db, [columnOf(text, given, (each) => each)]);
      expect(rows[0]?.values).toEqual(given);
    }
  });

  it('bytes that are kept in hexadecimal digits', async () => {
    const back = prepared<{ value: Buffer | null }>('back as bytes', 'select unnest($1::bytea[]) as value');
    const given = ['', '00', '0123456789abcdefABCDEF', 'ff'.repeat(32), null];
    const rows = await back(db, [columnOf(hexBytes, given, (each) => each)]);
    expect(rows.map(({ value }) => value?.toString('hex') ?? null)).toEqual(
      given.map((each) => each?.toLowerCase() ?? null),
    );
  });

  it('many of them', async () => {
    const count = prepared<{ n: number; sum: string }>(
      'many',
      'select count(*)::int as n, sum(value)::text as sum from unnest($1::bigint[]) as value',
    );
    const given = Array.from({ length: 20_000 }, (_, n) => BigInt(n));
    expect(await count(db, [columnOf(bigint, given, (each) => each)])).toEqual([
      { n: 20_000, sum: '199990000' },
    ]);
  });
});

it('what PostgreSQL could not keep is refused and not bent into shape', () => {
  const put = <Value>(type: BinaryType<Value>, value: Value) => columnOf(type, [value], (each) => each);
  expect(() => put(bigint, 2n ** 63n)).toThrow(RangeError);
  expect(() => put(bigint, -(2n ** 63n) - 1n)).toThrow(RangeError);
  for (const number of [2 ** 31, 0.5, Number.NaN]) expect(() => put(int, number)).toThrow(RangeError);
  expect(() => put(timestamptz, new Date(Number.NaN))).toThrow(RangeError);
  const uuids = [
    '',
    'x',
    `${'0'.repeat(8)}-0000-0000-0000-00000000000g`,
    `ƒ${'0'.repeat(7)}-0000-0000-0000-000000000000`,
    `${'0'.repeat(8)}-0000-0000-0000-00000000000\u0130`,
    `${'0'.repeat(8)}-0000-0000-0000-0000000000000`,
    `${'0'.repeat(8)}-0000-0000_0000-000000000000`,
    '0'.repeat(36),
  ];
  for (const wrong of uuids) expect(() => put(uuid, wrong)).toThrow(TypeError);
  // Of the last two the lower bytes are digits.
  for (const wrong of ['0', '0g', 'ƒ0', '000', '\u01300', '\u0130\u0130'])
    expect(() => put(hexBytes, wrong)).toThrow(TypeError);
});

interface Stick extends Record<keyof typeof values, unknown> {
  n: number;
}
const copySticks = copied<Stick>('sticks', {
  n: column(int, (stick) => stick.n),
  ...Object.fromEntries(names.map((name) => [name, column(types[name], (stick: Stick) => stick[name])])),
});
const nothing = async () => {};
const copyAll = (...batches: Stick[][]) =>
  readThenWrite(db, {
    read: nothing,
    write: async () => ({ result: null, last: batches.map((batch) => copySticks(batch)) }),
  });
const plain = (n: number): Stick => ({
  n,
  text: 'a',
  bigint: 1n,
  int: 1,
  bytea: Buffer.of(1),
  timestamptz: new Date(1),
  uuid: crypto.randomUUID(),
  jsonb: {},
});
const kept = async () =>
  (await sql<{ n: number }>`select n from sticks order by n`.execute(db)).rows.map(({ n }) => n);

describe('rows that are copied', () => {
  it('arrive as they were, nulls among them', async () => {
    const nullable = Object.fromEntries(names.map((name) => [name, fc.option<unknown>(values[name])]));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record(nullable), { maxLength: 10 }), async (given) => {
        await sql`truncate sticks`.execute(db);
        const sticks = given.map((each, n) => ({ n, ...each }) as Stick);
        await copyAll(sticks);
        expect((await sql`select * from sticks order by n`.execute(db)).rows).toEqual(sticks);
      }),
      { numRuns: 50 },
    );
  });

  it('stay away together with the rest of their transaction, which says why', async () => {
    await copyAll([plain(1)]);
    await expect(copyAll([plain(2)], [plain(1)], [plain(3)])).rejects.toMatchObject({ code: '23505' });
    await expect(copyAll([plain(4)], [plain(5), plain(1000)], [plain(6)])).rejects.toMatchObject({
      code: '23514',
    });
    expect(await kept()).toEqual([1]);
    await copyAll([plain(7)], [plain(8)]);
    expect(await kept()).toEqual([1, 7, 8]);
  });

  it('are passed over where the transaction has failed before, and the connection goes on', async () => {
    const pid = prepared<{ pid: number }>('pid', 'select pg_backend_pid() as pid');
    const behind = (text: string, n: number) =>
      readThenWrite(db, {
        read: (tx) => pid(tx, []),
        write: async (_tx, result) => ({
          result,
          last: [{ name: text, text, values: [] }, copySticks([plain(n)])],
        }),
      });
    const before = await behind('select 1', 1);
    await expect(behind('select 1 / 0', 2)).rejects.toMatchObject({ code: '22012' });
    expect(await behind('select 3', 3)).toEqual(before);
    expect(await kept()).toEqual([1, 3]);
  });

  it('fail where a value cannot be written, and nothing is sent', async () => {
    await expect(copyAll([plain(1)], [{ ...plain(2), bigint: 2n ** 63n }])).rejects.toThrow(RangeError);
    expect(await kept()).toEqual([]);
  });
});
