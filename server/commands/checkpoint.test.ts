import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Manifest } from '../platform/backup/manifest.ts';
import { fillGuarded } from './checkpoint.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'checkpoint-'));
const path = join(dataDir, 'log', 'checkpoint');
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const manifest = { asOf: '2026-11-16T00:00:00.000Z' } as Manifest;
const filling = { dataDir, checkpoint: undefined, manifest };
const breaks = async () => {
  expect(existsSync(path)).toBe(true);
  throw new Error('the line broke');
};

it('a database that may have rows in it is guarded by a checkpoint, however its filling ended', async () => {
  const failed = (isEmpty: () => Promise<boolean>) =>
    expect(fillGuarded({ ...filling, fill: breaks, isEmpty })).rejects.toThrow('the line broke');
  await failed(async () => true);
  expect(existsSync(path)).toBe(false);
  await failed(async () => false);
  expect(existsSync(path)).toBe(true);
  rmSync(path);
  await failed(() => Promise.reject(new Error('nobody answers')));
  expect(readFileSync(path, 'utf8')).toContain('Put the newest log/checkpoint');
  writeFileSync(path, 'what was signed');
  await failed(async () => true);
  await fillGuarded({ ...filling, fill: async () => {}, isEmpty: async () => false });
  expect(readFileSync(path, 'utf8')).toBe('what was signed');
});
