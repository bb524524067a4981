import pg from 'pg';
import { expect } from 'vitest';
import { outcomes } from './at-once.ts';
import type { TestApp } from './start-app.ts';

/** Waits until for so many backends of this test's database something is so. */
async function untilBackends({ database }: TestApp, are: string, count: number): Promise<void> {
  // What another role's backend does is shown to a superuser only.
  const admin = new pg.Client({ connectionString: database.adminUrl });
  // Who races this against something else may be done, and the database gone, while it still looks.
  admin.on('error', () => {});
  await admin.connect();
  const counted = async () => {
    const { rowCount } = await admin.query(
      `select from pg_stat_activity where datname = current_database() and ${are}`,
    );
    return rowCount;
  };
  try {
    await expect.poll(counted, { interval: 10 }).toBe(count);
  } finally {
    await admin.end();
  }
}

/** Those that wait for a lock that another of them holds. */
export const blockedBackends = (test: TestApp, count = 1) =>
  untilBackends(test, `wait_event_type = 'Lock' and cardinality(pg_blocking_pids(pid)) > 0`, count);

/** Those that have answered a question, known by a part of its text, and are asked nothing more of this transaction. */
export const answeredBackends = (test: TestApp, part: string, count = 1) =>
  untilBackends(test, `state = 'idle in transaction' and query like '%${part}%'`, count);

/** What is done while somebody else holds what it may need. */
export async function whileHeld(
  { context }: TestApp,
  hold: string,
  values: unknown[],
  act: () => Promise<void>,
): Promise<void> {
  const holder = await context.owner.connect();
  try {
    await holder.query('begin');
    await holder.query(hold, values);
    await act();
  } finally {
    await holder.query('rollback').finally(() => holder.release());
  }
}

/** Two that begin while a third holds what both need: whoever was there first goes first. */
export async function behind(
  test: TestApp,
  hold: string,
  values: unknown[],
  racers: (() => Promise<unknown>)[],
) {
  const under: Promise<string[]>[] = [];
  await whileHeld(test, hold, values, async () => {
    for (const race of racers) {
      const racing = outcomes([race()]);
      under.push(racing);
      await Promise.race([racing, blockedBackends(test, under.length)]);
    }
  });
  return (await Promise.all(under)).flat();
}
