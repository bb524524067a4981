/**
 * `npm run cluster -- files <folder> --nodes a=10.0.0.1,b=10.0.0.2,c=10.0.0.3 --servers s=10.0.0.11,t=10.0.0.12 --site
 * www.example.com`: what each machine of a real cluster needs, as a tree to be copied over its own. From the templates that the
 * cluster on one machine is made of.
 */
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { database, owner } from '../layout.ts';
import { keepPasswords } from '../passwords.ts';
import { etcdFile, haproxyFile, type NodePlace, type Passwords, patroniFile } from '../render.ts';
import { keepCertificate } from './certificates.ts';

interface Machine {
  name: string;
  address: string;
}

interface Wanted {
  dir: string;
  nodes: NodePlace[];
  servers: Machine[];
  site: string;
  postgresql: string;
  joining: string | undefined;
}

/** Those that everybody knows; each node has a machine of its own. */
const nodePorts = { postgresPort: 5432, restPort: 8008, etcdClientPort: 2379, etcdPeerPort: 2380 };
/** On each machine that runs servers, for itself alone. */
const proxyPorts = { primary: 5000, replicas: 5001, stats: 7000 };
const webPorts = [3001, 3002];
/** The authority's key is tls/ca.key: a node of that name would get it as its own. */
const ourNames = ['ca', 'tls'];

function readMachines(flag: string, given = ''): Machine[] {
  const machines = given.split(',').map((each) => {
    const [name = '', address = ''] = each.split('=');
    if (/^[a-z][a-z0-9-]*$/.test(name) && isIPv4(address)) return { name, address };
    throw new Error(`${flag} takes names and addresses, as a=10.0.0.1,b=10.0.0.2, not "${given}".`);
  });
  const taken = machines.find(({ name }) => ourNames.includes(name));
  if (taken) throw new Error(`${flag} has the name ${taken.name}, which is that of a file of ours.`);
  for (const what of ['name', 'address'] as const) {
    if (new Set(machines.map((each) => each[what])).size < machines.length)
      throw new Error(`${flag} has the same ${what} twice: "${given}".`);
  }
  return machines;
}

const text = { type: 'string' } as const;

function readWanted(args: string[]): Wanted {
  const options = { nodes: text, servers: text, site: text, postgresql: text, joining: text };
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [dir] = positionals;
  if (!dir || positionals.length > 1) throw new Error('Name one folder to write them to.');
  const { site = '', postgresql = '15', joining } = values;
  const nodes = readMachines('--nodes', values.nodes).map((each) => ({ ...each, ...nodePorts }));
  // Of two etcd members none is left when one is gone, and of four no more may be lost than of three.
  if (nodes.length < 3 || nodes.length % 2 === 0) throw new Error('--nodes takes three of them, or five.');
  const servers = readMachines('--servers', values.servers);
  if (servers.some(({ name }) => nodes.some((node) => node.name === name)))
    throw new Error('A node and a server have the same name.');
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(site))
    throw new Error(`--site takes the name that people type, as www.example.com, not "${site}".`);
  if (!/^\d\d$/.test(postgresql))
    throw new Error(`--postgresql takes a version, as 15, not "${postgresql}".`);
  if (joining !== undefined && !nodes.some(({ name }) => name === joining))
    throw new Error(`--joining takes the name of a node, not "${joining}".`);
  return { dir: resolve(dir), nodes, servers, site, postgresql, joining };
}

function write(file: string, text: string, mode = 0o600): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
  writeFileSync(file, text, { mode });
  chmodSync(file, mode);
}

function copy(from: string, to: string, mode: number): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o755 });
  copyFileSync(from, to);
  chmodSync(to, mode);
}

/** Where a node finds its certificate: each program that reads it has a copy that is its own. */
const certificateIn = (folder: string) => ({
  ca: `${folder}/tls/ca.crt`,
  cert: `${folder}/tls/node.crt`,
  key: `${folder}/tls/node.key`,
});

