import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hash } from '@node-rs/argon2';
import { type Investor, makeInvestors } from '../../bench/server/investors.ts';
import { createConfig } from '../../server/config/config.ts';
import { readEnv } from '../../server/config/env.ts';
import { createContext } from '../../server/context.ts';
import { seedOffers } from '../../server/demo/seed.ts';
import { freePort } from '../../server/platform/embedded-postgres/process.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { makePages } from '../site.ts';

const root = resolve(import.meta.dirname, '..', '..');
const startMsMax = 60_000;
const commandMsMax = 300_000;
const stopMsMax = 30_000;

export const password = 'the drill of every night';

/** People with money and open sessions, and what they can do with it, in a new embedded database. */
export interface House {
  investors: Investor[];
  planId: string;
  withdrawalMethodId: string;
}

export async function makeHouse(dataDir: string, people: number): Promise<House> {
  const logger = createLogger('silent');
  const context = await createContext(createConfig(readEnv({ DATA_DIR: dataDir })), { logger });
  try {
    await seedOffers(context);
    const investors = await makeInvestors(context, people);
    await context.owner.query('update users set password_hash = $1', [await hash(password)]);
    const [plan] = await context.investment.offeredPlans();
    const methods = await context.withdrawal.withdrawalMethods();
    const bitcoin = methods.find(({ methodname }) => methodname === 'Bitcoin');
    if (!plan || !bitcoin) throw new Error('there are no offers');
    return { investors, planId: plan.id, withdrawalMethodId: bitcoin.id };
  } finally {
    await context.close();
  }
}

const running = new Set<ChildProcess>();
/** Those that are still there. */
export const endSites = async () => void (await Promise.all([...running].map(end)));

export interface Site {
  url: string;
  stop(): Promise<void>;
}

/** Believes us whose address a request comes from, so that each investor has their own limit. */
const ownEnv = (dir: string) => {
  const { PATH = '' } = process.env;
  return { PATH, MODE: 'demo', TRUST_PROXY: '127.0.0.1', WEB_DIR: join(dir, 'web'), LOG_LEVEL: 'silent' };
};

/** A server as a process of its own. */
export async function startSite(dir: string, env: Record<string, string>): Promise<Site> {
  await makePages(dir);
  const port = String(await freePort());
  // Without the demo's past: the house's accounts have entries of now already.
  const program = join(root, 'drills', 'server-process.ts');
  const child = spawn(process.execPath, [program], {
    cwd: dir,
    env: { ...ownEnv(dir), PORT: port, SITE_URL: 'http://127.0.0.1:3000', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const url = `http://127.0.0.1:${port}`;
  const site = { url, stop: () => end(child) };
  for (const until = Date.now() + startMsMax; ; await delay(100)) {
    if ((await fetch(`${url}/readyz`).catch(() => null))?.ok) return site;
    if (child.exitCode !== null || Date.now() > until) {
      await site.stop();
      throw new Error('the server did not start');
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), stopMsMax);
  await ended;
  clearTimeout(late);
}

export interface Ended {
  code: number;
  said: string;
}

/** As `npm run <name>` would, from a folder without a configuration file. */
export const runCommand = (
  name: string,
  args: string[],
  { dir, env }: { dir: string; env: Record<string, string> },
): Promise<Ended> =>
  new Promise((done) => {
    const command = join(root, 'server', 'commands', `${name}.ts`);
    const options = { cwd: dir, env: { ...ownEnv(dir), ...env }, timeout: commandMsMax };
    execFile(process.execPath, [command, ...args], options, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code ?? -1) : 0, said: (stdout + stderr).trim() });
    });
  });
