import { Readable } from 'node:stream';

const pieceLength = 64 * 1024;

/** Rows travel together in pieces: a row by itself would cost more to send than to read. */
async function* inPieces(parts: AsyncIterable<string>) {
  let piece = '';
  for await (const part of parts) {
    piece += part;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

declare const whole: unique symbol;

/** What is sent while it is read and, once it has all arrived, is an `Answer` in JSON. */
export type Streamed<Answer> = Readable & { readonly [whole]: Answer };

/** A JSON object with one list in it, sent while it is read: a list of any length needs the memory of a few rows. */
export function streamedList<Name extends string, Row, Wire>(
  name: Name,
  rows: AsyncIterable<Row>,
  toWire: (row: Row) => Wire,
): Streamed<Record<Name, Wire[]>> {
  async function* parts() {
    yield `{${JSON.stringify(name)}:[`;
    let separator = '';
    for await (const row of rows) {
      yield separator + JSON.stringify(toWire(row));
      separator = ',';
    }
    yield ']}';
  }
  return Readable.from(inPieces(parts())) as Streamed<Record<Name, Wire[]>>;
}

/** The rows alone, each on a line of its own: for a file. */
export function streamedRows<Row, Wire>(rows: AsyncIterable<Row>, toWire: (row: Row) => Wire): Readable {
  async function* parts() {
    let separator = '[\n';
    for await (const row of rows) {
      yield separator + JSON.stringify(toWire(row));
      separator = ',\n';
    }
    yield separator === '[\n' ? '[]\n' : '\n]\n';
  }
  return Readable.from(inPieces(parts()));
}

const plainNumber = /^-?\d+(\.\d+)?$/;
/**
 * What makes a spreadsheet run a field, the wide forms of its signs included. A program that separates with semicolons
 * or tabs sees no quotes in the middle of what it takes for a field: it begins one after each of those, and a line.
 */
const formulaStart = /((?:^|[;\t\r\n])[\s"]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** A field that a spreadsheet would take for a formula is made plain text; quotes are doubled. */
function csvField(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const harmless = plainNumber.test(text) ? text : text.replace(formulaStart, "$1'");
  return /[",;\t\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

export function streamedCsv<Row>(
  heads: string[],
  rows: AsyncIterable<Row>,
  toFields: (row: Row) => (string | number | null)[],
): Readable {
  async function* lines() {
    yield `${heads.join(',')}\r\n`;
    for await (const row of rows) yield `${toFields(row).map(csvField).join(',')}\r\n`;
  }
  return Readable.from(inPieces(lines()));
}
