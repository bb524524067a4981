import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { openEmbeddedDatabase } from '../embedded-postgres/embedded-database.ts';
import type { Logger } from '../logger.ts';
import { NotNow, StartRefusal } from '../start-refusal.ts';
import { ensureAppLogin, refusePowerfulLogin, whyNotOurLogin } from './app-login.ts';
import { type DatabaseError, isConnectionLost, isDatabaseAway } from './away.ts';
import { type Db, openApp, openOwner } from './db.ts';
import { refuseUnfitDatabase } from './demands.ts';
import {
  emptyUnfinished,
  type Mode,
  markInstallation,
  refuseForeignDatabase,
  refuseForeignSecret,
  refuseOtherDatabase,
  type SamplePeople,
} from './installation.ts';
import { migrate } from './migrate.ts';
import { mayOnlyReadCode, tryConnecting } from './pool/connection.ts';
import { isBehindPooler } from './pool/pool.ts';

interface DatabaseNeeds {
  /** Undefined means the embedded one, in `dataDir`. */
  databaseUrl: string | undefined;
  databaseAppUrl: string | undefined;
  dataDir: string;
  /** From which the password of the server's login follows. */
  secret: Buffer;
  /** Opens what the secret has sealed in this database, or throws. */
  unseal(sealed: string): string;
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
  /** Who that is, and where. */
  appUrl: string;
  embeddedDataDir: string | null;
  /** Comes true when the embedded database cannot be kept running. */
  lost: Promise<Error>;
  close(): Promise<void>;
}

/** A database that is there, fit, up to date and entered with no more rights than needed; or a refusal that says why not. */
export async function openDatabase(needs: DatabaseNeeds): Promise<Database> {
  const { signal } = needs;
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const embedded = needs.databaseUrl ? null : await openEmbeddedDatabase(needs);
    if (embedded) closers.push(embedded.stop);
    const databaseUrl = needs.databaseUrl ?? embedded?.url ?? '';
    const wayOut =
      needs.mode === 'demo' && embedded ? ` Delete ${needs.dataDir}: sample data is made anew.` : '';
    const entered = await enterWhenThere(databaseUrl, needs, wayOut);
    closers.push(entered.close);
    signal?.throwIfAborted();
    return {
      owner: entered.owner,
      db: entered.db,
      appUrl: entered.appUrl,
      close,
      embeddedDataDir: embedded?.dataDir ?? null,
      lost: embedded?.lost ?? new Promise(() => {}),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Entered = Pick<Database, 'owner' | 'db' | 'appUrl' | 'close'>;

async function enter(databaseUrl: string, needs: DatabaseNeeds, wayOut: string): Promise<Entered> {
  const { databaseAppUrl, durable, secret, logger, signal } = needs;
  const owner = openOwner(databaseUrl, logger, { durable });
  let db: Db | null = null;
  const close = async () => {
    await db?.destroy();
    await owner.end();
  };
  try {
    const wanted = { durable, hasOwnLogin: databaseAppUrl !== undefined };
    const { ownersName, warnings } = await refuseUnfitDatabase(owner, wanted);
    for (const warning of warnings) logger.warn(warning);
    // Nothing is written to a database before it is known to be ours. Whose it is is marked before its login is made: who
    // found another's login finds its mark, too, and is told that first.
    const installation = { owner, mode: needs.mode, samplePeople: needs.samplePeople };
    const isAlone = needs.databaseUrl === undefined;
    const othersLogin =
      databaseAppUrl || isAlone ? null : await whyNotOurLogin(owner, { databaseUrl, secret });
    await refuseForeignDatabase(installation);
    if (needs.mode === 'demo' && !othersLogin) await emptyUnfinished(owner, logger, signal);
    await refuseForeignSecret(owner, needs.unseal);
    if (othersLogin) throw othersLogin;
    const alongside = async (client: pg.PoolClient) => {
      await markInstallation(installation);
      return databaseAppUrl ?? ensureAppLogin(client, { databaseUrl, secret, logger, isAlone });
    };
    const appUrl = await migrate(owner, alongside, { wayOut, logger, signal });
    if (databaseAppUrl) await waitForDatabase(databaseAppUrl, logger, signal, { name: 'DATABASE_APP_URL' });
    const shared = databaseAppUrl !== undefined && (await isBehindPooler(databaseAppUrl));
    db = openApp(appUrl, logger, { ...needs, shared });
    if (databaseAppUrl) await refuseOtherDatabase(owner, db);
    await refusePowerfulLogin(db, { ownersName, durable });
    return { owner, db, appUrl, close };
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

const isStandby = ({ code }: DatabaseError) => code === mayOnlyReadCode;
/** While one node takes over from another, an address leads to a standby for some seconds. */
const mayPass = (error: DatabaseError) => isConnectionLost(error) || isStandby(error);
const standing = () =>
  new NotNow(
    'The database is a standby, which takes no writes: name the primary in DATABASE_URL, or SELECT pg_promote();',
  );

/** One that crashes while it is being entered is waited for, like one that is not there yet. */
async function enterWhenThere(databaseUrl: string, needs: DatabaseNeeds, wayOut: string): Promise<Entered> {
  const { logger, signal } = needs;
  for (const giveUpAt = performance.now() + waitMsMax; ; ) {
    await waitForDatabase(databaseUrl, logger, signal);
    try {
      return await enter(databaseUrl, needs, wayOut);
    } catch (error) {
      if (error instanceof StartRefusal || !mayPass(error as DatabaseError)) throw error;
      if (performance.now() > giveUpAt) throw isStandby(error as DatabaseError) ? standing() : error;
      logger.warn({ why: (error as Error).message }, 'the database went away while it was being opened');
    }
    await delay(retryMs, undefined, { signal });
  }
}

/** After a power cut the server is often up before its database; a wrong address or password is told at once. */
export async function waitForDatabase(
  databaseUrl: string,
  logger: Logger,
  signal?: AbortSignal,
  { name = 'DATABASE_URL', msMax = waitMsMax } = {},
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
      throw new StartRefusal(`${name}: the database does not let us in: ${why}`);
    }
    if (waitedMs >= msMax) {
      throw new NotNow(
        `${name}: the database did not answer within ${Math.round(msMax / 1000)} seconds: ${why}`,
      );
    }
    if (performance.now() - toldAt >= tellAgainMs) {
      logger.warn({ why, waitedSeconds: Math.round(waitedMs / 1000) }, 'waiting for the database');
      toldAt = performance.now();
    }
    await delay(retryMs, undefined, { signal });
  }
}
