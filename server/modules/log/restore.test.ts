import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checklist } from '@tallystick/contract/operator/checklist';
import * as calls from '@tallystick/contract/proof';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeLogEntry } from '../../platform/log/outbox.ts';
import { inTransaction } from '../../platform/postgres/db.ts';
import { call } from '../../testing/call.ts';
import { secondMs } from '../../testing/clock.ts';
import { type Tampering, tamperingWith } from '../../testing/ledger/tampering.ts';
import { signedInOperator } from '../../testing/operators.ts';
import { readLog } from '../../testing/outside/log-reader.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

/** The database goes back to an earlier point, for real, and the server has to notice. */

const tables = ['log_entries', 'log_size', 'log_tiles', 'log_checkpoints', 'log_cosignatures'];
let test: TestApp;
let superuser: Tampering;
beforeAll(async () => {
  test = await startTestApp();
  // Only what the tests ask for is written.
  await test.jobs.stop();
  superuser = await tamperingWith(test.database.adminUrl);
});
afterAll(async () => {
  await superuser.end();
  await test.close();
});

const tell = (count: number, what = 'told') =>
  inTransaction(test.context.db, async (tx) => {
    for (let at = 0; at < count; at += 1) {
      await writeLogEntry(tx, 'freeze/v1', [['scope', what]], test.clock.now());
    }
  });
/** Nobody waits for the witness here: it is asked no more. */
async function write(): Promise<void> {
  await test.context.log.write();
  test.clock.advance(5 * secondMs);
}
const state = () => call(test, calls.state, {});
const signedUntil = async (size: number) => expect(await state()).toMatchObject({ size, stopped: null });
const get = async (url: string) => (await test.app.inject({ url })).rawPayload;
const backUp = async (name: string) => {
  for (const table of tables) await superuser.sql(`create temp table ${name}_${table} as table ${table}`);
};
const restore = async (name: string) => {
  for (const table of tables) {
    await superuser.sql(`delete from ${table}`);
    await superuser.sql(`insert into ${table} overriding system value select * from ${name}_${table}`);
  }
};
const kept = () => join(test.context.config.dataDir, 'log', 'checkpoint');

it('a database that was brought back to an earlier point is not signed, and goes on when it is whole again', async () => {
  await tell(5);
  await write();
  await signedUntil(5);
  await backUp('early');
  await tell(4);
  await write();
  await signedUntil(9);
  await backUp('late');

  await restore('early');
  await tell(7, 'other');
  await write();
  const stopped = await state();
  expect(stopped.stopped).toMatch(/has 5 entries of the log; 9 were signed.*After a restore/);
  // What was signed then is served as it was; nothing was appended to it.
  expect((await readLog(get)).size).toBe(5);
  expect((await test.app.inject('/metrics')).body).toContain('tallystick_log_stopped 1');
  const { items } = await call(test, checklist, { as: await signedInOperator(test) });
  expect(items.find(({ key }) => key === 'log')).toMatchObject({ done: false, detail: stopped.stopped });
  const { rows } = await test.context.owner.query(
    'select count(*)::int from log_entries where place is null',
  );
  expect(rows).toEqual([{ count: 7 }]);

  await restore('late');
  await write();
  expect(await state()).toMatchObject({ stopped: null, size: 9 });
  await tell(1);
  await write();
  await signedUntil(10);
  const whole = await readLog(get);
  expect(whole.entries.some((entry) => entry.includes('other'))).toBe(false);
});

it('nor is another log of the same size, or one that is longer and begins otherwise', async () => {
  await backUp('whole');
  await superuser.sql(`update log_entries set entry = 'freeze/v1' || e'\\nscope changed\\n' where place = 9`);
  await superuser.sql(`update log_tiles set hashes = overlay(hashes placing sha256('x') from 9 * 32 + 1)
    where level = 0 and number = 0`);
  await tell(3);
  await write();
  expect((await state()).stopped).toMatch(/first 10 entries are not those that were signed/);
  // A forger who also takes away what the database knows of its signatures is betrayed by what is kept outside.
  await superuser.sql('delete from log_cosignatures');
  await superuser.sql('delete from log_checkpoints');
  await write();
  expect((await state()).stopped).toMatch(/kept in DATA_DIR/);
  await restore('whole');
  await write();
  expect(await state()).toMatchObject({ stopped: null, size: 10 });
});

it('nor is an empty database beside a key that has signed before, also after a restart', async () => {
  for (const table of tables.filter((each) => each !== 'log_size'))
    await superuser.sql(`delete from ${table}`);
  await superuser.sql('update log_size set size = 0');
  await test.restart();
  await test.jobs.stop();
  await write();
  expect((await state()).stopped).toMatch(/has 0 entries of the log; 10 were signed/);
  expect((await test.app.inject('/log/checkpoint')).statusCode).toBe(404);
  await restore('whole');
  await write();
  expect(await state()).toMatchObject({ stopped: null, size: 10 });
});

it('nor anything at all when what is kept outside cannot be read', async () => {
  const note = readFileSync(kept(), 'utf8');
  expect(note.startsWith('127.0.0.1:3000/log\n10\n')).toBe(true);
  writeFileSync(kept(), '');
  await tell(1);
  await write();
  expect((await state()).stopped).toMatch(/cannot be read/);
  writeFileSync(kept(), note);
  await write();
  await signedUntil(11);
  expect(readFileSync(kept(), 'utf8').startsWith('127.0.0.1:3000/log\n11\n')).toBe(true);
});

it.each([
  ['larger', 3],
  ['smaller', -1],
])('nor a log whose size was made %s than its tiles, and that is said', async (_what, by) => {
  await tell(1);
  await write();
  const { size } = await state();
  // As if it had been signed only up to there.
  await superuser.sql(`delete from log_cosignatures; delete from log_checkpoints where size > ${size - 2}`);
  await superuser.sql(`update log_size set size = ${size + by}`);
  const outside = readFileSync(kept(), 'utf8');
  rmSync(kept());
  await tell(1);
  await write();
  expect((await state()).stopped).toMatch(/tiles.*After a restore/);
  await superuser.sql(`update log_size set size = ${size}`);
  writeFileSync(kept(), outside);
  await write();
  expect(await state()).toMatchObject({ stopped: null, size: size + 1 });
});
