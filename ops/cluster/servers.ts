import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startEnv, startFlags } from '../../bench/server/start-flags.ts';
import type { Cluster } from './cluster.ts';
import { ports, serverNumbers, siteUrl } from './layout.ts';
import { createPart, type Part } from './part.ts';

export interface Server {
  name: string;
  role: 'web' | 'worker';
  port: number;
  part: Part;
}

const root = fileURLToPath(new URL('../../', import.meta.url));

interface ServerNeeds {
  entry: string;
  env: NodeJS.ProcessEnv;
  isKept?: boolean;
  /** Where each has its own files; a demo's inbox and sample witness are in one place. */
  dataDirOf?(name: string): string;
}

/** Two that answer people and two that do what happens by itself, each the same program. */
export function createServers(cluster: Cluster, needs: ServerNeeds): Server[] {
  const { places, databaseUrl, readUrl } = cluster;
  const { entry, env, isKept = false, dataDirOf = (name: string) => join(places.dir, name) } = needs;
  const one = (role: Server['role'], number: number): Server => {
    const name = `${role}${number}`;
    const port = role === 'web' ? ports.web(number) : ports.worker(number);
    const dataDir = dataDirOf(name);
    mkdirSync(dataDir, { recursive: true });
    const part = createPart({
      name,
      command: [process.execPath, ...startFlags, entry],
      logDir: places.logs,
      isKept,
      // A folder without a .env of somebody else's.
      cwd: dataDir,
      env: {
        ...startEnv,
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node-compile'),
        ROLE: role,
        PORT: String(port),
        SITE_URL: siteUrl,
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl,
        DATABASE_READ_URL: readUrl,
        SECRET_FILE: places.secret,
        LOG_KEY_FILE: places.logKey,
        TRUST_PROXY: '127.0.0.1',
        ...env,
      },
    });
    return { name, role, port, part };
  };
  return (['web', 'worker'] as const).flatMap((role) => serverNumbers.map((number) => one(role, number)));
}

export const isReady = (port: number) =>
  fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** One after the other: the first makes the tables, the others find them. */
export async function startServers(
  servers: readonly Server[],
  msMax: number,
  isStopped = () => false,
): Promise<void> {
  const giveUpAt = performance.now() + msMax;
  for (const [at, { part }] of servers.entries()) {
    part.start();
    if (at === 0) await untilReady(servers.slice(0, 1), giveUpAt, isStopped);
  }
  await untilReady(servers, giveUpAt, isStopped);
}

async function untilReady(
  servers: readonly Server[],
  giveUpAt: number,
  isStopped: () => boolean,
): Promise<void> {
  for (const { name, port, part } of servers) {
    while (!(await isReady(port))) {
      if (isStopped()) throw new Error('told to end');
      if (part.isRefused() || performance.now() > giveUpAt)
        throw new Error(`${name} is not ready: ${part.said()}`);
      await delay(100);
    }
  }
}
