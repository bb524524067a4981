import { expect, it } from 'vitest';
import { copyBegins, copyEnds } from '../../platform/postgres/wire/binary.ts';
import { type LeafRows, startHashing } from './hashing.ts';
import { amountsBytes } from './rules.ts';

/** As the database has an investor: who, the amounts, an e-mail address behind its length. */
function investor(number: number): Buffer {
  const email = Buffer.from(`investor-${number}@example.com`);
  const head = Buffer.alloc(16 + amountsBytes + 2);
  head.writeUInt32BE(number);
  head.writeBigUInt64BE(BigInt(number), 16);
  head.writeUInt16BE(email.length, head.length - 2);
  return Buffer.concat([head, email]);
}

const shareBytes = 2 + 4 + 8 + 4 + 4 + 4 + 16;

/** The number and the first bytes of the id of each share. */
function sharesIn({ shares }: LeafRows): [number, number][] {
  const rows = Buffer.from(
    shares.buffer,
    copyBegins.length,
    shares.length - copyBegins.length - copyEnds.length,
  );
  return Array.from({ length: rows.length / shareBytes }, (_, n) => {
    const at = n * shareBytes;
    return [rows.readInt32BE(at + 18), rows.readUInt32BE(at + 26)];
  });
}

it('buffers that are used again hold the next investors and nothing of those before', async () => {
  const hashing = startHashing({
    statement: 1n,
    seed: Buffer.alloc(32),
    key: Buffer.alloc(32, 1),
    depth: 12,
  });
  let [spare, sent]: (LeafRows | null)[] = [null, null];
  let count = 0;
  for (const size of [300, 300, 300, 300, 7, 300]) {
    const numbers = Array.from({ length: size }, (_, n) => count + n);
    const rows: LeafRows = await hashing.leaves(numbers.map(investor), count, spare ?? null);
    expect(sharesIn(rows)).toEqual(numbers.map((number) => [number, number]));
    if (spare) expect(spare.shares.buffer.detached).toBe(true);
    [spare, sent] = [sent, rows];
    count += size;
  }
  await hashing.stop();
});
