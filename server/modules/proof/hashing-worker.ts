import { randomBytes } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { copyBegins, copyEnds } from '../../platform/postgres/wire/binary.ts';
import type { Begun, Hashed, Job } from './hashing.ts';
import { amountsBytes, createTreeHash, idOf, pieces, splitInto } from './rules.ts';
import { createSecrets, createShuffle } from './secret-rules.ts';
import { createGrowth, keptLeafBytes, type Tree, tileWidth } from './tile-rules.ts';

/** The hashing of one statement, on a thread of its own: whoever waits for an answer of the server does not wait for it. */
const { statement, seed, key, depth } = workerData as Begun;
const secrets = createSecrets(Buffer.from(key));
const tree: Tree = { hash: createTreeHash(Buffer.from(seed)), secrets, depth };
const shuffle = createShuffle(Buffer.from(key), depth);
const growth = createGrowth(tree);

const uuidBytes = 16;
const headBytes = uuidBytes + amountsBytes + 2;

/** As they come from the database: who, how much, and an e-mail address behind its length. */
function* investorsIn(packed: Buffer) {
  for (let at = 0; at < packed.length; ) {
    const end = at + headBytes + packed.readUInt16BE(at + headBytes - 2);
    yield {
      userId: packed.subarray(at, at + uuidBytes),
      amounts: packed.subarray(at + uuidBytes, at + uuidBytes + amountsBytes),
      id: idOf(packed.toString('utf8', at + headBytes, end)),
    };
    at = end;
  }
}

/** Rows of one length, as COPY reads them: each value behind its length. In the place of others, if they were as long. */
function createRows(lengths: number[], count: number, spare?: Uint8Array<ArrayBuffer>) {
  const rowBytes = 2 + lengths.reduce((sum, length) => sum + 4 + length, 0);
  const bytesLength = copyBegins.length + rowBytes * count + copyEnds.length;
  const bytes = spare?.length === bytesLength ? Buffer.from(spare.buffer) : Buffer.alloc(bytesLength);
  copyBegins.copy(bytes);
  copyEnds.copy(bytes, bytes.length - copyEnds.length);
  for (let row = 0; row < count; row += 1) {
    let at = bytes.writeInt16BE(lengths.length, copyBegins.length + row * rowBytes);
    for (const length of lengths) at = bytes.writeInt32BE(length, at) + length;
  }
  /** Where a row's value is. */
  const offsets = lengths.map((_, n) => 2 + lengths.slice(0, n).reduce((sum, length) => sum + 4 + length, 4));
  return {
    bytes,
    at: (row: number, column: number) => copyBegins.length + row * rowBytes + (offsets[column] ?? 0),
  };
}

const parts = [Buffer.alloc(amountsBytes), Buffer.alloc(amountsBytes)] as const;

/** The leaves of investors, in the form in which a COPY takes them: written where they stand, nothing is copied twice. */
function leavesOf({ packed, first, count, spare }: Extract<Job, { first: number }>): Hashed {
  const numbers = Uint32Array.from({ length: count * pieces }, (_, n) => first * pieces + n);
  const places = shuffle.places(numbers);
  const ownSecrets = secrets.ofInvestors(first, count);
  const random = randomBytes(count * amountsBytes);
  const shares = createRows([8, 4, uuidBytes], count, spare?.shares);
  const leaves = createRows([4, keptLeafBytes], count * pieces, spare?.leaves);
  let n = 0;
  for (const { userId, amounts, id } of investorsIn(Buffer.from(packed.buffer, 0, packed.length))) {
    shares.bytes.writeBigInt64BE(statement, shares.at(n, 0));
    shares.bytes.writeInt32BE(first + n, shares.at(n, 1));
    userId.copy(shares.bytes, shares.at(n, 2));
    const secret = ownSecrets.subarray(32 * n, 32 * (n + 1));
    splitInto(amounts, random.subarray(n * amountsBytes, (n + 1) * amountsBytes), ...parts);
    for (let piece = 0; piece < pieces; piece += 1) {
      const row = n * pieces + piece;
      const place = places[row] ?? 0;
      leaves.bytes.writeInt32BE(place, leaves.at(row, 0));
      const at = leaves.at(row, 1);
      leaves.bytes[at] = place % tileWidth;
      const own = parts[piece as 0 | 1];
      tree.hash.leaf(leaves.bytes, at + 1, { secret, piece, pieces, amounts: own, id });
    }
    n += 1;
  }
  if (n !== count) throw new Error('investors were counted wrong');
  return { shares: shares.bytes, leaves: leaves.bytes, packed };
}

function tilesOf({ packed, rows }: Extract<Job, { rows: unknown[] }>): Hashed {
  let end = 0;
  const tiles = rows.flatMap(({ number, length }) => {
    end += length;
    return growth.add(number, packed.subarray(end - length, end));
  });
  return { tiles, packed };
}

function answer(job: Job): Hashed {
  if ('first' in job) return leavesOf(job);
  return 'rows' in job ? tilesOf(job) : growth.end();
}

/** What is large is given away, and not copied. */
function givenAway(hashed: Hashed): ArrayBuffer[] {
  const given = 'leaves' in hashed ? [hashed.shares, hashed.leaves] : [];
  return [...given, ...(hashed.packed ? [hashed.packed] : [])].map(({ buffer }) => buffer);
}

parentPort?.on('message', (job: Job) => {
  const hashed = answer(job);
  parentPort?.postMessage(hashed, givenAway(hashed));
});
