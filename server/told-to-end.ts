import { realpathSync } from 'node:fs';
import { join } from 'node:path';

/** By whoever presses Ctrl+C, by whatever runs us, and by a terminal that is closed. */
export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Whoever read what we say may be gone, which is no reason to fall over. */
export function goOnUnread(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

const lookMs = 500;
/** The scripts that run until they are told to end. */
const lasting = ['start', 'dev', 'demo:chains', 'cluster'];
const ownManifest = join(import.meta.dirname, '..', 'package.json');

/**
 * Only where npm runs one of ours. Its variables are handed down to everything that is begun below it: a server that was
 * put into the background by a script of a deployment, or by another program's `npm start`, is to outlive that.
 */
export function isRunByNpm({ npm_lifecycle_event = '', npm_package_json = '' }: NodeJS.ProcessEnv): boolean {
  if (!lasting.includes(npm_lifecycle_event)) return false;
  try {
    return realpathSync(npm_package_json) === realpathSync(ownManifest);
  } catch {
    return false;
  }
}

/** Not every npm hands a signal on to what it runs, and one that is killed cannot: whoever ended npm meant its script. */
export function whenNpmIsGone(end: () => void): void {
  if (!isRunByNpm(process.env)) return;
  const npm = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(looking);
    end();
  }, lookMs);
  looking.unref();
}
