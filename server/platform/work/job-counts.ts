import type pg from 'pg';

export const jobStates = ['due', 'later', 'locked', 'given_up'] as const;

/** The jobs of a task that are in one state. */
export interface JobCount {
  task: string;
  state: (typeof jobStates)[number];
  count: number;
  /** How long the oldest of them has been so: due, or locked by a worker; of the others, how long it has been there. */
  seconds: number;
  /** How long ago the oldest of them was queued. */
  queuedSeconds: number;
}

/** However many wait: whoever is told of so many does not need the rest. */
const countedMax = 100_000;

/** Asked as the owner: nobody else may look into the queue. */
export async function countJobs(owner: pg.Pool | pg.PoolClient): Promise<JobCount[]> {
  const { rows } = await owner.query<JobCount>(`
      select task, state, count(*)::int as count,
        max(extract(epoch from now() - since))::float8 as seconds,
        max(extract(epoch from now() - created_at))::float8 as "queuedSeconds"
      from (
        select task_identifier as task, created_at,
          case when locked_at is not null then 'locked' when attempts >= max_attempts then 'given_up'
            when run_at <= now() then 'due' else 'later' end as state,
          case when locked_at is not null then locked_at
            when attempts < max_attempts and run_at <= now() then run_at else created_at end as since
        from graphile_worker.jobs order by id limit ${countedMax}
      ) as job
      group by task, state`);
  return rows;
}
