import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Cluster, raiseCluster } from '../../ops/cluster/cluster.ts';
import { database, ports, siteUrl } from '../../ops/cluster/layout.ts';
import type { ClusterNode } from '../../ops/cluster/node.ts';
import { createServers, type Server, startServers } from '../../ops/cluster/servers.ts';
import { mirrorIn, type Scene } from '../checks.ts';
import { createField, type Field } from '../field.ts';
import { type MailServer, startMailServer } from '../mail-server.ts';
import { makePages } from '../site.ts';
import { layRules } from './faults.ts';
import { startWatch, type Watch } from './watch.ts';

/** A site on a cluster: two servers that answer behind one address, two that work, three nodes, and who watches those. */
export interface Ground {
  cluster: Cluster;
  servers: Server[];
  mail: MailServer;
  field: Field;
  watch: Watch;
  /** What is looked at when it is over, on the primary of then. */
  sceneOn(leader: ClusterNode): Scene;
  close(): Promise<void>;
}

interface GroundNeeds {
  dir: string;
  isSynchronous: boolean;
  isStopped(): boolean;
}

const wholeMsMax = 120_000;
const readyMsMax = 180_000;
const entry = fileURLToPath(new URL('../server-process.ts', import.meta.url));
/** No group of the system's has so high a number. */
const firstGid = 64_100;

export async function openGround({ dir, isSynchronous, isStopped }: GroundNeeds): Promise<Ground> {
  const closers: (() => Promise<unknown>)[] = [
    () => rm(dir, { recursive: true, force: true, maxRetries: 5 }),
  ];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    layRules();
    const cluster = raiseCluster({ dir, isSynchronous, gidOf: (node) => firstGid + node });
    closers.push(cluster.end);
    const mail = await startMailServer();
    closers.push(mail.close);
    const leader = await cluster.untilWhole(wholeMsMax, isStopped);
    const env = {
      WEB_DIR: await makePages(dir),
      SMTP_URL: mail.url,
      LOG_LEVEL: 'warn',
      // Nobody is there: a drill asks nobody beyond this machine.
      PRICE_API_BASE: 'http://127.0.0.1:9',
      ...(!isSynchronous && { DRILL_BREAKS_DURABILITY: 'yes' }),
    };
    const servers = createServers(cluster, { entry, env });
    closers.push(() => Promise.all(servers.map(({ part }) => part.end())));
    await startServers(servers, readyMsMax, isStopped);
    const watch = await startWatch(cluster.nodes, leader);
    closers.push(watch.end);
    const field = createField(() => ports.site, mail);
    const { places, databaseUrl } = cluster;
    const own = { DATA_DIR: dir, SECRET_FILE: places.secret, LOG_KEY_FILE: places.logKey };
    return {
      cluster,
      servers,
      mail,
      field,
      watch,
      close,
      sceneOn: (node) => ({
        field,
        mail,
        siteUrl,
        databaseUrl: node.adminUrl(database),
        env: { DATABASE_URL: databaseUrl, ...own },
        mirrorDir: mirrorIn(dir),
        // What was signed and then lost is never whole again: there is nothing to wait for.
        ...(!isSynchronous && { quietMsMax: 5_000 }),
      }),
    };
  } catch (error) {
    await close();
    throw error;
  }
}
