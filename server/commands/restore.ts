/**
 * Brings back what `npm run backup` has made: of the embedded database into a DATA_DIR that is not there yet, of another
 * into an empty database that DATABASE_URL names. Looks at everything first, touches nothing that is there, and checks the
 * books at the end. Exit codes: docs/operations.md.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readOwnEnv } from '../config/env.ts';
import { demandRights, isEmpty, refuseRestoringDump, restoreDump } from '../platform/backup/dump.ts';
import { demandWhole, type Manifest, readManifest, refuseNewer } from '../platform/backup/manifest.ts';
import { exitCodes, Refusal } from '../platform/backup/refusal.ts';
import { type Restoring, refuseRestoringBase, restoreBase } from '../platform/backup/restore-base.ts';
import { createLogger } from '../platform/logger.ts';
import { readMigrations } from '../platform/postgres/migrate.ts';
import { checkBooks } from './check-books.ts';
import { fillGuarded, putCheckpoint, refuseCheckpoint, sayWhetherSigned } from './checkpoint.ts';
import { enterable } from './open-database.ts';
import { folderAsked, runTold, say, untilSignal } from './told.ts';

// What there is to say is said below, in plain words.
const logger = createLogger('silent');
const usage =
  'npm run restore -- <folder of a backup>, and --checkpoint <file> with the newest log/checkpoint that was kept apart';

interface Asked extends Restoring {
  checkpoint: string | undefined;
  look(url: string): Promise<boolean>;
}

/** Answers whether the books agree. */
async function restoreIntoDataDir(restoring: Asked): Promise<boolean> {
  const { folder, manifest, checkpoint, look } = restoring;
  await refuseRestoringBase(restoring);
  await demandWhole(folder, manifest);
  return restoreBase(restoring, { look, finish: (dir) => putCheckpoint(dir, checkpoint, manifest) });
}

async function restoreIntoDatabase(databaseUrl: string, restoring: Asked): Promise<boolean> {
  const { folder, manifest, checkpoint, dataDir, signal, look } = restoring;
  await enterable(databaseUrl);
  await refuseRestoringDump(databaseUrl, manifest);
  await demandWhole(folder, manifest);
  await fillGuarded({
    dataDir,
    checkpoint,
    manifest,
    fill: () => restoreDump(databaseUrl, folder, signal),
    isEmpty: () => isEmpty(databaseUrl),
  });
  await demandRights(databaseUrl);
  return look(databaseUrl);
}

/** Why a backup of this kind does not go there. */
function refuseMisplaced({ kind }: Manifest, databaseUrl: string | undefined): void {
  const why = {
    base: databaseUrl
      ? 'This is a backup of an embedded database: restore it into a DATA_DIR, without DATABASE_URL; npm run export and import take it to another.'
      : null,
    dump: databaseUrl
      ? null
      : 'This is a backup of a database of your own: name an empty one in DATABASE_URL.',
    export: 'This was made by npm run export: npm run import takes it.',
  }[kind];
  if (why) throw new Refusal('failed', why);
}

await runTold('Nothing was restored.', async () => {
  const signal = untilSignal();
  const args = parseArgs({ allowPositionals: true, options: { checkpoint: { type: 'string' } } });
  const folder = resolve(folderAsked(usage, args));
  const { checkpoint } = args.values;
  const { DATA_DIR, DATABASE_URL: databaseUrl } = readOwnEnv();
  const dataDir = resolve(DATA_DIR);
  refuseCheckpoint(checkpoint, dataDir);
  const manifest = await readManifest(folder);
  refuseMisplaced(manifest, databaseUrl);
  const known = await readMigrations();
  refuseNewer(manifest, known);
  const look = async (url: string) => {
    if (manifest.migrations.length === known.length) return checkBooks(url, logger);
    say(
      'The backup is of an older version; the books are checked when the server has brought it up to date.',
    );
    return true;
  };
  const restoring = { folder, manifest, dataDir, checkpoint, signal, logger, look };
  const agrees = await (databaseUrl
    ? restoreIntoDatabase(databaseUrl, restoring)
    : restoreIntoDataDir(restoring));
  const where = databaseUrl ? 'this database' : dataDir;
  say(`Restored: schema ${manifest.schema}, as of ${manifest.asOf}. Start the server on ${where}.`);
  say(`Needed besides: ${manifest.keptApart.join(', ')}.`);
  await sayWhetherSigned(dataDir, manifest);
  return agrees ? exitCodes.done : exitCodes.booksDisagree;
});
