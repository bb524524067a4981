import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Refusal } from './refusal.ts';

const partBytes = 1024 * 1024;
/** What is left free on the disk of a backup: where the database is on the same one, it stops when it has no room. */
const spareBytes = 256 * 1024 * 1024;

/** A file as a manifest names it, from the folder's root, with slashes. */
export interface WrittenFile {
  path: string;
  bytes: number;
  sha256: string;
}

/** A folder that is being written. */
export interface Draft {
  dir: string;
  /** Whoever waits for it has changed their mind, or the process is told to end. */
  signal: AbortSignal;
  /** What was written since somebody looked whether the disk has room. */
  bytesUnseen?: number;
}

const lookEveryBytes = 32 * 1024 * 1024;

/** A disk that somebody else fills meanwhile ends this, and not the database. */
async function lookForRoom(draft: Draft, bytes: number): Promise<void> {
  draft.bytesUnseen = (draft.bytesUnseen ?? lookEveryBytes) + bytes;
  if (draft.bytesUnseen < lookEveryBytes) return;
  draft.bytesUnseen = 0;
  await refuseWithoutRoom(draft.dir, lookEveryBytes);
}

/** Whether something may be made there: nothing is, or an empty folder. */
export async function refuseTaken(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const found = await readdir(folder).catch(() => ['']);
  if (found.length > 0) throw new Refusal('notEmpty', `${folder} is there already and is not empty.`);
}

/**
 * Makes a folder under another name and gives it its own when it is whole and on the disk. Whatever comes between leaves
 * nothing behind; a kill leaves the other name, which nobody takes for the folder.
 */
export async function writeFolder<T>(
  wanted: string,
  signal: AbortSignal,
  work: (draft: Draft) => Promise<T>,
): Promise<T> {
  const folder = resolve(wanted);
  await refuseTaken(folder);
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  const dir = `${folder}.unfinished-${process.pid}`;
  await mkdir(dir, { mode: 0o700 });
  try {
    const result = await work({ dir, signal });
    signal.throwIfAborted();
    await syncFolders(dir);
    await rename(dir, folder);
    await syncFolder(dirname(folder));
    return result;
  } catch (error) {
    await rm(dir, { recursive: true, force: true });
    throw error;
  }
}

export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.chmod(0o600);
  await handle.sync().finally(() => handle.close());
}

/** The names in it are on the disk, too. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

export async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await syncFolders(join(folder, entry.name));
  }
  await syncFolder(folder);
}

export async function refuseWithoutRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= bytes + spareBytes) return;
  const mega = (size: number) => Math.ceil(size / 1024 / 1024);
  throw new Refusal(
    'failed',
    `There is no room for it: ${mega(bytes + spareBytes)} MB are needed at ${folder}, ${mega(free)} MB are free.`,
  );
}

/**
 * Writes parts one after the other to a new file that only we may read; it is on the disk when this is done. Its folder
 * is there already.
 */
export async function writeNewFile(
  draft: Draft,
  path: string,
  parts: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<WrittenFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await open(join(draft.dir, path), 'wx', 0o600);
  try {
    for await (const part of parts) {
      draft.signal.throwIfAborted();
      await lookForRoom(draft, part.length);
      hash.update(part);
      await file.writeFile(part);
      bytes += part.length;
    }
    await file.datasync();
  } finally {
    await file.close();
  }
  return { path, bytes, sha256: hash.digest('hex') };
}

export async function makeFolders({ dir }: Draft, paths: string[]): Promise<void> {
  for (const path of paths) await mkdir(join(dir, path), { recursive: true, mode: 0o700 });
}

/** Many small files wait for the disk together rather than one after the other. */
const atOnce = 8;

export async function forEachFile<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  const rest = all.values();
  let hasFailed = false;
  const worker = async () => {
    for (const each of rest) {
      if (hasFailed) return;
      await work(each).catch((error) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  // All have ended before a failure is told: nobody writes into what is being removed.
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}

/** A file in parts, each of which is overwritten by the next. */
export async function* readParts(path: string): AsyncGenerator<Buffer> {
  const file = await open(path, 'r');
  try {
    yield* partsOf(file);
  } finally {
    await file.close();
  }
}

async function* partsOf(file: FileHandle): AsyncGenerator<Buffer> {
  // Most files are small, and there are many.
  const { size } = await file.stat();
  const buffer = Buffer.allocUnsafe(Math.min(partBytes, size + 1));
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

export async function hashFile(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const part of readParts(path)) {
    hash.update(part);
    bytes += part.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Every file and every folder below a folder, from its root, with slashes. */
export async function listFolder(root: string, below = ''): Promise<{ files: string[]; folders: string[] }> {
  const files: string[] = [];
  const folders: string[] = [];
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch((error) => {
    // Of a database that is at work a folder may go while it is looked at.
    if (below !== '' && error.code === 'ENOENT') return [];
    throw error;
  });
  for (const entry of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (!entry.isDirectory()) files.push(path);
    else {
      const inside = await listFolder(root, path);
      folders.push(path, ...inside.folders);
      files.push(...inside.files);
    }
  }
  return { files, folders };
}
