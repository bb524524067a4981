import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import {
  type Draft,
  forEachFile,
  listFolder,
  makeFolders,
  readParts,
  refuseWithoutRoom,
  type WrittenFile,
  writeNewFile,
} from './folder.ts';
import type { Manifest } from './manifest.ts';
import { Refusal } from './refusal.ts';

/** Of the running server alone: PostgreSQL's list of what a base backup leaves out. */
const emptied =
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/./;
const ofTheProcess =
  /(^|\/)(postmaster\.(pid|opts)|pg_internal\.init(\.\d+)?|backup_label(\.old)?|tablespace_map(\.old)?|backup_manifest|current_logfiles(\.tmp)?|postgresql\.auto\.conf\.tmp|pgsql_tmp[^/]*|t\d+_\d+(_\w+)?(\.\d+)?)(\/|$)/;
const isLeftOut = (path: string) => emptied.test(path) || ofTheProcess.test(path);
const control = 'global/pg_control';

type BaseFacts = Pick<Manifest, 'wal' | 'files' | 'folders' | 'asOf' | 'ended'>;

interface BaseNeeds {
  /** A superuser's. */
  adminUrl: string;
  cluster: string;
  draft: Draft;
}

/**
 * The files of a running cluster, below `postgres/`, with the write-ahead log that makes them whole: pages that were torn
 * while they were copied are mended from it at the first start. A slot keeps that log until it has been copied, and goes
 * with the session, however that ends; so does the backup itself.
 */
export async function baseBackup({ adminUrl, cluster, draft }: BaseNeeds): Promise<BaseFacts> {
  const client = new pg.Client({ connectionString: adminUrl, keepAlive: true });
  client.on('error', () => {});
  await client.connect();
  try {
    const slot = `tallystick_backup_${process.pid}`;
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [slot]);
    await client.query("select pg_backup_start('tallystick', fast => true)");
    const { files, folders } = await copyCluster(cluster, draft);
    const { rows: before } = await client.query('select clock_timestamp() as at');
    // A position on the border of two files is the end of the first, whose name versions of PostgreSQL disagree about.
    const { rows } = await client.query(
      `select lsn::text as stop, labelfile as label, spcmapfile as tablespaces, pg_walfile_name(lsn - 1) as last,
         clock_timestamp() as at,
         pg_size_bytes(current_setting('wal_segment_size'))::int as "segmentBytes"
       from pg_backup_stop(wait_for_archive => false)`,
    );
    const { stop, label, tablespaces, last, at, segmentBytes } = rows[0];
    if (tablespaces) throw new Refusal('failed', 'The database has tablespaces; use pg_basebackup for it.');
    const [, start = '', first = ''] = /^START WAL LOCATION: (\S+) \(file (\w+)\)/m.exec(label) ?? [];
    for (const name of segmentsOf(first, last, segmentBytes)) {
      files.push(await copySegment(cluster, name, segmentBytes, draft));
    }
    files.push(await writeNewFile(draft, 'postgres/backup_label', [Buffer.from(label)]));
    return {
      files,
      folders,
      wal: { start, stop },
      asOf: before[0].at.toISOString(),
      ended: at.toISOString(),
    };
  } finally {
    await client.end().catch(() => {});
  }
}

async function copyCluster(cluster: string, draft: Draft) {
  const found = await listFolder(cluster);
  const paths = found.files.filter((path) => !isLeftOut(path) && path !== control);
  const folders = found.folders.filter((path) => !isLeftOut(path));
  await refuseWithoutRoom(draft.dir, await bytesOf(cluster, paths));
  const made = ['', ...folders, 'pg_wal/archive_status'].map((path) => `postgres/${path}`.replace(/\/$/, ''));
  await makeFolders(draft, made);
  const files: WrittenFile[] = [];
  await forEachFile(paths, async (path) => {
    const copied = await copyFile(cluster, path, draft);
    if (copied) files.push(copied);
  });
  files.push(await writeNewFile(draft, `postgres/${control}`, [await readControl(cluster)]));
  return { files, folders: made };
}

async function bytesOf(cluster: string, paths: string[]): Promise<number> {
  let bytes = 0;
  for (const path of paths) {
    const found = await lstat(join(cluster, path)).catch(() => null);
    if (found && !found.isFile()) {
      throw new Refusal(
        'failed',
        `${join(cluster, path)} is no plain file; use pg_basebackup for such a database.`,
      );
    }
    bytes += found?.size ?? 0;
  }
  return bytes;
}

/** Null for one that was dropped meanwhile: the write-ahead log knows of that. */
async function copyFile(cluster: string, path: string, draft: Draft): Promise<WrittenFile | null> {
  const parts = readParts(join(cluster, path));
  const first = await parts.next().catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (first === null) return null;
  async function* all() {
    if (!first?.done && first?.value) yield first.value;
    yield* parts;
  }
  return writeNewFile(draft, `postgres/${path}`, all());
}

/** It is written while it is read; twice the same is neither half. */
async function readControl(cluster: string): Promise<Buffer> {
  const read = () => readFile(join(cluster, control));
  let last = await read();
  for (let tries = 0; tries < 100; tries += 1) {
    const again = await read();
    if (again.equals(last)) return again;
    last = again;
  }
  throw new Error(`${control} never stood still.`);
}

async function copySegment(cluster: string, name: string, bytes: number, draft: Draft): Promise<WrittenFile> {
  const copied = await copyFile(cluster, `pg_wal/${name}`, draft);
  if (copied?.bytes !== bytes) throw new Error(`The write-ahead log ${name} was gone before it was copied.`);
  return copied;
}

/** Names of the write-ahead log's files, the first and the last included. A name is timeline, upper and lower number. */
export function segmentsOf(first: string, last: string, segmentBytes: number): string[] {
  const perUpper = 0x1_0000_0000 / segmentBytes;
  const numberOf = (name: string) =>
    Number.parseInt(name.slice(8, 16), 16) * perUpper + Number.parseInt(name.slice(16), 16);
  const hex = (number: number) => number.toString(16).toUpperCase().padStart(8, '0');
  const [from, to] = [numberOf(first), numberOf(last)];
  if (first.slice(0, 8) !== last.slice(0, 8) || !(to >= from)) {
    throw new Error(`The write-ahead log from ${first} to ${last} is no whole.`);
  }
  return Array.from({ length: to - from + 1 }, (_, at) => {
    const number = from + at;
    return first.slice(0, 8) + hex(Math.floor(number / perUpper)) + hex(number % perUpper);
  });
}
