import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { newInvestor } from '../testing/ledger/investors.ts';
import { startTestApp, type TestApp } from '../testing/start-app.ts';

// A busy machine takes its time; nothing here is about speed.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const command = join(import.meta.dirname, 'prove.ts');
const dir = mkdtempSync(join(tmpdir(), 'prove-'));
let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
  await newInvestor(test);
});
afterAll(async () => {
  await test.close();
  rmSync(dir, { recursive: true, force: true });
});

/** As `npm run prove` would, in a folder without a configuration file. */
const prove = (env: Record<string, string>) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
    const ownEnv = { PATH, NODE_COMPILE_CACHE, DATA_DIR: dir, ...env };
    execFile(process.execPath, [command], { cwd: dir, env: ownEnv }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), said: stdout + stderr });
    });
  });

it('npm run prove makes a statement beside a running server, and says why when it does not', async () => {
  const DATABASE_URL = test.database.url;
  const first = await prove({ DATABASE_URL });
  expect(first).toEqual({
    code: 0,
    said: expect.stringMatching(/^Statement 1 of \S+Z: 0 investors are owed 0 cents together\.\n$/),
  });
  const again = await prove({ DATABASE_URL });
  expect(again).toEqual({ code: 2, said: expect.stringContaining('younger than a minute') });
  const nowhere = await prove({ DATABASE_URL: 'postgres://127.0.0.1:9/none' });
  expect(nowhere).toEqual({ code: 2, said: expect.stringMatching(/^No statement was made\. /) });
});
