import { serveWitness } from '../../tools/witness/serve.ts';
import { createWitness } from '../../tools/witness/witness.ts';

/**
 * A witness of the demo's own log, in the same process: it shows how witnesses work and proves nothing, and whoever shows
 * it says so.
 */
export async function startSampleWitness({ dir, logVkey }: { dir: string; logVkey: string }) {
  const witness = createWitness({ name: 'sample-witness', dir, logs: [logVkey] });
  const { url, close } = await serveWitness(witness, { host: '127.0.0.1', port: 0 });
  return { witness: { vkey: witness.vkey, url, sample: true }, close };
}
