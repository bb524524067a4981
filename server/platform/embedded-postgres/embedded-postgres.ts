/**
 * A real PostgreSQL out of npm packages, for a start without configuration and for tests. Our own few lines instead
 * of the wrapper package, because that one stops the database the moment the process is told to end, before the
 * server has drained.
 *
 * When our process dies without a word (kill -9), the database stays: nothing portable ends a child with its parent.
 * The next start on the same data folder adopts it, and it stops when that one closes.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Logger } from '../logger.ts';
import {
  type DatabaseHome,
  effectiveDataDir,
  packagedNativeDir,
  settleHome,
  usualFallbackRoots,
} from './home.ts';
import { forgetOwner, isAlive, livingOwner, noteOwner } from './owner.ts';
import {
  bareEnv,
  endServer,
  freePort,
  launch,
  type Place,
  readPidFile,
  servesCluster,
  standsStill,
  stopServer,
} from './process.ts';
import { createStillness, isRecovering } from './stillness.ts';

const runFile = promisify(execFile);
const startTriesMax = 20;
const retryMs = 250;
const answerMsMax = 60_000;
const stoppingMsMax = 5_000;
const connectMsMax = 5_000;

interface EmbeddedPostgresOptions {
  dataDir: string;
  logger: Logger;
  /** False trades safety at power loss for speed; for tests only. */
  durable?: boolean;
  /** After how long a standstill it is ended; tests wait less. */
  stillMsMax?: number;
  /** Told when the database had to go elsewhere, in words for the person at the terminal. */
  onFallback?: (message: string) => void;
  /** Where PostgreSQL's programs are, and where to go when its user cannot reach a folder; tests set them. */
  nativeDir?: string;
  fallbackRoots?: string[];
}

export interface EmbeddedPostgres {
  /** A superuser's connection to the database `postgres`. */
  adminUrl: string;
  /** Where the data really is. */
  dataDir: string;
  /** False when a database of an earlier process was found running and adopted; `stop` stops that one as well. */
  startedByUs: boolean;
  /** The process that runs this database and is still alive; then `stop` leaves the database to it. */
  sharedWithPid: number | null;
  isRunning(): boolean;
  /** Ends it at once where it has come to a standstill; then it can be started again. */
  endIfStill(): Promise<void>;
  /** Starts it where it was after it has ended by itself: connections find it at the same address. */
  startAgain(): Promise<void>;
  /** Waits until the database has written everything down and ended. Calling it again does no harm. */
  stop(): Promise<void>;
}

interface RunningPostgres {
  adminUrl: string;
  dataDir: string;
  pid: number;
}

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { logger, durable = true, onFallback } = options;
  const home = await settleHome({
    dataDir: path.resolve(options.dataDir),
    nativeDir: options.nativeDir ?? packagedNativeDir(),
    fallbackRoots: options.fallbackRoots ?? usualFallbackRoots,
    logger,
    onFallback,
  });
  const place = { home, durable, logger, stillMsMax: options.stillMsMax };
  await endIfStuck(place);
  const running = await findRunning(home.dataDir);
  if (running) return takeOver(running, place);
  await ensureCluster(home, durable);
  const launched = await launchCluster(place);
  return launched.startedByUs ? own(launched, place) : takeOver(launched, place);
}

/** The database that a running server started on this data folder, for commands that want to connect to it. */
export function findRunningPostgres({ dataDir }: { dataDir: string }): Promise<RunningPostgres | null> {
  return findRunning(effectiveDataDir(path.resolve(dataDir)));
}

const triedAgain = new RegExp(`Address already in use|"postmaster.pid"|shared memory block|${standsStill}`);

/** At a free port, unless it must be a certain one. */
async function launchCluster(
  place: Place,
  certainPort?: number,
): Promise<RunningPostgres & { startedByUs: boolean }> {
  const { home } = place;
  for (let tries = 1; ; tries += 1) {
    const port = certainPort ?? (await freePort());
    const outcome = await launch(place, port);
    if (outcome.ready) {
      const { dataDir } = home;
      return { adminUrl: adminUrlOf(dataDir, port), dataDir, pid: outcome.pid, startedByUs: true };
    }
    // Someone else took the port, started the same cluster, killed one of its processes at the wrong moment, or left
    // backends that are still ending.
    if (tries >= startTriesMax || !triedAgain.test(outcome.lastLines)) {
      throw new Error(`The embedded PostgreSQL did not start:\n${outcome.lastLines}`);
    }
    const running = await findRunning(home.dataDir);
    if (running) return { ...running, startedByUs: false };
    await sleep(retryMs);
  }
}

function takeOver(running: RunningPostgres, place: Place): EmbeddedPostgres {
  const { home, logger } = place;
  const ownerPid = livingOwner(home.dataDir);
  if (ownerPid === null) {
    logger.info({ pid: running.pid }, 'adopted the database that an earlier process left running');
    return own({ ...running, startedByUs: false }, place);
  }
  return {
    adminUrl: running.adminUrl,
    dataDir: home.dataDir,
    startedByUs: false,
    sharedWithPid: ownerPid,
    isRunning: () => servesCluster(running.pid, home.cluster),
    endIfStill: async () => {},
    startAgain: () => Promise.reject(new Error(`The database belongs to process ${ownerPid}.`)),
    stop: async () => {},
  };
}

