import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { cloneTemplate, type TestDatabase } from '../../testing/database.ts';
import { openOwner } from './db.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneTemplate(inject('adminUrl'));
});
afterAll(() => database.drop());

it('whoever waits for the migrations of another says so once, and for whom', async () => {
  const said: { msg: string; holder: { pid: number } | null }[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => void said.push(JSON.parse(line)) });
  const owner = openOwner(database.url, pino({ level: 'silent' }), { durable: false });
  const pids: number[] = [];
  const slow = async (until: Promise<void>) =>
    migrate(owner, async (client) => {
      const { rows } = await client.query('select pg_backend_pid() as pid');
      pids.push(rows[0].pid);
      await until;
    });
  let letGo = () => {};
  const first = slow(new Promise<void>((resolve) => (letGo = resolve)));
  await expect.poll(() => pids.length).toBe(1);
  const second = migrate(owner, async () => 'migrated', { logger, afterMs: 50 });
  await expect.poll(() => said.length).toBe(1);
  letGo();
  expect(await Promise.all([first, second])).toEqual([undefined, 'migrated']);
  expect(said).toMatchObject([
    {
      msg: 'waiting for another process that holds the lock of the migrations',
      holder: { pid: pids[0], address: '127.0.0.1', state: 'idle' },
    },
  ]);
  await owner.end();
});
