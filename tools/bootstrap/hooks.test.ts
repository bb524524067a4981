import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..', '..');
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'tallystick-hooks-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const quiet = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  PATH: process.env.PATH ?? '',
};
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: dir, env: quiet, encoding: 'utf8', stdio: 'pipe' });

function ensure(env: Record<string, string> = {}): string {
  const script = `import(${JSON.stringify(path.join(root, 'tools/bootstrap/hooks.mjs'))}).then((m) => m.ensureHooks('.'))`;
  execFileSync(process.execPath, ['-e', script], { cwd: dir, env: { ...quiet, ...env } });
  return spawnSync('git', ['config', '--get', 'core.hooksPath'], {
    cwd: dir,
    env: quiet,
    encoding: 'utf8',
  }).stdout.trim();
}

describe('the hooks of the checkout', () => {
  it('are used without being asked for', () => {
    git('init', '-q');
    expect([ensure(), ensure()]).toEqual(['.githooks', '.githooks']);
  });

  it('leave alone what somebody has set up', () => {
    git('init', '-q');
    git('config', 'core.hooksPath', 'mine');
    expect(ensure()).toBe('mine');
  });

  it('leave alone the hooks that somebody has', () => {
    git('init', '-q');
    mkdirSync(path.join(dir, '.git/hooks'), { recursive: true });
    writeFileSync(path.join(dir, '.git/hooks/commit-msg'), '');
    expect(ensure()).toBe('');
  });

  it('are not for a copy without git nor for a machine that builds for others', () => {
    expect(ensure()).toBe('');
    git('init', '-q');
    expect(ensure({ CI: 'true' })).toBe('');
  });

  it('are not set from a second working tree, for all of them', () => {
    git('init', '-q');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '--allow-empty', '-m', 'a');
    git('worktree', 'add', '-q', 'second');
    dir = path.join(dir, 'second');
    const found = ensure();
    dir = path.dirname(dir);
    expect(found).toBe('');
  });

  it('refuse a commit that the linter refuses, and none where there are no packages', () => {
    git('init', '-q');
    cpSync(path.join(root, '.githooks'), path.join(dir, '.githooks'), { recursive: true });
    chmodSync(path.join(dir, '.githooks/pre-commit'), 0o755);
    cpSync(path.join(root, 'biome.json'), path.join(dir, 'biome.json'));
    writeFileSync(path.join(dir, '.gitignore'), 'node_modules\n');
    ensure();
    const commit = () =>
      spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'a'], {
        cwd: dir,
        env: quiet,
      });
    writeFileSync(path.join(dir, 'a.ts'), 'var   a = 1');
    git('add', '-A');
    expect(commit().status).toBe(0);
    symlinkSync(path.join(root, 'node_modules'), path.join(dir, 'node_modules'));
    writeFileSync(path.join(dir, 'b.ts'), 'var   b = 1');
    git('add', 'b.ts');
    expect(commit().status).not.toBe(0);
    writeFileSync(path.join(dir, 'b.ts'), 'export const b = 1;\n');
    git('add', 'b.ts');
    expect(commit().status).toBe(0);
  });
});

it('.nvmrc names the Node that the scripts use', () => {
  const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  expect(readFileSync(path.join(root, '.nvmrc'), 'utf8').trim()).toBe(dependencies.node);
});
