import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { streamedCsv, streamedList } from './streaming.ts';

async function* counting(count: number, seen: { rows: number; ended: boolean }) {
  try {
    for (let n = 1; n <= count; n += 1) {
      seen.rows = n;
      yield { n, padding: 'x'.repeat(200) };
    }
  } finally {
    seen.ended = true;
  }
}

async function* rowsOf<Row>(rows: Row[]) {
  yield* rows;
}

const same = <Row>(row: Row) => row;

describe('a streamed list', () => {
  it.each([0, 1, 2, 5000])('of %i rows is one JSON object with all of them in order', async (count) => {
    const rows = Array.from({ length: count }, (_, n) => ({ n, text: 'a "quoted" \u2028 ü' }));
    expect(JSON.parse(await text(streamedList('list', rowsOf(rows), same)))).toEqual({ list: rows });
  });

  it('travels in few pieces, not row by row', async () => {
    const pieces: string[] = [];
    const seen = { rows: 0, ended: false };
    for await (const piece of streamedList('list', counting(10_000, seen), same)) pieces.push(piece);
    expect(pieces.join('').length).toBeGreaterThan(2_000_000);
    expect(pieces.length).toBeLessThan(100);
  });

  it('reads on only as its reader does', async () => {
    const seen = { rows: 0, ended: false };
    const stream = streamedList('list', counting(1_000_000, seen), same);
    await stream[Symbol.asyncIterator]().next();
    await delay(50);
    expect(seen.rows).toBeLessThan(5_000);
    stream.destroy();
  });

  it('stops reading when its reader goes away', async () => {
    const seen = { rows: 0, ended: false };
    for await (const _piece of streamedList('list', counting(1_000_000, seen), same)) break;
    await expect.poll(() => seen.ended).toBe(true);
    expect(seen.rows).toBeLessThan(5_000);
  });

  it('breaks off when its source fails: half a list never looks like a whole one', async () => {
    async function* failing() {
      yield 1;
      throw new Error('the database is gone');
    }
    const sent: string[] = [];
    const read = async (stream: Readable) => {
      for await (const piece of stream) sent.push(piece);
    };
    await expect(read(streamedList('list', failing(), same))).rejects.toThrow('the database is gone');
    expect(sent.join('')).not.toContain(']}');
  });
});

const csv = (fields: (string | number | null)[]) =>
  text(streamedCsv(['A'], rowsOf([fields]), same)).then((whole) => whole.slice('A\r\n'.length));

/** As RFC 4180 says it is to be read. */
function readLine(line: string): string[] {
  const field = /"((?:[^"]|"")*)"|([^",\n\r]*)/y;
  const read: string[] = [];
  for (;;) {
    const match = field.exec(line);
    if (!match) throw new Error(`no field at ${field.lastIndex} of ${JSON.stringify(line)}`);
    read.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    const end = field.lastIndex;
    if (end === line.length) return read;
    if (line[end] !== ',') throw new Error(`no comma at ${end} of ${JSON.stringify(line)}`);
    field.lastIndex = end + 1;
  }
}

describe('a CSV field', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['with, comma', '"with, comma"'],
    ['with; semicolon', '"with; semicolon"'],
    ['with\ttab', '"with\ttab"'],
    ['with "quotes"', '"with ""quotes"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['-12.50', '-12.50'],
    ['1234567.89', '1234567.89'],
    [null, ''],
    [-12.5, '-12.5'],
    [0, '0'],
  ])('of %j is written %j', async (value, written) => {
    expect(await csv([value])).toBe(`${written}\r\n`);
  });

  it.each([
    ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
    ['+1+1', "'+1+1"],
    ['-1+1', "'-1+1"],
    ['-12.50-1', "'-12.50-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1+1', '"\t\'=1+1"'],
    ['\r=1+1', '"\r\'=1+1"'],
    ['\n=1+1', '"\n\'=1+1"'],
    ['  =1+1', "  '=1+1"],
    ['a;=1+1', '"a;\'=1+1"'],
    ['a; "=1+1', '"a; ""\'=1+1"'],
    ['a\t@SUM(A1)', '"a\t\'@SUM(A1)"'],
    ['two\n-lines', '"two\n\'-lines"'],
    ['\uff1d1+1', "'\uff1d1+1"],
  ])('that a spreadsheet would run is made plain text: %j', async (value, written) => {
    expect(await csv([value])).toBe(`${written}\r\n`);
  });

  const anyField = fc.string({
    unit: fc.constantFrom('"', ',', ';', '\t', '\n', '\r', '=', '-', '+', '@', 'a', '1', ' '),
  });

  it('comes back as it was, whatever it holds, without the apostrophes that disarm it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyField, { minLength: 1, maxLength: 4 }), async (fields) => {
        const read = readLine((await csv(fields)).slice(0, -2));
        expect(read.map((value) => value.replaceAll("'", ''))).toEqual(fields);
        for (const value of read) expect(value).not.toMatch(/^[\s"]*([=+@]|-(?!\d+$))/);
      }),
    );
  });

  it('is no formula to a program that separates with semicolons or tabs and sees no quotes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyField, { minLength: 1, maxLength: 4 }), async (fields) => {
        const [first = '', ...others] = (await csv(fields)).slice(0, -2).split(/[;\t\r\n]/);
        for (const piece of others) expect(piece).not.toMatch(/^[\s"]*[=+@-]/);
        expect(first).not.toMatch(/^[\s"]*([=+@]|-(?!\d))/);
      }),
    );
  });

  it('follows a head and precedes the next row', async () => {
    const whole = await text(streamedCsv(['Date', 'Amount'], rowsOf([1, 2]), (n) => [`day ${n}`, n]));
    expect(whole).toBe('Date,Amount\r\nday 1,1\r\nday 2,2\r\n');
  });
});
