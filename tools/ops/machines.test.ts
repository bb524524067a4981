import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { files } from '../../ops/cluster/machines/files.ts';
import { whereIs } from '../../ops/cluster/programs.ts';
import { all, read } from './files.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'tallystick-machines-'));
const flags = [
  '--nodes',
  'a=10.0.0.1,b=10.0.0.2,c=10.0.0.3',
  '--servers',
  's=10.0.0.11,t=10.0.0.12',
  '--site',
  'www.example.com',
];
beforeAll(() => void files([dir, ...flags]));
afterAll(() => rmSync(dir, { recursive: true }));

const file = (...names: string[]) => path.join(dir, ...names);
const text = (...names: string[]) => readFileSync(file(...names), 'utf8');
const passwords = () => JSON.parse(text('passwords.json'));

describe('the files of a node', () => {
  it('hold its secrets for their owner alone', () => {
    const secret = ['etc/patroni/config.yml', 'etc/patroni/tls/node.key', 'etc/etcd/tls/node.key'];
    const modes = [...secret.map((each) => file('a', each)), file('passwords.json'), file('tls', 'ca.key')];
    expect(modes.map((each) => statSync(each).mode & 0o777)).toEqual(modes.map(() => 0o600));
  });

  it('let nobody change anything by Patroni without a password', () => {
    const config = text('b', 'etc/patroni/config.yml');
    expect(config).toMatch(/^restapi:\n {2}listen: 10\.0\.0\.2:8008$/m);
    expect(config).toContain(`username: patroni\n    password: "${passwords().rest}"`);
    expect(config).toContain('certfile: /etc/patroni/tls/node.crt');
    expect(config).toContain('mode: "required"');
    expect(config).toMatch(/synchronous_mode: true\n {4}synchronous_mode_strict: true/);
  });

  it('let in by name: replication and rewinding from a node, the database from a server, encrypted', () => {
    const rules = all(text('a', 'etc/patroni/config.yml'), /^ {4}- ((?:local|host|hostssl) .*)$/gm);
    const nodes = ['10.0.0.1', '10.0.0.2', '10.0.0.3'];
    const from = (what: string, addresses: string[]) =>
      addresses.map((each) => `hostssl ${what} ${each}/32 scram-sha-256`);
    expect(rules).toEqual([
      'local all postgres peer',
      'local all all reject',
      ...from('replication replicator', nodes),
      'host replication all all reject',
      'host all postgres all reject',
      'host all replicator all reject',
      ...from('postgres rewinder', nodes),
      'host all rewinder all reject',
      ...from('tallystick all', ['10.0.0.11', '10.0.0.12']),
    ]);
  });

  it('let etcd hear those alone who have a certificate of this cluster', () => {
    const etcd = text('c', 'etc/etcd/etcd.yml');
    expect(all(etcd, /(client-cert-auth: true)/g)).toHaveLength(2);
    expect(etcd).not.toContain('http://');
    expect(etcd).toContain('a=https://10.0.0.1:2380,b=https://10.0.0.2:2380,c=https://10.0.0.3:2380');
    for (const name of ['a', 'b', 'c']) {
      const made = file(name, 'etc/etcd/tls/node.crt');
      const purposes = ['sslserver', 'sslclient'].map((purpose) =>
        execFileSync('openssl', ['verify', '-purpose', purpose, '-CAfile', file('tls', 'ca.crt'), made]),
      );
      expect(purposes.map(String).join('')).toBe(`${made}: OK\n${made}: OK\n`);
    }
    const shown = execFileSync('openssl', [
      'x509',
      '-noout',
      '-ext',
      'subjectAltName',
      '-in',
      file('tls', 'b.crt'),
    ]);
    expect(String(shown)).toContain('IP Address:10.0.0.2, IP Address:127.0.0.1');
  });
});

