import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { restTurnedAway } from './rest.ts';

let app: FastifyInstance;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

/** Turns everybody away but those who ask for /ok, and counts how often. */
async function listen(): Promise<{ port: number; asked(): number }> {
  app = Fastify();
  let asked = 0;
  restTurnedAway(app);
  app.addHook('onRequest', async (request, reply) => {
    asked += 1;
    if (request.url !== '/ok') return reply.code(request.url === '/429' ? 429 : 503).send('later');
  });
  app.post('/503', async () => 'never');
  app.get('/429', async () => 'never');
  app.get('/ok', async () => 'done');
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { port: (app.server.address() as AddressInfo).port, asked: () => asked };
}

async function dial(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

const post = 'POST /503 HTTP/1.1\r\nhost: here\r\ncontent-length: 2\r\n\r\n{}';
const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: here\r\n\r\n`;

it('connections that are told to come back, and ask again at once, leave the server to its work', async () => {
  const { port, asked } = await listen();
  const everybody = await Promise.all(Array.from({ length: 200 }, () => dial(port)));
  for (const [at, socket] of everybody.entries()) {
    const ask = () => socket.write(at % 2 === 0 ? post : get('/429'));
    socket.on('data', ask);
    ask();
  }
  await expect.poll(asked).toBeGreaterThanOrEqual(200);
  const [before, began] = [asked(), performance.now()];
  await expect.poll(asked, { interval: 1, timeout: 30_000 }).toBeGreaterThanOrEqual(before + 2_000);
  const ms = performance.now() - began;
  // Each is asked again after all the others: four in a millisecond, and not as fast as 200 can ask.
  expect(asked() - before).toBeLessThanOrEqual(ms * 4 + 200);
});

it('who is answered does not rest, nor for long who is turned away alone, whatever is left of the body', async () => {
  const { port, asked } = await listen();
  const socket = await dial(port);
  let heard = '';
  socket.on('data', (piece) => (heard += piece));
  const began = performance.now();
  for (let time = 0; time < 5; time += 1) {
    heard = '';
    socket.write(post.slice(0, -1));
    await expect.poll(() => heard, { interval: 1 }).toContain('503');
    socket.write(`}${get('/ok')}`);
    await expect.poll(() => heard, { interval: 1 }).toContain('done');
  }
  expect([asked(), performance.now() - began < 2_000]).toEqual([10, true]);
});

it('who asks for much in one go rests once, and nobody else for it', async () => {
  const { port, asked } = await listen();
  const [greedy, other] = [await dial(port), await dial(port)];
  greedy.resume().write(get('/429').repeat(4_000));
  await expect.poll(asked, { interval: 1 }).toBe(4_000);
  let heard = '';
  other.on('data', (piece) => (heard += piece));
  other.write(get('/429'));
  await expect.poll(() => heard, { interval: 1 }).toContain('later');
  const began = performance.now();
  other.write(get('/ok'));
  await expect.poll(() => heard, { interval: 1 }).toContain('done');
  expect(performance.now() - began).toBeLessThan(700);
});

it('a server that closes waits for nobody who rests', async () => {
  const { port, asked } = await listen();
  const everybody = await Promise.all(Array.from({ length: 500 }, () => dial(port)));
  for (const socket of everybody) socket.write(get('/429'));
  await expect.poll(asked).toBe(500);
  const ended = Promise.all(everybody.map((socket) => socket.resume() && once(socket, 'close')));
  await app.close();
  await ended;
});
