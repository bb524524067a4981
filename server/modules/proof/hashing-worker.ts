import { randomBytes } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { bigint, bytea, column, int, rowsOf } from '../../platform/postgres/binary.ts';
import type { Begun, Hashed, Job } from './hashing.ts';
import { amountsBytes, createTreeHash, idOf, pieces, split } from './rules.ts';
import { createSecrets, createShuffle } from './secret-rules.ts';
import { createGrowth, keptLeafBytes, type Tree, tileWidth } from './tile-rules.ts';

/** The hashing of one statement, on a thread of its own: whoever waits for an answer of the server does not wait for it. */
const { statement, seed, key, depth } = workerData as Begun;
const secrets = createSecrets(Buffer.from(key));
const tree: Tree = { hash: createTreeHash(Buffer.from(seed)), secrets, depth };
const shuffle = createShuffle(Buffer.from(key), depth);
const growth = createGrowth(tree);

interface Share {
  number: number;
  userId: Uint8Array;
}
interface Placed {
  place: number;
  kept: Uint8Array;
}
const shareColumns = [
  column(bigint, (_: Share) => statement),
  column(int, ({ number }: Share) => number),
  // A UUID travels as its bytes.
  column(bytea, ({ userId }: Share) => userId),
];
const leafColumns = [column(int, ({ place }: Placed) => place), column(bytea, ({ kept }: Placed) => kept)];

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

/** The leaves of investors, in the form in which a COPY takes them. */
function leavesOf({ packed, first, count }: Extract<Job, { packed: Uint8Array }>): Hashed {
  const numbers = Uint32Array.from({ length: count * pieces }, (_, n) => first * pieces + n);
  const places = shuffle.places(numbers);
  const ownSecrets = secrets.ofInvestors(first, count);
  const random = randomBytes(count * amountsBytes);
  const shares: Share[] = [];
  const leaves: Placed[] = [];
  for (const { userId, amounts, id } of investorsIn(Buffer.from(packed.buffer))) {
    const n = shares.length;
    shares.push({ number: first + n, userId });
    const secret = ownSecrets.subarray(32 * n, 32 * (n + 1));
    const parts = split(amounts, random.subarray(n * amountsBytes, (n + 1) * amountsBytes));
    for (const [piece, part] of parts.entries()) {
      const place = places[n * pieces + piece] ?? 0;
      const kept = Buffer.alloc(keptLeafBytes);
      kept[0] = place % tileWidth;
      tree.hash.leaf(kept, 1, { secret, piece, pieces, amounts: part, id });
      leaves.push({ place, kept });
    }
  }
  if (shares.length !== count) throw new Error('investors were counted wrong');
  return { shares: rowsOf(shareColumns, shares), leaves: rowsOf(leafColumns, leaves) };
}

function answer(job: Job): Hashed {
  if ('packed' in job) return leavesOf(job);
  if ('rows' in job) return { tiles: job.rows.flatMap(({ number, nodes }) => growth.add(number, nodes)) };
  return growth.end();
}

parentPort?.on('message', (job: Job) => parentPort?.postMessage(answer(job)));
