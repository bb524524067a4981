import { statfs } from 'node:fs/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { lastBackup } from '../backup/last-backup.ts';
import type { Clock } from '../clock.ts';
import { type Db, poolsOf } from '../postgres/db.ts';
import { oldestDueJobSeconds } from '../work/jobs.ts';
import type { Figures } from './figures.ts';

interface OwnNeeds {
  db: Db;
  owner: pg.Pool;
  clock: Clock;
  config: { dataDir: string };
}

/** Of connections to the database, which are told without asking it. */
function addPools(figures: Figures, { db, owner }: OwnNeeds): void {
  const { app, money } = poolsOf(db);
  const pools = Object.entries({ app, money, owner }).flatMap(([pool, of]) => (of ? [{ pool, of }] : []));
  const each = (of: (pool: pg.Pool) => number) => () =>
    pools.map(({ pool, of: connections }) => [{ pool }, of(connections)] as const);
  figures.add({
    name: 'pools',
    ask: () => pools,
    figures: [
      {
        name: 'tallystick_pool_in_use',
        help: 'Connections to the database that somebody works on.',
        labels: ['pool'],
        of: each(({ totalCount, idleCount }) => totalCount - idleCount),
      },
      {
        name: 'tallystick_pool_idle',
        help: 'Connections that are open and free.',
        labels: ['pool'],
        of: each(({ idleCount }) => idleCount),
      },
      {
        name: 'tallystick_pool_waiting',
        help: 'How many wait for a connection. More than none for long means that all of them are too slow or too few.',
        labels: ['pool'],
        of: each(({ waitingCount }) => waitingCount),
      },
      {
        name: 'tallystick_pool_size',
        help: 'How many connections there can be.',
        labels: ['pool'],
        of: each(({ options }) => options.max ?? Number.NaN),
      },
    ],
  });
}

function addDisk(figures: Figures, { config }: OwnNeeds): void {
  figures.add({
    name: 'disk',
    ask: () => statfs(config.dataDir),
    figures: [
      {
        name: 'tallystick_disk_free_bytes',
        help: 'What is free on the disk of DATA_DIR, where an embedded database is, too.',
        of: ({ bavail, bsize }) => bavail * bsize,
      },
      {
        name: 'tallystick_disk_size_bytes',
        help: 'How large the disk of DATA_DIR is.',
        of: ({ blocks, bsize }) => blocks * bsize,
      },
    ],
  });
}

async function databaseBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: bigint }>`
    select pg_database_size(current_database()) as bytes`.execute(db);
  return Number(rows[0]?.bytes);
}

function addDatabase(figures: Figures, { db, clock }: OwnNeeds): void {
  figures.add({
    name: 'database',
    async ask() {
      const [bytes, backupAt, oldestDueSeconds] = await Promise.all([
        databaseBytes(db),
        lastBackup(db),
        oldestDueJobSeconds(db),
      ]);
      return { bytes, backupAt, oldestDueSeconds };
    },
    figures: [
      {
        name: 'tallystick_database_size_bytes',
        help: 'How large the database is.',
        of: ({ bytes }) => bytes,
      },
      {
        name: 'tallystick_last_backup_seconds',
        help: 'How old the newest backup that was noted is. NaN means that there is none.',
        of: ({ backupAt }) => backupAt && Math.max(0, (clock.now().getTime() - backupAt.getTime()) / 1000),
      },
      {
        name: 'tallystick_oldest_due_job_seconds',
        help: 'How long the oldest due job has waited. Minutes mean that the worker has stopped: nothing matures, no mail leaves.',
        of: ({ oldestDueSeconds }) => oldestDueSeconds,
      },
    ],
  });
}

/** What the platform itself tells: connections, disk, database. */
export function addOwnFigures(figures: Figures, needs: OwnNeeds): void {
  addPools(figures, needs);
  addDisk(figures, needs);
  addDatabase(figures, needs);
}
