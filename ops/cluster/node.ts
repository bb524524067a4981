import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { database, nameOfNode, nodePlaces, type Places, placeOfNode, ports } from './layout.ts';
import { createPart, type Part } from './part.ts';
import type { Programs, Runner } from './programs.ts';
import { etcdFile, type Passwords, patroniFile } from './render.ts';

interface NodeNeeds {
  places: Places;
  programs: Programs;
  runner: Runner;
  passwords: Passwords;
  isSynchronous: boolean;
  isKept: boolean;
}

/** A machine of the cluster: a PostgreSQL that Patroni looks after, and a member of etcd. */
export interface ClusterNode {
  name: string;
  number: number;
  /** Whose packets are whose: a cluster may give each node a group of its own. */
  gid: number;
  etcd: Part;
  patroni: Part;
  restUrl: string;
  /** What Patroni asks of whoever wants something changed. */
  restPassword: string;
  /** By its socket, as its superuser, whatever the network does. */
  adminUrl(database?: string): string;
  /** PostgreSQL's first process; 0 while there is none. */
  postmaster(): number;
}

export function writeOwn(file: string, text: string, { uid, gid }: Runner): void {
  writeFileSync(file, text, { mode: 0o600 });
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
}

export function makeFolder(dir: string, { uid, gid }: Runner, mode = 0o700): void {
  if (existsSync(dir)) return;
  mkdirSync(dir, { recursive: true, mode });
  if (process.getuid?.() === 0) chownSync(dir, uid, gid);
}

/** etcd says of some processors that nobody has tried it there, and wants to hear that one knows. */
const untried = process.arch === 'x64' ? {} : { ETCD_UNSUPPORTED_ARCH: process.arch };
const environment = () => ({ PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8', ...untried });

/** All are on loopback, where nobody listens in, and which nobody else can reach. */
const shared = { nodes: nodePlaces, certificate: null };

function createEtcd(number: number, { places, programs, runner, isKept }: NodeNeeds): Part {
  const file = join(places.node(number), 'etcd.yml');
  const dataDir = join(places.node(number), 'etcd');
  writeOwn(file, etcdFile({ ...shared, node: placeOfNode(number), dataDir }), runner);
  const command: [string, ...string[]] = [programs.etcd, '--config-file', file];
  return createPart({
    name: `etcd${number}`,
    command,
    places,
    env: environment(),
    ...runner,
    isKept,
    cwd: places.node(number),
  });
}

function createPatroni(number: number, needs: NodeNeeds): Part {
  const { places, programs, runner, passwords, isSynchronous, isKept } = needs;
  const folder = places.node(number);
  const file = join(folder, 'patroni.yml');
  const text = patroniFile({
    ...shared,
    node: placeOfNode(number),
    servers: ['127.0.0.1'],
    passwords,
    database,
    isSynchronous,
    dataDir: join(folder, 'postgres'),
    binDir: programs.postgresBin,
    passFile: join(folder, 'pgpass'),
    socketDir: places.run,
    // Whoever has started it, who need not be called postgres.
    localLogin: 'scram-sha-256',
    sharedBuffers: '64MB',
    times: { ttl: 8, loopWait: 2, retryTimeout: 3 },
    watchdog: 'off',
  });
  writeOwn(file, text, runner);
  return createPart({
    name: `patroni${number}`,
    command: [programs.patroni, file],
    places,
    env: environment(),
    ...runner,
    isKept,
    cwd: folder,
  });
}

/** PostgreSQL's first process, as it has written it down itself; 0 while there is none. */
export function postmasterIn(nodeDir: string): number {
  try {
    return Number(readFileSync(join(nodeDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return 0;
  }
}

export function createNode(number: number, needs: NodeNeeds): ClusterNode {
  const { places, runner, passwords } = needs;
  makeFolder(places.node(number), runner);
  return {
    name: nameOfNode(number),
    number,
    gid: runner.gid,
    etcd: createEtcd(number, needs),
    patroni: createPatroni(number, needs),
    restUrl: `http://127.0.0.1:${ports.rest(number)}`,
    restPassword: passwords.rest,
    adminUrl: (name = 'postgres') =>
      `postgres://postgres:${passwords.superuser}@localhost:${ports.postgres(number)}/${name}?host=${encodeURIComponent(places.run)}`,
    postmaster: () => postmasterIn(places.node(number)),
  };
}
