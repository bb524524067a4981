import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import v8 from 'node:v8';
import vm from 'node:vm';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { closeConnectionsWhenIdle } from './closing.ts';

it('a request of which only half has come does not keep a server from ending, one that has come is answered', async () => {
  const app = Fastify();
  closeConnectionsWhenIdle(app);
  const asked = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  app.post('/', async () => {
    asked.resolve();
    await letGo.promise;
    return { done: true };
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const post = (body: string) => {
    const socket = connect(port, '127.0.0.1');
    const head = 'Host: here\r\nContent-Type: application/json\r\nContent-Length: 12';
    socket.write(`POST / HTTP/1.1\r\n${head}\r\n\r\n${body}`);
    return socket;
  };
  const begun = once(app.server, 'request');
  const half = text(post('{"half')).catch(() => 'cut off');
  await begun;
  const whole = text(post('{"whole":12}'));
  await asked.promise;
  const closed = app.close();
  await half;
  letGo.resolve();
  expect(await whole).toContain('{"done":true}');
  await closed;
});

it('a request that was answered is let go, also while its connection stays', async () => {
  const app = Fastify();
  closeConnectionsWhenIdle(app);
  let asked: WeakRef<object> | undefined;
  app.get('/', async ({ raw }) => {
    asked = new WeakRef(raw);
    return {};
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
  await once(socket, 'data');
  v8.setFlagsFromString('--expose-gc');
  const collect: () => void = vm.runInNewContext('gc');
  await expect
    .poll(() => {
      collect();
      return asked?.deref();
    })
    .toBeUndefined();
  expect(socket.destroyed).toBe(false);
  socket.destroy();
  await app.close();
});
