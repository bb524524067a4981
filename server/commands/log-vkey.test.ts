import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const dir = mkdtempSync(join(tmpdir(), 'log-vkey-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** As `npm run log:vkey` would, in a folder without a configuration file. */
function run(env: Record<string, string>): Promise<{ code: number; said: string }> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const ownEnv = { PATH, NODE_COMPILE_CACHE, ...env };
  const command = join(import.meta.dirname, 'log-vkey.ts');
  return new Promise((resolve) => {
    execFile(process.execPath, [command], { cwd: dir, env: ownEnv }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), said: stdout + stderr }),
    );
  });
}

it('prints the key that verifies the log, the same each time, and says what is missing', async () => {
  const first = await run({ DATA_DIR: dir });
  expect(first.said).toMatch(/^127\.0\.0\.1:3000\/log\+[0-9a-f]{8}\+A[A-Za-z0-9+/]{43}\n$/);
  expect(await run({ DATA_DIR: dir })).toEqual({ code: 0, said: first.said });
  const failed = await run({ DATA_DIR: dir, MODE: 'production' });
  expect([failed.code, failed.said]).toEqual([1, expect.stringContaining('LOG_KEY_FILE')]);
});
