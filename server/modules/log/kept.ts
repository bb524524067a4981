import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

const isMissing = (error: NodeJS.ErrnoException) => error.code === 'ENOENT';

/**
 * The last signed checkpoint, outside the database: a database that was brought back to an earlier point cannot make the
 * server forget what it has signed.
 */
export function createKept(dir: string) {
  const path = join(dir, 'checkpoint');

  return {
    /** Null when nothing was ever signed here. */
    async read(): Promise<string | null> {
      return readFile(path, 'utf8').catch((error) => {
        if (isMissing(error)) return null;
        throw error;
      });
    },

    /** On the disk before it is anywhere else; never half of it. */
    async write(note: string): Promise<void> {
      await mkdir(dir, { recursive: true });
      const draft = `${path}.${process.pid}`;
      const file = await open(draft, 'w', 0o644);
      try {
        await file.writeFile(note);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, path);
      const folder = await open(dir, 'r');
      await folder.sync().finally(() => folder.close());
    },
  };
}

export type Kept = ReturnType<typeof createKept>;
