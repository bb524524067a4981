import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
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

const placed = () => path.join(dir, '.git/hooks/pre-commit');
const ours = readFileSync(path.join(root, '.githooks/pre-commit'), 'utf8');

/** What git runs before a commit; none in a fresh checkout. */
function ensure(env: Record<string, string> = {}): string | null {
  cpSync(path.join(root, '.githooks'), path.join(dir, '.githooks'), { recursive: true });
  const script = `import(${JSON.stringify(path.join(root, 'tools/bootstrap/hooks.mjs'))}).then((m) => m.ensureHooks('.'))`;
  execFileSync(process.execPath, ['-e', script], { cwd: dir, env: { ...quiet, ...env } });
  return existsSync(placed()) ? readFileSync(placed(), 'utf8') : null;
}

describe('the hook of the checkout', () => {
  it('is used without being asked for', () => {
    git('init', '-q');
    expect([ensure(), ensure()]).toEqual([ours, ours]);
  });

  it('takes the place of its own earlier version', () => {
    git('init', '-q');
    ensure();
    writeFileSync(placed(), `${ours}exit 1\n`);
    expect(ensure()).toBe(ours);
  });

  it('leaves alone what somebody has set up', () => {
    git('init', '-q');
    git('config', 'core.hooksPath', 'mine');
    expect(ensure()).toBe(null);
  });

  it('leaves alone the hook that somebody has', () => {
    git('init', '-q');
    mkdirSync(path.dirname(placed()), { recursive: true });
    writeFileSync(placed(), '#!/bin/sh\n# mine\n');
    expect(ensure()).toBe('#!/bin/sh\n# mine\n');
  });

  it('is not for a copy without git nor for a machine that builds for others', () => {
    expect(ensure()).toBe(null);
    git('init', '-q');
    expect(ensure({ CI: 'true' })).toBe(null);
  });

  it('is not put there from a second working tree, for all of them', () => {
    git('init', '-q');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '--allow-empty', '-m', 'a');
    git('worktree', 'add', '-q', 'second');
    const first = placed();
    dir = path.join(dir, 'second');
    ensure();
    dir = path.dirname(dir);
    expect(existsSync(first)).toBe(false);
  });

  it('is the only one: a branch that brings others along does not run them', () => {
    git('init', '-q');
    ensure();
    const commit = () =>
      git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'a', '--allow-empty');
    commit();
    git('checkout', '-q', '-b', 'from-outside');
    const hook = path.join(dir, '.githooks/post-checkout');
    writeFileSync(hook, '#!/bin/sh\ntouch ran\n', { mode: 0o755 });
    git('add', '-A');
    commit();
    git('checkout', '-q', '-');
    git('checkout', '-q', '-');
    expect([existsSync(hook), existsSync(path.join(dir, 'ran'))]).toEqual([true, false]);
  });

  it('refuses a commit that the linter refuses, and none where there are no packages', () => {
    git('init', '-q');
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
    const file = path.join(dir, 'b ü.ts');
    const [bad, good] = ['var   b = 1', 'export const b = 1;\n'];
    writeFileSync(file, bad);
    git('add', '-A');
    expect(commit().status).not.toBe(0);
    // What is staged counts, not what lies in the folder.
    writeFileSync(file, good);
    expect(commit().status).not.toBe(0);
    git('add', '-A');
    writeFileSync(file, bad);
    expect(commit().status).toBe(0);
  });
});
