/**
 * `npm run check` runs lint, types and the tests that need no server side by side; `npm run types` the types alone. With
 * `--changed` (`npm run check:quick`) only what has changed since the last commit, or since the commit that is named, is
 * looked at.
 */
import { execFileSync, spawn } from 'node:child_process';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { changedSince } from './changed.ts';
import { testsNear } from './rooms.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const bin = path.join(root, 'node_modules', '.bin');

interface Job {
  name: string;
  /** One after the other, until one fails. */
  commands: [string, ...string[]][];
  cwd?: string;
  env?: Record<string, string>;
}

interface Outcome {
  name: string;
  ok: boolean;
}

/** One checker each: several share nothing of what they find out, and take twice the time of a processor that is busy. */
const tsc = (...args: string[]): [string, ...string[]] => ['tsc', '--checkers', '1', ...args];

/** Each with the files it is about: whoever changes others need not look at it again. */
const types: (Job & { about: RegExp })[] = [
  {
    name: 'types of web',
    commands: [['react-router', 'typegen'], tsc()],
    cwd: 'web',
    about: /^(web|contract|verify|content)\/|^tools\/chromium|^[^/]+$/,
  },
  {
    name: 'types of server and tools',
    commands: [tsc('-p', '.')],
    about: /^(server|tools|bench|drills|ops|contract|verify)\/|^web\/[^/]+$|^[^/]+$/,
  },
  { name: 'types of verify', commands: [tsc('-p', 'verify')], about: /^verify\/|^[^/]+$/ },
  { name: 'types of contract', commands: [tsc('-p', 'contract')], about: /^contract\/|^[^/]+$/ },
  {
    name: 'types of e2e',
    commands: [tsc('-p', 'e2e')],
    // Most of the server hangs on it again, so a change there or in the contract is left to `npm run check`.
    about: /^(e2e|server\/testing)\/|^[^/]+$/,
  },
];

/** They look at all files, so that no change says whether one of them is concerned. */
const rules = ['tools/tidy/', 'tools/stories', 'tools/migration/'];

function everything(): Job[] {
  const lint: Job = {
    name: 'lint',
    commands: [
      ['biome', 'check', '--error-on-warnings', '.'],
      ['knip', '--no-progress'],
    ],
  };
  // Those that start no server and need no database, but for the long ones; proofs in their short form.
  const commands: Job['commands'] = [['vitest', 'run', '--project', 'rest']];
  return [
    { name: 'tests without a server', commands, env: { TESTS: 'everyday', PROOFS: 'short' } },
    lint,
    ...types,
  ];
}

function changedOnly(commit: string): Job[] {
  const { files, left } = changedSince(root, commit);
  if (files.length === 0) return [];
  const tracked = execFileSync('git', ['ls-files', '-z', '*.test.ts'], { cwd: root, encoding: 'utf8' });
  const tests = [...tracked.split('\0'), ...left].filter((file) => /\.test\.tsx?$/.test(file));
  const near = testsNear(files, tests);
  const lint = ['check', '--error-on-warnings', '--no-errors-on-unmatched', '--files-ignore-unknown=true'];
  const jobs: Job[] = [
    { name: 'tests near it and rules of the house', commands: [['vitest', 'run', ...near, ...rules]] },
    ...types.filter(({ about }) => files.some((file) => about.test(file))),
  ];
  if (left.length > 0) jobs.unshift({ name: 'lint', commands: [['biome', ...lint, ...left]] });
  return jobs;
}

/** What a job says is shown when it ends, so that two that run at once do not talk over each other. */
async function run({ name, commands, cwd = '.', env }: Job): Promise<Outcome> {
  const began = performance.now();
  let output = '';
  let ok = true;
  for (const [program, ...args] of commands) {
    if (!ok) break;
    const child = spawn(path.join(bin, program), args, {
      cwd: path.join(root, cwd),
      env: {
        ...process.env,
        ...env,
        NODE_COMPILE_CACHE: path.join(root, 'node_modules', '.cache', 'node-compile'),
        // The compiler's collector, a fifth of its time, begins once it has five times what was alive: a seventh more memory.
        GOGC: '400',
        PATH: [bin, process.env.PATH].join(path.delimiter),
        ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece));
    ok = await new Promise((resolve) => {
      child.once('error', () => resolve(false));
      child.once('close', (code) => resolve(code === 0));
    });
  }
  const seconds = (performance.now() - began) / 1000;
  if (!ok) process.stdout.write(`\n── ${name} ──\n${output.trim()}\n`);
  const [, count] = /^\s*Tests\s+(.*)$/m.exec(stripVTControlCharacters(output)) ?? [];
  const counted = count ? `${name}: ${count}` : name;
  process.stdout.write(`${ok ? 'ok    ' : 'FAILED'} ${counted} (${seconds.toFixed(1)} s)\n`);
  return { name, ok };
}

const [what = '', commit = 'HEAD'] = process.argv.slice(2);
const jobs = what === '--changed' ? changedOnly(commit) : what === 'types' ? types : everything();
const running = jobs.map(({ name }) => name).join(', ');
process.stdout.write(running ? `Running: ${running}\n` : `Nothing has changed since ${commit}.\n`);
const failed = (await Promise.all(jobs.map(run))).filter(({ ok }) => !ok).map(({ name }) => name);
if (failed.length > 0) process.stdout.write(`\nFailed: ${failed.join(', ')}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
