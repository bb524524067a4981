import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { all, arenas, read, root, startArguments, unread } from './files.ts';

const dockerfile = read('ops', 'docker', 'Dockerfile').replaceAll(/\s*\\\n\s*/g, ' ');
const compose = read('ops', 'docker', 'compose.yml');
const proxy = read('ops', 'docker', 'haproxy.cfg');
const stages = dockerfile.split(/^(?=FROM )/m).slice(1);
const last = stages.at(-1) ?? '';

/** What the build makes; everything else that is copied is in the repository. */
const made = ['node_modules', 'web/build/client'];

describe('the image', () => {
  it('is made of what is there', () => {
    const copies = all(dockerfile, /^COPY (?!--from)(.*) \S+$/gm).flatMap((line) => line.split(' '));
    const stagesOwn = all(dockerfile, /^COPY --from=.* \/app\/(\S+) \S+$/gm);
    const missing = [...copies, ...stagesOwn].filter(
      (file) => !made.includes(file) && !existsSync(path.join(root, file)),
    );
    expect([copies.length > 10, stagesOwn.length > 5, missing]).toEqual([true, true, []]);
  });

  it('is sent what it is made of', () => {
    const sent = all(read('.dockerignore'), /^!(.*)$/gm);
    const copies = all(dockerfile, /^COPY (?!--from)(.*) \S+$/gm).flatMap((line) => line.split(' '));
    const kept = copies.filter((file) => !sent.some((each) => file === each || file.startsWith(`${each}/`)));
    expect(kept).toEqual([]);
    expect(read('.dockerignore')).toContain('**/.env\n');
  });

  it('holds everything that the server imports from beside itself', () => {
    const files = globSync('server/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', 'server/testing/**'] });
    const beside = files.flatMap((file) =>
      all(readFileSync(path.join(root, file), 'utf8'), /from '(\.\.?\/[^']+)'/g)
        .map((name) => path.posix.join(path.posix.dirname(file), name))
        .filter((name) => !name.startsWith('server/')),
    );
    const held = all(last, /^COPY --from=\S+ (?:--\S+ )?\/app\/(\S+) /gm);
    expect(beside.length).toBeGreaterThan(0);
    expect(beside.filter((name) => !held.some((each) => name.startsWith(`${each}/`)))).toEqual([]);
  });

  it('starts as npm start does, as nobody in particular, and sets nothing that no server reads', () => {
    const listed = (word: string) =>
      JSON.parse(all(last, new RegExp(`^${word} (\\[.*\\])$`, 'gm'))[0] ?? '[]').join(' ');
    expect(`${listed('ENTRYPOINT')} ${listed('CMD')}`).toBe(`node_modules/.bin/node ${startArguments()}`);
    expect(last).toContain(` ${arenas}\n`);
    expect(last).toMatch(/^USER 65532:65532$/m);
    expect(unread(all(all(last, /^ENV (.*)$/gm).join(' '), /([A-Z_]+)=/g))).toEqual([]);
  });

  it('runs no script of any package', () => {
    const installing = all(dockerfile, /(npm ci .*?)&&/g);
    expect(installing).toHaveLength(1);
    expect(installing[0]).toContain('--ignore-scripts');
  });
});

describe('compose', () => {
  it('sets nothing that no server reads, and names secrets that it has', () => {
    const anchored = /^x-environment: .*\n((?: {2}.*\n)+)/m.exec(compose)?.[1] ?? '';
    const names = [...all(anchored, /^ {2}([A-Z_]+):/gm), ...all(compose, /\*environment, ([A-Z_]+):/g)];
    expect(names).toContain('SECRET_FILE');
    expect(unread(names)).toEqual([]);
    const secrets = all(compose.slice(compose.indexOf('\nsecrets:')), /^ {2}([\w.-]+): \{ file:/gm);
    expect(secrets.toSorted()).toEqual(['database-password', 'env', 'log-key', 'secret', 'site.pem']);
    const used = [...all(compose, /\/run\/secrets\/([\w.-]+)/g), ...all(proxy, /\/run\/secrets\/([\w.-]+)/g)];
    expect(used.filter((name) => !secrets.includes(name))).toEqual([]);
    // They lie in a clone: nobody is to commit them.
    expect(read('.gitignore').split('\n')).toContain('ops/docker/secrets/');
  });

  it('mounts what is there', () => {
    for (const file of all(compose, /(?:- |['"])\.\/(\S+?):\//g)) {
      expect(existsSync(path.join(root, 'ops', 'docker', file)), file).toBe(true);
    }
    expect(statSync(path.join(root, 'ops/docker/house.sh')).mode & 0o111).toBe(0o111);
  });

  it('agrees with the proxy about names, ports and who may say where a request came from', () => {
    const port = all(last, /PORT=(\d+)/g)[0];
    const servers = all(proxy, /^ {2}server \S+ (\S+)$/gm);
    expect(servers).toEqual([`web-1:${port}`, `web-2:${port}`]);
    for (const server of servers) expect(compose).toContain(`\n  ${server.split(':')[0]}:`);
    const ports = (text: string, pattern: RegExp) => all(text, pattern).toSorted();
    expect(ports(compose, /['"]0\.0\.0\.0:\d+:(\d{4})['"]/g)).toEqual(ports(proxy, /^ {2}bind :(\d+)\b/gm));
    const address = all(compose, /ipv4_address: (\S+) /g)[0];
    expect(all(compose, /TRUST_PROXY: (\S+)/g)).toEqual([address]);
    // Whoever starts before the proxy is given an address, and must not be given this one.
    const [network, given] = ['subnet', 'ip_range'].map((name) => {
      const [start = '', prefix] = (all(compose, new RegExp(`${name}: ([\\d./]+)`, 'g'))[0] ?? '').split('/');
      const addresses = new BlockList();
      addresses.addSubnet(start, Number(prefix));
      return addresses;
    });
    expect([network?.check(address ?? ''), given?.check(address ?? '')]).toEqual([true, false]);
  });
});

it('the proxy says when to come back where no server answers, as the site and the cluster do it', () => {
  const said = read('ops', 'cluster', 'templates', 'unavailable.http').split('\r\n\r\n')[1];
  for (const status of [502, 503, 504]) {
    expect(proxy).toMatch(new RegExp(`http-error status ${status} .* hdr Retry-After 2 .*string '(.*)'`));
  }
  expect(new Set(all(proxy, /http-error .*string '(.*)'/g))).toEqual(new Set([said]));
});

const hasHaproxy =
  spawnSync('haproxy', ['-v']).status === 0 && spawnSync('openssl', ['version']).status === 0;

it.skipIf(!hasHaproxy)('HAProxy takes its file (skipped where there is none)', () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'tallystick-proxy-'));
  try {
    const [key, certificate, both] = ['key', 'certificate', 'both'].map((name) => path.join(dir, name));
    const made = ['-keyout', key ?? '', '-out', certificate ?? '', '-days', '1', '-subj', '/CN=site'];
    spawnSync('openssl', [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      ...made,
    ]);
    writeFileSync(both ?? '', readFileSync(certificate ?? '', 'utf8') + readFileSync(key ?? '', 'utf8'));
    const file = path.join(dir, 'haproxy.cfg');
    writeFileSync(file, proxy.replace('/run/secrets/site.pem', both ?? ''));
    const { status, stderr } = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' });
    // The names of compose's servers are known to compose alone.
    const complaints = stderr.split('\n').filter((line) => /WARNING|ALERT/.test(line));
    expect(complaints.filter((line) => !line.includes('could not resolve address'))).toEqual([]);
    expect(status).toBe(0);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
