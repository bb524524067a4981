/**
 * Brings back what `npm run backup` has made: of the embedded database into a DATA_DIR that is not there yet, of another
 * into an empty database that DATABASE_URL names. Looks at everything first, touches nothing that is there, and checks the
 * books at the end. Exit codes: docs/operations.md.
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readEnv } from '../config/env.ts';
import { refuseRestoringDump, restoreDump } from '../platform/backup/dump.ts';
import { demandWhole, type Manifest, readManifest, refuseNewer } from '../platform/backup/manifest.ts';
import { exitCodes, Refusal } from '../platform/backup/refusal.ts';
import { refuseRestoringBase, restoreBase } from '../platform/backup/restore-base.ts';
import { createLogger } from '../platform/logger.ts';
import { readMigrations } from '../platform/postgres/migrate.ts';
import { checkBooks } from './check-books.ts';
import { folderAsked, runTold, say, untilSignal } from './told.ts';

// What there is to say is said below, in plain words.
const logger = createLogger('silent');
const usage =
  'npm run restore -- <folder of a backup>, and --checkpoint <file> with the newest log/checkpoint that was kept apart';

/**
 * The restored database may be older than what was signed, and nothing in it can tell. So the log is not signed before
 * somebody has said what was signed last: this is no checkpoint, and the server stops at it.
 */
const unknownCheckpoint = (asOf: string) =>
  `Restored from a backup as of ${asOf}. Put the newest log/checkpoint of this log in the place of this file;
docs/operations.md, Restore, says what to do when there is none.
`;

async function putCheckpoint(dataDir: string, given: string | undefined, { asOf }: Manifest): Promise<void> {
  const path = join(dataDir, 'log', 'checkpoint');
  if (given === undefined && existsSync(path)) return;
  await mkdir(dirname(path), { recursive: true });
  if (given !== undefined) await copyFile(given, path);
  else await writeFile(path, unknownCheckpoint(asOf), { flag: 'wx' });
}

await runTold('Nothing was restored.', async () => {
  const signal = untilSignal();
  const args = parseArgs({ allowPositionals: true, options: { checkpoint: { type: 'string' } } });
  const folder = resolve(folderAsked(usage, args));
  const { checkpoint } = args.values;
  if (checkpoint !== undefined && !existsSync(checkpoint)) {
    throw new Refusal('failed', `There is no file ${checkpoint}.`);
  }
  if (existsSync('.env')) process.loadEnvFile('.env');
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = readEnv(process.env);
  const manifest = await readManifest(folder);
  const known = await readMigrations();
  refuseNewer(manifest, known);
  const look = async (url: string) => {
    if (manifest.migrations.length < known.length) {
      say(
        'The backup is of an older version; the books are checked when the server has brought it up to date.',
      );
      return true;
    }
    return checkBooks(url, logger);
  };
  let agrees: boolean;
  if (manifest.kind === 'base') {
    if (databaseUrl) {
      throw new Refusal(
        'failed',
        'This is a backup of an embedded database: restore it into a DATA_DIR, without DATABASE_URL; npm run export and import take it to another.',
      );
    }
    const restoring = { folder, manifest, dataDir: resolve(dataDir), signal, logger };
    await refuseRestoringBase(restoring);
    await demandWhole(folder, manifest);
    agrees = await restoreBase(restoring, {
      look,
      finish: (dir) => putCheckpoint(dir, checkpoint, manifest),
    });
  } else if (manifest.kind === 'dump') {
    if (!databaseUrl) {
      throw new Refusal(
        'failed',
        'This is a backup of a database of your own: name an empty one in DATABASE_URL.',
      );
    }
    await refuseRestoringDump(databaseUrl, manifest);
    await demandWhole(folder, manifest);
    await restoreDump(databaseUrl, folder, signal);
    await putCheckpoint(resolve(dataDir), checkpoint, manifest);
    agrees = await look(databaseUrl);
  } else throw new Refusal('failed', 'This was made by npm run export: npm run import takes it.');
  say(
    `Restored: schema ${manifest.schema}, as of ${manifest.asOf}. Start the server on ${databaseUrl ? 'this database' : resolve(dataDir)}.`,
  );
  say(`Needed besides: ${manifest.keptApart.join(', ')}.`);
  if (checkpoint === undefined) {
    say('The public log is not signed until log/checkpoint is there: docs/operations.md, Restore.');
  }
  return agrees ? exitCodes.done : exitCodes.booksDisagree;
});
