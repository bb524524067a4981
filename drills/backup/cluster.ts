import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { raiseCluster } from '../../ops/cluster/cluster.ts';
import { database } from '../../ops/cluster/layout.ts';
import { startSite } from './house.ts';

const wholeMsMax = 120_000;

/** A site that was moved onto a cluster. */
interface Moved {
  env: Record<string, string>;
  /** A superuser's, of the primary itself. */
  adminUrl: string;
}

/**
 * Three nodes under Patroni, reached through HAProxy as the servers reach them. The secret, the key of the log and its
 * checkpoint are taken along from the old place, as docs/operations.md says.
 */
export async function onCluster<T>(
  dir: string,
  from: string,
  work: (moved: Moved) => Promise<T>,
): Promise<T> {
  const cluster = raiseCluster({ dir: join(dir, 'nodes') });
  try {
    const leader = await cluster.untilWhole(wholeMsMax);
    const dataDir = join(dir, 'worker');
    await mkdir(join(dataDir, 'log'), { recursive: true });
    await copyFile(join(from, 'log', 'checkpoint'), join(dataDir, 'log', 'checkpoint'));
    const files = { SECRET_FILE: join(from, 'secret'), LOG_KEY_FILE: join(from, 'log', 'key') };
    const env = { DATABASE_URL: cluster.databaseUrl, DATA_DIR: dataDir, ...files };
    return await work({ env, adminUrl: leader.adminUrl(database) });
  } finally {
    await cluster.end();
  }
}

/** A worker and a web server, each in its role; people ask the second. */
export async function startBoth(dir: string, { env }: Moved) {
  const worker = await startSite(dir, { ...env, ROLE: 'worker' });
  try {
    const web = await startSite(dir, { ...env, ROLE: 'web', DATA_DIR: join(dir, 'web-data') });
    return {
      url: web.url,
      async stop() {
        await web.stop();
        await worker.stop();
      },
    };
  } catch (error) {
    await worker.stop();
    throw error;
  }
}
