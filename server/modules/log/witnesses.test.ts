import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { serveWitness } from '../../../tools/witness/serve.ts';
import { createWitness } from '../../../tools/witness/witness.ts';
import { writeLogEntry } from '../../platform/log/outbox.ts';
import { inTransaction } from '../../platform/postgres/db.ts';
import { hourMs, secondMs } from '../../testing/clock.ts';
import { parseNote } from '../../testing/outside/log-reader.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { createLog, logVkey } from './service.ts';

let test: TestApp;
const keys = [generateKeyPairSync('ed25519').privateKey];
const siteUrl = 'https://tallystick.example';
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  test = await startTestApp();
  // Only the logs that the tests make write here.
  await test.jobs.stop();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => test.close());

let witnessNumber = 0;
const logOf = (witnesses: { vkey: string; url: string }[]) => {
  const { db, logger, config } = test.context;
  const asked = witnesses.map((witness) => ({ ...witness, sample: false }));
  const dir = join(config.dataDir, 'log-of-test');
  return createLog({ db, clock: test.clock, logger, siteUrl, keys, dir, witnesses: asked });
};
const tell = () =>
  inTransaction(test.context.db, (tx) => writeLogEntry(tx, 'freeze/v1', [['state', 'on']], test.clock.now()));
const newWitness = () => {
  witnessNumber += 1;
  const name = `witness.example/${witnessNumber}`;
  return createWitness({
    name,
    dir: join(test.context.config.dataDir, name),
    logs: [logVkey(siteUrl, keys)],
  });
};
async function served() {
  const witness = newWitness();
  const { url, close } = await serveWitness(witness, { host: '127.0.0.1', port: 0 });
  closing.push(close);
  return { witness, url, vkey: witness.vkey };
}
/** Somebody who answers as they like under a witness's name. */
async function hostile(answer: RequestListener) {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { vkey: newWitness().vkey, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
type Log = ReturnType<typeof logOf>;
const signers = async (log: Log) =>
  parseNote((await log.checkpoint()) ?? '').lines.map((line) => line.split(' ')[1]);
const running = (log: Log) => void closing.push(log.start().stop);

it('the checkpoint carries the signature of every witness, and each next one follows with its proof', async () => {
  const [one, two] = [await served(), await served()];
  const log = logOf([one, two]);
  for (const size of [1, 2, 3]) {
    await tell();
    await log.write();
    await expect.poll(async () => (await log.state()).size).toBe(size);
  }
  const [own, ...others] = await signers(log);
  expect(own).toBe('tallystick.example/log');
  expect(others).toEqual([one, two].map(({ vkey }) => vkey.split('+')[0]));
  const { size, witnesses } = await log.state();
  expect(witnesses.map((witness) => witness.size)).toEqual([size, size]);
});

it('a witness that knows an older log, or none, is told so by itself and shown what is between', async () => {
  const { witness, url, vkey } = await served();
  const log = logOf([{ url, vkey }]);
  for (const _time of [1, 2, 3, 4, 5]) await tell();
  await log.write();
  await expect.poll(() => signers(log)).toHaveLength(2);
  // As if the database had never heard of its signatures.
  const other = newWitness();
  await other.addCheckpoint(`old 0\n\n${await log.checkpoint()}`);
  await tell();
  await log.write();
  await expect.poll(() => signers(log)).toHaveLength(2);
  const second = await serveWitness(other, { host: '127.0.0.1', port: 0 });
  closing.push(second.close);
  const both = logOf([
    { url, vkey: witness.vkey },
    { url: second.url, vkey: other.vkey },
  ]);
  await both.write();
  await expect.poll(() => signers(both)).toHaveLength(3);
});

it('one that is down holds up the log for seconds and no other witness', async () => {
  const up = await served();
  const down = { vkey: newWitness().vkey, url: 'http://127.0.0.1:9' };
  const log = logOf([up, down]);
  test.clock.advance(5 * secondMs);
  const before = (await log.state()).size;
  await tell();
  await log.write();
  await expect.poll(async () => (await log.state()).witnesses[0]?.size).toBe(before + 1);
  // Waited for, but not for long: the log goes on without it.
  expect((await log.state()).size).toBe(before);
  test.clock.advance(5 * secondMs);
  expect([(await log.state()).size, (await signers(log)).length]).toEqual([before + 1, 2]);
});

it('what was served is not taken back by a clock that is set back', async () => {
  const log = logOf([{ vkey: newWitness().vkey, url: 'http://127.0.0.1:9' }]);
  await tell();
  await log.write();
  test.clock.advance(5 * secondMs);
  const { size } = await log.state();
  test.clock.advance(-hourMs);
  expect((await log.state()).size).toBe(size);
  expect(parseNote((await log.checkpoint()) ?? '').size).toBe(size);
  test.clock.advance(hourMs);
});

it('one that has signed at a time beyond all calendars is shown as it is', async () => {
  const name = 'witness.example/late';
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const typed = Buffer.concat([Buffer.from([4]), raw]);
  const id = createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, 4);
  const vkey = `${name}+${id.toString('hex')}+${typed.toString('base64')}`;
  const { url } = await hostile(async (request, response) => {
    const note = (await text(request)).split('\n\n').at(-2) ?? '';
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(8_640_000_000_000n);
    const signed = `cosignature/v1\ntime 8640000000000\n${note}\n`;
    const bytes = Buffer.concat([id, time, sign(null, Buffer.from(signed), privateKey)]);
    response.end(`— ${name} ${bytes.toString('base64')}\n`);
  });
  const log = logOf([{ vkey, url }]);
  await tell();
  await log.write();
  await expect.poll(async () => (await log.state()).witnesses[0]?.size).toBeGreaterThan(0);
  expect((await log.state()).witnesses[0]?.at?.toISOString()).toBe('+275760-09-13T00:00:00.000Z');
});

it('one that comes back is asked again', async () => {
  let isUp = false;
  const witness = newWitness();
  const { url } = await hostile((request, response) => {
    if (!isUp) return void response.writeHead(503).end();
    let body = '';
    request.on('data', (data) => {
      body += data;
    });
    request.on('end', () => {
      const answer = witness.addCheckpoint(body);
      response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body);
    });
  });
  const log = logOf([{ url, vkey: witness.vkey }]);
  running(log);
  await tell();
  test.clock.advance(5 * secondMs);
  isUp = true;
  await expect.poll(() => signers(log)).toHaveLength(2);
});

