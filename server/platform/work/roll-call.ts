import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../logger.ts';

/** A namespace of our own for advisory locks; the second key is the pool's. */
const lockSpace = 7_315_115;
/** Rounds are two beats apart, so that whoever lives has beaten in between. */
const usualPace = { beatMs: 5_000, roundMs: 10_000 };
/** Whoever lives has a session again and has beaten by the second round, also when the database has just started. */
const absentRoundsMax = 2;
/** Frozen or cut off. With the first round to notice, under a minute. */
const silentRoundsMax = 3;

/**
 * Says to the other servers that this one's pool of workers lives, and gives back the jobs of pools that do not.
 *
 * A living pool counts up its row and holds a lock for as long as its session lasts. Without the lock and without a beat
 * for two rounds, its process is gone; with the lock but silent for longer, it is frozen or cut off, and its session may
 * last for hours. Beats are compared with what was seen before, so no clock is asked and none can be wrong. A starting
 * server has seen nothing yet: it takes for gone whoever has no lock in the run of the database that heard its last beat.
 */
export function createRollCall({ owner, logger }: { owner: pg.Pool; logger: Logger }, pace = usualPace) {
  const members = new Set<string>();
  /** Ended here, and perhaps while the database was away. */
  const leaving = new Set<string>();
  const seen = new Map<string, { beats: string; silentRounds: number; absentRounds: number }>();
  let session: pg.PoolClient | null = null;
  let busy: Promise<void> = Promise.resolve();
  let isFirstRound = true;

  /** One thing at a time on the one session; what fails costs the session, and the next one begins anew. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const turn = busy.then(work).catch((error) => {
      session?.release(true);
      session = null;
      throw error;
    });
    busy = turn.catch(() => {});
    return turn;
  }

  async function openSession(): Promise<pg.PoolClient> {
    if (session) return session;
    const fresh = await owner.connect();
    // Ended by the database: the pool hears the error, too, and the next turn fails and opens another.
    session = fresh;
    for (const id of members) await lock(fresh, id);
    return fresh;
  }

  async function signOff(): Promise<void> {
    const gone = [...leaving];
    if (gone.length === 0) return;
    const client = await openSession();
    await giveBack(client, gone);
    for (const id of gone) {
      await client.query('select pg_advisory_unlock($1, hashtext($2))', [lockSpace, id]);
      leaving.delete(id);
    }
  }

  async function beat(): Promise<void> {
    await signOff();
    if (members.size === 0) return;
    const client = await openSession();
    // A pool that was frozen and taken for dead simply counts as living again.
    await client.query(
      `insert into job_pools (id, beats) select id, 1 from unnest($1::text[]) as pool (id)
       on conflict (id) do update set beats = job_pools.beats + 1, heard_since = default`,
      [[...members]],
    );
  }

  async function round(): Promise<void> {
    const client = await openSession();
    const pools = await others(client, [...members]);
    const dead = new Set<string>();
    for (const { id, beats, hasSession, heardInThisRun } of pools) {
      const known = seen.get(id);
      const before = known?.beats === beats ? known : { silentRounds: -1, absentRounds: 0 };
      const silentRounds = before.silentRounds + 1;
      const absentRounds = hasSession ? 0 : before.absentRounds + 1;
      seen.set(id, { beats, silentRounds, absentRounds });
      const isGone = absentRounds >= (isFirstRound && heardInThisRun ? 1 : absentRoundsMax);
      if (isGone || silentRounds >= silentRoundsMax) dead.add(id);
    }
    for (const id of seen.keys()) if (!pools.some((pool) => pool.id === id)) seen.delete(id);
    isFirstRound = false;
    const count = await giveBack(client, [...dead]);
    if (count > 0) logger.warn({ jobs: count }, 'jobs of a server that is gone were given back');
    await mendTimes(client);
  }

  const stopping = new AbortController();
  /** Counted from the end of one to the beginning of the next: rounds that were held up do not follow in a rush. */
  async function again(everyMs: number, work: () => Promise<void>): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      await delay(everyMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      await inTurn(work).catch((error) => logger.debug({ err: error }, 'the roll could not be called'));
    }
  }
  const loops = [again(pace.beatMs, beat), again(pace.roundMs, round)];

  return {
    /** Before the pool takes its first job. */
    async join(id: string): Promise<void> {
      await inTurn(async () => {
        const client = await openSession();
        await lock(client, id);
        members.add(id);
        await beat();
        if (isFirstRound) await round();
      });
    },

    /** What the pool still holds goes back to the queue: now, or as soon as the database is there again. */
    async leave(id: string): Promise<void> {
      members.delete(id);
      leaving.add(id);
      await inTurn(signOff);
    },

    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all([...loops, busy]);
      session?.release(true);
      session = null;
    },
  };
}

export type RollCall = ReturnType<typeof createRollCall>;

async function lock(client: pg.PoolClient, id: string): Promise<void> {
  await client.query('select pg_advisory_lock($1, hashtext($2))', [lockSpace, id]);
}

interface Pool {
  id: string;
  beats: string;
  hasSession: boolean;
  heardInThisRun: boolean;
}

async function others(client: pg.PoolClient, members: string[]): Promise<Pool[]> {
  const { rows } = await client.query<Pool>(
    `select id, beats::text, not pg_try_advisory_xact_lock($2, hashtext(id)) as "hasSession",
       heard_since = pg_postmaster_start_time() as "heardInThisRun"
     from job_pools where id <> all($1::text[])`,
    [members, lockSpace],
  );
  return rows;
}

/** Also of pools that never said they were there: an older version's, which are given a minute. */
async function giveBack(client: pg.PoolClient, dead: string[]): Promise<number> {
  const { rows: held } = await client.query<{ pool: string }>(
    `select locked_by as pool from graphile_worker.jobs where locked_by = any($1::text[])
       or (locked_by is not null and not locked_at between now() - interval '1 minute' and now()
         and not exists (select from job_pools where job_pools.id = locked_by))`,
    [dead],
  );
  await client.query('select graphile_worker.force_unlock_workers($1::text[])', [
    held.map(({ pool }) => pool),
  ]);
  await client.query('delete from job_pools where id = any($1::text[])', [dead]);
  return held.length;
}

/**
 * A job waits for its next try at most as long as the queue makes it wait. One that would wait longer was queued or
 * tried while the database's clock was ahead: it is due.
 */
async function mendTimes(client: pg.PoolClient): Promise<void> {
  await client.query(
    `select graphile_worker.reschedule_jobs(array(
       select id from graphile_worker.jobs
       where locked_at is null and run_at > now() + interval '1 minute' + exp(least(attempts, 10)) * interval '1 second'
     ), run_at := now())`,
  );
}
