import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger as GraphileLogger, runTaskList, type WorkerEvents, type WorkerPool } from 'graphile-worker';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Logger } from '../logger.ts';
import type { Db, Tx } from '../postgres/db.ts';
import { untilDone } from '../postgres/prune.ts';
import { load } from './load.ts';
import { createRollCall, type RollCall } from './roll-call.ts';

export interface Job {
  task: string;
  payload: Record<string, unknown>;
  /** Retries are spaced exponentially; 25 of them span about three days. */
  maxAttempts?: number;
  /** Lower numbers go first. */
  priority?: number;
}

type Task = (job: { payload: unknown; jobId: string; attempt: number }) => Promise<void>;

/** Adds jobs in the caller's transaction: they run if and only if that transaction commits. */
export async function addJobs(tx: Db | Tx, jobs: Job[]): Promise<void> {
  if (jobs.length === 0) return;
  await sql`
    select queue_jobs(
      ${jobs.map(({ task }) => task)}::text[], ${jobs.map(({ payload }) => JSON.stringify(payload))}::json[],
      ${jobs.map(({ maxAttempts = 25 }) => maxAttempts)}::int[], null::timestamptz[],
      ${jobs.map(({ priority = 0 }) => priority)}::int[]
    )`.execute(tx);
}

/** A letter that nobody takes is given up after about three days; for so long someone can still look into it. */
const deadJobsKept = '30 days';

/** Once an hour, as the owner: jobs that have failed for good would stay for good. */
export async function forgetDeadJobs(owner: pg.Pool): Promise<void> {
  await untilDone(async (rowsMax) => {
    const { rowCount } = await owner.query(
      `delete from graphile_worker._private_jobs where id = any(array(
         select id from graphile_worker._private_jobs
         where attempts >= max_attempts and locked_at is null and updated_at < now() - interval '${deadJobsKept}'
         limit $1)) and locked_at is null`,
      [rowsMax],
    );
    return rowCount ?? 0;
  });
}

export async function oldestDueJobSeconds(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`select oldest_due_job_seconds() as seconds`.execute(db);
  return rows[0]?.seconds ?? 0;
}

export interface JobRunner {
  /** Waits for running jobs, but not long; what is not done by then goes back to the queue. */
  stop(): Promise<void>;
}

interface JobRunnerOptions {
  owner: pg.Pool;
  tasks: Record<string, Task>;
  /** What the tasks lean on. When it is away they all rest, for longer and longer, instead of failing one by one. */
  support: { isAway(error: Error): boolean; isBack(): Promise<boolean> };
  logger: Logger;
  /** Told of each job that was run. */
  onRun?(task: string, outcome: 'done' | 'failed'): void;
  /** For a pool that ends by itself to come to its end. */
  endingMsMax?: number;
}

const concurrency = 4;
const stopMsMax = 4_000;
/** Longer than a letter can take whose mail server hangs. */
const usualEndingMsMax = 60_000;
/** A letter costs as much as twenty investments: while so many requests are worked on it waits, and not for long. */
const quietRequests = 16;
const giveWayMs = { look: 50, longest: 1_000 };
const pauseMs = { first: 1_000, longest: 60_000 };

/** Runs jobs until it is stopped: a pool of workers that ends, because the database went away, is followed by another. */
export function startJobs(options: JobRunnerOptions): JobRunner {
  const stopping = new AbortController();
  const rollCall = createRollCall(options);
  const ended = keepWorking(options, rollCall, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await ended;
      await rollCall.stop();
    },
  };
}

async function keepWorking(
  options: JobRunnerOptions,
  rollCall: RollCall,
  signal: AbortSignal,
): Promise<void> {
  const { logger, support } = options;
  let failures = 0;
  while (!signal.aborted) {
    const { why, didSomething } = await workUntilItEnds(options, rollCall, signal);
    if (why === 'stopped') return;
    failures = didSomething ? 0 : failures + 1;
    let restMs = Math.min(pauseMs.first * 2 ** failures, pauseMs.longest);
    do {
      logger.warn({ why, restMs }, 'jobs rest for a while');
      await rest(restMs, signal);
      restMs = Math.min(restMs * 2, pauseMs.longest);
    } while (why === 'support is away' && !signal.aborted && !(await support.isBack()));
  }
}

const rest = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal }).catch(() => {});

interface Ended {
  why: 'stopped' | 'support is away' | 'failed';
  didSomething: boolean;
}

