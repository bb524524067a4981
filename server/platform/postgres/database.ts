import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { openEmbeddedDatabase } from '../embedded-postgres/embedded-database.ts';
import type { Logger } from '../logger.ts';
import { ensureAppLogin, refusePowerfulLogin } from './app-login.ts';
import { type Db, isDatabaseAway, openApp, openOwner, tryConnecting } from './db.ts';
import { refuseUnfitDatabase } from './demands.ts';
import { type Mode, markInstallation, refuseForeignDatabase, type SamplePeople } from './installation.ts';
import { migrate } from './migrate.ts';

interface DatabaseNeeds {
  /** Undefined means the embedded one, in `dataDir`. */
  databaseUrl: string | undefined;
  databaseAppUrl: string | undefined;
  dataDir: string;
  /** From which the password of the server's login follows. */
  secret: Buffer;
  durable: boolean;
  mode: Mode;
  samplePeople: SamplePeople;
  logger: Logger;
  /** Told how long the writing of each movement of money took, until it was acknowledged. */
  onCommit?(seconds: number): void;
  signal?: AbortSignal | undefined;
}

interface Database {
  /** Owns the tables: migrations and the job queue. */
  owner: pg.Pool;
  /** Everything else, as someone who owns nothing. */
  db: Db;
  embeddedDataDir: string | null;
  /** Comes true when the embedded database cannot be kept running. */
  lost: Promise<Error>;
  close(): Promise<void>;
}

/** A database that is there, fit, up to date and entered with no more rights than needed; or a refusal that says why not. */
export async function openDatabase(needs: DatabaseNeeds): Promise<Database> {
  const { databaseAppUrl, durable, secret, logger, signal } = needs;
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const embedded = needs.databaseUrl ? null : await openEmbeddedDatabase(needs);
    if (embedded) closers.push(embedded.stop);
    const databaseUrl = needs.databaseUrl ?? embedded?.url ?? '';
    await waitForDatabase(databaseUrl, logger, signal);
    const owner = openOwner(databaseUrl, logger);
    closers.push(() => owner.end());
    const ownersName = await refuseUnfitDatabase(owner, {
      durable,
      hasOwnLogin: databaseAppUrl !== undefined,
    });
    // Nothing is written to a database before it is known to be ours.
    const installation = { owner, mode: needs.mode, samplePeople: needs.samplePeople };
    await refuseForeignDatabase(installation);
    const wayOut =
      needs.mode === 'demo' && embedded ? ` Delete ${needs.dataDir}: sample data is made anew.` : '';
    const appUrl = await migrate(
      owner,
      async (client) => databaseAppUrl ?? ensureAppLogin(client, { databaseUrl, secret, logger }),
      wayOut,
    );
    await markInstallation(installation);
    const db = openApp(appUrl, logger, needs);
    closers.push(() => db.destroy());
    await refusePowerfulLogin(db, { ownersName, durable });
    signal?.throwIfAborted();
    return {
      owner,
      db,
      close,
      embeddedDataDir: embedded?.dataDir ?? null,
      lost: embedded?.lost ?? new Promise(() => {}),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const waitMsMax = 60_000;
const retryMs = 500;
const tellAgainMs = 5_000;
/** A wrong name, password or database, or no right to enter: waiting changes nothing. */
const refusal = /^(28|3D|42)/;

/** After a power cut the server is often up before its database; a wrong address or password is told at once. */
export async function waitForDatabase(
  databaseUrl: string,
  logger: Logger,
  signal?: AbortSignal,
  msMax = waitMsMax,
): Promise<void> {
  const begun = performance.now();
  let toldAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    signal?.throwIfAborted();
    const error = await tryConnecting(databaseUrl);
    if (!error) return;
    const waitedMs = performance.now() - begun;
    const { message, errors } = error as Error & { errors?: Error[] };
    const why = message || errors?.[0]?.message;
    if (refusal.test(error.code ?? '') || !isDatabaseAway(error)) {
      throw new Error(`The database does not let us in: ${why}`);
    }
    if (waitedMs >= msMax) {
      throw new Error(`The database did not answer within ${Math.round(msMax / 1000)} seconds: ${why}`);
    }
    if (performance.now() - toldAt >= tellAgainMs) {
      logger.warn({ why, waitedSeconds: Math.round(waitedMs / 1000) }, 'waiting for the database');
      toldAt = performance.now();
    }
    await delay(retryMs, undefined, { signal });
  }
}
