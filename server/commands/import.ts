/**
 * Fills an empty database, embedded or not, with what `npm run export` has written, and checks the books at the end.
 * Exit codes: docs/operations.md.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Env, readOwnEnv } from '../config/env.ts';
import { importDatabase, refuseOther, refuseUsed } from '../platform/backup/import.ts';
import { demandWhole, readManifest, refuseNewer } from '../platform/backup/manifest.ts';
import { exitCodes, Refusal } from '../platform/backup/refusal.ts';
import { openEmbeddedDatabase } from '../platform/embedded-postgres/embedded-database.ts';
import { livingOwner } from '../platform/embedded-postgres/owner.ts';
import { createLogger } from '../platform/logger.ts';
import { openOwner } from '../platform/postgres/db.ts';
import { migrate, readMigrations } from '../platform/postgres/migrate.ts';
import { checkBooks } from './check-books.ts';
import { fillGuarded, sayWhetherSigned } from './checkpoint.ts';
import { enterable } from './open-database.ts';
import { folderAsked, runTold, say } from './told.ts';

// What there is to say is said below, in plain words.
const logger = createLogger('silent');
const usage = 'npm run import -- <folder of an export>';

/** An embedded one is made where there is none. */
async function openTarget({
  MODE,
  DATABASE_URL,
  DATA_DIR,
}: Env): Promise<{ url: string; stop(): Promise<void> }> {
  if (DATABASE_URL) return { url: await enterable(DATABASE_URL), stop: async () => {} };
  if (MODE === 'production') throw new Error('MODE=production needs DATABASE_URL.');
  const dataDir = resolve(DATA_DIR);
  const pid = livingOwner(dataDir);
  if (pid) throw new Refusal('serverRuns', `A server runs on ${dataDir} (process ${pid}): stop it first.`);
  return openEmbeddedDatabase({ dataDir, logger });
}

await runTold('Nothing was imported.', async () => {
  const folder = resolve(folderAsked(usage, parseArgs({ allowPositionals: true })));
  const env = readOwnEnv();
  const manifest = await readManifest(folder);
  if (manifest.kind !== 'export') {
    throw new Refusal('failed', 'This was made by npm run backup: npm run restore takes it.');
  }
  const known = await readMigrations();
  refuseNewer(manifest, known);
  refuseOther(manifest, known);
  await demandWhole(folder, manifest);
  const { url, stop } = await openTarget(env);
  const owner = openOwner(url, logger);
  try {
    await refuseUsed(owner);
    await migrate(owner);
    await fillGuarded({
      dataDir: resolve(env.DATA_DIR),
      checkpoint: undefined,
      manifest,
      fill: () => importDatabase(url, folder, manifest),
      isEmpty: () => refuseUsed(owner).then(() => true),
    });
    say(`Imported: schema ${manifest.schema}, as of ${manifest.asOf}.`);
    await sayWhetherSigned(resolve(env.DATA_DIR), manifest);
    return (await checkBooks(url, logger)) ? exitCodes.done : exitCodes.booksDisagree;
  } finally {
    await owner.end();
    await stop();
  }
});