async function workUntilItEnds(
  { owner, tasks, support, logger, onRun, endingMsMax = usualEndingMsMax }: JobRunnerOptions,
  rollCall: RollCall,
  signal: AbortSignal,
): Promise<Ended> {
  const events = new EventEmitter() as WorkerEvents;
  const outcome = { isAway: false, didSomething: false };
  events.on('job:success', ({ job }) => {
    outcome.didSomething = true;
    onRun?.(job.task_identifier, 'done');
  });
  events.on('job:error', ({ error, worker, job }) => {
    onRun?.(job.task_identifier, 'failed');
    if (outcome.isAway || !support.isAway(error as Error)) return;
    outcome.isAway = true;
    void endPool(worker.workerPool);
  });
  endWhenUnsure(events, owner, signal);
  // It ends when one of its workers was cut off from the database, and may then wait for another for ever.
  const late = Promise.withResolvers<boolean>();
  events.on('pool:gracefulShutdown', () => setTimeout(late.resolve, endingMsMax, true).unref());
  const pool = runTaskList(
    {
      concurrency,
      noHandleSignals: true,
      pollInterval: 1000,
      events,
      logger: quietLogger(logger),
      preset: {
        // Gathered for no time at all, but gathered: alone, the library would not wait for a job to be noted as done,
        // and a database that is away just then would end the process.
        worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 },
        plugins: [joining(rollCall, signal)],
      },
    },
    taskList(tasks),
    owner,
  );
  const end = () => {
    void endPool(pool);
    setTimeout(late.resolve, stopMsMax, false).unref();
  };
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const ended = pool.promise.then(
    () => false,
    (error) => {
      logger.warn({ err: error }, 'the pool of workers ended');
      return true;
    },
  );
  const failed = await Promise.race([ended, late.promise]);
  signal.removeEventListener('abort', end);
  await rollCall
    .leave(pool.id)
    .catch((error) => logger.debug({ err: error }, 'the pool could not be signed off'));
  const { isAway, didSomething } = outcome;
  return { why: signal.aborted ? 'stopped' : isAway && !failed ? 'support is away' : 'failed', didSomething };
}

/**
 * One that failed to look for a job may have been given one and not have heard of it: what a living pool holds nobody takes
 * away. And the library looks up its tasks once and remembers what came of it: where the database went away in that moment,
 * it fails with that for ever. So such a pool is ended as soon as the database answers, and another follows.
 */
function endWhenUnsure(events: WorkerEvents, owner: pg.Pool, signal: AbortSignal): void {
  let isUnsure = false;
  events.on('worker:getJob:error', async ({ worker }) => {
    if (isUnsure) return;
    isUnsure = true;
    const answers = () =>
      owner.query('select').then(
        () => true,
        () => false,
      );
    while (!signal.aborted && !(await answers())) await rest(pauseMs.first, signal);
    await endPool(worker.workerPool);
  });
}

async function endPool(pool: WorkerPool): Promise<void> {
  try {
    await pool.gracefulShutdown();
  } catch {
    // How it ended is told by the pool's own promise.
  }
}

/** No worker takes a job before its pool is on the roll: what it held would be given away. */
function joining(rollCall: RollCall, signal: AbortSignal): GraphileConfig.Plugin {
  let joined: Promise<void> | undefined;
  async function join(poolId: string): Promise<void> {
    while (!signal.aborted) {
      const isDone = await rollCall.join(poolId).then(
        () => true,
        () => false,
      );
      if (isDone) return;
      await rest(pauseMs.first, signal);
    }
  }
  return {
    name: 'RollCallPlugin',
    version: '1.0.0',
    worker: {
      hooks: {
        startWorker(_context, { worker: { workerPool } }) {
          joined ??= join(workerPool.id);
          return joined;
        },
      },
    },
  };
}

function quietLogger(logger: Logger): GraphileLogger {
  return new GraphileLogger((scope) => (level, message) => {
    // The library reports every step at info; only its troubles belong in ours.
    if (level === 'error' || level === 'warning') logger.warn({ scope }, message);
    else logger.debug({ scope }, message);
  });
}

export async function giveWay(): Promise<void> {
  const giveUpAt = performance.now() + giveWayMs.longest;
  while (load.requests > quietRequests && performance.now() < giveUpAt) await delay(giveWayMs.look);
}

function taskList(tasks: Record<string, Task>) {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      async (payload: unknown, { job }: { job: { id: string; attempts: number } }) => {
        await giveWay();
        return task({ payload, jobId: job.id, attempt: job.attempts });
      },
    ]),
  );
}
