import { statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

const inMemory = '/dev/shm';
const tmpfsType = 0x01021994;
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
    const { type, bavail, bsize } = statfsSync(inMemory);
    const isRoomy = type === tmpfsType && bavail * bsize >= bytesMin && freemem() >= bytesMin;
    return isRoomy ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}
