/**
 * `npm test` is what everybody runs before a change is shown to others, `npm run test:full` every check there is, before
 * it lands (`test-size.ts`); one line at the end says how it went. What is quick runs side by side, with the web app's
 * build, which only the journeys need; then the tests and the journeys, which each keep the machine busy.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as report from './test-report.ts';
import { longTests } from './test-size.ts';

const root = path.resolve(import.meta.dirname, '..');
const reports = mkdtempSync(path.join(tmpdir(), 'tallystick-test-'));
const vitestFile = path.join(reports, 'vitest.json');
const playwrightFile = path.join(reports, 'playwright.json');

const isFull = process.argv.includes('--full');
/** Proofs are repeated at length in both; long tests and all journeys are in the full one alone. */
const size = { PROOFS: 'full', TESTS: isFull ? 'all' : 'everyday' };

/** The server and its commands are started many times over; what Node made of their sources is kept from one to the next. */
const compileCache = path.join(root, 'node_modules', '.cache', 'node-compile');

/** Enough to see what was expected and where, and little enough for several to be read at once; the whole story stands above. */
const whyLengthMax = 1_000;
/** Of what a step complained of, which has colours in it. */
const keptLengthMax = 20_000;

interface Step {
  name: string;
  command: [string, ...string[]];
  env?: Record<string, string>;
  count(exitCode: number): report.Counts;
  failures?(): report.Failure[];
}

const sideBySide: Step[] = [
  { name: 'lint', command: ['npm', 'run', '--silent', 'lint'], count: report.countCheck },
  { name: 'types', command: ['npm', 'run', '--silent', 'types'], count: report.countCheck },
  { name: 'web build', command: ['node', 'tools/bootstrap.mjs'], count: report.countCheck },
];

const oneByOne: Step[] = [
  {
    name: 'unit and API tests',
    command: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestFile}`],
    env: size,
    count: (exitCode) => report.countVitest(readReport(vitestFile), exitCode),
    failures: () => report.vitestFailures(readReport(vitestFile)),
  },
  {
    name: 'browser journeys',
    command: ['playwright', 'test', '--reporter=list,json'],
    env: { ...size, PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightFile },
    count: (exitCode) => report.countPlaywright(readReport(playwrightFile), exitCode),
    failures: () => report.playwrightFailures(readReport(playwrightFile)),
  },
];

interface Outcome {
  name: string;
  counts: report.Counts;
  seconds: number;
  failures: report.Failure[];
}

function readReport<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The pinned Node comes first on the PATH, also when this file is not started by npm. */
function run({ command: [program, ...args], env }: Step, output: 'inherit' | 'pipe'): ChildProcess {
  const searchPath = [path.join(root, 'node_modules', '.bin'), process.env.PATH].join(path.delimiter);
  return spawn(program, args, {
    cwd: root,
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...env, PATH: searchPath },
    stdio: ['ignore', output, 'pipe'],
  });
}

function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(-1));
    child.once('close', (code) => resolve(code ?? -1));
  });
}

function outcomeOf(step: Step, exitCode: number, began: number, said: string): Outcome {
  const seconds = (performance.now() - began) / 1000;
  const counts = step.count(exitCode);
  const named = step.failures?.() ?? [];
  const isUnnamed = counts.failed > 0 && named.length === 0;
  const failures = isUnnamed
    ? [{ name: step.name, why: report.lastWords(said, exitCode) }]
    : named.map(({ name, why }) => ({ name, why: report.shortened(why, whyLengthMax) }));
  return { name: step.name, counts, seconds, failures };
}

const titleOf = ({ name }: Step) => `\n── ${name} ──\n`;

/** Shown as it happens. */
async function runAlone(step: Step): Promise<Outcome> {
  const began = performance.now();
  process.stdout.write(titleOf(step));
  const child = run(step, 'inherit');
  let complaints = '';
  child.stderr?.setEncoding('utf8').on('data', (piece) => {
    process.stderr.write(piece);
    complaints = (complaints + piece).slice(-keptLengthMax);
  });
  const exitCode = await exitCodeOf(child);
  return outcomeOf(step, exitCode, began, complaints);
}

/** Shown when it ends, so that those that run at once do not talk over each other. */
async function runBeside(step: Step): Promise<Outcome> {
  const began = performance.now();
  const child = run(step, 'pipe');
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (said += piece));
  const exitCode = await exitCodeOf(child);
  process.stdout.write(`${titleOf(step)}${said}`);
  return outcomeOf(step, exitCode, began, said);
}

async function main(): Promise<void> {
  const outcomes = await Promise.all(sideBySide.map(runBeside));
  for (const step of oneByOne) outcomes.push(await runAlone(step));
  process.stdout.write('\n');
  for (const { name, why } of outcomes.flatMap(({ failures }) => failures)) {
    process.stdout.write(`FAILED ${name}\n${why}\n\n`);
  }
  for (const { name, counts, seconds } of outcomes)
    process.stdout.write(`${name}: ${counts.failed > 0 ? 'FAILED' : 'ok'} (${seconds.toFixed(0)} s)\n`);
  if (!isFull)
    process.stdout.write(
      `Left to npm run test:full: ${longTests.length} files of tests, and all other journeys.\n`,
    );
  const total = report.sum(outcomes.map(({ counts }) => counts));
  process.stdout.write(`${report.closingLine(total)}\n`);
  process.exitCode = total.failed > 0 ? 1 : 0;
}

process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
process.once('exit', () => rmSync(reports, { recursive: true, force: true }));
await main();
