import { hash } from 'node:crypto';

const sha256d = (data: Buffer) => hash('sha256', hash('sha256', data, 'buffer'), 'buffer');
const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const uint64 = (value: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};
const counted = (things: Buffer[]) =>
  Buffer.concat([Buffer.from([0xfd, things.length & 0xff, things.length >> 8]), ...things]);
const counts = (bytes: Buffer) => Buffer.concat([Buffer.from([bytes.length]), bytes]);

interface FullBlock {
  raw: Buffer;
  hash: string;
}

/**
 * A Bitcoin block as full as real ones are, made up but whole: each transaction spends two coins with witnesses and pays
 * the scripts that it is given, three for each transaction.
 */
export function makeFullBlock(scripts: string[]): FullBlock {
  const transactions: Buffer[] = [];
  const ids: Buffer[] = [];
  for (let at = 0; at < scripts.length; at += 3) {
    const input = (output: number) =>
      Buffer.concat([sha256d(uint32(at)), uint32(output), Buffer.from([0]), uint32(0xfffffffd)]);
    const outputs = scripts.slice(at, at + 3).map((script, index) => {
      return Buffer.concat([uint64(BigInt(at + index + 1)), counts(Buffer.from(script, 'hex'))]);
    });
    const body = Buffer.concat([counted([input(0), input(1)]), counted(outputs)]);
    const witness = Buffer.concat([
      Buffer.from([2]),
      counts(Buffer.alloc(72, 1)),
      counts(Buffer.alloc(33, 2)),
    ]);
    const [version, locktime] = [uint32(2), uint32(0)];
    ids.push(sha256d(Buffer.concat([version, body, locktime])));
    transactions.push(Buffer.concat([version, Buffer.from([0, 1]), body, witness, witness, locktime]));
  }
  const root = ids.length > 0 ? merkle(ids) : Buffer.alloc(32);
  const header = Buffer.concat([
    uint32(1),
    Buffer.alloc(32),
    root,
    uint32(1_700_000_000),
    uint32(0),
    uint32(0),
  ]);
  return {
    raw: Buffer.concat([header, counted(transactions)]),
    hash: Buffer.from(sha256d(header)).reverse().toString('hex'),
  };
}

function merkle(row: Buffer[]): Buffer {
  if (row.length === 1) return row[0] as Buffer;
  const pairs = Array.from({ length: Math.ceil(row.length / 2) }, (_, at) => [
    row[2 * at],
    row[2 * at + 1] ?? row[2 * at],
  ]);
  return merkle(pairs.map((pair) => sha256d(Buffer.concat(pair as Buffer[]))));
}
