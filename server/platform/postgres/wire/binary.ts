/**
 * Values as PostgreSQL itself keeps and sends them. Written as text they would be spelt here and parsed there, which cost
 * more than the rows did.
 */
export interface BinaryType<Value> {
  oid: number;
  write(out: Bytes, value: Value): void;
}

const bytesAtFirst = 16_384;

/** Bytes that are written one after the other, most significant first. */
class Bytes {
  length = 0;
  #buffer = Buffer.alloc(0);
  #view = new DataView(new ArrayBuffer(0));

  /** Begins anew; what was written before stays whoever took it. */
  clear(): this {
    this.length = 0;
    return this;
  }

  copy(): Buffer {
    return Buffer.copyBytesFrom(this.#buffer, 0, this.length);
  }

  #take(count: number): number {
    const at = this.length;
    this.length += count;
    if (this.length > this.#buffer.length) {
      const size = Math.max(bytesAtFirst, 2 * this.length);
      const grown = Buffer.from(new ArrayBuffer(size));
      this.#buffer.copy(grown, 0, 0, at);
      this.#buffer = grown;
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }

  int16(value: number): void {
    const at = this.#take(2);
    this.#view.setInt16(at, value);
  }

  int32(value: number): void {
    const at = this.#take(4);
    this.#view.setInt32(at, value);
  }

  int64(value: bigint): void {
    if (BigInt.asIntN(64, value) !== value) throw new RangeError('a number does not fit into eight bytes');
    const at = this.#take(8);
    this.#view.setBigInt64(at, value);
  }

  bytes(value: Uint8Array): void {
    const at = this.#take(value.length);
    this.#buffer.set(value, at);
  }

  /** Its length before it. */
  text(value: string): void {
    const at = this.#take(4 + 3 * value.length);
    const length = this.#buffer.write(value, at + 4);
    this.#view.setInt32(at, length);
    this.length = at + 4 + length;
  }

  uuid(value: string): void {
    if (value.length !== 36) throw new TypeError('this is no UUID');
    let at = this.#take(16);
    for (let index = 0; index < 36; index += 2) {
      const isGroupsEnd = index === 8 || index === 13 || index === 18 || index === 23;
      if (isGroupsEnd && value.charCodeAt(index++) !== dash) throw new TypeError('this is no UUID');
      this.#buffer[at] = byteAt(value, index, 'this is no UUID');
      at += 1;
    }
  }

  hex(value: string): void {
    let at = this.#take(value.length / 2);
    for (let index = 0; index < value.length; index += 2) {
      this.#buffer[at] = byteAt(value, index, 'these are no hexadecimal digits');
      at += 1;
    }
  }
}

const dash = 0x2d;
/** What a hexadecimal digit is worth, by its character; any other is more than a byte can hold. */
const digits = new Uint16Array(0x1_00_00).fill(0x1_00);
for (const digit of '0123456789abcdefABCDEF') digits[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

/** What two hexadecimal digits are worth. Every row has hundreds of them. */
function byteAt(text: string, index: number, notThese: string): number {
  const high = digits[text.charCodeAt(index)] as number;
  const low = digits[text.charCodeAt(index + 1)] as number;
  const byte = high * 16 + low;
  // Also when there is no second one.
  if (!(byte <= 0xff)) throw new TypeError(notThese);
  return byte;
}

/** Moments are counted from here. */
const begunMs = Date.UTC(2000, 0, 1);
const jsonbVersion = 1;

export const uuid: BinaryType<string> = {
  oid: 2950,
  write(out, value) {
    out.int32(16);
    out.uuid(value);
  },
};
export const bigint: BinaryType<bigint> = {
  oid: 20,
  write(out, value) {
    out.int32(8);
    out.int64(value);
  },
};
export const int: BinaryType<number> = {
  oid: 23,
  write(out, value) {
    if ((value | 0) !== value) throw new RangeError('a number does not fit into four bytes');
    out.int32(4);
    out.int32(value);
  },
};
export const text: BinaryType<string> = { oid: 25, write: (out, value) => out.text(value) };
export const bytea: BinaryType<Uint8Array> = {
  oid: 17,
  write(out, value) {
    out.int32(value.length);
    out.bytes(value);
  },
};
/** Bytes that are kept in hexadecimal digits. */
export const hexBytes: BinaryType<string> = {
  oid: 17,
  write(out, value) {
    out.int32(value.length / 2);
    out.hex(value);
  },
};
export const timestamptz: BinaryType<Date> = {
  oid: 1184,
  write(out, value) {
    out.int32(8);
    out.int64(BigInt(value.getTime() - begunMs) * 1000n);
  },
};
const versioned = String.fromCharCode(jsonbVersion);
export const jsonb: BinaryType<unknown> = {
  oid: 3802,
  write: (out, value) => out.text(versioned + JSON.stringify(value)),
};

/** Taken by one at a time, from its beginning to its copy. */
const scratch = new Bytes();

function writeOrNull<Value>(out: Bytes, type: BinaryType<Value>, value: Value | null): void {
  if (value === null) out.int32(-1);
  else type.write(out, value);
}

/** What each row has in a column, as one array. */
export function columnOf<Row, Value>(
  type: BinaryType<Value>,
  rows: readonly Row[],
  pick: (row: Row) => Value | null,
): Buffer {
  const out = scratch.clear();
  out.int32(rows.length > 0 ? 1 : 0);
  // That there may be nulls; whether there are is seen at each.
  out.int32(1);
  out.int32(type.oid);
  if (rows.length > 0) {
    out.int32(rows.length);
    out.int32(1);
  }
  for (const row of rows) writeOrNull(out, type, pick(row));
  return out.copy();
}

/** Writes what a row has in a column of a table. */
export type ColumnOf<Row> = (out: Bytes, row: Row) => void;

export const column =
  <Row, Value>(type: BinaryType<Value>, pick: (row: Row) => Value | null): ColumnOf<Row> =>
  (out, row) =>
    writeOrNull(out, type, pick(row));

/** What the stream of a COPY begins with: a signature, no flags, nothing further. */
export const copyBegins = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');

/** And ends with, in place of a further row. */
export const copyEnds = Buffer.from([0xff, 0xff]);

/** Rows, as COPY reads them. */
export function rowsOf<Row>(columns: readonly ColumnOf<Row>[], rows: readonly Row[]): Buffer {
  const out = scratch.clear();
  out.bytes(copyBegins);
  for (const row of rows) {
    out.int16(columns.length);
    for (const write of columns) write(out, row);
  }
  out.bytes(copyEnds);
  return out.copy();
}
