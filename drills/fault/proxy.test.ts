import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FaultProxy, startProxy } from './proxy.ts';

/** Says back what it hears. */
const echo = createServer((socket) => socket.on('error', () => {}).pipe(socket));
let proxy: FaultProxy;
beforeAll(async () => {
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  proxy = await startProxy(() => (echo.address() as AddressInfo).port);
});
afterAll(async () => {
  await proxy.close();
  await new Promise((resolve) => echo.close(resolve));
});

async function call(): Promise<Socket> {
  const socket = connect(proxy.port, '127.0.0.1').on('error', () => {});
  await Promise.race([once(socket, 'connect').catch(() => {}), ended(socket)]);
  return socket;
}
/** However it ends. */
const ended = (socket: Socket) =>
  new Promise<string>((resolve) => socket.once('close', () => resolve('broken')));
async function said(socket: Socket, word: string): Promise<string> {
  socket.write(word);
  const heard = new Promise<string>((resolve) => socket.once('data', (piece) => resolve(String(piece))));
  return Promise.race([heard, ended(socket)]);
}

it('passes on what is said, and breaks every line when it is cut, those of then and those to come', async () => {
  proxy.set({ kind: 'fair' });
  const socket = await call();
  expect(await said(socket, 'hello')).toBe('hello');
  const broken = ended(socket);
  proxy.set({ kind: 'cut' });
  await broken;
  expect(await said(await call(), 'hello')).toBe('broken');
});

it('keeps back the one word, and a line on which words were lost stays silent in fair weather', async () => {
  proxy.set({ kind: 'unheard', word: 'COMMIT', every: 2 });
  expect(await said(await call(), 'COMMIT')).toBe('COMMIT');
  expect(await said(await call(), 'COMMIT')).toBe('broken');
  expect(proxy.struck()).toBe(1);
  proxy.set({ kind: 'half-open' });
  const dead = await call();
  let heard = '';
  dead.on('data', (piece) => {
    heard += piece;
  });
  dead.write('lost');
  await expect.poll(proxy.struck).toBe(1);
  proxy.set({ kind: 'fair' });
  dead.write('later');
  expect(await said(await call(), 'hello')).toBe('hello');
  expect(heard).toBe('');
  dead.destroy();
});
