import { createPrivateKey } from 'node:crypto';
import { existsSync, watch } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { serveWitness } from '../../../tools/witness/serve.ts';
import { createWitness } from '../../../tools/witness/witness.ts';
import { times } from '../../testing/at-once.ts';
import { cloneTemplate, type TestDatabase } from '../../testing/database.ts';
import { parseNote, readLog } from '../../testing/outside/log-reader.ts';
import { makeProcessHome, type ProcessHome, type ServerProcess } from '../../testing/processes.ts';
import { productionEnv, productionFiles } from '../../testing/production.ts';
import { proofRuns } from '../../testing/proof-size.ts';
import { logVkey } from './service.ts';

/** `LOG_KILLS=100 PROOFS=full npx vitest run server/modules/log/kills.test.ts` proves it at any length. */
const kills = proofRuns(Number(process.env.LOG_KILLS ?? 4), 1);
vi.setConfig({ testTimeout: 120_000 + kills * 20_000 });

let dir: string;
let home: ProcessHome;
let database: TestDatabase;
let owner: pg.Pool;
let hearing: pg.Client;
let env: NodeJS.ProcessEnv;
let closeWitness: () => Promise<void>;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tallystick-kills-'));
  await mkdir(join(dir, 'log'));
  home = await makeProcessHome();
  database = await cloneTemplate(inject('adminUrl'));
  owner = new pg.Pool({ connectionString: database.url, max: 4 });
  hearing = new pg.Client({ connectionString: database.url });
  await hearing.connect();
  // The test hears of every step that the database has committed, and kills right behind it.
  await hearing.query(`
    create function tell_step() returns trigger language plpgsql as $$
      begin perform pg_notify('step', tg_table_name); return null; end $$;
    create trigger tell_step after update on log_size for each statement execute function tell_step();
    create trigger tell_step after insert on log_checkpoints for each statement execute function tell_step();
    listen step`);
  const { LOG_KEY_FILE } = await productionFiles(dir);
  const vkey = logVkey(productionEnv.SITE_URL, [createPrivateKey(await readFile(LOG_KEY_FILE))]);
  const witness = createWitness({ name: 'witness.example', dir: join(dir, 'witness'), logs: [vkey] });
  const { url, close } = await serveWitness(witness, { host: '127.0.0.1', port: 0 });
  closeWitness = close;
  const LOG_WITNESSES_FILE = join(dir, 'witnesses');
  await writeFile(LOG_WITNESSES_FILE, `${witness.vkey} ${url}\n`);
  env = { DATABASE_URL: database.url, DATA_DIR: dir, LOG_KEY_FILE, LOG_WITNESSES_FILE };
});
afterAll(async () => {
  isTelling = false;
  await telling;
  await home.close();
  await closeWitness();
  await hearing.end();
  await owner.end();
  await database.drop();
  await rm(dir, { recursive: true, force: true });
});

const waitingMax = 1_000;
const committed: string[] = [];

let isTelling = true;
let telling: Promise<unknown> = Promise.resolve();
/** Tells the log all the while: several at once, few or many, some undone, ids in another order than their commits. */
function tellAlways() {
  let number = 0;
  async function one(): Promise<void> {
    while (isTelling) {
      const client = await owner.connect();
      const count = 1 + Math.floor(Math.random() * 8);
      const entries = times(count, (n) => `freeze/v1\nscope test\nstate ${number + n}\n`);
      number += count;
      await client.query('begin');
      await client.query(
        `insert into log_entries (kind, entry, written_at) select 'freeze/v1', unnest($1::text[]), now()`,
        [entries],
      );
      await delay(Math.random() * 40);
      const isUndone = Math.random() < 0.1;
      await client.query(isUndone ? 'rollback' : 'commit');
      if (!isUndone) committed.push(...entries);
      client.release();
      // A machine that takes long to start the next server is not given work for days meanwhile.
      do await delay(100);
      while (isTelling && committed.length > waitingMax + Math.max(0, ...seen.values()));
    }
  }
  return Promise.all([one(), one(), one()]);
}

const seen = new Map<string, number>();
/** Whoever asks too often is told how long to wait, here as anywhere, and one that was killed lets nobody wait. */
const get = (server: ServerProcess) => async (path: string) => {
  for (;;) {
    const response = await fetch(`${server.url}${path}`).catch(() => null);
    if (response?.status === 200) return Buffer.from(await response.arrayBuffer());
    if (response?.status !== 429) return null;
    const toldSeconds = Number(response.headers.get('retry-after'));
    await Promise.race([delay(toldSeconds * 1_000, undefined, { ref: false }), server.ended]);
  }
};
/**
 * Remembers the checkpoints that the server shows. Nobody outside is told of a new one, so that this goes by time and by
 * nothing that the writer does: often enough for one that looks for entries every second, and half as often as an address
 * may ask.
 */
