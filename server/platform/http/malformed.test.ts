import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { readErrorBody, statusOf } from '@tallystick/contract/errors';
import { entries } from '@tallystick/contract/proof';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { answerMalformed } from './malformed.ts';
import { answerError } from './refusals.ts';

let test: TestApp;
let port: number;
beforeAll(async () => {
  test = await startTestApp();
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  port = (test.app.server.address() as AddressInfo).port;
});
afterAll(() => test.close());

const head = 'GET /api/users/viewprofile HTTP/1.1\r\nhost: 127.0.0.1\r\n';

it.each([
  ['no HTTP at all', 'hello?\r\n\r\n', 'invalid_request'],
  ['a header without a name', `${head}: nothing\r\n\r\n`, 'invalid_request'],
  ['two lengths', `${head}content-length: 1\r\ncontent-length: 2\r\n\r\n`, 'invalid_request'],
  ['a second host', `${head}host: 127.0.0.2\r\nconnection: close\r\n\r\n`, 'invalid_request'],
  ['an expectation', `${head}expect: the impossible\r\n\r\n`, 'invalid_request'],
  ['headers without an end', `${head}x: ${'x'.repeat(64 * 1024)}`, 'payload_too_large'],
])('%s is refused in our words, with the headers of every answer', async (_, request, code) => {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(request);
  const [top = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  expect(readErrorBody(JSON.parse(body))?.code).toBe(code);
  expect(top).toMatch(new RegExp(`^HTTP/1.1 ${statusOf[code as 'invalid_request']} `));
  for (const header of ['x-content-type-options: nosniff', 'cache-control: no-store', 'connection: close'])
    expect(top.toLowerCase()).toContain(header);
});

it.each([
  ['says how long it is', `content-length: 50000000\r\n\r\n{`],
  ['comes in pieces', 'transfer-encoding: chunked\r\n\r\n1\r\n{\r\n'],
])('a body without end that %s is not read on once the request was refused', async (_, rest) => {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  const call =
    'POST /api/investment/makeinvestment HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n';
  socket.write(call + rest);
  expect(await text(socket)).toMatch(/^HTTP\/1.1 401 .*"unauthenticated"/s);
});

it('half a request is kept for a while only, its headers for less, and an answer that nobody takes for longer', () => {
  const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = test.app.server;
  expect(headersTimeout).toBeLessThan(requestTimeout);
  expect(requestTimeout).toBeLessThan(timeout);
  // The one limit for connections that rest, too.
  expect(keepAliveTimeout).toBe(0);
});

it('a connection on which nothing more is asked is hung up on by the same limit', async () => {
  const { server } = test.app;
  const { timeout } = server;
  server.timeout = 300;
  try {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write('GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
    // The answer is whole, says nothing of closing, and the end comes all the same.
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1.1 200 [\s\S]*connection: keep-alive/i);
    expect(answer).not.toMatch(/keep-alive: timeout/i);
  } finally {
    server.timeout = timeout;
  }
});

it.each<[string, string, RequestListener, RegExp]>([
  ['a request that is being worked on', '', () => {}, /^$/],
  ['an answer that has begun', '', (_, answer) => void answer.write('begun'), /begun\r\n$/],
  [
    'a request that is malformed further on',
    'transfer-encoding: chunked\r\n',
    () => {},
    /^HTTP\/1.1 400 .*malformed/s,
  ],
])('what follows on %s is not answered in its place', async (_, header, listener, told) => {
  const server = createServer(listener).on('clientError', answerMalformed({}));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  server.on('request', () => setImmediate(() => socket.write('hello?\r\n\r\n')));
  socket.write(`POST / HTTP/1.1\r\nhost: 127.0.0.1\r\n${header}\r\n`);
  expect(await text(socket)).toMatch(told);
  server.close();
});

it('whoever hangs up in the middle of a body makes no alarm', async () => {
  const logged: string[] = [];
  const codes: string[] = [];
  const app = Fastify({ logger: { level: 'warn', stream: { write: (line: string) => logged.push(line) } } });
  app.setErrorHandler<Error & { code: string }>((error, request, reply) => {
    codes.push(error.code);
    return answerError(error as Parameters<typeof answerError>[0], request, reply);
  });
  app.post('/', async () => ({}));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  app.server.once('request', () => setImmediate(() => socket.destroy()));
  socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{');
  await expect.poll(() => codes).toEqual(['ECONNRESET']);
  await app.close();
  expect(logged).toEqual([]);
});

it('a field that is said twice is refused, not taken for one of the two', async () => {
  const { path } = entries;
  expect((await test.app.inject(`${path}?kind=plan`)).statusCode).toBe(200);
  const answer = await test.app.inject(`${path}?kind=plan&kind=plan`);
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request']);
});

it.each(['TRACE', 'PUT', 'PROPFIND'])('a method that nobody offers (%s) is not echoed', async (method) => {
  const headers = { 'sec-fetch-site': 'same-origin', cookie: 'session=secret' };
  const answer = await test.app.inject({ method: method as 'PUT', url: entries.path, headers });
  expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found']);
  expect(answer.payload).not.toContain('secret');
});
