/**
 * Makes a backup, also while a server runs: of the embedded database its files and the write-ahead log that they need, of
 * another what pg_dump writes. Then notes in the database that there is one, for the console's checklist. With `--noted`
 * it makes none and only notes that another program has. Exit codes: docs/operations.md.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { type Env, readOwnEnv } from '../config/env.ts';
import { baseBackup } from '../platform/backup/base-backup.ts';
import { dumpDatabase } from '../platform/backup/dump.ts';
import {
  type Draft,
  makeFolders,
  readParts,
  type WrittenFile,
  writeFolder,
  writeNewFile,
} from '../platform/backup/folder.ts';
import { noteBackup } from '../platform/backup/last-backup.ts';
import { type Manifest, readFacts, writeManifest } from '../platform/backup/manifest.ts';
import { exitCodes, Unfinished } from '../platform/backup/refusal.ts';
import { besides } from '../platform/backup/restore-base.ts';
import { visitEmbeddedDatabase } from '../platform/embedded-postgres/embedded-database.ts';
import { createLogger } from '../platform/logger.ts';
import { enterable, openDatabase } from './open-database.ts';
import { folderAsked, runTold, say, untilSignal } from './told.ts';

// What there is to say is said below, in plain words.
const logger = createLogger('silent');
const usage = 'npm run backup -- <folder that is not there yet>, or npm run backup -- --noted';

/** Whoever steals a backup must not have the keys with it: those that have a place of their own stay there. */
function keptApart({ SECRET_FILE, LOG_KEY_FILE, LOG_WITNESSES_FILE, DATA_DIR, DATABASE_URL }: Env): string[] {
  const own = (name: string) => (DATABASE_URL ? join(DATA_DIR, name) : undefined);
  const files = [SECRET_FILE ?? own('secret'), LOG_KEY_FILE ?? own('log/key'), LOG_WITNESSES_FILE];
  return [
    ...files.filter((file) => file !== undefined),
    join(DATA_DIR, 'log', 'checkpoint'),
    'the environment or .env',
    'content/',
  ];
}

/** Of what stands beside the database what a server on another machine would need to be the same. */
const ofDataDir = ['postgres-password', 'secret', 'log/key'];

async function copyBesides(env: Env, clustersDir: string, draft: Draft): Promise<WrittenFile[]> {
  await makeFolders(draft, [`${besides}/log`]);
  const files: WrittenFile[] = [];
  for (const name of ofDataDir) {
    const isNamed = (name === 'secret' && env.SECRET_FILE) || (name === 'log/key' && env.LOG_KEY_FILE);
    const path = join(name === 'postgres-password' ? clustersDir : resolve(env.DATA_DIR), name);
    if (isNamed || !existsSync(path)) continue;
    files.push(await writeNewFile(draft, `${besides}/${name}`, readParts(path)));
  }
  return files;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return work(client).finally(() => client.end().catch(() => {}));
}

async function embedded(env: Env, draft: Draft): Promise<Manifest & { kind: 'base' }> {
  const { url, adminUrl, dataDir, stop } = await visitEmbeddedDatabase({ dataDir: env.DATA_DIR, logger });
  try {
    const { position: _, ...facts } = await withClient(url, readFacts);
    const base = await baseBackup({ adminUrl, cluster: join(dataDir, 'postgres'), draft });
    const beside = await copyBesides(env, dataDir, draft);
    const files = [...base.files, ...beside];
    const folders = [...base.folders, `${besides}/log`];
    return { format: 1, kind: 'base', ...facts, ...base, files, folders, keptApart: keptApart(env) };
  } finally {
    await stop();
  }
}

async function other(env: Env, url: string, draft: Draft): Promise<Manifest & { kind: 'dump' }> {
  const dumped = await dumpDatabase(await enterable(url), draft);
  return { format: 1, kind: 'dump', ...dumped, keptApart: keptApart(env) };
}

async function note(kind: 'base' | 'dump' | 'other', asOf: string | null): Promise<void> {
  const { url, stop } = await openDatabase(logger);
  await withClient(url, (client) => noteBackup(client, { kind, asOf })).finally(stop);
}

await runTold('No backup was made.', async () => {
  const signal = untilSignal();
  const args = parseArgs({ allowPositionals: true, options: { noted: { type: 'boolean' } } });
  const env = readOwnEnv();
  if (args.values.noted) {
    await note('other', null);
    say('Noted that a backup was made.');
    return exitCodes.done;
  }
  const folder = folderAsked(usage, args);
  if (env.MODE === 'production' && !env.DATABASE_URL) throw new Error('MODE=production needs DATABASE_URL.');
  const made = await writeFolder(folder, signal, async (draft) => {
    const manifest = await (env.DATABASE_URL ? other(env, env.DATABASE_URL, draft) : embedded(env, draft));
    await writeManifest(draft, manifest);
    return manifest;
  });
  const bytes = made.files.reduce((sum, file) => sum + file.bytes, 0);
  say(
    `${resolve(folder)}: schema ${made.schema}, as of ${made.asOf}, ${made.files.length} files, ${Math.ceil(bytes / 1024 / 1024)} MB.`,
  );
  say(`Not in it, and needed: ${made.keptApart.join(', ')}.`);
  await note(made.kind, made.asOf).catch((error) => {
    throw new Unfinished(
      `${resolve(folder)} is whole, but could not be noted in the database. ${error.message}`,
    );
  });
  return exitCodes.done;
});
