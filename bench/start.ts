import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../server/platform/embedded-postgres/process.ts';
import { startEnv, startFlags } from './server/start-flags.ts';

const startMsMax = 60_000;
const lookMs = 10;
const root = resolve(import.meta.dirname, '..');
const built = existsSync(join(root, 'web/build/client/index.html'));

/** As `npm start` starts it; where no site was built, with one page in its place. */
const program = built ? 'server/main.ts' : 'server/testing/server-process.ts';

async function launch(dir: string): Promise<{ child: ChildProcess; seconds: number }> {
  const port = await freePort();
  const own = { DATA_DIR: dir, PORT: String(port), WEB_DIR: join(dir, 'web'), SITE_URL: '' };
  const env = { ...process.env, ...startEnv, ...own };
  const begun = performance.now();
  const child = spawn(process.execPath, [...startFlags, program], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (!(await showsFirstPage(port))) {
    const isLate = performance.now() - begun > startMsMax;
    if (child.exitCode !== null || isLate) throw new Error('the demo did not start');
    await delay(lookMs);
  }
  return { child, seconds: (performance.now() - begun) / 1000 };
}

const showsFirstPage = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/`).then(
    ({ ok }) => ok,
    () => false,
  );

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** The first start makes a database and what a demo shows; it is not what is measured. */
export async function prepareStart(dir: string): Promise<void> {
  await mkdir(join(dir, 'web', 'assets'), { recursive: true });
  for (const page of ['index.html', '__spa-fallback.html']) {
    await writeFile(join(dir, 'web', page), '<html lang="en" data-mode="production"></html>');
  }
  await end((await launch(dir)).child);
}

/** From nothing to the first page: the process, its database, the site. */
export async function measureStart(
  dir: string,
  times: number,
): Promise<{ seconds: number[]; site: boolean }> {
  const seconds: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const { child, seconds: took } = await launch(dir);
    seconds.push(took);
    await end(child);
  }
  return { seconds, site: built };
}
