import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { lightHashing, startTestApp, type TestApp } from '../../testing/start-app.ts';

const proxy = '10.0.0.5';
const own = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let test: TestApp;
const logged: Record<string, unknown>[] = [];
beforeAll(async () => {
  const logger = pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line)) });
  test = await startTestApp({ TRUST_PROXY: proxy }, { logger, hashingCost: lightHashing });
});
afterAll(() => test.close());

async function idOf(url: string, from = '203.0.113.7', headers: Record<string, string> = {}) {
  const answer = await test.app.inject({ url, remoteAddress: from, headers });
  return String(answer.headers['x-request-id']);
}

describe('every answer names its request', () => {
  it.each([
    ['an answer', '/api/prices/simple/price'],
    ['a refusal', '/api/users/viewprofile'],
    ['a page', '/'],
    ['a page that is not there', '/nowhere'],
    ['an address that cannot be read', '/api/users/%zz'],
    ['a call that is not there', '/api/nowhere'],
  ])('%s', async (_, url) => {
    const ids = [await idOf(url), await idOf(url)];
    expect(ids).toEqual([expect.stringMatching(own), expect.stringMatching(own)]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('what is no request at all', async () => {
    await test.app.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect((test.app.server.address() as AddressInfo).port, '127.0.0.1').on(
      'error',
      () => {},
    );
    socket.write('hello?\r\n\r\n');
    expect(await text(socket)).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/);
  });

  it('and so does the log where it failed', async () => {
    vi.spyOn(test.context.prices, 'simplePrice').mockRejectedValueOnce(new Error('broken'));
    const id = await idOf('/api/prices/simple/price');
    expect(logged.filter(({ reqId }) => reqId === id)).toMatchObject([
      { level: 50, msg: 'a request failed' },
    ]);
  });
});

describe('a name that was given before', () => {
  const named = (from: string, name: string) => idOf('/healthz', from, { 'x-request-id': name });
  const name = '7f1b9a04c6d24f0e8d1c3b5a79e2f486';

  it('is kept when the proxy says so, and not when anybody else does', async () => {
    expect(await named(proxy, name)).toBe(name);
    expect(await named('203.0.113.7', name)).toMatch(own);
  });

  it.each(['short', 'x'.repeat(65), 'a b c d e f g h', '{"level":60}', 'name-of-one,name-of-two'])(
    '%s is no name, whoever says so',
    async (name) => {
      expect(await named(proxy, name)).toMatch(own);
    },
  );
});
