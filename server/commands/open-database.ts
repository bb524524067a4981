import { readOwnEnv } from '../config/env.ts';
import { visitEmbeddedDatabase } from '../platform/embedded-postgres/embedded-database.ts';
import type { Logger } from '../platform/logger.ts';

/** The database that the server of this folder has, whether or not one is running. */
export async function openDatabase(logger: Logger): Promise<{ url: string; stop(): Promise<void> }> {
  const { MODE, DATABASE_URL, DATA_DIR } = readOwnEnv();
  if (DATABASE_URL) return { url: DATABASE_URL, stop: async () => {} };
  if (MODE === 'production') throw new Error('MODE=production needs DATABASE_URL.');
  return visitEmbeddedDatabase({ dataDir: DATA_DIR, logger });
}
