import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startEnv, startFlags } from '../bench/server/start-flags.ts';
import { freePort } from '../server/platform/embedded-postgres/process.ts';

const entry = fileURLToPath(new URL('server-process.ts', import.meta.url));
/** What Node made of the server's sources, kept from one start to the next as for the tests. */
const compiled = fileURLToPath(new URL('../node_modules/.cache/node-compile', import.meta.url));
const saidMax = 20_000;
const lookMs = 25;

/** A site on this machine alone: a server process, its database, and what a drill may do to both. */
export interface Site {
  dir: string;
  port: number;
  /** A superuser's connection to the site's database. */
  adminUrl(): string;
  /** All that the server of now has said, the end of it. */
  said(): string;
  /** Each time a server ended without having been told to: whether it had been ready, and what it said last. */
  gaveUp: { wasReady: boolean; last: string }[];
  start(env?: NodeJS.ProcessEnv): void;
  isRunning(): boolean;
  serverPid(): number;
  /** The postmaster and all it has started; nobody, while there is no database. */
  databasePids(): { postmaster: number; children: number[] };
  /** Whether the server says that it can do its work. */
  isReady(): Promise<boolean>;
  untilReady(msMax: number): Promise<void>;
  /** Without a word, and gone when this is done. */
  killServer(): Promise<void>;
  /** As whoever runs it would; how it ended, null when it had to be killed. */
  stop(): Promise<number | null>;
  /** Ends all of it and leaves nothing behind. */
  close(): Promise<void>;
}

export function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Boolean);
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1] === String(parent);
    } catch {
      return false;
    }
  });
}

/** Whoever is there no more needs no killing. */
export function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      if (pid > 1) process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** The shell of the pages, instead of a build. */
export async function makePages(dir: string): Promise<string> {
  const webDir = join(dir, 'web');
  await mkdir(join(webDir, 'assets'), { recursive: true });
  for (const name of ['__spa-fallback.html', 'index.html']) {
    await writeFile(join(webDir, name), '<html lang="en" data-mode="production"></html>');
  }
  return webDir;
}

/** The server process of now: begun, heard and ended. */
function createProcess(dir: string, env: NodeJS.ProcessEnv, flags: string[]) {
  let child: ChildProcess | null = null;
  let said = '';
  let isToldToEnd = false;
  const gaveUp: Site['gaveUp'] = [];
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null;

  return {
    gaveUp,
    isRunning,
    said: () => said,
    serverPid: () => child?.pid ?? 0,
    start(more: NodeJS.ProcessEnv = {}) {
      said = '';
      isToldToEnd = false;
      const started = spawn(process.execPath, [...startFlags, ...flags, entry], {
        cwd: dir,
        env: { ...env, ...more },
        stdio: ['ignore', 'pipe', 'pipe'],
        // Whoever interrupts the drill means the drill, which ends the server itself.
        detached: true,
      });
      child = started;
      let wasReady = false;
      const hear = (data: Buffer) => {
        if (started !== child) return;
        wasReady ||= /^ready$/m.test(String(data));
        said = `${said}${data}`.slice(-saidMax);
      };
      started.stdout.on('data', hear);
      started.stderr.on('data', hear);
      started.once('exit', (code) => {
        if (started !== child || isToldToEnd) return;
        gaveUp.push({ wasReady, last: `exit code ${code}: ${said.slice(-600)}` });
      });
    },
    async end(name: NodeJS.Signals): Promise<number | null> {
      if (!child || !isRunning()) return child?.exitCode ?? null;
      isToldToEnd = true;
      const ended = once(child, 'exit');
      child.kill(name);
      await ended;
      return child.exitCode;
    },
  };
}

const stopMsMax = 30_000;
const quitMsMax = 6_000;

export async function createSite(
  env: NodeJS.ProcessEnv,
  { flags = [] as string[], dir: given = '' } = {},
): Promise<Site> {
  const dir = given || (await mkdtemp(join(tmpdir(), 'tallystick-drill-')));
  // As root the database runs as another user, who has to pass.
  await chmod(dir, 0o755);
  const WEB_DIR = await makePages(dir);
  const port = await freePort();
  const { PATH = '' } = process.env;
  const { NODE_COMPILE_CACHE = compiled } = process.env;
  const told = { PORT: String(port), WEB_DIR, DATA_DIR: dir, LOG_LEVEL: 'warn' };
  const base = { ...startEnv, PATH, NODE_COMPILE_CACHE, ...told };
  const { end, ...server } = createProcess(dir, { ...base, ...env }, flags);

  const pidFile = () => {
    try {
      return readFileSync(join(dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
    } catch {
      return [];
    }
  };

  const site: Site = {
    ...server,
    dir,
    port,
    adminUrl() {
      const password = readFileSync(join(dir, 'postgres-password'), 'utf8').trim();
      return `postgres://postgres:${password}@127.0.0.1:${pidFile()[3]}/tallystick`;
    },
    databasePids() {
      const postmaster = Number(pidFile()[0] ?? 0);
      return { postmaster, children: postmaster > 1 ? childrenOf(postmaster) : [] };
    },
    isReady: () =>
      fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
        ({ ok }) => ok,
        () => false,
      ),
    async untilReady(msMax) {
      const giveUpAt = performance.now() + msMax;
      while (!(await site.isReady())) {
        if (performance.now() > giveUpAt)
          throw new Error(`not ready within ${msMax} ms: ${site.said().slice(-2_000)}`);
        await delay(lookMs);
      }
    },
    killServer: async () => void (await end('SIGKILL')),
    async stop() {
      const late = setTimeout(() => void end('SIGKILL'), stopMsMax);
      const code = await end('SIGTERM');
      clearTimeout(late);
      return code;
    },
    async close() {
      await end('SIGKILL');
      const { postmaster, children } = site.databasePids();
      // Told to end at once it takes its shared memory along; killed, it would leave that on the machine for good.
      signal([postmaster], 'SIGQUIT');
      const giveUpAt = performance.now() + quitMsMax;
      while (pidFile().length > 0 && performance.now() < giveUpAt) await delay(lookMs);
      signal([postmaster, ...children], 'SIGKILL');
      await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
  return site;
}
