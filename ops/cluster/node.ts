import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { database, nameOfNode, nodeNumbers, type Places, ports } from './layout.ts';
import { createPart, type Part } from './part.ts';
import type { Programs, Runner } from './programs.ts';
import { fill } from './template.ts';

export interface Passwords {
  superuser: string;
  replication: string;
  rewind: string;
  owner: string;
}

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

function createEtcd(number: number, { places, programs, runner, isKept }: NodeNeeds): Part {
  const file = join(places.node(number), 'etcd.yml');
  const members = nodeNumbers.map((each) => `${nameOfNode(each)}=http://127.0.0.1:${ports.etcdPeer(each)}`);
  const text = fill('etcd.yml', {
    name: nameOfNode(number),
    dataDir: join(places.node(number), 'etcd'),
    clientPort: ports.etcdClient(number),
    peerPort: ports.etcdPeer(number),
    members: members.join(','),
  });
  writeOwn(file, text, runner);
  const command: [string, ...string[]] = [programs.etcd, '--config-file', file];
  return createPart({
    ...{ name: `etcd${number}`, command, logDir: places.logs, env: environment() },
    ...{ ...runner, isKept, cwd: places.node(number) },
  });
}

function createPatroni(number: number, needs: NodeNeeds): Part {
  const { places, programs, runner, passwords, isSynchronous, isKept } = needs;
  const folder = places.node(number);
  const file = join(folder, 'patroni.yml');
  const text = fill('patroni.yml', {
    name: nameOfNode(number),
    restPort: ports.rest(number),
    postgresPort: ports.postgres(number),
    etcdHosts: nodeNumbers.map((each) => `'127.0.0.1:${ports.etcdClient(each)}'`).join(', '),
    isSynchronous,
    dataDir: join(folder, 'postgres'),
    binDir: programs.postgresBin,
    passFile: join(folder, 'pgpass'),
    runDir: places.run,
    superuserPassword: passwords.superuser,
    replicationPassword: passwords.replication,
    rewindPassword: passwords.rewind,
    database,
  });
  writeOwn(file, text, runner);
  return createPart({
    ...{ name: `patroni${number}`, command: [programs.patroni, file], logDir: places.logs },
    ...{ env: environment(), ...runner, isKept, cwd: folder },
  });
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
    adminUrl: (name = 'postgres') =>
      `postgres://postgres:${passwords.superuser}@localhost:${ports.postgres(number)}/${name}?host=${encodeURIComponent(places.run)}`,
    postmaster() {
      try {
        return Number(
          readFileSync(join(places.node(number), 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
        );
      } catch {
        return 0;
      }
    },
  };
}
