import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import * as fs from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import type { DatabaseHome } from './home.ts';
import { createStillness } from './stillness.ts';

const readyMsMax = 120_000;
/** Less than a server has for its own end: one that has to be stopped at once is stopped by it, and not left as it is. */
const fastShutdownMsMax = 6_000;
const immediateShutdownMsMax = 10_000;
const pollMs = 25;
const lastLinesMax = 20;

const durableSettings = { max_connections: '100' };
const disposableSettings = {
  max_connections: '200',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  shared_buffers: '32MB',
  // Its passwords guard nothing, and each of thousands of connections would be slowed down by them.
  scram_iterations: '1',
};

/** The database gets no variable of ours: not our secrets, and no PG… that would change its mind. */
export const bareEnv = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

type Launch = { ready: true; child: ChildProcess; pid: number } | { ready: false; lastLines: string };

export interface Place {
  home: DatabaseHome;
  durable: boolean;
  logger: Logger;
  stillMsMax: number | undefined;
}

/** Starts the server once; the caller decides what a refusal means. */
export async function launch(place: Place, port: number): Promise<Launch> {
  const { home, durable, logger } = place;
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    log_line_prefix: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(durable ? durableSettings : disposableSettings),
  };
  const child = spawn(
    path.join(home.nativeDir, 'bin', 'postgres'),
    ['-D', home.cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // Detached, it has a process group of its own: Ctrl-C reaches our server first, which drains and then stops it.
    { ...home.runAs, cwd: home.cluster, env: bareEnv, detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const lastLines: string[] = [];
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', (error) => {
      lastLines.push(error.message);
      resolve();
    });
  });
  const ready = new Promise<true>((resolve) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      logger.debug({ postgres: line }, 'postgres');
      lastLines.push(line);
      if (lastLines.length > lastLinesMax) lastLines.shift();
      if (/database system is ready to accept (read-only )?connections/.test(line)) resolve(true);
    });
  });
  const timeout = new AbortController();
  const late = untilLate(child, place, timeout.signal).then((why) => void lastLines.push(why));
  const isReady = (await Promise.race([ready, ended, late])) === true;
  timeout.abort();
  if (!isReady || child.pid === undefined) {
    child.kill('SIGQUIT');
    return { ready: false, lastLines: lastLines.join('\n') };
  }
  child.once('close', (code) => {
    if (code !== 0) logger.error({ lastLines }, 'the embedded PostgreSQL ended unexpectedly');
  });
  if (!durable) endWithUs(child, child.pid, home);
  // Neither the process nor its log keeps ours alive: whoever forgets to stop it can still exit.
  child.unref();
  (child.stderr as unknown as { unref(): void }).unref();
  return { ready: true, child, pid: child.pid };
}

/** What is told of a start that can be tried again. */
export const standsStill = 'it came to a standstill while it recovered';

/** Until it has taken too long to get ready, or does nothing any more. */
async function untilLate({ pid }: ChildProcess, { stillMsMax }: Place, signal: AbortSignal): Promise<string> {
  const stillness = createStillness(stillMsMax);
  for (const deadline = Date.now() + readyMsMax; Date.now() < deadline && !signal.aborted; ) {
    if (pid !== undefined && stillness.hasComeTo(pid)) return standsStill;
    await sleep(pollMs, undefined, { signal }).catch(() => {});
  }
  return 'it took too long';
}

/**
 * A database of tests lies in a folder that nobody comes back to, so it must not outlive us however we end: a shell
 * waits on a pipe that closes with our process. A durable one stays, to be adopted.
 */
function endWithUs(child: ChildProcess, pid: number, home: DatabaseHome): void {
  const watcher = spawn('/bin/sh', ['-c', 'read -r _; kill -INT "$1"', 'sh', String(pid)], {
    ...home.runAs,
    cwd: '/',
    env: bareEnv,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.once('close', () => watcher.kill('SIGKILL'));
  watcher.unref();
  (watcher.stdin as unknown as { unref(): void }).unref();
}

/** Below those that systems hand out to outgoing connections: one of these could take a port between asking and using it. */
const portMin = 20_000;
const portMax = 32_000;

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(portMin, portMax);
    if (await isFree(port)) return port;
  }
  throw new Error(`There is no free port between ${portMin} and ${portMax}.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

interface PidFile {
  pid: number;
  /** Absent in the first moments of a start. */
  port: number | undefined;
  stopping: boolean;
}

export function readPidFile(cluster: string): PidFile | null {
  try {
    const lines = fs.readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    return pid > 0
      ? { pid, port: Number(lines[3]) || undefined, stopping: lines[7]?.trim() === 'stopping' }
      : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') {
      throw new Error(`${cluster} belongs to another user: run this as the user who started the server.`);
    }
    return null;
  }
}

/** Whether the process of a pid file is that cluster's server; process ids are used again, above all in containers. */
export function servesCluster(pid: number, cluster: string): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    if (process.platform === 'linux') {
      // The server works inside its data folder, whatever name it was started with.
      const [there, here] = [fs.statSync(`/proc/${pid}/cwd`), fs.statSync(cluster)];
      return there.ino === here.ino && there.dev === here.dev;
    }
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(cluster);
  } catch (error) {
    // Unable to tell: taking it for the server is the safe side.
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}

/** A fast shutdown first: it rolls back what is open and writes everything down. */
export async function stopServer(pid: number, cluster: string, logger: Logger): Promise<void> {
  if (!(await signalAndWait(pid, cluster, 'SIGINT', fastShutdownMsMax)))
    await endServer(pid, cluster, logger);
}

export async function endServer(pid: number, cluster: string, logger: Logger): Promise<void> {
  logger.warn('the embedded PostgreSQL stands still; ending it at once, it will recover at the next start');
  if (await signalAndWait(pid, cluster, 'SIGQUIT', immediateShutdownMsMax)) return;
  throw new Error(`The embedded PostgreSQL (process ${pid}) does not stop.`);
}

async function signalAndWait(
  pid: number,
  cluster: string,
  signal: NodeJS.Signals,
  msMax: number,
): Promise<boolean> {
  if (!servesCluster(pid, cluster)) return true;
  process.kill(pid, signal);
  for (const deadline = Date.now() + msMax; Date.now() < deadline; ) {
    if (!servesCluster(pid, cluster)) return true;
    await sleep(pollMs);
  }
  return false;
}
