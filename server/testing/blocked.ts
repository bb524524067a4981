import pg from 'pg';
import { expect } from 'vitest';
import { outcomes } from './at-once.ts';
import type { TestApp } from './start-app.ts';

/** Waits until so many backends of this test's database wait for a lock that another of them holds. */
export async function blockedBackends({ database }: TestApp, count = 1): Promise<void> {
  // What another role's backend waits for is shown to a superuser only.
  const admin = new pg.Client({ connectionString: database.adminUrl });
  // Who races this against something else may be done, and the database gone, while it still looks.
  admin.on('error', () => {});
  await admin.connect();
  const blocked = async () => {
    const { rowCount } = await admin.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and cardinality(pg_blocking_pids(pid)) > 0`,
    );
    return rowCount;
  };
  try {
    await expect.poll(blocked, { interval: 10 }).toBe(count);
  } finally {
    await admin.end();
  }
}

/** Two that begin while a third holds what both need: whoever was there first goes first. */
export async function behind(
  test: TestApp,
  hold: string,
  values: unknown[],
  racers: (() => Promise<unknown>)[],
) {
  const slow = await test.context.owner.connect();
  const under: Promise<string[]>[] = [];
  try {
    await slow.query('begin');
    await slow.query(hold, values);
    for (const race of racers) {
      const racing = outcomes([race()]);
      under.push(racing);
      await Promise.race([racing, blockedBackends(test, under.length)]);
    }
  } finally {
    await slow.query('rollback');
    slow.release();
  }
  return (await Promise.all(under)).flat();
}
