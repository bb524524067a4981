import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const inMemory = '/dev/shm';
/** A whole run has left less than a tenth of it there at its height. */
const bytesMin = 6 * 2 ** 30;

/**
 * Where tests put their throw-away files: in memory, where there is enough of it. Each file of tests clones a database
 * of hundreds of files and drops it again, and a disk's file system takes longer over those than PostgreSQL does.
 */
export function quickFolder(): string {
  // Whoever names a folder means it.
  if (process.env.TMPDIR) return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    // What a container may have, not what its machine has: a file in memory counts against that limit.
    const isRoomy = bavail * bsize >= bytesMin && process.availableMemory() >= bytesMin;
    return isRoomy && servesPrograms(readFileSync('/proc/self/mounts', 'utf8')) ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Some tests start programs that they have written themselves, which containers often forbid there. */
export function servesPrograms(mounts: string): boolean {
  const last = mounts.split('\n').findLast((line) => line.split(' ')[1] === inMemory);
  const [, , type, options = ''] = last?.split(' ') ?? [];
  return type === 'tmpfs' && !options.split(',').includes('noexec');
}