it.each<[string, RequestListener]>([
  ['answers without end', (_request, response) => void endless(response)],
  ['never answers', () => {}],
  ['sends elsewhere', (_request, response) => void response.writeHead(302, { location: '/' }).end()],
  ['signs something else', (_request, response) => void response.end(`— x ${'A'.repeat(104)}\n`)],
  ['claims to know a longer log', (_request, response) => void response.writeHead(409).end('99999999\n')],
  ['claims no size', (_request, response) => void response.writeHead(409).end('-1\n')],
  ['claims a size and does not keep to it', (_request, response) => void response.writeHead(409).end('1\n')],
])('one that %s stops nothing and is not believed', async (_case, answer) => {
  const bad = await hostile(answer);
  const good = await served();
  const log = logOf([bad, good]);
  await tell();
  await log.write();
  const { size } = await log.state();
  await expect.poll(async () => (await log.state()).witnesses[1]?.size).toBeGreaterThan(size - 1);
  test.clock.advance(5 * secondMs);
  await expect.poll(() => signers(log)).toHaveLength(2);
  expect(await log.stopped()).toBeNull();
  const stopping = log.start();
  await stopping.stop();
});

function endless(response: Parameters<RequestListener>[1]): void {
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  };
  response.on('drain', more);
  more();
}

it('a key that is none keeps the server from starting', () => {
  expect(() => logOf([{ vkey: logVkey(siteUrl, keys), url: 'http://127.0.0.1:9' }])).toThrow('witness');
  const { vkey } = newWitness();
  const twice = [vkey, vkey].map((each) => ({ vkey: each, url: 'http://127.0.0.1:9' }));
  expect(() => logOf(twice)).toThrow('one name');
});
