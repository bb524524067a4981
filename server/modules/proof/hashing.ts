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

export type Job = { packed: Uint8Array; first: number; count: number } | { rows: Row[] } | { end: true };
interface LeafRows {
  shares: Uint8Array;
  leaves: Uint8Array;
}
interface Grown {
  tiles: Tile[];
  root?: Uint8Array;
}
export type Hashed = LeafRows | Grown;

const workerFile = new URL('./hashing-worker.ts', import.meta.url);

/** What a job leaves behind is small and of no use a moment later: a heap that may grow keeps all of it for longer. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 };

/** Lets a thread of its own do the hashing of a statement, one job after the other. */
export function startHashing(begun: Begun) {
  const worker = new Worker(workerFile, { workerData: begun, resourceLimits });
  const waiting: { resolve(hashed: Hashed): void; reject(error: unknown): void }[] = [];
  let failed: unknown;
  worker.on('message', (hashed: Hashed) => waiting.shift()?.resolve(hashed));
  const fail = (error: unknown) => {
    failed = error;
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the hashing has ended')));

  function ask(job: Job, give: ArrayBuffer[] = []): Promise<Hashed> {
    return new Promise((resolve, reject) => {
      if (failed) return reject(failed);
      waiting.push({ resolve, reject });
      worker.postMessage(job, give);
    });
  }

  return {
    /** Of the investors that come next; `packed` is given away. */
    leaves: async (packed: Buffer<ArrayBuffer>, first: number, count: number) =>
      (await ask({ packed, first, count }, [packed.buffer])) as LeafRows,
    /** Rows of leaves in the order of their numbers: what is kept above them, as far as it is known. */
    rows: async (rows: Row[]) => ((await ask({ rows })) as Grown).tiles,
    async end(): Promise<{ tiles: Tile[]; root: Buffer }> {
      const { tiles, root } = (await ask({ end: true })) as Grown;
      return { tiles, root: Buffer.from(root ?? []) };
    },
    stop: () => worker.terminate(),
  };
}
