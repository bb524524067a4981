import { existsSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ownersUrl } from '../embedded-postgres/embedded-database.ts';
import { findRunningPostgres, startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import {
  type DatabaseHome,
  packagedNativeDir,
  settleHome,
  usualFallbackRoots,
} from '../embedded-postgres/home.ts';
import { livingOwner } from '../embedded-postgres/owner.ts';
import type { Logger } from '../logger.ts';
import { segmentsOf } from './base-backup.ts';
import {
  type Draft,
  forEachFile,
  readParts,
  refuseTaken,
  refuseWithoutRoom,
  syncFolder,
  syncFolders,
  writeNewFile,
} from './folder.ts';
import type { Manifest } from './manifest.ts';
import { Refusal } from './refusal.ts';

export interface Restoring {
  folder: string;
  manifest: Manifest;
  dataDir: string;
  signal: AbortSignal;
  logger: Logger;
}

/** What of DATA_DIR is in the backup, too, stands there under this name. */
export const besides = 'data';

/** Before anything is touched. */
export async function refuseRestoringBase({ folder, manifest, dataDir }: Restoring): Promise<void> {
  const runs = await findRunningPostgres({ dataDir });
  const pid = livingOwner(dataDir) ?? runs?.pid;
  if (pid) throw new Refusal('serverRuns', `A server runs on ${dataDir} (process ${pid}): stop it first.`);
  await refuseTaken(dataDir);
  await demandWal(folder, manifest);
  const ours = await programsVersion();
  const theirs = Math.floor(manifest.postgres / 10_000);
  if (ours !== theirs) {
    throw new Refusal(
      'otherVersion',
      `The backup is of PostgreSQL ${theirs}, and the embedded one is ${ours}: restore it with the version that made it, then npm run export.`,
    );
  }
}

async function programsVersion(): Promise<number> {
  const { version } = JSON.parse(await readFile(join(packagedNativeDir(), '..', 'package.json'), 'utf8'));
  return Number.parseInt(version, 10);
}

/** From where the copying began to where it ended; without all of it the files are no database. */
async function demandWal(folder: string, { files, wal }: Manifest): Promise<void> {
  const label = await readFile(join(folder, 'postgres', 'backup_label'), 'utf8').catch(() => '');
  const first = /^START WAL LOCATION: \S+ \(file (\w{24})\)/m.exec(label)?.[1];
  const segments = new Map(
    files.flatMap(({ path, bytes }) => {
      const name = /^postgres\/pg_wal\/(\w{24})$/.exec(path)?.[1];
      return name ? [[name, bytes] as const] : [];
    }),
  );
  const bytes = segments.values().next().value;
  const missing = (name = '') =>
    new Refusal(
      'notWhole',
      `This is not a whole backup: the write-ahead log${name && ` ${name}`} is missing.`,
    );
  if (!first || !bytes) throw missing();
  const [upper = '', lower = ''] = wal.stop.split('/');
  // A position on the border of two files is the end of the first.
  const end = BigInt(`0x${upper}`) * 2n ** 32n + BigInt(`0x${lower}`) - 1n;
  const perUpper = BigInt(0x1_0000_0000 / bytes);
  const number = end / BigInt(bytes);
  const hex = (each: bigint) => each.toString(16).toUpperCase().padStart(8, '0');
  const last = first.slice(0, 8) + hex(number / perUpper) + hex(number % perUpper);
  for (const name of segmentsOf(first, last, bytes)) if (segments.get(name) !== bytes) throw missing(name);
}

/**
 * Puts the backup beside DATA_DIR, lets PostgreSQL make it whole there, has it looked at, and only then gives it its name:
 * what fails or is interrupted leaves DATA_DIR as it was.
 */
export async function restoreBase<T>(
  restoring: Restoring,
  { look, finish }: { look(url: string): Promise<T>; finish(dir: string): Promise<void> },
): Promise<T> {
  const { manifest, signal, logger } = restoring;
  const dataDir = resolve(restoring.dataDir);
  const work = `${dataDir}.restoring-${process.pid}`;
  const undo: string[] = [work];
  try {
    await mkdir(dirname(dataDir), { recursive: true });
    const home = await settleHome({
      dataDir: work,
      nativeDir: packagedNativeDir(),
      fallbackRoots: usualFallbackRoots,
      logger,
    });
    undo.push(home.dataDir);
    await refuseWithoutRoom(
      home.dataDir,
      manifest.files.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    await putFiles(restoring, home, { dir: work, signal });
    const result = await started(work, logger, look);
    await finish(work);
    signal.throwIfAborted();
    await syncFolders(work);
    if (existsSync(dataDir)) await rmdir(dataDir);
    await rename(work, dataDir);
    await syncFolder(dirname(dataDir));
    return result;
  } catch (error) {
    for (const each of undo) await rm(each, { recursive: true, force: true });
    throw error;
  }
}

async function putFiles({ folder, manifest }: Restoring, home: DatabaseHome, draft: Draft): Promise<void> {
  const { dir } = draft;
  const give = async (path: string) => {
    if (home.runAs) await chown(path, home.runAs.uid, home.runAs.gid);
  };
  for (const path of manifest.folders) {
    const isCluster = /^postgres(\/|$)/.test(path);
    const target = isCluster ? join(home.dataDir, path) : join(dir, path.slice(besides.length + 1));
    await mkdir(target, { recursive: true, mode: 0o700 });
    if (isCluster) await give(target);
  }
  await forEachFile(manifest.files, async ({ path, sha256 }) => {
    const isCluster = path.startsWith('postgres/');
    // The password belongs to the cluster, wherever that had to go; everything else to DATA_DIR itself.
    const root = isCluster || path === `${besides}/postgres-password` ? home.dataDir : dir;
    const inside = isCluster ? path : path.slice(besides.length + 1);
    const written = await writeNewFile({ ...draft, dir: root }, inside, readParts(join(folder, path)));
    if (written.sha256 !== sha256) {
      throw new Refusal('notWhole', `This is not a whole backup: ${path} was changed.`);
    }
    if (isCluster) await give(join(root, inside));
  });
  await syncFolders(home.cluster);
}

/** Its first start reads the write-ahead log to its end; PostgreSQL refuses one that ends too early. */
async function started<T>(dataDir: string, logger: Logger, look: (url: string) => Promise<T>): Promise<T> {
  const postgres = await startEmbeddedPostgres({ dataDir, logger }).catch((error) => {
    throw new Refusal('notWhole', `PostgreSQL cannot make this backup whole. ${error.message}`);
  });
  try {
    return await look(ownersUrl(postgres.adminUrl));
  } finally {
    await postgres.stop();
  }
}
