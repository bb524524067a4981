import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import * as calls from '@tallystick/contract/proof';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refuseForeignLogKey } from '../../config/log-files.ts';
import { createContext } from '../../context.ts';
import { writeLogEntry } from '../../platform/log/outbox.ts';
import { inTransaction } from '../../platform/postgres/db.ts';
import { call } from '../../testing/call.ts';
import { withOffers } from '../../testing/money.ts';
import { parseNote, readLog, tilePath } from '../../testing/outside/log-reader.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { createLog } from './service.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
  await withOffers(test);
});
afterAll(() => test.close());

const ask = (url: string) => test.app.inject({ url });
const get = async (url: string) => {
  const { statusCode, rawPayload } = await ask(url);
  return statusCode === 200 ? rawPayload : null;
};
const tell = (count: number) =>
  inTransaction(test.context.db, async (tx) => {
    for (let at = 0; at < count; at += 1) {
      await writeLogEntry(
        tx,
        'freeze/v1',
        [
          ['scope', 'test'],
          ['state', String(at)],
        ],
        test.clock.now(),
      );
    }
  });
/** Written, and signed by the witness, too. */
async function written(): Promise<number> {
  await test.context.log.write();
  const { rows } = await test.context.owner.query('select count(*)::int as count from log_entries');
  await expect.poll(async () => (await call(test, calls.state, {})).size).toBe(rows[0].count);
  return rows[0].count;
}
const outbox = async () =>
  (await test.context.owner.query('select entry from log_entries order by id')).rows.map(
    ({ entry }) => entry,
  );

