import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from './testing/call.ts';
import { deposit, withdrawalForm, withOffers } from './testing/money.ts';
import { signedIn } from './testing/people.ts';
import { startTestApp, type TestApp } from './testing/start-app.ts';

const root = join(import.meta.dirname, '..');
const [, walk = ''] =
  /^## One withdrawal.*?\n([\s\S]*?)\n## /m.exec(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')) ?? [];
const numbered = [...walk.matchAll(/^ *(\d+)\. `([^`]+)`/gm)].map(([, , file = '']) => file);
const filesIn = (text: string) =>
  [...text.matchAll(/`((?:server|contract|web)\/[^`]+\.tsx?)`/g)].map(([, file = '']) => file);
const named = filesIn(walk);
/** What a test brings along, and what every module asks for the time. */
const beside = /^server\/(testing\/|platform\/clock\.ts$)/;

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

/** The files of this repository in which a function was called while something was done. */
async function filesEntered(doing: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await doing();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  return result
    .filter(({ functions }) => functions.some((one) => one.functionName && one.ranges[0]?.count))
    .map(({ url }) => relative(root, url.replace('file://', '')))
    .filter((file) => /^(server|contract)\//.test(file) && !file.endsWith('.test.ts'));
}

describe('the walk of a withdrawal in ARCHITECTURE.md', () => {
  it('has at most 25 steps, each of a file of its own, and as many files in all as it says', () => {
    expect(numbered.length).toBeGreaterThan(20);
    expect(numbered.length).toBeLessThanOrEqual(25);
    expect(new Set(numbered).size).toBe(numbered.length);
    const [steps = '', after] = walk.split('\nPostgreSQL has the last word');
    expect(after).toBeDefined();
    const told = /There are (\d+) steps, and with the\s+files that a step asks beside its own (\d+)\./.exec(
      steps,
    );
    expect(told?.slice(1).map(Number)).toEqual([numbered.length, new Set(filesIn(steps)).size]);
  });

  it('names every file that one enters on the server, and no other', async () => {
    const offers = await withOffers(test);
    const person = await signedIn(test);
    await deposit(test, person.userid, 500);
    const body = withdrawalForm({ offers, who: person });
    // What happens by the clock or in the queue meanwhile is not on the way.
    await test.jobs.stop();
    const entered = await filesEntered(() => call(test, makenewwithdrawal, { as: person, body }));
    expect(entered.filter((file) => !named.includes(file) && !beside.test(file))).toEqual([]);
    const inServer = numbered.filter((file) => file.startsWith('server/'));
    expect(inServer.filter((file) => !entered.includes(file))).toEqual([]);
  });
});