async function lookAt(server: ServerProcess): Promise<void> {
  while (server.isRunning()) {
    const note = await get(server)('/log/checkpoint').catch(() => null);
    if (note) seen.set(parseNote(String(note)).root, parseNote(String(note)).size);
    await delay(100);
  }
}

/** Comes true at one of the moments at which the writer is in the middle of its work. */
function moment(which: number): Promise<unknown> {
  const heard = (table: string) =>
    new Promise<void>((resolve) => {
      hearing.on('notification', function listener({ payload }) {
        if (payload !== table) return;
        hearing.off('notification', listener);
        resolve();
      });
    });
  const fileEvent = (name: RegExp) =>
    new Promise<void>((resolve) => {
      const watcher = watch(join(dir, 'log'), (_event, file) => {
        if (!name.test(file ?? '')) return;
        watcher.close();
        resolve();
      });
    });
  const moments = [
    () => heard('log_size'),
    () => fileEvent(/^checkpoint\.new$/),
    () => fileEvent(/^checkpoint$/),
    () => heard('log_checkpoints'),
    () => delay(Math.random() * 1_200),
  ];
  return moments[which % moments.length]?.() ?? Promise.resolve();
}

/** What a kill has left behind, between which two steps. */
const left = { appendedNotSigned: 0, signedOutsideOnly: 0, between: 0 };
async function countLeft(): Promise<void> {
  const { rows } = await owner.query(
    `select size::int, (select coalesce(max(size), 0)::int from log_checkpoints) as signed,
      (select count(*)::int from log_entries where place is not null) as placed,
      (select coalesce(max(place) + 1, 0)::int from log_entries) as next from log_size`,
  );
  const [{ size, signed, placed, next }] = rows;
  expect([placed, next]).toEqual([size, size]);
  const path = join(dir, 'log', 'checkpoint');
  const outside = existsSync(path) ? parseNote(await readFile(path, 'utf8')).size : 0;
  expect(outside).toBeLessThanOrEqual(size);
  expect(signed).toBeLessThanOrEqual(outside);
  if (outside > signed) left.signedOutsideOnly += 1;
  else if (size > signed) left.appendedNotSigned += 1;
  else left.between += 1;
}

const isReady = (server: ServerProcess) =>
  expect.poll(server.said, { timeout: 120_000, interval: 20 }).toContain('ready');

it(`the log is whole after ${kills} kills while it is written: nothing is lost, nothing there twice, no fork`, async () => {
  const first = await home.start(env);
  await isReady(first);
  telling = tellAlways();
  let server = first;
  for (let kill = 0; kill < kills; kill += 1) {
    const looking = lookAt(server);
    await moment(kill);
    await delay(Math.random() * 4);
    server.kill('SIGKILL');
    await server.ended;
    await looking;
    await countLeft();
    server = await home.start(env);
    await isReady(server);
  }
  const looking = lookAt(server);
  isTelling = false;
  await telling;
  const behind = async () => committed.length - parseNote(String(await get(server)('/log/checkpoint'))).size;
  await expect.poll(behind).toBe(0);
  const { entries, rootAt, size } = await readLog(get(server));
  expect(entries.toSorted()).toEqual(committed.toSorted());
  const { rows } = await owner.query('select entry from log_entries order by place');
  expect(entries).toEqual(rows.map(({ entry }) => entry));
  // Everything that was ever shown, signed or witnessed is the beginning of this one log.
  for (const [root, of] of seen) expect(rootAt(of), String(of)).toBe(root);
  const signed = await owner.query(`select size::int, encode(root, 'base64') as root from log_checkpoints`);
  for (const row of signed.rows) expect(rootAt(row.size)).toBe(row.root);
  expect(existsSync(join(dir, 'witness', 'refused'))).toBe(false);
  expect(server.said()).not.toContain('not signed any more');
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  await looking;
  if (process.env.LOG_KILLS) {
    const counted = { kills, entries: size, shown: seen.size, signed: signed.rows.length, left };
    process.stdout.write(`${JSON.stringify(counted)}\n`);
  }
});
