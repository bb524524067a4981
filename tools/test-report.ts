import { stripVTControlCharacters } from 'node:util';

/** What one step of `npm test` came to. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

export interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
  /** What went wrong outside of any test, for example before the first. */
  errors: { message?: string }[];
}

/** A file, a group in it, or the whole of a project. */
interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs: {
    file: string;
    title: string;
    tests: { projectName: string; status: string; results: { errors: { message?: string }[] }[] }[];
  }[];
}

/** A test that failed, as it is named once more at the end, where a reader looks first. */
export interface Failure {
  name: string;
  why: string;
}

/** A step that is one check: a linter or a compiler. */
export function countCheck(exitCode: number): Counts {
  return exitCode === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

export function countVitest(report: VitestReport | undefined, exitCode: number): Counts {
  if (!report) return settle({ passed: 0, failed: 0, skipped: 0 }, exitCode);
  // A file that could not be loaded has no tests to count, and must not vanish for that.
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((one) => one.status !== 'failed'),
  ).length;
  return settle(
    {
      passed: report.numPassedTests,
      failed: report.numFailedTests + brokenFiles,
      skipped: report.numPendingTests + report.numTodoTests,
    },
    exitCode,
  );
}

export function countPlaywright(report: PlaywrightReport | undefined, exitCode: number): Counts {
  if (!report) return settle({ passed: 0, failed: 0, skipped: 0 }, exitCode);
  const { expected, unexpected, flaky, skipped } = report.stats;
  return settle({ passed: expected, failed: unexpected + flaky, skipped }, exitCode);
}

/** Without colours, and without its middle when it is long: what failed stands first, and why it did often last. */
export function shortened(why: string, lengthMax: number): string {
  const plain = stripVTControlCharacters(why);
  if (plain.length <= lengthMax) return plain;
  return `${plain.slice(0, lengthMax / 2)}\n…\n${plain.slice(-lengthMax / 2)}`;
}

const lastWordsMax = 2_000;

/** Why a step failed that has no report, or whose report names no test: an error that nobody waited for is in none. */
export function lastWords(said: string, exitCode: number): string {
  const plain = stripVTControlCharacters(said).trim();
  return plain.slice(-lastWordsMax) || `It ended with ${exitCode}, and complained of nothing.`;
}

export function vitestFailures(report: VitestReport | undefined): Failure[] {
  return (report?.testResults ?? []).flatMap((file) => {
    const tests = file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({
        name: `${file.name} › ${fullName}`,
        why: failureMessages.join('\n'),
      }));
    const isBroken = file.status === 'failed' && tests.length === 0;
    return isBroken ? [{ name: file.name, why: file.message }] : tests;
  });
}

export function playwrightFailures(report: PlaywrightReport | undefined): Failure[] {
  if (!report) return [];
  const outside = report.errors.map(({ message = '' }) => ({ name: 'outside of any journey', why: message }));
  return [...outside, ...report.suites.flatMap(failuresOfSuite)];
}

function failuresOfSuite({ suites = [], specs }: PlaywrightSuite): Failure[] {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ projectName, results }) => ({
        name: `[${projectName}] ${file} › ${title}`,
        why: results.flatMap(({ errors }) => errors.map(({ message = '' }) => message)).join('\n'),
      })),
  );
  return [...own, ...suites.flatMap(failuresOfSuite)];
}

/** A step that ended badly without a failed test, or that ran nothing at all, is itself one failure. */
function settle(counts: Counts, exitCode: number): Counts {
  const ranNothing = counts.passed + counts.failed === 0;
  const endedBadly = exitCode !== 0 && counts.failed === 0;
  return ranNothing || endedBadly ? { ...counts, failed: counts.failed + 1 } : counts;
}

export function sum(all: Counts[]): Counts {
  return all.reduce(
    (total, one) => ({
      passed: total.passed + one.passed,
      failed: total.failed + one.failed,
      skipped: total.skipped + one.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

export function closingLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
