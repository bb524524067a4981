/**
 * Writes everything that is in the database into a folder, from which `npm run import` fills another, embedded or not.
 * It works beside a running server; for a move, stop that first. Exit codes: docs/operations.md.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { exportDatabase } from '../platform/backup/export.ts';
import { writeFolder } from '../platform/backup/folder.ts';
import { writeManifest } from '../platform/backup/manifest.ts';
import { exitCodes } from '../platform/backup/refusal.ts';
import { createLogger } from '../platform/logger.ts';
import { openDatabase } from './open-database.ts';
import { folderAsked, runTold, say, untilSignal } from './told.ts';

const usage = 'npm run export -- <folder that is not there yet>';

await runTold('Nothing was exported.', async () => {
  const signal = untilSignal();
  const folder = folderAsked(usage, parseArgs({ allowPositionals: true }));
  const { url, stop } = await openDatabase(createLogger('silent'));
  try {
    const { tables = [], schema } = await writeFolder(folder, signal, async (draft) => {
      const exported = await exportDatabase(url, draft);
      await writeManifest(draft, { format: 1, kind: 'export', keptApart: [], ...exported });
      return exported;
    });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    say(`${resolve(folder)}: schema ${schema}, ${tables.length} tables, ${rows} rows.`);
    say('The secret, the key of the log and log/checkpoint are no part of it: they go with DATA_DIR.');
    return exitCodes.done;
  } finally {
    await stop();
  }
});
