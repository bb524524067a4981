import { join } from 'node:path';
import { serveWitness } from '../../tools/witness/serve.ts';
import { createWitness } from '../../tools/witness/witness.ts';
import { newKey } from '../config/log-files.ts';
import { makeOnce } from '../config/private-file.ts';

interface SampleNeeds {
  dir: string;
  logVkey: string;
  /** Only who writes the log asks it; the others need to know its key. */
  isAsked: boolean;
}

/**
 * A witness of the demo's own log, in the same process: it shows how witnesses work and proves nothing, and whoever shows
 * it says so. Several processes have one key and one memory of it, in the folder.
 */
export async function startSampleWitness({ dir, logVkey, isAsked }: SampleNeeds) {
  makeOnce(join(dir, 'key'), newKey);
  const witness = createWitness({ name: 'sample-witness', dir, logs: [logVkey] });
  const served = isAsked ? await serveWitness(witness, { host: '127.0.0.1', port: 0 }) : null;
  return {
    witness: { vkey: witness.vkey, url: served?.url ?? '', sample: true },
    close: async () => served?.close(),
  };
}
