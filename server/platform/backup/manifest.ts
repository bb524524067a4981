import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { z } from 'zod';
import { newerSchema } from '../postgres/migrate.ts';
import { type Draft, hashFile, listFolder, writeNewFile } from './folder.ts';
import { Refusal } from './refusal.ts';

const manifestName = 'manifest.json';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** Below the folder, whatever a hand has written into it. */
const Path = z
  .string()
  .max(500)
  .refine((path) => path.split('/').every((part) => !['', '.', '..'].includes(part)));

const Manifest = z.object({
  format: z.literal(1),
  /** The files of a cluster, what pg_dump has written, or tables of ours, one file each. */
  kind: z.enum(['base', 'dump', 'export']),
  /** Of Tallystick. */
  version: z.string(),
  /** Of PostgreSQL, as in server_version_num. */
  postgres: z.number().int(),
  mode: z.enum(['demo', 'production']).nullable(),
  /** The schema's number is that of the last one. */
  schema: z.number().int(),
  migrations: z.array(z.object({ name: z.string(), sha256: Sha256 })),
  /** By the database's clock. What was committed before `asOf` is in it; nothing is that began after `ended`. */
  began: z.iso.datetime(),
  asOf: z.iso.datetime(),
  ended: z.iso.datetime(),
  wal: z.object({ start: z.string(), stop: z.string() }),
  /** How many entries of the public log have their place. */
  logSize: z.number().int(),
  /** What is needed besides, and where it was: it is kept apart on purpose. */
  keptApart: z.array(z.string()),
  tables: z
    .array(
      z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number().int(), sum: z.string() }),
    )
    .optional(),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string(), isCalled: z.boolean() })).optional(),
  folders: z.array(Path),
  files: z.array(z.object({ path: Path, bytes: z.number().int(), sha256: Sha256 })),
});
export type Manifest = z.infer<typeof Manifest>;

/** Written last: a folder without one was interrupted. The second line is the hash of the first. */
export async function writeManifest(draft: Draft, manifest: Manifest): Promise<void> {
  const files = manifest.files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const text = JSON.stringify({ ...manifest, files });
  await writeNewFile(draft, manifestName, [Buffer.from(`${text}\n${sha256(text)}\n`)]);
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const broken = (why: string) => new Refusal('notWhole', `This is not a whole backup: ${why}.`);

export async function readManifest(folder: string): Promise<Manifest> {
  if (!existsSync(folder)) throw new Refusal('failed', `There is no folder ${folder}.`);
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => null);
  if (text === null) throw broken(`it has no ${manifestName}, so it was interrupted or is something else`);
  const [json = '', hash] = text.split('\n');
  if (sha256(json) !== hash) throw broken(`${manifestName} was changed`);
  const manifest = Manifest.safeParse(JSON.parse(json));
  if (!manifest.success) throw new Refusal('otherVersion', `${folder} was made by another version.`);
  return manifest.data;
}

/**
 * What a backup of files may put into a DATA_DIR. The rest is refused, the checkpoint above all: it says whether the
 * backup is the newest, so it must not come out of one.
 */
const baseFile = /^postgres\/.|^data\/(postgres-password|secret|log\/key)$/;
const baseFolder = /^(postgres(\/.*)?|data(\/log)?)$/;

function demandPlaces({ kind, files, folders }: Manifest): void {
  if (kind !== 'base') return;
  const odd =
    files.find(({ path }) => !baseFile.test(path))?.path ?? folders.find((path) => !baseFolder.test(path));
  if (odd !== undefined) throw broken(`${odd} does not belong to it`);
}

/** All files are there, each as it was written, and no others. */
export async function demandWhole(folder: string, manifest: Manifest): Promise<void> {
  demandPlaces(manifest);
  const { files } = manifest;
  const found = new Set((await listFolder(folder)).files);
  found.delete(manifestName);
  for (const { path, bytes, sha256 } of files) {
    if (!found.delete(path)) throw broken(`${path} is missing`);
    // A link would lead elsewhere, and a pipe is waited for without end.
    if (!(await lstat(join(folder, path))).isFile()) throw broken(`${path} is no plain file`);
    const now = await hashFile(join(folder, path));
    if (now.bytes !== bytes || now.sha256 !== sha256) throw broken(`${path} was changed`);
  }
  const [stranger] = found;
  if (stranger !== undefined) throw broken(`${stranger} does not belong to it`);
}

/** A schema that this version does not know is never touched by it. */
export function refuseNewer({ migrations }: Manifest, known: readonly Migration[]): void {
  const ours = new Map(known.map(({ name, sha256 }) => [name, sha256]));
  const unknown = migrations.filter(({ name }) => !ours.has(name)).map(({ name }) => name);
  if (unknown.length > 0) throw new Refusal('otherVersion', newerSchema(unknown));
  const changed = migrations.find(({ name, sha256 }) => ours.get(name) !== sha256);
  if (changed) throw new Refusal('otherVersion', `Its migration ${changed.name} is another than ours.`);
}

export interface Migration {
  name: string;
  sha256: string;
}

type Facts = Pick<
  Manifest,
  'version' | 'postgres' | 'mode' | 'schema' | 'migrations' | 'logSize' | 'began'
> & {
  position: string;
};

/** What a manifest says of the database, in the transaction that is under way or as of now. */
export async function readFacts(client: pg.ClientBase): Promise<Facts> {
  const { rows: found } = await client.query("select to_regclass('public.log_size') is not null as there");
  if (!found[0]?.there) throw new Refusal('failed', 'There is no Tallystick in this database yet.');
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int as postgres, clock_timestamp() as began,
       pg_current_wal_insert_lsn()::text as position, (select mode from installation) as mode,
       (select size::int from log_size) as "logSize",
       (select json_agg(json_build_object('name', name, 'sha256', sha256) order by name) from migrations) as migrations`,
  );
  const [row] = rows;
  const last = row.migrations.at(-1)?.name ?? '0';
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  return { ...row, version, began: row.began.toISOString(), schema: Number.parseInt(last, 10) };
}
