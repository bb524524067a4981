import { appendFile, chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { baseBackup } from '../../platform/backup/base-backup.ts';
import { startEmbeddedPostgres } from '../../platform/embedded-postgres/embedded-postgres.ts';
import { packagedNativeDir, settleHome, usualFallbackRoots } from '../../platform/embedded-postgres/home.ts';

const lookMs = 5;

export interface TestReplica {
  /** As superuser, there. */
  admin: pg.Pool;
  /** Where a database of the primary is found on the replica, for the same login. */
  urlOf(primaryUrl: string): string;
  /** Comes back when everything that the primary has written by now is there, too. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

async function giveAll(dir: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  const found = await readdir(dir, { recursive: true });
  for (const path of ['', ...found]) await chown(join(dir, path), uid, gid);
}

/** Saying goodbye, it may be told that the database itself ends. */
const asking = (connectionString: string) =>
  new pg.Pool({ connectionString, max: 1 }).on('connect', (client) => client.on('error', () => {}));

/** A real streaming replica of a PostgreSQL on this machine, made by our own backup: npm's package has no pg_basebackup. */
export async function startReplica(primaryAdminUrl: string): Promise<TestReplica> {
  const logger = pino({ level: 'silent' });
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-replica-'));
  const primary = asking(primaryAdminUrl);
  const { rows } = await primary.query("select current_setting('data_directory') as cluster");
  const home = await settleHome({
    dataDir,
    nativeDir: packagedNativeDir(),
    fallbackRoots: usualFallbackRoots,
    logger,
  });
  const { signal } = new AbortController();
  await baseBackup({
    adminUrl: primaryAdminUrl,
    cluster: rows[0].cluster,
    draft: { dir: home.dataDir, signal },
  });
  const { port, username, password } = new URL(primaryAdminUrl);
  await writeFile(join(home.dataDir, 'postgres-password'), decodeURIComponent(password));
  await writeFile(join(home.cluster, 'standby.signal'), '');
  await appendFile(
    join(home.cluster, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=${username} password=${password}'\n`,
  );
  if (home.runAs) await giveAll(home.cluster, home.runAs);
  const postgres = await startEmbeddedPostgres({ dataDir, logger, durable: false });
  const admin = asking(postgres.adminUrl);
  // It is stopped under its connections, too.
  admin.on('error', () => {});

  return {
    admin,
    urlOf(primaryUrl) {
      const url = new URL(primaryUrl);
      url.port = new URL(postgres.adminUrl).port;
      return url.href;
    },
    async caughtUp() {
      // Nothing is sent that is not on the disk, and a test database takes its time with that.
      await primary.query(
        "begin; set local synchronous_commit = on; select pg_logical_emit_message(true, 'caught up', ''); commit",
      );
      const { rows: asked } = await primary.query('select pg_current_wal_flush_lsn()::text as lsn');
      for (;;) {
        const question = 'select pg_last_wal_replay_lsn() >= $1 as there';
        const { rows: found } = await admin.query(question, [asked[0].lsn]);
        if (found[0].there) return;
        await delay(lookMs);
      }
    },
    async stop() {
      await primary.end();
      await admin.end();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
      await rm(postgres.dataDir, { recursive: true, force: true });
    },
  };
}
