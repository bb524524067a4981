import { Logger as GraphileLogger, run } from 'graphile-worker';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Db, Tx } from './db.ts';
import type { Logger } from './logger.ts';

export interface Job {
  task: string;
  payload: Record<string, unknown>;
  /** Retries are spaced exponentially; 25 of them span about three days. */
  maxAttempts?: number;
  runAt?: Date;
  /** Lower numbers go first. */
  priority?: number;
}

export type Task = (job: { payload: unknown; jobId: string }) => Promise<void>;

/** Adds jobs in the caller's transaction: they run if and only if that transaction commits. */
export async function addJobs(tx: Db | Tx, jobs: Job[]): Promise<void> {
  if (jobs.length === 0) return;
  await sql`
    select queue_jobs(
      ${jobs.map(({ task }) => task)}::text[], ${jobs.map(({ payload }) => JSON.stringify(payload))}::json[],
      ${jobs.map(({ maxAttempts = 25 }) => maxAttempts)}::int[], ${jobs.map(({ runAt = null }) => runAt)}::timestamptz[],
      ${jobs.map(({ priority = 0 }) => priority)}::int[]
    )`.execute(tx);
}

export async function oldestDueJobSeconds(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`select oldest_due_job_seconds() as seconds`.execute(db);
  return rows[0]?.seconds ?? 0;
}

export interface JobRunner {
  stop(): Promise<void>;
}

interface JobRunnerOptions {
  owner: pg.Pool;
  tasks: Record<string, Task>;
  /** Lines of a crontab, for what happens by the clock. */
  crontab: string;
  logger: Logger;
}

export async function startJobs({ owner, tasks, crontab, logger }: JobRunnerOptions): Promise<JobRunner> {
  const runner = await run({
    pgPool: owner,
    concurrency: 4,
    noHandleSignals: true,
    pollInterval: 1000,
    crontab,
    logger: new GraphileLogger((scope) => (level, message) => {
      // The library reports every step at info; only its troubles belong in ours.
      if (level === 'error' || level === 'warning') logger.warn({ scope }, message);
      else logger.debug({ scope }, message);
    }),
    taskList: Object.fromEntries(
      Object.entries(tasks).map(([name, task]) => [
        name,
        (payload: unknown, { job }: { job: { id: string } }) => task({ payload, jobId: job.id }),
      ]),
    ),
  });
  return { stop: () => runner.stop() };
}
