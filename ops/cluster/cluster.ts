import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import {
  database,
  nodeNumbers,
  nodePlaces,
  owner,
  type Places,
  placesIn,
  ports,
  serverNumbers,
} from './layout.ts';
import { type ClusterNode, createNode, makeFolder, writeOwn } from './node.ts';
import { createPart, type Part } from './part.ts';
import { keepPasswords } from './passwords.ts';
import { isWhole, leaderOf, membersOf } from './patroni.ts';
import {
  findPrograms,
  findRunner,
  type Programs,
  type Runner,
  refuseClosedPath,
  refuseLongPath,
} from './programs.ts';
import { haproxyFile, type Passwords } from './render.ts';
import { lacksOf, readStrictness } from './strict.ts';

export interface Cluster {
  places: Places;
  nodes: ClusterNode[];
  haproxy: Part;
  isSynchronous: boolean;
  /** Through HAProxy: the primary as the owner of the tables, and any standby. */
  databaseUrl: string;
  readUrl: string;
  /** Until every node is there and, where it has to, one of them acknowledges; then that is looked at. */
  untilWhole(msMax: number, isStopped?: () => boolean): Promise<ClusterNode>;
  end(): Promise<void>;
}

interface ClusterNeeds {
  dir: string;
  /** False only for whoever wants to see what is lost then. */
  isSynchronous?: boolean;
  isKept?: boolean;
  /** The group of each node's processes, where they are to be told apart. */
  gidOf?(node: number): number;
}

/** What every server of one site shares. */
function makeSecrets({ secret, logKey }: Places): void {
  if (!existsSync(secret)) writeFileSync(secret, randomBytes(48).toString('base64'), { mode: 0o600 });
  if (existsSync(logKey)) return;
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(logKey, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
}

function createHaproxy(places: Places, programs: Programs, runner: Runner, isKept: boolean): Part {
  const said = readFileSync(new URL('templates/unavailable.http', import.meta.url), 'utf8');
  writeOwn(places.unavailable, said, runner);
  const text = haproxyFile({
    nodes: nodePlaces,
    web: serverNumbers.map((each) => ({ name: `web${each}`, at: `127.0.0.1:${ports.web(each)}` })),
    ports,
    siteBind: `127.0.0.1:${ports.site}`,
    plain: '',
    siteName: `127.0.0.1:${ports.site}`,
    ca: null,
    socket: join(places.run, 'haproxy.sock'),
    runsAs: '',
    unavailableFile: places.unavailable,
  });
  writeOwn(places.haproxy, text, runner);
  // It says itself what is wrong with it.
  execFileSync(programs.haproxy, ['-c', '-q', '-f', places.haproxy], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const command: [string, ...string[]] = [programs.haproxy, '-db', '-f', places.haproxy];
  return createPart({ name: 'haproxy', command, places, ...runner, isKept });
}

/** The owner of the tables, and a database of its own, as docs/operations.md has them made by hand. */
async function makeDatabase(leader: ClusterNode, { owner: password }: Passwords): Promise<void> {
  const client = new pg.Client({ connectionString: leader.adminUrl() });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query('select from pg_database where datname = $1', [database]);
    if (rows.length > 0) return;
    await client.query(`create role ${owner} login createrole password '${password}'`);
    await client.query(`create database ${database} owner ${owner} encoding 'UTF8' template template0`);
  } finally {
    await client.end().catch(() => {});
  }
}

const endMsMax = 30_000;

function postmasterGone(node: ClusterNode): boolean {
  const pid = node.postmaster();
  try {
    if (pid > 1) process.kill(pid, 0);
    return pid <= 1;
  } catch {
    return true;
  }
}

/** Patroni takes its PostgreSQL along; one that was left alone is ended here. */
async function endNode(node: ClusterNode): Promise<void> {
  await node.patroni.end(endMsMax);
  const giveUpAt = performance.now() + 5_000;
  if (!postmasterGone(node)) process.kill(node.postmaster(), 'SIGQUIT');
  while (!postmasterGone(node) && performance.now() < giveUpAt) await delay(50);
  await node.etcd.end();
}

function prepare(dir: string) {
  const programs = findPrograms();
  const runner = findRunner();
  const places = placesIn(dir);
  refuseLongPath(places.run);
  mkdirSync(dir, { recursive: true });
  if (process.getuid?.() === 0) refuseClosedPath(dir, runner);
  makeFolder(places.run, runner, 0o755);
  makeFolder(places.logs, runner, 0o755);
  mkdirSync(places.parts, { recursive: true, mode: 0o700 });
  makeSecrets(places);
  return { programs, runner, places, passwords: keepPasswords(places.passwords) };
}

const lookMs = 200;

/** Three nodes and the way to them, all of it on this machine. Started, and not there yet. */
export function raiseCluster(needs: ClusterNeeds): Cluster {
  const { dir, isSynchronous = true, isKept = false } = needs;
  const { programs, runner, places, passwords } = prepare(dir);
  const nodes = nodeNumbers.map((number) => {
    const own = { ...runner, gid: needs.gidOf?.(number) ?? runner.gid };
    return createNode(number, { places, programs, runner: own, passwords, isSynchronous, isKept });
  });
  const haproxy = createHaproxy(places, programs, runner, isKept);
  for (const { etcd } of nodes) etcd.start();
  for (const { patroni } of nodes) patroni.start();
  haproxy.start();

  const url = (port: number) => `postgres://${owner}:${passwords.owner}@127.0.0.1:${port}/${database}`;
  return {
    places,
    nodes,
    haproxy,
    isSynchronous,
    databaseUrl: url(ports.primary),
    readUrl: url(ports.replicas),
    async untilWhole(msMax, isStopped = () => false) {
      const giveUpAt = performance.now() + msMax;
      for (let why = ''; ; await delay(lookMs)) {
        const members = await membersOf(nodes);
        const leader = await leaderOf(nodes);
        if (leader && isWhole(members, { count: nodes.length, isSynchronous })) {
          const lacks = isSynchronous ? lacksOf(await readStrictness(leader)) : [];
          if (lacks.length === 0) {
            await makeDatabase(leader, passwords);
            return leader;
          }
          why = lacks.join('; ');
        }
        if (isStopped()) throw new Error('told to end');
        if (performance.now() < giveUpAt) continue;
        throw new Error(`the cluster is not whole: ${why || JSON.stringify(members)}; see ${places.logs}`);
      }
    },
    async end() {
      await haproxy.end(5_000);
      await Promise.all(nodes.map(endNode));
    },
  };
}
