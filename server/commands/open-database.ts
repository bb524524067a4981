import { readOwnEnv } from '../config/env.ts';
import { visitEmbeddedDatabase } from '../platform/embedded-postgres/embedded-database.ts';
import type { Logger } from '../platform/logger.ts';
import { tryConnecting } from '../platform/postgres/pool/connection.ts';

/** The same address, or why it leads nowhere, with the name of what has to be changed. */
export async function enterable(databaseUrl: string): Promise<string> {
  const error = await tryConnecting(databaseUrl);
  if (!error) return databaseUrl;
  const { message, errors } = error as Error & { errors?: Error[] };
  throw new Error(`DATABASE_URL: the database does not let us in: ${message || errors?.[0]?.message}`);
}

/** The database that the server of this folder has, whether or not one is running. */
export async function openDatabase(logger: Logger): Promise<{ url: string; stop(): Promise<void> }> {
  const { MODE, DATABASE_URL, DATA_DIR } = readOwnEnv();
  if (DATABASE_URL) return { url: await enterable(DATABASE_URL), stop: async () => {} };
  if (MODE === 'production') throw new Error('MODE=production needs DATABASE_URL.');
  return visitEmbeddedDatabase({ dataDir: DATA_DIR, logger });
}
