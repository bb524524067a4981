import { join } from 'node:path';
import type { NodePlace } from './render.ts';

/** Where everything is: fixed, and below the ports that a machine hands out by itself. */
export const ports = {
  site: 17_000,
  stats: 17_001,
  primary: 17_002,
  replicas: 17_003,
  postgres: (node: number) => 17_010 + node,
  rest: (node: number) => 17_020 + node,
  etcdClient: (node: number) => 17_030 + node,
  etcdPeer: (node: number) => 17_040 + node,
  web: (number: number) => 17_050 + number,
  worker: (number: number) => 17_060 + number,
};

export const nodeNumbers = [1, 2, 3] as const;
export const serverNumbers = [1, 2] as const;
export const allPorts: number[] = [
  ports.site,
  ports.stats,
  ports.primary,
  ports.replicas,
  ...nodeNumbers.flatMap((node) =>
    [ports.postgres, ports.rest, ports.etcdClient, ports.etcdPeer].map((of) => of(node)),
  ),
  ...serverNumbers.flatMap((number) => [ports.web(number), ports.worker(number)]),
];
export const nameOfNode = (node: number) => `node${node}`;
export const placeOfNode = (node: number): NodePlace => ({
  name: nameOfNode(node),
  address: '127.0.0.1',
  postgresPort: ports.postgres(node),
  restPort: ports.rest(node),
  etcdClientPort: ports.etcdClient(node),
  etcdPeerPort: ports.etcdPeer(node),
});
export const nodePlaces = nodeNumbers.map(placeOfNode);
export const database = 'tallystick';
export const owner = 'tallystick';
export const siteUrl = `http://127.0.0.1:${ports.site}`;

/** The folders of a cluster. */
export const placesIn = (dir: string) => ({
  dir,
  run: join(dir, 'run'),
  logs: join(dir, 'logs'),
  /** Which process each part is. */
  parts: join(dir, 'parts'),
  passwords: join(dir, 'passwords.json'),
  secret: join(dir, 'secret'),
  logKey: join(dir, 'log-key'),
  haproxy: join(dir, 'haproxy.cfg'),
  unavailable: join(dir, 'unavailable.http'),
  node: (node: number) => join(dir, nameOfNode(node)),
});
export type Places = ReturnType<typeof placesIn>;