it.skipIf(!whereIs('haproxy'))('HAProxy takes its file as it is', () => {
  // Only where its files are differs from the machine that it is for.
  const site = text('tls', 'a.crt') + text('tls', 'a.key');
  writeFileSync(file('s', 'etc/haproxy/site.pem'), site);
  const moved = text('s', 'etc/haproxy/haproxy.cfg')
    .replaceAll('/etc/haproxy/', `${file('s', 'etc/haproxy')}/`)
    .replaceAll(/^ {2}(user|group|chroot) .*\n/gm, '');
  writeFileSync(file('moved.cfg'), moved);
  const { status, stderr } = spawnSync(whereIs('haproxy') ?? '', ['-c', '-f', file('moved.cfg')]);
  expect([status, String(stderr)]).toEqual([0, '']);
  expect(moved).toContain('server b 10.0.0.2:5432 check port 8008 check-ssl verify required');
  expect(all(moved, /^ {2}server (\S+ \S+:300\d) check$/gm)).toHaveLength(8);
});

it('a server is told of the cluster in the words of its own configuration', () => {
  const at = (port: number) =>
    `postgres://tallystick:${passwords().owner}@127.0.0.1:${port}/tallystick?sslmode=verify-full&sslrootcert=/etc/tallystick/cluster-ca.crt`;
  expect(text('s', 'env')).toBe(
    `DATABASE_URL=${at(5000)}\nDATABASE_READ_URL=${at(5001)}\nTRUST_PROXY=10.0.0.11,10.0.0.12\n`,
  );
  expect(text('t', 'etc/tallystick/web-3001.env')).toBe('HOST=10.0.0.12\n');
  // The units of ops/systemd read that file.
  expect(read('ops', 'systemd', 'tallystick-web@.service')).toContain(
    'EnvironmentFile=-/etc/tallystick/web-%i.env',
  );
  expect(existsSync(file('t', 'etc/tallystick/cluster-ca.crt'))).toBe(true);
});

it('written again they keep their passwords and certificates; a node that joins is told so', () => {
  const before = [text('passwords.json'), text('tls', 'ca.crt'), text('tls', 'a.crt')];
  expect(text('c', 'etc/etcd/etcd.yml')).toContain('initial-cluster-state: new');
  files([dir, ...flags, '--joining', 'c']);
  expect([text('passwords.json'), text('tls', 'ca.crt'), text('tls', 'a.crt')]).toEqual(before);
  expect(text('c', 'etc/etcd/etcd.yml')).toContain('initial-cluster-state: existing');
  expect(text('a', 'etc/etcd/etcd.yml')).toContain('initial-cluster-state: new');
});

it('a node that has moved gets a certificate for where it is', () => {
  const moved = ['--nodes', 'a=10.0.0.1,b=10.0.0.2,c=10.0.0.33'];
  const [a, c] = [text('tls', 'a.crt'), text('tls', 'c.crt')];
  files([dir, ...flags, ...moved]);
  expect([text('tls', 'a.crt'), new X509Certificate(text('tls', 'c.crt')).subjectAltName]).toEqual([
    a,
    'IP Address:10.0.0.33, IP Address:127.0.0.1, DNS:c, DNS:localhost',
  ]);
  expect(text('c', 'etc/patroni/tls/node.crt')).toBe(text('tls', 'c.crt'));
  expect(text('tls', 'c.crt')).not.toBe(c);
});

it.each([
  [['--nodes', 'a=10.0.0.1,b=10.0.0.2'], '--nodes takes three of them, or five.'],
  [['--nodes', 'a=10.0.0.1,b=10.0.0.2,c=ten'], '--nodes takes names and addresses'],
  [['--nodes', 'a=10.0.0.1,b=10.0.0.2,c=10.0.0.1'], '--nodes has the same address twice'],
  [
    ['--nodes', 'a=10.0.0.1,b=10.0.0.2,ca=10.0.0.3'],
    '--nodes has the name ca, which is that of a file of ours',
  ],
  [['--servers', 'a=10.0.0.11'], 'A node and a server have the same name.'],
  [['--site', 'https://www.example.com'], '--site takes the name that people type'],
  [['--joining', 'd'], '--joining takes the name of a node'],
  [['--nods', 'd'], "Unknown option '--nods'"],
])('%s is refused in a sentence', (wrong, sentence) => {
  expect(() => files([dir, ...flags, ...wrong])).toThrow(sentence);
});
