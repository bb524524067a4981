import { generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWitness } from '../../../tools/witness/witness.ts';
import { writeLogEntry } from '../../platform/log/outbox.ts';
import { inTransaction } from '../../platform/postgres/db.ts';
import { secondMs } from '../../testing/clock.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { createLog, logVkey } from './service.ts';

/** Servers on several machines, each with a folder of its own; `shown` writes nothing, as one that only answers. */
let test: TestApp;
const siteUrl = 'https://tallystick.example';
const keys = [generateKeyPairSync('ed25519').privateKey];
beforeAll(async () => {
  test = await startTestApp();
  await test.jobs.stop();
});
afterAll(() => test.close());

const folder = (name: string) => join(test.context.config.dataDir, name);
const keptBy = (name: string) => readFile(join(folder(name), 'checkpoint'), 'utf8');
const logOf = (name: string, signedWith = keys) => {
  const { db, logger } = test.context;
  const { clock } = test;
  return createLog({ db, clock, logger, siteUrl, keys: signedWith, dir: folder(name), witnesses: [] });
};
const tell = () =>
  inTransaction(test.context.db, (tx) => writeLogEntry(tx, 'freeze/v1', [['state', 'on']], test.clock.now()));
const sizeOf = async (log: ReturnType<typeof logOf>) => (await log.state()).size;

it('each keeps what the other has signed, and takes turns with it', async () => {
  const [one, other] = [logOf('one'), logOf('other')];
  for (const writes of [one, other, one, one, other]) {
    await tell();
    await writes.write();
    // A second later, with nothing left to do.
    await Promise.all([one.write(), other.write()]);
    expect(await keptBy('one')).toBe(await keptBy('other'));
  }
  expect([await sizeOf(one), await sizeOf(other)]).toEqual([5, 5]);
  await Promise.all(Array.from({ length: 10 }, tell));
  await Promise.all([one.write(), other.write(), one.write(), other.write()]);
  expect([await sizeOf(one), await one.stopped(), await other.stopped()]).toEqual([15, null, null]);
});

it('as long as one has found what was signed missing none signs, every server says why, and then all go on', async () => {
  const [one, other, shown] = [logOf('one'), logOf('other'), logOf('shown')];
  await one.write();
  const good = await keptBy('one');
  const size = await sizeOf(one);
  await writeFile(join(folder('one'), 'checkpoint'), good.replace(`\n${size}\n`, `\n${size + 7}\n`));
  await tell();
  await one.write();
  await other.write();
  const reason = expect.stringMatching(/has 15 entries of the log; 22 were signed/);
  expect([await one.stopped(), await other.stopped(), await shown.stopped()]).toEqual([
    reason,
    reason,
    reason,
  ]);
  expect((await shown.health()).isStopped).toBe(true);
  expect(await sizeOf(shown)).toBe(size);
  await writeFile(join(folder('one'), 'checkpoint'), good);
  await one.write();
  await other.write();
  expect([await one.stopped(), await other.stopped(), await shown.stopped()]).toEqual([null, null, null]);
  expect(await sizeOf(shown)).toBe(size + 1);
});

it('one that has found it missing and is started again lets nobody sign meanwhile', async () => {
  const [one, other] = [logOf('one'), logOf('other')];
  await Promise.all([one.write(), other.write()]);
  const good = await keptBy('one');
  const size = await sizeOf(one);
  await writeFile(join(folder('one'), 'checkpoint'), good.replace(`\n${size}\n`, `\n${size + 7}\n`));
  await tell();
  const running = one.start();
  await expect.poll(() => other.stopped()).not.toBeNull();
  await running.stop();
  await other.write();
  expect(await sizeOf(other)).toBe(size);
  expect(await other.stopped()).toContain(`${size + 7} were signed`);
  await writeFile(join(folder('one'), 'checkpoint'), good);
  await sql`delete from log_stops`.execute(test.context.db);
  await other.write();
  expect(await sizeOf(other)).toBe(size + 1);
});

it('one that only answers shows the log as it is signed now, with another key', async () => {
  const rotated = [generateKeyPairSync('ed25519').privateKey, ...keys];
  const [writer, shown] = [logOf('one', rotated), logOf('shown', rotated)];
  const before = await shown.checkpoint();
  await writer.write();
  expect(await shown.checkpoint()).toBe(await writer.checkpoint());
  expect(await shown.checkpoint()).not.toBe(before);
  await tell();
  await writer.write();
  expect(await shown.checkpoint()).toBe(await writer.checkpoint());
});

it('what one server has shown the other does not hide, though its clock is behind', async () => {
  const { vkey } = createWitness({ name: 'w', dir: folder('w'), logs: [logVkey(siteUrl, keys)] });
  const witnesses = [{ vkey, url: 'http://127.0.0.1:9', sample: false }];
  const { db, logger } = test.context;
  const needs = { db, logger, keys, siteUrl, dir: folder('shown'), witnesses };
  await tell();
  await logOf('one').write();
  const signedAt = test.clock.now();
  const late = createLog({ ...needs, clock: { now: () => signedAt } });
  const ahead = createLog({ ...needs, clock: test.clock });
  const size = await sizeOf(late);
  test.clock.advance(10 * secondMs);
  expect(await sizeOf(ahead)).toBe(size + 1);
  expect(await sizeOf(late)).toBe(size + 1);
});
