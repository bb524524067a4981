import { Worker } from 'node:worker_threads';
import type { Tile } from './tile-rules.ts';

/** What a statement's hashes are made of. */
export interface Begun {
  statement: bigint;
  seed: Uint8Array;
  key: Uint8Array;
  depth: number;
}

interface Row {
  number: number;
  nodes: Uint8Array;
}

/** What there is of leaves for a COPY. */
export interface LeafRows {
  shares: Uint8Array<ArrayBuffer>;
  leaves: Uint8Array<ArrayBuffer>;
}
type Packed = Uint8Array<ArrayBuffer>;

export type Job =
  | { packed: Packed; first: number; count: number; spare: LeafRows | null }
  | { packed: Packed; rows: { number: number; length: number }[] }
  | { end: true };
interface Grown {
  tiles: Tile[];
  root?: Uint8Array;
}
/** With what was packed, for the next job to be packed into. */
export type Hashed = (LeafRows | Grown) & { packed?: Packed };

const workerFile = new URL('./hashing-worker.ts', import.meta.url);

/** What a job leaves behind is small and of no use a moment later: a heap that may grow keeps all of it for longer. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 };

/** Parts end to end, in the place of others that are used up, if they fit. */
function pack(parts: readonly Uint8Array[], usedUp: Packed | undefined): Packed {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes =
    usedUp && usedUp.buffer.byteLength >= length
      ? new Uint8Array(usedUp.buffer, 0, length)
      : new Uint8Array(length);
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  return bytes;
}

/**
 * Lets a thread of its own do the hashing of a statement, one job after the other. What is large goes back and forth
 * between the two: a thousand times a new one would be given back to the system late and in pieces, and however many
 * investors there are, a statement takes the same memory.
 */
export function startHashing(begun: Begun) {
  const worker = new Worker(workerFile, { workerData: begun, resourceLimits });
  const waiting: { resolve(hashed: Hashed): void; reject(error: unknown): void }[] = [];
  let failed: unknown;
  let usedUp: Packed | undefined;
  worker.on('message', (hashed: Hashed) => {
    usedUp = hashed.packed;
    waiting.shift()?.resolve(hashed);
  });
  const fail = (error: unknown) => {
    failed = error;
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the hashing has ended')));

  function ask(job: Job, given: ArrayBuffer[] = []): Promise<Hashed> {
    return new Promise((resolve, reject) => {
      if (failed) return reject(failed);
      waiting.push({ resolve, reject });
      worker.postMessage(job, given);
    });
  }

  /** In `usedUp` one job is packed at a time. */
  function packed(parts: readonly Uint8Array[]): Packed {
    const bytes = pack(parts, usedUp);
    usedUp = undefined;
    return bytes;
  }

  return {
    /** Of the investors that come next, as the database has them; `spare` is given away. */
    async leaves(investors: readonly Uint8Array[], first: number, spare: LeafRows | null): Promise<LeafRows> {
      const job = { packed: packed(investors), first, count: investors.length, spare };
      const given = spare ? [spare.shares.buffer, spare.leaves.buffer] : [];
      const { shares, leaves } = (await ask(job, [job.packed.buffer, ...given])) as LeafRows;
      return { shares, leaves };
    },
    /** Rows of leaves in the order of their numbers: what is kept above them, as far as it is known. */
    async rows(rows: Row[]): Promise<Tile[]> {
      const job = {
        packed: packed(rows.map(({ nodes }) => nodes)),
        rows: rows.map(({ number, nodes }) => ({ number, length: nodes.length })),
      };
      return ((await ask(job, [job.packed.buffer])) as Grown).tiles;
    },
    async end(): Promise<{ tiles: Tile[]; root: Buffer }> {
      const { tiles, root } = (await ask({ end: true })) as Grown;
      return { tiles, root: Buffer.from(root ?? []) };
    },
    stop: () => worker.terminate(),
  };
}
