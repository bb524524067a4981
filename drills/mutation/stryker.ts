import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { quickFolder } from '../../tools/quick-folder.ts';
import type { Group } from './groups.ts';

const root = join(import.meta.dirname, '../..');
const packages = join(import.meta.dirname, 'node_modules');

/** One change of the code, and what became of it. */
export interface Mutant {
  file: string;
  line: number;
  status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'RuntimeError' | 'CompileError' | 'Ignored';
  original: string;
  replacement: string;
}

interface Locked {
  version?: string;
  optional?: boolean;
}

const lockedIn = (file: string): Record<string, Locked> =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {};

/** 63 MB that nobody should wait for who only wants to run or change the site: they come when they are needed. */
export async function installStryker(): Promise<void> {
  const installed = lockedIn(join(packages, '.package-lock.json'));
  const isThere = ([place, { version, optional }]: [string, Locked]) =>
    place === '' || optional || installed[place]?.version === version;
  if (Object.entries(lockedIn(join(import.meta.dirname, 'package-lock.json'))).every(isThere)) return;
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await promisify(execFile)('npm', ['ci', ...flags], { cwd: import.meta.dirname });
}

/** `file#name` as the lines that the function or method of that name stands on: to where its indentation ends. */
export function linesOf(part: string): string {
  const [file = '', name] = part.split('#');
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  if (name === undefined) return file;
  const first = lines.findIndex((line) =>
    new RegExp(`^\\s*(export )?(async )?(function )?${name}\\(`).test(line),
  );
  const indentation = /^\s*/.exec(lines[first] ?? '')?.[0] ?? '';
  const isLast = (line: string) => line === `${indentation}}` || line === `${indentation}},`;
  const length = lines.slice(first).findIndex(isLast);
  if (first < 0 || length < 0) throw new Error(`${file} has no function ${name}`);
  return `${file}:${first + 1}-${first + length + 1}`;
}

function configOf({ mutated }: Group, folder: string) {
  return {
    plugins: ['@stryker-mutator/vitest-runner'],
    testRunner: 'vitest',
    // Not `testFiles`: with it, what is decided while a module is loaded is never mutated (stryker-js issue 6144).
    vitest: { configFile: 'drills/mutation/vitest.config.ts', related: false },
    mutate: mutated.map(linesOf),
    ignorePatterns: [
      '**',
      ...['server/**', 'contract/**', 'content/**', 'verify/**', 'tools/**'].map((part) => `!${part}`),
      ...['drills/mutation/*.ts', 'docs/security.md', 'package.json', 'tsconfig*.json'].map(
        (part) => `!${part}`,
      ),
    ],
    // It would be rewritten with a TypeScript that knows how; this one only checks types.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    tempDirName: join(folder, 'copies'),
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: join(folder, 'report.json') },
    concurrency: Math.min(2, availableParallelism()),
    allowConsoleColors: false,
    warnings: { slow: false },
    logLevel: 'warn',
  };
}

/** The words between two places of a text, of which lines and columns are counted from one. */
function between(text: string, { start, end }: Location): string {
  const lines = text.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1)?.slice(0, end.column - 1) ?? '';
  lines[0] = lines[0]?.slice(start.column - 1) ?? '';
  return lines.join('\n');
}

interface Location {
  start: { line: number; column: number };
  end: { line: number; column: number };
}

interface Report {
  files: Record<
    string,
    { source: string; mutants: { status: Mutant['status']; replacement?: string; location: Location }[] }
  >;
}

/** Runs the tests of a group on each of its mutants. */
export async function mutate(group: Group): Promise<Mutant[]> {
  const folder = await mkdtemp(join(quickFolder(), 'tallystick-mutation-'));
  try {
    const config = join(folder, 'stryker.json');
    await writeFile(config, JSON.stringify(configOf(group, folder)));
    const command = [join(packages, '@stryker-mutator/core/bin/stryker.js'), 'run', config];
    const env = { ...process.env, MUTATION_GROUP: JSON.stringify(group) };
    const child = spawn(process.execPath, command, { cwd: root, env, stdio: 'inherit' });
    const stop = () => child.kill('SIGTERM');
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop);
    const code = await new Promise((resolve) => child.once('close', resolve));
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, stop);
    if (code !== 0) throw new Error(`Stryker ended with ${code}`);
    const report: Report = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
    return Object.entries(report.files).flatMap(([file, { source, mutants }]) =>
      mutants.map(({ status, replacement = '', location }) => ({
        file,
        line: location.start.line,
        status,
        replacement,
        original: between(source, location),
      })),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