describe('the log', () => {
  it('has every entry once, in order, under a signed root', async () => {
    const size = await written();
    const { entries, note } = await readLog(get);
    expect(entries).toEqual(await outbox());
    expect(entries.length).toBe(size);
    const { origin, text, lines } = parseNote(note);
    expect(origin).toBe('127.0.0.1:3000/log');
    const vkey = (await ask('/log/vkey')).body.trimEnd();
    const [name, id = '', key = ''] = /^(.+?)\+(.+?)\+(.+)$/.exec(vkey)?.slice(1) ?? [];
    expect(name).toBe(origin);
    const x = Buffer.from(key, 'base64').subarray(1).toString('base64url');
    const [, , base64 = ''] = lines[0]?.trimEnd().split(' ') ?? [];
    const signature = Buffer.from(base64, 'base64');
    expect(signature.subarray(0, 4).toString('hex')).toBe(id);
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    expect(verify(null, Buffer.from(text), publicKey, signature.subarray(4))).toBe(true);
  });

  it('grows past its tiles’ edges, and contains every log that was served before', async () => {
    const seen: { size: number; root: string }[] = [];
    let size = await written();
    for (const next of [255, 256, 257, 600]) {
      await tell(next - size);
      size = await written();
      seen.push(parseNote((await ask('/log/checkpoint')).body));
    }
    expect(seen.map((each) => each.size)).toEqual([255, 256, 257, 600]);
    const { rootAt, entries } = await readLog(get);
    expect(entries).toEqual(await outbox());
    for (const each of seen) expect(rootAt(each.size)).toBe(each.root);
    expect((await get(tilePath(1, 0, 1)))?.length).toBe(32);
    const [full, part] = [await get(tilePath(0, 0)), await get(tilePath(0, 0, 7))];
    expect(full?.subarray(0, 7 * 32)).toEqual(part);
  });

  it('is the same when many tell and several servers write at once, and nothing is there twice', async () => {
    const before = await written();
    const { log } = test.context;
    await Promise.all([tell(40), log.write(), tell(30), log.write(), tell(20), log.write()]);
    expect(await written()).toBe(before + 90);
    const { entries, size } = await readLog(get);
    expect(entries.toSorted()).toEqual((await outbox()).toSorted());
    expect(size).toBe(before + 90);
  });

  it('tells nothing of what was rolled back', async () => {
    const before = await written();
    const failed = inTransaction(test.context.db, async (tx) => {
      await writeLogEntry(tx, 'freeze/v1', [['scope', 'nothing']], test.clock.now());
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await written()).toBe(before);
  });

  it('is open to every page, and kept for as long as it stays the same', async () => {
    await written();
    const headersOf = async (url: string) => {
      const { headers } = await ask(url);
      return [headers['content-type'], headers['cache-control'], headers['access-control-allow-origin']];
    };
    const text = 'text/plain; charset=utf-8';
    const forGood = 'public, max-age=31536000, immutable';
    expect(await headersOf('/log/checkpoint')).toEqual([text, 'public, max-age=2', '*']);
    expect(await headersOf('/log/vkey')).toEqual([text, 'public, max-age=2', '*']);
    expect(await headersOf(tilePath(0, 0))).toEqual(['application/octet-stream', forGood, '*']);
    expect(await headersOf(tilePath('entries', 0))).toEqual(['application/octet-stream', forGood, '*']);
    expect((await ask('/log/checkpoint')).headers['cross-origin-resource-policy']).toBe('cross-origin');
  });

  it.each([
    tilePath(0, 9),
    tilePath(1, 0),
    tilePath(3, 0, 1),
    tilePath('entries', 99, 1),
    '/log/tile/0/0',
    '/log/tile/00/000',
    '/log/tile/0/x000/000',
    '/log/tile/0/000?x',
    '/log/tile/0/%30%30%30',
    '/log/tile/0/000/',
    '/log/tile/8/0/000',
    '/log/tile/',
    '/log/tile/0/000.p/256',
  ])('has nothing at %s, and that is not kept', async (url) => {
    const { statusCode, headers } = await ask(url);
    expect([statusCode, headers['cache-control']]).toEqual([404, 'no-store']);
  });

  it('is shown by kind, newest first, no further than it is signed', async () => {
    await tell(3);
    const size = await written();
    const page = await call(test, calls.entries, { query: { kind: 'freeze', limit: 2 } });
    expect(page.entries.map(({ place }) => place)).toEqual([size - 1, size - 2]);
    expect([page.more, page.entries[0]?.text]).toEqual([true, 'freeze/v1\nscope test\nstate 2\n']);
    const query = { kind: 'freeze' as const, before: size - 2, limit: 1 };
    expect((await call(test, calls.entries, { query })).entries[0]?.place).toBe(size - 3);
    const { entries } = await call(test, calls.entries, { query: { kind: 'plan' } });
    expect(entries.every(({ text }) => /^plan\/v[12]\n/.test(text))).toBe(true);
    expect(entries.length).toBeGreaterThan(0);
  });

  it('says who has signed it, and that a demo’s witness is a sample', async () => {
    const size = await written();
    await expect.poll(async () => (await call(test, calls.state, {})).witnesses[0]?.size).toBe(size);
    const state = await call(test, calls.state, {});
    expect(state).toMatchObject({ origin: '127.0.0.1:3000/log', size, stopped: null });
    expect(state.witnesses).toMatchObject([{ name: 'sample-witness', sample: true }]);
    expect(parseNote((await ask('/log/checkpoint')).body).lines).toHaveLength(2);
    const metrics = (await ask('/metrics')).body;
    expect(metrics).toContain(`tallystick_log_size ${size}`);
    expect(metrics).toContain('tallystick_log_stopped 0');
  });

  it('is signed with the new key once that is there, and with the old one beside it as long as both are', async () => {
    const before = parseNote((await ask('/log/checkpoint')).body);
    const { db, clock, logger, config } = test.context;
    const keys = [generateKeyPairSync('ed25519').privateKey, ...config.logKeys];
    const dir = `${config.dataDir}/second`;
    const log = createLog({ db, clock, logger, siteUrl: config.siteUrl, keys, dir, witnesses: [] });
    await log.write();
    const after = parseNote((await log.checkpoint()) ?? '');
    expect([after.text, after.lines.length]).toEqual([before.text, 2]);
    expect(after.lines[1]).toBe(before.lines[0]);
    expect(log.vkey).not.toBe(test.context.log.vkey);
  });

  it('is not signed by another key alone: the server that has one does not start', async () => {
    const { dataDir, logKeys } = test.context.config;
    const other = generateKeyPairSync('ed25519').privateKey;
    expect(() => refuseForeignLogKey(dataDir, [other])).toThrow(/^LOG_KEY_FILE holds another key/);
    expect(() => refuseForeignLogKey(dataDir, [other, ...logKeys])).not.toThrow();
    expect(() => refuseForeignLogKey(dataDir, logKeys)).not.toThrow();
    expect(() => refuseForeignLogKey(`${dataDir}/nothing-signed-here`, [other])).not.toThrow();
    // Before its database is asked for anything, and so before it is migrated: here nobody would answer.
    const nowhere = { logKeys: [other], databaseUrl: 'postgres://127.0.0.1:9/none' };
    await expect(createContext({ ...test.context.config, ...nowhere })).rejects.toThrow(/^LOG_KEY_FILE/);
  });
});
