import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { cloneTemplate, type TestDatabase } from '../../testing/database.ts';
import { openOwner } from '../postgres/db.ts';
import { createRollCall, type RollCall } from './roll-call.ts';

const logger = pino({ level: 'silent' });
/** Quicker than in earnest. */
const pace = { beatMs: 200, roundMs: 600 };

let database: TestDatabase;
let owner: pg.Pool;
let watcher: RollCall;
beforeAll(async () => {
  database = await cloneTemplate(inject('adminUrl'));
  owner = openOwner(database.url, logger);
  watcher = createRollCall({ owner, logger }, pace);
  await watcher.join('pool-watcher');
});
afterAll(async () => {
  await watcher.stop();
  await owner.end();
  await database.drop();
});

/** A job that was due ninety seconds ago, and that this pool has held for fifty. */
async function jobHeldBy(pool: string): Promise<void> {
  await owner.query(`select graphile_worker.add_job('nobodys', json_build_object('pool', $1::text))`, [pool]);
  await owner.query(
    `update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - interval '50 seconds', attempts = 1,
       run_at = now() - interval '90 seconds' where payload ->> 'pool' = $1`,
    [pool],
  );
}
const holders = async () =>
  (await owner.query('select locked_by from graphile_worker.jobs order by locked_by')).rows.map(
    (row) => row.locked_by,
  );
const dueSeconds = async () => Number((await owner.query('select oldest_due_job_seconds() as s')).rows[0].s);

it('jobs of pools that died, froze or never signed on are given back, those of the living are not', async () => {
  const living = createRollCall({ owner, logger }, pace);
  await living.join('pool-living');
  const frozen = new pg.Client({ connectionString: database.url });
  await frozen.connect();
  await frozen.query(`select pg_advisory_lock(7315115, hashtext('pool-frozen'))`);
  await owner.query(`insert into job_pools (id, beats) values ('pool-dead', 3), ('pool-frozen', 3)`);
  for (const pool of ['pool-living', 'pool-dead', 'pool-frozen']) await jobHeldBy(pool);
  // They count as waiting, whoever holds them.
  expect(await dueSeconds()).toBeGreaterThan(80);
  await expect.poll(holders).toEqual(['pool-living', null, null]);
  // Their jobs first, then their names.
  const onTheRoll = async () => (await owner.query('select id from job_pools order by id')).rows;
  await expect.poll(onTheRoll).toEqual([{ id: 'pool-living' }, { id: 'pool-watcher' }]);
  await owner.query(`update graphile_worker._private_jobs set locked_by = 'pool-of-an-older-version',
    locked_at = now() - interval '2 minutes' where locked_by is null`);
  await expect.poll(holders).toEqual(['pool-living', null, null]);
  await living.leave('pool-living');
  expect(await holders()).toEqual([null, null, null]);
  await living.stop();
  await frozen.end();
});

it('a pool whose session broke is not taken for dead', async () => {
  await jobHeldBy('pool-watcher');
  const other = createRollCall({ owner, logger }, pace);
  await other.join('pool-other');
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  for (let times = 0; times < 3; times += 1) {
    await admin.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 7315115
         and database = (select oid from pg_database where datname = current_database())`,
    );
    const beats = async () =>
      Number((await owner.query(`select beats from job_pools where id = 'pool-watcher'`)).rows[0]?.beats);
    const before = await beats();
    await expect.poll(beats).toBeGreaterThan(before + 4);
  }
  await admin.end();
  expect(await holders()).toContain('pool-watcher');
  await other.leave('pool-other');
  await other.stop();
});
