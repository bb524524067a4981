import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createConfig } from './config.ts';
import { readEnv } from './env.ts';

const dir = mkdtempSync(join(tmpdir(), 'tallystick-config-'));
afterAll(() => rmSync(dir, { recursive: true }));

it('one of several processes shares a database and an address with the others', () => {
  const one = { DATA_DIR: dir, ROLE: 'worker' };
  const shared = { DATABASE_URL: 'postgres://db/house', SITE_URL: 'http://127.0.0.1:3000' };
  expect(createConfig(readEnv({ ...one, ...shared })).role).toBe('worker');
  for (const missing of ['DATABASE_URL', 'SITE_URL'])
    expect(() => createConfig(readEnv({ ...one, ...shared, [missing]: '' }))).toThrow(missing);
});

it('a replica is one of a database that is named, too', () => {
  const read = (env: NodeJS.ProcessEnv) => createConfig(readEnv({ DATA_DIR: dir, ...env }));
  const replica = { DATABASE_READ_URL: 'postgres://u:p@replica/house' };
  expect(() => read(replica)).toThrow('DATABASE_READ_URL needs DATABASE_URL');
  expect(read({ ...replica, DATABASE_URL: 'postgres://u:p@db/house' }).databaseReadUrl).toContain('replica');
});
