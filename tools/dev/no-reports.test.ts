import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, it } from 'vitest';

const file = (name: string) => path.join(import.meta.dirname, name);

/** What a program reports of its imports when `node --watch` has started it. */
async function reportsOf(execArgv: string[]): Promise<number> {
  const env = { ...process.env, WATCH_REPORT_DEPENDENCIES: '1' };
  const child = fork(file('begin-anew.ts'), { execArgv, env });
  let reports = 0;
  child.on('message', () => {
    reports += 1;
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  return reports;
}

it('reports no import but its own, which would be thousands for a server', async () => {
  expect(await reportsOf([])).toBeGreaterThan(20);
  expect(await reportsOf(['--import', file('no-reports.ts')])).toBe(1);
});
