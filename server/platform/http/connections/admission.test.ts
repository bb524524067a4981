import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import Fastify from 'fastify';
import { expect, it, onTestFinished, vi } from 'vitest';
import { answerError } from '../refusals.ts';
import { admitAtOnce, connectionsMax } from './admission.ts';

const watched = ['/healthz', '/readyz', '/metrics'];

/** Admits so many at once, two of one address; whoever asks waits until they are let go. */
function appOf(places: number) {
  const app = Fastify();
  const waiting: (() => void)[] = [];
  app.setErrorHandler(answerError);
  app.decorateRequest('clientAddress', '');
  app.addHook('onRequest', async (request) => {
    request.clientAddress = request.ip;
  });
  admitAtOnce(app, { least: places, most: places, share: 2 });
  for (const url of watched) app.get(url, async () => ({ status: 'up' }));
  app.post('/', async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return { done: true };
  });
  app.get('/', async () => ({ done: true }));
  return { app, waiting };
}

it('whoever is one too many is told when to come back, and is let in once another is answered', async () => {
  const { app, waiting } = appOf(2);
  const post = () => app.inject({ method: 'POST', url: '/', payload: {} });
  const first = [post(), post()];
  await expect.poll(() => waiting.length).toBe(2);
  for (const turnedAway of [await post(), await app.inject('/'), await app.inject('/nowhere')]) {
    expect(turnedAway.statusCode).toBe(503);
    expect(turnedAway.headers['retry-after']).toBe('2');
    expect(turnedAway.json().code).toBe('busy');
  }
  for (const url of watched) expect((await app.inject(url)).statusCode, url).toBe(200);
  waiting.shift()?.();
  await Promise.race(first);
  expect((await app.inject('/')).statusCode).toBe(200);
  waiting.shift()?.();
  expect((await Promise.all(first)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
});

it('the more are turned away for each that is done, the later they are told to come back, and no longer than that', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { app, waiting } = appOf(1);
  const first = app.inject({ method: 'POST', url: '/', payload: {} });
  await expect.poll(() => waiting.length).toBe(1);
  const rests = async (count: number) => {
    for (let one = 1; one < count; one += 1) await app.inject('/');
    vi.advanceTimersByTime(1_000);
    return (await app.inject('/')).headers['retry-after'];
  };
  expect(await rests(1)).toBe('2');
  expect(await rests(1)).toBe('4');
  expect(await rests(100)).toBe('10');
  waiting[0]?.();
  await first;
  expect((await app.inject('/')).statusCode).toBe(200);
});

it('of more than half of all places one address gets no more than its share, and has it again when it is answered', async () => {
  const { app, waiting } = appOf(6);
  const post = (remoteAddress: string) =>
    app.inject({ method: 'POST', url: '/', payload: {}, remoteAddress });
  const greedy = ['192.0.2.1', '192.0.2.1', '192.0.2.1'].map(post);
  await expect.poll(() => waiting.length).toBe(3);
  expect((await post('192.0.2.1')).statusCode).toBe(503);
  const others = ['192.0.2.2', '192.0.2.3', '192.0.2.2'].map(post);
  await expect.poll(() => waiting.length).toBe(6);
  expect((await post('192.0.2.4')).statusCode).toBe(503);
  for (const letGo of waiting.splice(0)) letGo();
  const answers = await Promise.all([...greedy, ...others]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
  const again = post('192.0.2.1');
  await expect.poll(() => waiting.length).toBe(1);
  waiting[0]?.();
  expect((await again).statusCode).toBe(200);
});

it('whoever sends only half of a body takes nobody’s place; who hangs up has one until the work is done', async () => {
  const { app, waiting } = appOf(2);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const head = 'POST / HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n';
  const say = (text: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(text);
    return socket;
  };
  const halves: ReturnType<typeof say>[] = [];
  for (let half = 0; half < 3; half += 1) {
    const asked = once(app.server, 'request');
    halves.push(say(`${head}{`));
    await asked;
  }
  expect((await app.inject('/')).statusCode).toBe(200);
  const gone = [say(`${head}{}`), say(`${head}{}`)];
  await expect.poll(() => waiting.length).toBe(2);
  const closed = Promise.all([...gone, ...halves].map((socket) => once(socket, 'close')));
  for (const socket of [...gone, ...halves]) socket.destroy();
  await closed;
  expect((await app.inject('/')).statusCode).toBe(503);
  for (const letGo of waiting) letGo();
  await expect.poll(async () => (await app.inject('/')).statusCode).toBe(200);
  await app.close();
});

it.each([
  ['20000', 19_500],
  ['1024', 524],
  ['256', 128],
])('of %s open files, connections get %i', (files, connections) => {
  expect(
    connectionsMax(`Max open files            ${files}                ${files}                files\n`),
  ).toBe(connections);
  expect(connectionsMax('')).toBeNull();
});
