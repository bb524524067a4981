import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../server/platform/start-refusal.ts';
import { all, arenas, read, root, startArguments, unread } from './files.ts';

const names = readdirSync(path.join(root, 'ops', 'systemd')).filter((name) => name.endsWith('.service'));
const units = names.map((name) => ({ name, text: read('ops', 'systemd', name) }));
const said = (text: string, key: string) => all(text, new RegExp(`^${key}=(.*)$`, 'gm')).at(-1);
const runbook = read('docs', 'operations.md');

it('there is a unit for everything in one, and one for each role', () => {
  expect(names).toEqual(['tallystick-web@.service', 'tallystick-worker.service', 'tallystick.service']);
});

describe.each(units)('$name', ({ name, text }) => {
  it('sets nothing that no server reads', () => {
    const set = all(text, /^Environment=(.*)$/gm).flatMap((line) => all(line, /(?:^| )([A-Z_]+)=/g));
    expect(unread(set)).toEqual([]);
  });

  it('starts as npm start does, and is not started again where somebody has to act first', () => {
    const node = '/srv/tallystick/app/node_modules/.bin/node';
    expect(said(text, 'ExecStart')).toBe(`${node} ${startArguments()}`);
    expect(text).toContain(`Environment=${arenas}\n`);
    expect(said(text, 'RestartPreventExitStatus')).toBe(String(exitCodes.refused));
    expect(said(text, 'Restart')).toBe('on-failure');
    expect(Number(said(text, 'TimeoutStopSec'))).toBeGreaterThan(10);
  });

  it('writes where the runbook says, and nowhere else', () => {
    const places = [said(text, 'ReadWritePaths'), said(text, 'StateDirectory')].filter(Boolean);
    expect(places).toHaveLength(1);
    if (places[0]?.startsWith('/')) expect(runbook).toContain(`DATA_DIR=${places[0]}`);
    else expect(text).toContain(`DATA_DIR=%S/${places[0]}`);
  });

  it('is held as tightly as the others, and the runbook names it', () => {
    const held = (each: string) => each.slice(each.indexOf('\nProtectSystem='));
    expect(held(text)).toBe(held(units[0]?.text ?? ''));
    expect(runbook).toContain(name);
  });
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

describe.skipIf(!hasSystemd)('as systemd reads it (skipped where there is no systemd-analyze)', () => {
  /** A machine with what the units name, and with systemd's own targets. */
  function withMachine<T>(look: (machine: string, instances: string[]) => T): T {
    const machine = mkdtempSync(path.join(tmpdir(), 'tallystick-units-'));
    try {
      const bin = path.join(machine, 'srv/tallystick/app/node_modules/.bin');
      const etc = path.join(machine, 'etc/systemd/system');
      for (const folder of [bin, etc]) mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(bin, 'node'), '#!/bin/sh\n');
      chmodSync(path.join(bin, 'node'), 0o755);
      cpSync(path.join(root, 'ops', 'systemd'), etc, { recursive: true });
      for (const target of ['network-online', 'multi-user', 'basic', 'sysinit', 'shutdown']) {
        writeFileSync(path.join(etc, `${target}.target`), '[Unit]\nDescription=a stand-in\n');
      }
      return look(
        machine,
        names.map((name) => name.replace('@.', '@3001.')),
      );
    } finally {
      rmSync(machine, { recursive: true });
    }
  }

  it('every unit is sound', () => {
    withMachine((machine, instances) => {
      const { status, stderr } = spawnSync(
        'systemd-analyze',
        ['verify', '--man=no', `--root=${machine}`, ...instances],
        { encoding: 'utf8' },
      );
      expect([status, stderr]).toEqual([0, '']);
    });
  });

  it('every unit exposes little: 2.0 at most, of 10', () => {
    withMachine((machine, instances) => {
      const told = execFileSync(
        'systemd-analyze',
        ['security', '--no-pager', '--offline=true', `--root=${machine}`, ...instances],
        { encoding: 'utf8' },
      );
      const exposures = all(told, /Overall exposure level for .*: ([\d.]+)/g).map(Number);
      expect(exposures).toHaveLength(names.length);
      expect(Math.max(...exposures)).toBeLessThanOrEqual(2);
    });
  });
});
