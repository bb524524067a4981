import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { closeConnectionsWhenIdle } from './closing.ts';
import { listenAt } from './listening.ts';

const host = '127.0.0.1';
const apps: FastifyInstance[] = [];
const clients: Socket[] = [];

/** Whoever asks waits until they are let go. */
function appOf() {
  const app = Fastify();
  const waiting: (() => void)[] = [];
  app.get('/', async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return { done: true };
  });
  closeConnectionsWhenIdle(app);
  apps.push(app);
  return { app, waiting };
}

const portOf = ({ server }: FastifyInstance) => (server.address() as AddressInfo).port;

function come(port: number, count: number): Socket[] {
  const came = Array.from({ length: count }, () => connect(port, host).on('error', () => {}));
  clients.push(...came);
  return came;
}

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

it.runIf(process.platform === 'linux')(
  'many who come at once are taken several at a time, not one each time round',
  async () => {
    const { app } = appOf();
    await listenAt(app, { host, port: 0 });
    let taken = 0;
    app.server.on('connection', () => {
      taken += 1;
    });
    const came = come(portOf(app), 200);
    const mostOfATurn = { count: 0 };
    while (taken < came.length) {
      const before = taken;
      await nextTurn();
      mostOfATurn.count = Math.max(mostOfATurn.count, taken - before);
    }
    expect(mostOfATurn.count).toBeGreaterThan(4);
  },
);

it('a port that somebody has is refused, also where that one would share it', async () => {
  const { app } = appOf();
  await listenAt(app, { host, port: 0 });
  await expect(listenAt(appOf().app, { host, port: portOf(app) })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
});

it('closing waits for everybody who has asked, whichever listener took them, and takes nobody new', async () => {
  const { app, waiting } = appOf();
  await listenAt(app, { host, port: 0 });
  const port = portOf(app);
  const came = come(port, 60);
  const heard = came.map((socket) => {
    socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
    return text(socket);
  });
  await expect.poll(() => waiting.length).toBe(60);
  let isClosed = false;
  const closing = app.close().then(() => {
    isClosed = true;
  });
  // Once none of the listeners is there any more.
  await expect
    .poll(async () => {
      const [late] = come(port, 1);
      const [why] = await Promise.race([
        once(late as Socket, 'error'),
        once(late as Socket, 'connect'),
      ]).catch((error) => [error]);
      return (why as NodeJS.ErrnoException | undefined)?.code;
    })
    .toBe('ECONNREFUSED');
  expect(isClosed).toBe(false);
  for (const letGo of waiting) letGo();
  await closing;
  for (const answer of await Promise.all(heard)) expect(answer).toContain('{"done":true}');
});
