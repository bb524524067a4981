import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../server/platform/embedded-postgres/process.ts';
import { sideOf, startFront } from './front.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function listen(answer: RequestListener, port = 0): Promise<number> {
  const side = http.createServer(answer).listen(port, '127.0.0.1');
  await once(side, 'listening');
  closers.push(() => {
    side.closeAllConnections();
    side.close();
  });
  side.on('upgrade', (_request, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\nhello'));
  return (side.address() as AddressInfo).port;
}

async function open(ports: { server: number; web: number }, isDown = false): Promise<number> {
  const port = await freePort();
  const front = await startFront({
    host: '127.0.0.1',
    port,
    ports,
    isDown: () => isDown,
    mendPage: (html) => ({ html: `${html} mended`, contentSecurityPolicy: "default-src 'self'" }),
  });
  closers.push(front.close);
  return port;
}

it.each([
  ['/', 'web'],
  ['/login', 'web'],
  ['/logs', 'web'],
  ['/log', 'server'],
  ['/api/plans/list?a=1', 'server'],
  ['/dev/inbox', 'server'],
  ['/dev/ui', 'web'],
  ['/dev/ui/main.tsx', 'web'],
  ['/readyz', 'server'],
  // No addresses, and any page of any site can ask for them.
  ['//[', 'web'],
  ['http://[/api', 'web'],
])('%s is for the %s', (url, side) => {
  expect(sideOf(url)).toBe(side);
});

describe('the one address of npm run dev', () => {
  it('hands calls to the server and brings back what it answers', async () => {
    const server = await listen(async (request, response) => {
      let body = '';
      for await (const piece of request) body += piece;
      response.writeHead(201, { 'set-cookie': ['a=1', 'b=2'] }).end(`${request.headers.host} ${body}`);
    });
    const port = await open({ server, web: server });
    const answer = await fetch(`http://127.0.0.1:${port}/api/a`, { method: 'POST', body: 'hello' });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([201, ['a=1', 'b=2']]);
    expect(await answer.text()).toBe(`127.0.0.1:${port} hello`);
  });

  it('mends pages and gives them a policy, and leaves scripts alone', async () => {
    const web = await listen(({ url }, response) =>
      response.writeHead(200, { 'content-type': url === '/' ? 'text/html' : 'text/javascript' }).end('text'),
    );
    const port = await open({ server: web, web });
    const page = await fetch(`http://127.0.0.1:${port}/`);
    expect([await page.text(), page.headers.get('content-security-policy')]).toEqual([
      'text mended',
      "default-src 'self'",
    ]);
    expect(await (await fetch(`http://127.0.0.1:${port}/a.js`)).text()).toBe('text');
  });

  it('waits for a side that is starting', async () => {
    const server = await freePort();
    const port = await open({ server, web: server });
    const answer = fetch(`http://127.0.0.1:${port}/healthz`);
    await listen((_request, response) => response.end('up'), server);
    expect(await (await answer).text()).toBe('up');
  });

  it('asks again when a side ends before it has answered', async () => {
    let asked = 0;
    const server = await listen((request, response) => {
      asked += 1;
      if (asked === 1) request.socket.destroy();
      else response.end('up');
    });
    const port = await open({ server, web: server });
    expect(await (await fetch(`http://127.0.0.1:${port}/healthz`)).text()).toBe('up');
    const posted = await fetch(`http://127.0.0.1:${port}/healthz`, { method: 'POST', body: 'a' });
    expect([posted.status, asked]).toEqual([200, 3]);
  });

  it('says at once that a side has failed', async () => {
    const server = await freePort();
    const port = await open({ server, web: server }, true);
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`);
    expect([answer.status, await answer.text()]).toEqual([
      502,
      expect.stringContaining('The server does not'),
    ]);
  });

  it('lets the line through on which edits are told', async () => {
    const web = await listen(() => {});
    const socket = connect(await open({ server: web, web }), '127.0.0.1');
    closers.push(() => socket.destroy());
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toContain('101 Switching');
  });
});

/** What would have ended `npm run dev` and left its sides and its database running: nobody waits for these errors. */
async function whatNobodyCaught(happening: () => Promise<void>): Promise<Error[]> {
  const errors: Error[] = [];
  const keep = (error: Error) => void errors.push(error);
  const listeners = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', keep);
  try {
    await happening();
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const listener of listeners) process.on('uncaughtException', listener);
  }
  return errors;
}

describe('npm run dev outlives', () => {
  it('a side that breaks off in the middle of an answer', async () => {
    const web = await listen((request, response) => {
      response.writeHead(200, { 'content-type': 'text/javascript', 'content-length': 100 }).write('text');
      setTimeout(() => request.socket.resetAndDestroy(), 50);
    });
    const port = await open({ server: web, web });
    const errors = await whatNobodyCaught(async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/a.js`);
      await expect(answer.text()).rejects.toThrow();
    });
    expect(errors).toEqual([]);
  });

  it('a page that goes away while it waits for the line of a side that is starting', async () => {
    const server = await listen((_request, response) => response.end('up'));
    const port = await open({ server, web: await freePort() });
    const errors = await whatNobodyCaught(async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      // What is asked later is answered later: by then the one before was met.
      await fetch(`http://127.0.0.1:${port}/healthz`);
      socket.resetAndDestroy();
      await fetch(`http://127.0.0.1:${port}/healthz`);
    });
    expect(errors).toEqual([]);
  });
});
