import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { placesIn } from './layout.ts';
import { endLeft, leftOf } from './left.ts';
import { isWhole, type Member } from './patroni.ts';
import { takenOf } from './ports.ts';
import { refuseClosedPath } from './programs.ts';
import { lacksOf, type Strictness } from './strict.ts';
import { fill } from './template.ts';

describe('a primary that acknowledges', () => {
  const strict: Strictness = {
    settings: { synchronous_mode: true, synchronous_mode_strict: true },
    standbyNames: 'node2',
    synchronousCommit: 'on',
    checksums: 'on',
    acknowledging: 1,
  };
  const lacks = (change: Partial<Strictness>) => lacksOf({ ...strict, ...change }).join('\n');

  it('waits for a standby that has a name', () => {
    expect(lacks({})).toBe('');
    expect(lacks({ standbyNames: '*' })).toContain('synchronous_standby_names is *');
    expect(lacks({ standbyNames: '' })).toContain('synchronous_standby_names is empty');
    expect(lacks({ acknowledging: 0 })).toContain('no standby acknowledges');
  });

  it('is told to by Patroni, strictly, and keeps what it says', () => {
    expect(lacks({ settings: { synchronous_mode: true } })).toContain('synchronous_mode_strict is not on');
    expect(lacks({ settings: {} })).toContain('synchronous_mode is not on');
    for (const synchronousCommit of ['off', 'local', 'remote_write']) {
      expect(lacks({ synchronousCommit })).toContain(`synchronous_commit is ${synchronousCommit}`);
    }
    expect(lacks({ checksums: 'off' })).toContain('data_checksums is off');
  });
});

describe('a cluster', () => {
  const member = (name: string, role: Member['role'], timeline = 3, state = 'running') => ({
    name,
    role,
    timeline,
    state,
  });
  const whole = { count: 3, isSynchronous: true };
  const three = [member('node1', 'leader'), member('node2', 'sync_standby'), member('node3', 'replica')];

  it('is whole with a leader, a standby that acknowledges and another, on one timeline', () => {
    expect(isWhole(three, whole)).toBe(true);
    expect(isWhole(three.slice(0, 2), whole)).toBe(false);
    expect(isWhole([...three.slice(0, 2), member('node3', 'replica', 2)], whole)).toBe(false);
    expect(isWhole([...three.slice(0, 2), member('node3', 'replica', 3, 'stopped')], whole)).toBe(false);
    const nobodyAcknowledges = three.map((each) => ({
      ...each,
      role: each.role === 'leader' ? each.role : 'replica',
    }));
    expect(isWhole(nobodyAcknowledges as Member[], whole)).toBe(false);
    expect(isWhole(nobodyAcknowledges as Member[], { ...whole, isSynchronous: false })).toBe(true);
  });
});

it('a template has a value for each gap and a gap for each value', () => {
  const values = {
    name: 'node1',
    dataDir: '/d',
    scheme: 'http',
    address: '127.0.0.1',
    clientPort: 1,
    peerPort: 2,
    state: 'new',
    members: 'node1=http://127.0.0.1:2',
    certificates: '',
  };
  const text = fill('etcd.yml', values);
  expect(text).toContain('listen-peer-urls: http://127.0.0.1:2');
  expect(text).not.toContain('__');
  expect(text).toMatch(/token: tallystick\n# Patroni/);
  expect(fill('etcd.yml', { ...values, certificates: 'a:\n  b: c' })).toContain('\na:\n  b: c\n#');
  const { members: _, ...fewer } = values;
  expect(() => fill('etcd.yml', fewer)).toThrow('a gap that nobody fills: members');
  expect(() => fill('etcd.yml', { ...values, more: 1 })).toThrow('no gap for more');
});

describe('what a killed process has left', () => {
  it('is found by what was written down, and ended; a stranger with such a number is not', async () => {
    const places = placesIn(mkdtempSync(join(tmpdir(), 'tallystick-left-')));
    mkdirSync(places.logs);
    mkdirSync(places.parts);
    const script = `
      const { createPart } = await import('${new URL('part.ts', import.meta.url)}');
      const places = ${JSON.stringify(places)};
      createPart({ name: 'etcd1', command: ['sleep', '600'], places }).start();
      // One that does not end when it is told to.
      createPart({ name: 'haproxy', command: ['sh', '-c', 'trap "" TERM; exec sleep 600'], places }).start();
      setInterval(() => {}, 1000);
      process.stdout.write('started');`;
    const starter = spawn(process.execPath, ['--input-type=module', '-e', script]);
    await once(starter.stdout, 'data');
    starter.kill('SIGKILL');
    await once(starter, 'exit');
    // The number is ours, and the time is not that of our start.
    writeFileSync(join(places.parts, 'patroni1'), `${process.pid} 1\n`);
    const left = leftOf(places);
    expect(left.map(({ name }) => name).sort()).toEqual(['etcd1', 'haproxy']);
    expect(await endLeft(places, 500)).toEqual([]);
    for (const { pid } of left) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    rmSync(places.dir, { recursive: true });
  });
});

it('a port that somebody listens on is found', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  expect(await takenOf([port])).toEqual([port]);
  other.close();
  await once(other, 'close');
  expect(await takenOf([port])).toEqual([]);
});

it('a folder that the nodes cannot get to is refused by its name', () => {
  const closed = mkdtempSync(join(tmpdir(), 'tallystick-closed-'));
  const dir = join(closed, 'cluster');
  mkdirSync(dir);
  chmodSync(dir, 0o755);
  const stranger = { uid: 54_321, gid: 54_321 };
  expect(() => refuseClosedPath(dir, stranger)).toThrow(`cannot enter ${closed}: choose another DATA_DIR`);
  chmodSync(closed, 0o711);
  expect(() => refuseClosedPath(dir, stranger)).not.toThrow();
  rmSync(closed, { recursive: true });
});
