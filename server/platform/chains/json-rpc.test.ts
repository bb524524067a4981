import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createJsonRpc, listOf } from './json-rpc.ts';

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => void close()));

/** A node that answers as told; `user:s3cret%21@` stands before its host, and a key in its path. */
async function nodeThat(
  answer: RequestListener,
  options: { timeLimitMs?: number; answerBytesMax?: number; stopping?: AbortSignal } = {},
) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return createJsonRpc({ url: `http://user:s3cret%21@127.0.0.1:${port}/v3/k3yk3y?token=t0ken`, ...options });
}

const saying = (status: number, body: unknown): RequestListener => {
  return (_request, response) => {
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
};
const troubleOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'none',
    ({ trouble, message, code }) => ({ trouble, message: message.replace(/:\d+/, ''), code }),
  );

it('credentials in the address travel as Basic authorization', async () => {
  const rpc = await nodeThat((request, response) => {
    const basic = Buffer.from(request.headers.authorization?.split(' ')[1] ?? '', 'base64').toString();
    response.end(JSON.stringify({ result: [basic, request.url] }));
  });
  expect(await rpc.call('who', [], z.array(z.string()))).toEqual(['user:s3cret!', '/v3/k3yk3y?token=t0ken']);
  expect(rpc.host).toMatch(/^127\.0\.0\.1:\d+$/);
});

it('a refusal is the same with HTTP 500, as Bitcoin Core says it, and with 200, as bcoin does', async () => {
  const body = { result: null, error: { code: -8, message: 'Block height out of range' }, id: 1 };
  for (const status of [200, 404, 500]) {
    const rpc = await nodeThat(saying(status, body));
    expect(await troubleOf(rpc.call('getblockhash', [9], z.string()))).toEqual({
      trouble: 'refused',
      message: 'The node at 127.0.0.1 refused getblockhash: Block height out of range',
      code: -8,
    });
  }
});

it('no error has the credentials or the key in it, even where the node repeats them', async () => {
  const said = 'user user with s3cret! and k3yk3y or token=t0ken\n\u0000 may not';
  const rpc = await nodeThat(saying(500, { error: { message: said } }));
  const { message } = (await troubleOf(rpc.call('x', [], z.string()))) as { message: string };
  expect(message).toBe('The node at 127.0.0.1 refused x: … … with … and … or … may not');
});

it('nor as they are written in the address, or in the header that they travel in', async () => {
  const header = Buffer.from('user:s3cret!').toString('base64');
  const rpc = await nodeThat(saying(500, { error: { message: `${header} s3cret%21 with t0ken` } }));
  const { message } = (await troubleOf(rpc.call('x', [], z.string()))) as { message: string };
  expect(message).toBe('The node at 127.0.0.1 refused x: … … with …');
});

it('an answer of too many parts is not taken apart, however few bytes it has', async () => {
  const rpc = await nodeThat(saying(200, `{"result":[${'{},'.repeat(3_000_000)}{}]}`));
  const asked = rpc.call('x', [], z.unknown());
  expect(await troubleOf(asked)).toMatchObject({ message: 'The node at 127.0.0.1 answered with too much.' });
});

it('a list is given up at its first wrong entry, and when it is too long', () => {
  const looked = vi.fn(() => false);
  const list = listOf(z.custom(looked, 'not one'), 1000);
  const { error } = list.safeParse(Array.from({ length: 1000 }, () => ({})));
  expect(error?.issues).toMatchObject([{ path: [0], message: 'not one' }]);
  expect(looked).toHaveBeenCalledTimes(1);
  expect(list.safeParse(Array.from({ length: 1001 }, () => ({}))).success).toBe(false);
  expect(listOf(z.int(), 3).parse([1, 2, 3])).toEqual([1, 2, 3]);
});

it.each([
  ['garbage', 200, '<html>', 'nonsense'],
  ['garbage with an error of the proxy', 502, '<html>', 'away'],
  ['a wrong type', 200, { result: 5 }, 'nonsense'],
  ['an answer that is none', 200, 'null', 'nonsense'],
  ['nothing at all', 200, {}, 'nonsense'],
  ['the wrong password', 401, '', 'refused'],
  ['too many calls', 429, '', 'limited'],
  ['too many calls, by its number', 200, { error: { code: -32005, message: 'rate limit' } }, 'limited'],
  ['an error that is a text', 200, { error: 'no' }, 'refused'],
])('%s is told apart', async (_what, status, body, trouble) => {
  const rpc = await nodeThat(saying(status, body));
  expect(await troubleOf(rpc.call('x', [], z.string()))).toMatchObject({ trouble });
});

it('a node that is not there, does not answer or never ends is given up on', async () => {
  const gone = createJsonRpc({ url: 'http://127.0.0.1:9/' });
  expect(await troubleOf(gone.call('x', [], z.string()))).toMatchObject({ trouble: 'away' });
  const silent = await nodeThat(() => {}, { timeLimitMs: 50 });
  expect(await troubleOf(silent.call('x', [], z.string()))).toMatchObject({
    trouble: 'away',
    message: 'The node at 127.0.0.1 did not answer within 0.05 s.',
  });
  const endless = await nodeThat(saying(200, { result: 'x'.repeat(2000) }), { answerBytesMax: 1000 });
  expect(await troubleOf(endless.call('x', [], z.string()))).toMatchObject({ trouble: 'nonsense' });
});

it('a node that sends elsewhere is not followed, with our credentials or without', async () => {
  const asked: string[] = [];
  const elsewhere = await nodeThat(({ url = '' }, response) => {
    asked.push(url);
    if (url === '/other') return void response.end(JSON.stringify({ result: 'x' }));
    response.writeHead(307, { location: '/other' }).end();
  });
  expect(await troubleOf(elsewhere.call('x', [], z.string()))).toMatchObject({ trouble: 'away' });
  expect(asked).toEqual(['/v3/k3yk3y?token=t0ken']);
});

it('the answers of a batch are put in the order of its calls; a missing one is nonsense', async () => {
  const shuffled = [{ id: 1, result: 'b' }, { id: 0, result: 'a' }, 7, null];
  const calls = ['x', 'y'].map((method) => ({ method, params: [] }));
  const rpc = await nodeThat(saying(200, shuffled));
  expect(await rpc.batch(calls, z.string())).toEqual(['a', 'b']);
  expect(await troubleOf(rpc.batch([...calls, { method: 'z', params: [] }], z.string()))).toMatchObject({
    trouble: 'nonsense',
    message: 'The node at 127.0.0.1 answered z in no known form.',
  });
  const refusing = await nodeThat(saying(200, { error: { code: -32600, message: 'no batches' } }));
  expect(await troubleOf(refusing.batch(calls, z.string()))).toMatchObject({
    trouble: 'refused',
    code: -32600,
  });
});

it('an address that is none is refused without repeating it', () => {
  for (const url of ['user:s3cret@host', 'ftp://user:s3cret@host', '']) {
    expect(() => createJsonRpc({ url })).toThrow(/^The address of a node is not a URL\.$/);
  }
});

it('nobody waits for an answer when the server stops', async () => {
  const stopping = new AbortController();
  const rpc = await nodeThat(() => stopping.abort(), { stopping: stopping.signal });
  const stopped = { trouble: 'away', message: expect.stringContaining('the server stops'), code: null };
  expect(await troubleOf(rpc.call('x', [], z.string()))).toEqual(stopped);
  expect(await troubleOf(rpc.call('x', [], z.string()))).toEqual(stopped);
});
