import { whatToOpen } from '../../server/what-to-open.ts';
import type { Cluster } from './cluster.ts';
import { database, ports, siteUrl } from './layout.ts';
import type { Member } from './patroni.ts';
import type { Server } from './servers.ts';

type Lines = [name: string, place: string][];
const table = (lines: Lines) => lines.map(([name, place]) => `  ${name.padEnd(13)}  ${place}`).join('\n');

/** What somebody who has started a cluster wants to know. */
export function whatIsWhere({ places, nodes }: Cluster, servers: readonly Server[]): string {
  const lines: Lines = [
    ['HAProxy', `http://127.0.0.1:${ports.stats}/`],
    ['Primary', `127.0.0.1:${ports.primary}, standbys 127.0.0.1:${ports.replicas}, database ${database}`],
    ...nodes.map(({ name, number, restUrl }): [string, string] => [
      name,
      `PostgreSQL 127.0.0.1:${ports.postgres(number)}, Patroni ${restUrl}/cluster, etcd 127.0.0.1:${ports.etcdClient(number)}`,
    ]),
    ...servers.map(({ name, port }): [string, string] => [name, `http://127.0.0.1:${port}/readyz`]),
    ['Logs', `${places.logs}/<name>.log`],
    ['Passwords', places.passwords],
    ['Switch over', `patronictl -c ${places.node(1)}/patroni.yml switchover --force`],
    ['Who is what', 'npm run cluster -- status'],
    ['End it', 'Ctrl-C, or npm run cluster -- stop'],
  ];
  return `${whatToOpen({ config: { siteUrl }, hasInbox: true, dataDir: null })}\n${table(lines)}\n`;
}

export function statusOf(
  members: readonly Member[],
  ready: readonly { name: string; isReady: boolean }[],
): string {
  const nodes = members.map(({ name, role, state, timeline }): [string, string] => [
    name,
    `${role}, ${state}, timeline ${timeline ?? 'unknown'}`,
  ]);
  const servers = ready.map(({ name, isReady }): [string, string] => [name, isReady ? 'ready' : 'not ready']);
  return `${table([...nodes, ...servers])}\n`;
}