function writeNode(
  node: NodePlace,
  { dir, nodes, servers, postgresql, joining }: Wanted,
  passwords: Passwords,
) {
  const at = (file: string) => join(dir, node.name, file);
  const made = keepCertificate(join(dir, 'tls'), node);
  const [forEtcd, forPatroni] = [certificateIn('/etc/etcd'), certificateIn('/etc/patroni')];
  for (const place of [forEtcd, forPatroni]) {
    copy(made.ca, at(place.ca), 0o644);
    copy(made.cert, at(place.cert), 0o644);
    copy(made.key, at(place.key), 0o600);
  }
  const isJoining = joining === node.name;
  const dataDir = '/var/lib/etcd/tallystick';
  write(at('etc/default/etcd'), 'ETCD_CONFIG_FILE=/etc/etcd/etcd.yml\n', 0o644);
  write(at('etc/etcd/etcd.yml'), etcdFile({ node, nodes, dataDir, certificate: forEtcd, isJoining }));
  const config = patroniFile({
    node,
    nodes,
    certificate: forPatroni,
    passwords,
    database,
    isSynchronous: true,
    servers: servers.map(({ address }) => address),
    dataDir: `/var/lib/postgresql/${postgresql}/tallystick`,
    binDir: `/usr/lib/postgresql/${postgresql}/bin`,
    passFile: '/var/lib/postgresql/patroni.pgpass',
    socketDir: '/var/run/postgresql',
    localLogin: 'peer',
    sharedBuffers: '1GB',
    // Less hasty than on one machine, where no packet is late; newer versions of Patroni take no shorter ttl.
    times: { ttl: 20, loopWait: 5, retryTimeout: 5 },
    watchdog: 'required',
  });
  write(at('etc/patroni/config.yml'), config);
}

const plain = `frontend plain
  bind :80
  mode http
  timeout client 10s
  http-request redirect scheme https code 308
`;

/** What of .env the cluster decides. */
function envOf(servers: readonly Machine[], { owner: password }: Passwords): string {
  const url = (port: number) =>
    `postgres://${owner}:${password}@127.0.0.1:${port}/${database}?sslmode=verify-full&sslrootcert=/etc/tallystick/cluster-ca.crt`;
  return [
    `DATABASE_URL=${url(proxyPorts.primary)}`,
    `DATABASE_READ_URL=${url(proxyPorts.replicas)}`,
    `TRUST_PROXY=${servers.map(({ address }) => address).join(',')}`,
    '',
  ].join('\n');
}

function writeServer(
  { name, address }: Machine,
  { dir, nodes, servers, site }: Wanted,
  passwords: Passwords,
) {
  const at = (file: string) => join(dir, name, file);
  const ca = join(dir, 'tls', 'ca.crt');
  copy(ca, at('etc/haproxy/cluster-ca.crt'), 0o644);
  copy(ca, at('etc/tallystick/cluster-ca.crt'), 0o644);
  const said = readFileSync(new URL('../templates/unavailable.http', import.meta.url), 'utf8');
  write(at('etc/haproxy/unavailable.http'), said, 0o644);
  const haproxy = haproxyFile({
    nodes,
    web: servers.flatMap((each) =>
      webPorts.map((port) => ({ name: `${each.name}-${port}`, at: `${each.address}:${port}` })),
    ),
    ports: proxyPorts,
    siteBind: ':443 ssl crt /etc/haproxy/site.pem alpn h2,http/1.1 ssl-min-ver TLSv1.2',
    plain,
    siteName: site,
    ca: '/etc/haproxy/cluster-ca.crt',
    socket: '/run/haproxy/admin.sock',
    runsAs: '  user haproxy\n  group haproxy\n  chroot /var/lib/haproxy',
    unavailableFile: '/etc/haproxy/unavailable.http',
  });
  write(at('etc/haproxy/haproxy.cfg'), haproxy, 0o644);
  // The proxy of another machine has to reach it.
  for (const unit of [...webPorts.map((port) => `web-${port}`), 'worker'])
    write(at(`etc/tallystick/${unit}.env`), `HOST=${address}\n`, 0o644);
  write(at('env'), envOf(servers, passwords));
}

/** Writes them; answers with what there is now. */
export function files(args: string[]): string {
  const wanted = readWanted(args);
  const { dir, nodes, servers } = wanted;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const passwords = keepPasswords(join(dir, 'passwords.json'));
  for (const node of nodes) writeNode(node, wanted, passwords);
  for (const server of servers) writeServer(server, wanted, passwords);
  write(join(dir, 'database.sql'), databaseSql(passwords));
  const folders = [...nodes, ...servers].map(({ name }) => name).join(', ');
  return `Written to ${dir}: ${folders}, each a tree of its machine; tls, passwords.json and database.sql. All of it is secret. ops/cluster/machines/README.md says where it goes.`;
}

/** As the cluster on one machine has it made; the password is of letters that need no quoting. */
const databaseSql = ({ owner: password }: Passwords) =>
  `create role ${owner} login createrole password '${password}';
create database ${database} owner ${owner} encoding 'UTF8' template template0;
`;
