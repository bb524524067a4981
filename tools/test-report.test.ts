import { expect, it } from 'vitest';
import {
  closingLine,
  countCheck,
  countPlaywright,
  countVitest,
  lastWords,
  playwrightFailures,
  shortened,
  sum,
  vitestFailures,
} from './test-report.ts';

const vitestReport = {
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 0,
  testResults: [],
};
const brokenFile = { name: 'b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] };
const stats = { expected: 3, unexpected: 0, flaky: 0, skipped: 0 };

it('the closing line sums the real tests of all steps and names skipped ones only when there are any', () => {
  const all = [
    countCheck(0),
    countCheck(2),
    countVitest(vitestReport, 0),
    countPlaywright({ stats, suites: [], errors: [] }, 0),
  ];
  expect(closingLine(sum(all))).toBe('9 passed, 1 failed, 1 skipped');
  expect(closingLine(sum([countCheck(0)]))).toBe('1 passed, 0 failed');
});

it('a step that ran nothing is a failure', () => {
  expect(countVitest({ ...vitestReport, numPassedTests: 0 }, 0).failed).toBe(1);
  expect(
    countPlaywright({ stats: { ...stats, expected: 0, skipped: 4 }, suites: [], errors: [] }, 0),
  ).toEqual({
    passed: 0,
    failed: 1,
    skipped: 4,
  });
});

it('a step that crashed is a failure, with or without a report', () => {
  expect(countVitest(undefined, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(countVitest(undefined, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(countPlaywright({ stats, suites: [], errors: [] }, 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
});

it('a test file that could not be loaded is a failure beside the others', () => {
  const counts = countVitest({ ...vitestReport, numFailedTests: 2, testResults: [brokenFile] }, 1);
  expect(counts).toEqual({ passed: 5, failed: 3, skipped: 1 });
});

it('a journey that passed only at the second try counts as failed', () => {
  expect(countPlaywright({ stats: { ...stats, flaky: 1 }, suites: [], errors: [] }, 0).failed).toBe(1);
});

it('what failed is named with its file and the reason; what passed is not', () => {
  const assertionResults = [
    { status: 'passed', fullName: 'adds', failureMessages: [] },
    { status: 'failed', fullName: 'books agree', failureMessages: ['expected 1 to be 2'] },
  ];
  const file = { name: 'a.test.ts', status: 'failed', message: '', assertionResults };
  expect(vitestFailures({ ...vitestReport, testResults: [file, brokenFile] })).toEqual([
    { name: 'a.test.ts › books agree', why: 'expected 1 to be 2' },
    { name: 'b.test.ts', why: 'no such module' },
  ]);
  expect(vitestFailures(undefined)).toEqual([]);
});

it('a failed journey is named with its size of screen, however deep its group', () => {
  const journey = (title: string, status: string, message: string) => ({
    file: 'public/menu.spec.ts',
    title,
    tests: [{ projectName: 'phone', status, results: [{ errors: [{ message }] }] }],
  });
  const inner = { specs: [journey('opens', 'unexpected', 'not visible'), journey('closes', 'expected', '')] };
  const suites = [{ specs: [], suites: [inner] }];
  expect(playwrightFailures({ stats, suites, errors: [{ message: 'no server' }] })).toEqual([
    { name: 'outside of any journey', why: 'no server' },
    { name: '[phone] public/menu.spec.ts › opens', why: 'not visible' },
  ]);
});

it('what is long loses its middle, so that the cause at its end is still told', () => {
  expect(shortened('\u001b[31mshort\u001b[39m', 10)).toBe('short');
  expect(shortened('what failed, a long story, and why', 10)).toBe('what \n…\nd why');
});

it('where no test failed, what was said last says why', () => {
  expect(lastWords('\n\u001b[31mnobody waits for this\u001b[39m\n', 1)).toBe('nobody waits for this');
  expect(lastWords(`${'much before. '.repeat(1_000)}The cause.`, 1)).toMatch(/^.{1990}The cause\.$/);
  expect(lastWords(' \n', 7)).toBe('It ended with 7, and complained of nothing.');
});