function own(running: RunningPostgres & { startedByUs: boolean }, place: Place): EmbeddedPostgres {
  const { adminUrl, dataDir, startedByUs } = running;
  const { home, logger } = place;
  const stillness = createStillness(place.stillMsMax);
  let { pid } = running;
  let stopping: Promise<void> | undefined;
  noteOwner(dataDir);
  return {
    adminUrl,
    dataDir,
    startedByUs,
    sharedWithPid: null,
    isRunning: () => servesCluster(pid, home.cluster),
    async endIfStill() {
      if (stillness.hasComeTo(pid)) await endServer(pid, home.cluster, logger);
    },
    async startAgain() {
      const again = await launchCluster(place, Number(new URL(adminUrl).port));
      if (again.adminUrl !== adminUrl)
        throw new Error(`Someone else has started the database (process ${again.pid}).`);
      pid = again.pid;
    },
    stop() {
      stopping ??= stopServer(pid, home.cluster, logger).then(() => forgetOwner(dataDir));
      return stopping;
    },
  };
}

/**
 * A database that nobody looks after and that does not come to its end, or to the end of its recovery, would stand in
 * everyone's way for ever. PostgreSQL 18 is like that when it is told to stop while it recovers from a crash.
 */
async function endIfStuck({ home, logger, stillMsMax }: Place): Promise<void> {
  const { cluster, dataDir } = home;
  const stillness = createStillness(stillMsMax);
  for (const deadline = Date.now() + stoppingMsMax; ; await sleep(retryMs)) {
    const file = readPidFile(cluster);
    if (!file || !servesCluster(file.pid, cluster) || livingOwner(dataDir) !== null) return;
    if (stillness.hasComeTo(file.pid)) return endServer(file.pid, cluster, logger);
    if (file.stopping && Date.now() > deadline) return stopServer(file.pid, cluster, logger);
    if (!file.stopping && !isRecovering(file.pid)) return;
  }
}

async function findRunning(dataDir: string): Promise<RunningPostgres | null> {
  const cluster = path.join(dataDir, 'postgres');
  const deadline = Date.now() + answerMsMax;
  let refusal = 'it is still starting';
  while (Date.now() < deadline) {
    const file = readPidFile(cluster);
    if (!file) return null;
    if (!servesCluster(file.pid, cluster)) {
      // Left by a server that was killed. PostgreSQL minds it only when a stranger of the same user has that id now.
      if (isAlive(file.pid) && readPidFile(cluster)?.pid === file.pid) {
        fs.rmSync(path.join(cluster, 'postmaster.pid'), { force: true });
      }
      return null;
    }
    if (file.port !== undefined && !file.stopping) {
      const adminUrl = adminUrlOf(dataDir, file.port);
      const answer = await tryConnecting(adminUrl);
      if (answer === 'ok') return { adminUrl, dataDir, pid: file.pid };
      refusal = answer;
    }
    await sleep(retryMs);
  }
  throw new Error(`A database runs on ${cluster}, but it cannot be used: ${refusal}`);
}

async function tryConnecting(adminUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: connectMsMax });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return 'ok';
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === '28P01')
      throw new Error('A database is running there that does not know the stored password.');
    return message;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Made beside its final place and moved there whole, so that an interrupted beginning leaves nothing half made. */
async function ensureCluster(home: DatabaseHome, durable: boolean): Promise<void> {
  removeUnfinished(home.dataDir);
  if (fs.existsSync(home.cluster)) return;
  const password = ensurePassword(home.dataDir);
  const work = path.join(home.dataDir, `postgres.init-${process.pid}-${randomBytes(3).toString('hex')}`);
  const passwordCopy = path.join(work, 'password');
  fs.mkdirSync(work, { mode: 0o700 });
  fs.writeFileSync(passwordCopy, password, { mode: 0o600 });
  if (home.runAs) for (const made of [work, passwordCopy]) fs.chownSync(made, home.runAs.uid, home.runAs.gid);
  const args = ['--pgdata', path.join(work, 'data'), '--username', 'postgres', '--pwfile', passwordCopy];
  args.push('--auth', 'scram-sha-256', '--data-checksums', '--encoding', 'UTF8', '--locale', 'C');
  args.push('--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', ...(durable ? [] : ['--no-sync']));
  try {
    await runFile(path.join(home.nativeDir, 'bin', 'initdb'), args, {
      ...home.runAs,
      cwd: work,
      env: bareEnv,
    });
    if (!fs.existsSync(home.cluster)) fs.renameSync(path.join(work, 'data'), home.cluster);
  } catch (error) {
    // Two first starts at once: the other one's cluster is as good as ours.
    if (!fs.existsSync(home.cluster)) {
      const failed = error as { stdout?: string; stderr?: string; message: string };
      const said = `${failed.stdout ?? ''}${failed.stderr ?? ''}`.slice(-2000) || failed.message;
      throw new Error(`The embedded PostgreSQL could not be set up:\n${said}`);
    }
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

function removeUnfinished(dataDir: string): void {
  for (const name of fs.readdirSync(dataDir)) {
    const pid = /^postgres\.init-(\d+)-/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) fs.rmSync(path.join(dataDir, name), { recursive: true, force: true });
  }
}

const passwordFile = (dataDir: string) => path.join(dataDir, 'postgres-password');

function ensurePassword(dataDir: string): string {
  try {
    fs.writeFileSync(passwordFile(dataDir), randomBytes(24).toString('hex'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readPassword(dataDir);
}

function readPassword(dataDir: string): string {
  try {
    return fs.readFileSync(passwordFile(dataDir), 'utf8').trim();
  } catch (error) {
    throw new Error(`The database's password cannot be read: ${(error as Error).message}`);
  }
}

function adminUrlOf(dataDir: string, port: number): string {
  return `postgres://postgres:${readPassword(dataDir)}@127.0.0.1:${port}/postgres`;
}
