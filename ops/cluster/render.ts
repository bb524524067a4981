import { fill } from './template.ts';

/** Where a node is, and where its parts listen. */
export interface NodePlace {
  name: string;
  address: string;
  postgresPort: number;
  restPort: number;
  etcdClientPort: number;
  etcdPeerPort: number;
}

/** Files on the machine itself: who is believed, who it is, and its key. */
interface Certificate {
  ca: string;
  cert: string;
  key: string;
}

export interface Passwords {
  superuser: string;
  replication: string;
  rewind: string;
  owner: string;
  rest: string;
}

const lines = (indent: number, entries: Record<string, string | boolean>) =>
  Object.entries(entries)
    .map(([name, value]) => `${' '.repeat(indent)}${name}: ${value}`)
    .join('\n');

const schemeOf = (certificate: Certificate | null) => (certificate ? 'https' : 'http');

interface EtcdNeeds {
  node: NodePlace;
  nodes: readonly NodePlace[];
  dataDir: string;
  certificate: Certificate | null;
  /** Whether it joins others that have been there before it. */
  isJoining?: boolean;
}

/** With certificates nobody is heard, neither a client nor another member, who has none of the same hand. */
function etcdCertificates({ ca, cert, key }: Certificate): string {
  const own = { 'cert-file': cert, 'key-file': key, 'trusted-ca-file': ca, 'client-cert-auth': true };
  return ['client-transport-security', 'peer-transport-security']
    .map((name) => `${name}:\n${lines(2, own)}`)
    .join('\n');
}

export function etcdFile({ node, nodes, dataDir, certificate, isJoining = false }: EtcdNeeds): string {
  const scheme = schemeOf(certificate);
  const { name, address, etcdClientPort: clientPort, etcdPeerPort: peerPort } = node;
  const members = nodes.map((each) => `${each.name}=${scheme}://${each.address}:${each.etcdPeerPort}`);
  return fill('etcd.yml', {
    name,
    dataDir,
    scheme,
    address,
    clientPort,
    peerPort,
    members: members.join(','),
    state: isJoining ? 'existing' : 'new',
    certificates: certificate ? etcdCertificates(certificate) : '',
  });
}

interface PatroniNeeds {
  node: NodePlace;
  nodes: readonly NodePlace[];
  /** Who may enter the database: the addresses that HAProxy calls from. */
  servers: readonly string[];
  certificate: Certificate | null;
  passwords: Passwords;
  database: string;
  dataDir: string;
  binDir: string;
  passFile: string;
  socketDir: string;
  /** How the superuser is known on the machine itself. */
  localLogin: 'peer' | 'scram-sha-256';
  isSynchronous: boolean;
  sharedBuffers: string;
  times: { ttl: number; loopWait: number; retryTimeout: number };
  watchdog: 'required' | 'automatic' | 'off';
}

function hbaOf({ nodes, servers, certificate, database }: PatroniNeeds) {
  const type = certificate ? 'hostssl' : 'host';
  const from = (what: string, addresses: readonly string[]) =>
    [...new Set(addresses)].map((each) => `    - ${type} ${what} ${each}/32 scram-sha-256`).join('\n');
  const own = nodes.map(({ address }) => address);
  return {
    replicationHba: from('replication replicator', own),
    rewindHba: from('postgres rewinder', own),
    serverHba: from(`${database} all`, servers),
  };
}

function patroniCertificates(certificate: Certificate | null) {
  if (!certificate) {
    return { restCertificates: '', etcdCertificates: '', clientCertificates: '', serverCertificates: '' };
  }
  const { ca, cert, key } = certificate;
  return {
    restCertificates: lines(2, { certfile: cert, keyfile: key, cafile: ca }),
    etcdCertificates: lines(2, { protocol: 'https', cacert: ca, cert, key }),
    clientCertificates: lines(6, { sslmode: 'verify-full', sslrootcert: ca }),
    serverCertificates: lines(4, { ssl: '"on"', ssl_cert_file: cert, ssl_key_file: key }),
  };
}

export function patroniFile(needs: PatroniNeeds): string {
  const { node, nodes, certificate, passwords, times } = needs;
  const { dataDir, binDir, passFile, socketDir, localLogin, isSynchronous, sharedBuffers, watchdog } = needs;
  const { name, address, restPort, postgresPort } = node;
  return fill('patroni.yml', {
    name,
    address,
    restPort,
    postgresPort,
    ...times,
    dataDir,
    binDir,
    passFile,
    socketDir,
    localLogin,
    isSynchronous,
    sharedBuffers,
    watchdog,
    etcdHosts: nodes.map((each) => `'${each.address}:${each.etcdClientPort}'`).join(', '),
    restPassword: passwords.rest,
    superuserPassword: passwords.superuser,
    replicationPassword: passwords.replication,
    rewindPassword: passwords.rewind,
    ...hbaOf(needs),
    ...patroniCertificates(certificate),
  });
}

interface HaproxyNeeds {
  nodes: readonly NodePlace[];
  /** The web servers that it sends people to, by name. */
  web: readonly { name: string; at: string }[];
  ports: { primary: number; replicas: number; stats: number };
  siteBind: string;
  /** Whoever comes without https, where people are to come with it. */
  plain: string;
  /** The name in a request that asks whether a server is ready. */
  siteName: string;
  /** Whom the nodes' certificates are believed of. */
  ca: string | null;
  socket: string;
  runsAs: string;
  unavailableFile: string;
}

export function haproxyFile(needs: HaproxyNeeds): string {
  const { nodes, web, ports, siteBind, plain, siteName, ca, socket, runsAs, unavailableFile } = needs;
  const secured = ca ? ` check-ssl verify required ca-file ${ca}` : '';
  const databases = nodes
    .map(
      ({ name, address, postgresPort, restPort }) =>
        `  server ${name} ${address}:${postgresPort} check port ${restPort}${secured}`,
    )
    .join('\n');
  return fill('haproxy.cfg', {
    siteBind,
    plain,
    siteName,
    socket,
    runsAs,
    unavailableFile,
    primaryPort: ports.primary,
    replicaPort: ports.replicas,
    statsPort: ports.stats,
    primaryServers: databases,
    replicaServers: databases,
    // Each of the others is asked, and more than once where somebody else's turn comes between.
    otherServers: 2 * web.length - 1,
    webServers: web.map(({ name, at }) => `  server ${name} ${at} check`).join('\n'),
  });
}
