import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import type pg from 'pg';
import { lastBackup } from '../backup/last-backup.ts';
import type { Clock } from '../clock.ts';
import { type Db, poolsOf } from '../postgres/db.ts';
import { standbysOf } from '../postgres/demands.ts';
import type { Reads } from '../postgres/replica/reads.ts';
import { oldestDueJobSeconds } from '../work/jobs.ts';
import type { Figures } from './figures.ts';

interface OwnNeeds {
  db: Db;
  owner: pg.Pool;
  reads: Pick<Reads, 'pool' | 'health'>;
  clock: Clock;
  config: { dataDir: string };
}

/** Of connections to the database, which are told without asking it. */
function addPools(figures: Figures, { db, owner, reads: { pool: replica } }: OwnNeeds): void {
  const { app, money } = poolsOf(db);
  // As they are before the other parts are asked: their questions take connections, too.
  const ask = () =>
    Object.entries({ app, money, owner, replica }).flatMap(([pool, of]) => {
      if (!of) return [];
      const { totalCount: open, idleCount: idle, waitingCount: waiting, options } = of;
      return [{ pool, inUse: open - idle, idle, waiting, size: options.max ?? Number.NaN }];
    });
  type Told = ReturnType<typeof ask>;
  const each = (of: (pool: Told[number]) => number) => (pools: Told) =>
    pools.map((pool) => [{ pool: pool.pool }, of(pool)] as const);
  figures.add({
    name: 'pools',
    ask,
    figures: [
      {
        name: 'tallystick_pool_in_use',
        help: 'Connections to the database that somebody works on.',
        labels: ['pool'],
        of: each(({ inUse }) => inUse),
      },
      {
        name: 'tallystick_pool_idle',
        help: 'Connections that are open and free.',
        labels: ['pool'],
        of: each(({ idle }) => idle),
      },
      {
        name: 'tallystick_pool_waiting',
        help: 'How many wait for a connection. More than none for long means that all of them are too slow or too few.',
        labels: ['pool'],
        of: each(({ waiting }) => waiting),
      },
      {
        name: 'tallystick_pool_size',
        help: 'How many connections there can be.',
        labels: ['pool'],
        of: each(({ size }) => size),
      },
    ],
  });
}

function addReplica(figures: Figures, { reads }: OwnNeeds): void {
  figures.add({
    name: 'replica',
    ask: reads.health,
    figures: [
      {
        name: 'tallystick_replica_fit',
        help: '1 when the replica may be read, 0 when the primary answers all. NaN means that no replica is named.',
        of: ({ isFit }) => (isFit === null ? null : Number(isFit)),
      },
      {
        name: 'tallystick_replica_behind_bytes',
        help: 'How much the primary has written that the replica has not. NaN means that there is none, or it does not say.',
        of: ({ behindBytes }) => behindBytes,
      },
    ],
  });
}

/** Of the disk that a folder is on, or will be once it is made. */
async function diskOf(folder: string): Promise<StatsFs> {
  try {
    return await statfs(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error;
    return diskOf(dirname(folder));
  }
}

function addDisk(figures: Figures, { config }: OwnNeeds): void {
  figures.add({
    name: 'disk',
    ask: () => diskOf(config.dataDir),
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

async function askDatabase(db: Db) {
  const { rows } = await sql<{ bytes: bigint; standbys: string }>`
    select pg_database_size(current_database()) as bytes,
      current_setting('synchronous_standby_names') as standbys`.execute(db);
  return { bytes: Number(rows[0]?.bytes), standbys: standbysOf(rows[0]?.standbys ?? '') };
}

function addDatabase(figures: Figures, { db, clock }: OwnNeeds): void {
  figures.add({
    name: 'database',
    async ask() {
      return {
        ...(await askDatabase(db)),
        backupAt: await lastBackup(db),
        oldestDueSeconds: await oldestDueJobSeconds(db),
      };
    },
    figures: [
      {
        name: 'tallystick_database_size_bytes',
        help: 'How large the database is.',
        of: ({ bytes }) => bytes,
      },
      {
        name: 'tallystick_synchronous_standbys',
        help: 'How many standbys must have a commit before it is acknowledged. 0 on a machine that is alone.',
        of: ({ standbys }) => standbys.count,
      },
      {
        name: 'tallystick_synchronous_anyone',
        help: '1 when whatever replicates may acknowledge: synchronous_standby_names is *.',
        of: ({ standbys }) => (standbys.isAnyone ? 1 : 0),
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

/** What the platform itself tells: connections, replica, disk, database. */
export function addOwnFigures(figures: Figures, needs: OwnNeeds): void {
  addPools(figures, needs);
  addReplica(figures, needs);
  addDisk(figures, needs);
  addDatabase(figures, needs);
}
