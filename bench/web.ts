/**
 * `npm run bench:web`: Lighthouse's slow phone on the pages that matter, or with `-- --all` on every page that is only
 * read as well, each several times, on the built site with its demo data. Every run has a browser of its own, so that nothing is kept from the one before.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BrowserContext, chromium } from '@playwright/test';
import { pathOf } from '@tallystick/contract/call';
import { demoInvestor } from '@tallystick/contract/demo';
import { foundPaths, siteMap } from '@tallystick/contract/site';
import { signin } from '@tallystick/contract/users';
import { posts } from '../e2e/looking/posts.ts';
import { startServer } from '../e2e/servers/server.ts';
import { freePort } from '../server/platform/embedded-postgres/process.ts';
import { chromiumPath } from '../tools/chromium.ts';
import { foundIn, type Run, summaryOf } from './web-report.ts';

/** Fetched when it is needed: it brings 180 MB, which nobody should wait for who only wants to run or change the site. */
const lighthouse = 'lighthouse@13.5.0';
const runs = 5;
const reading = [...foundPaths.filter((path) => path in siteMap.reading), ...Object.keys(posts)];
const pages = new Set([
  '/',
  '/blog',
  '/login',
  '/proof',
  '/dashboard',
  ...(process.argv.includes('--all') ? reading : []),
]);
const signedIn: readonly string[] = ['/dashboard'];

const say = (line: string) => process.stdout.write(`${line}\n`);

/** The session that the sign-in form would leave: its cookie, and what the app keeps of it. */
async function signIn(context: BrowserContext, siteUrl: string): Promise<void> {
  const details = await context.request.get(siteUrl + pathOf(demoInvestor));
  const answer = await context.request.post(siteUrl + pathOf(signin), { data: await details.json() });
  const page = await context.newPage();
  // An address of the site that brings nothing of its pages into the browser's cache.
  await page.goto(`${siteUrl}/robots.txt`);
  await page.evaluate((session) => localStorage.setItem('userdata', session), await answer.text());
  await page.close();
}

async function look(siteUrl: string, path: string): Promise<Run> {
  const profile = await mkdtemp(join(tmpdir(), 'tallystick-lighthouse-'));
  const port = await freePort();
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath(),
    args: [`--remote-debugging-port=${port}`, '--no-sandbox', '--disable-gpu', '--no-first-run'],
  });
  try {
    if (signedIn.includes(path)) await signIn(context, siteUrl);
    const command = [
      siteUrl + path,
      `--port=${port}`,
      '--disable-storage-reset',
      '--no-enable-error-reporting',
      '--quiet',
    ];
    const output = ['--output=json', '--output-path=stdout'];
    const { stdout } = await promisify(execFile)('npx', ['--yes', lighthouse, ...command, ...output], {
      cwd: profile,
      maxBuffer: 100 * 1024 * 1024,
    });
    return foundIn(JSON.parse(stdout));
  } finally {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  }
}

/** A busy machine: the recording misses the beginning of the page, or its first paint, and says nothing of either. */
const unrecorded = /NO_NAVSTART|NO_FCP|PROTOCOL_TIMEOUT/;
const triesMax = 3;

async function lookUntilRecorded(siteUrl: string, path: string, tries = 1): Promise<Run> {
  try {
    return await look(siteUrl, path);
  } catch (error) {
    const [reason] = unrecorded.exec(String(error)) ?? [];
    if (!reason || tries === triesMax) throw error;
    say(`${path} was not recorded (${reason}) and is looked at again.`);
    return lookUntilRecorded(siteUrl, path, tries + 1);
  }
}

const server = await startServer();
const results: Record<string, { median: Run; worst: Run; runs: Run[] }> = {};
try {
  for (const path of pages) {
    if (!(await fetch(server.url + path)).ok) {
      say(`${path} is not there and left out.`);
      continue;
    }
    const measured: Run[] = [];
    for (let run = 0; run < runs; run += 1) measured.push(await lookUntilRecorded(server.url, path));
    const summary = summaryOf(measured);
    results[path] = { ...summary, runs: measured };
    say(path);
    for (const [name, values] of Object.entries(summary)) {
      say(
        `  ${name.padEnd(6)} ${Object.entries(values)
          .map(([key, value]) => `${key} ${value}`)
          .join(' · ')}`,
      );
    }
  }
} finally {
  await server.stop();
}
const machine = { cpu: cpus()[0]?.model, cores: availableParallelism(), loadAtEnd: loadavg()[0] };
await writeFile(
  join(import.meta.dirname, 'web-results.json'),
  `${JSON.stringify({ lighthouse, machine, results }, null, 2)}\n`,
);
