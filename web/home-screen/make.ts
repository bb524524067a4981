import { join } from 'node:path';
import { bundle } from '../native-scripts.ts';
import type { Shell } from './worker-rules.ts';

const bundled = async (name: string) => (await bundle(join(import.meta.dirname, name))).code;

/** The worker of one build. */
export async function makeWorker(kept: Shell): Promise<string> {
  return `const kept=${JSON.stringify(kept)};${await bundled('worker.ts')}\n`;
}

export async function makeWorkerOff(): Promise<string> {
  return `${await bundled('worker-off.ts')}\n`;
}
