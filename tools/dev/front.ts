import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

type SideName = 'server' | 'web';

interface FrontOptions {
  host: string;
  port: number;
  ports: Record<SideName, number>;
  /** What the server does with pages before it sends them. */
  mendPage(html: string): { html: string; contentSecurityPolicy: string };
  /** A side that has failed is not waited for. */
  isDown(side: SideName): boolean;
  waitMsMax?: number;
}

export interface Front {
  bothAnswer(): Promise<void>;
  close(): Promise<void>;
}

const answeredByServer = ['/api', '/dev', '/log', '/healthz', '/readyz', '/metrics'];
/** Under `/dev` and drawn by Vite all the same. */
const uiPieces = '/dev/ui';
const retryMs = 25;
const repeatsMax = 3;

/** Anybody's page can ask for an address that is none, so nothing is parsed here that could be refused. */
export function sideOf(url: string): SideName {
  const [pathname = '/'] = url.split('?', 1);
  const isUnder = (prefix: string) => pathname === prefix || pathname.startsWith(`${prefix}/`);
  return answeredByServer.some(isUnder) && !isUnder(uiPieces) ? 'server' : 'web';
}

type Reach = (side: SideName) => Promise<Socket>;

/** A side that is starting is waited for. */
function reacher({ ports, isDown, waitMsMax = 20_000 }: FrontOptions): Reach {
  return async (side) => {
    const deadline = Date.now() + waitMsMax;
    for (;;) {
      const socket = connect(ports[side], '127.0.0.1');
      try {
        await once(socket, 'connect');
        return socket;
      } catch (error) {
        if (isDown(side) || Date.now() > deadline) throw error;
        await delay(retryMs);
      }
    }
  };
}

/** What has no body can be asked again when a side that was about to end took the first connection. */
async function ask(reach: Reach, side: SideName, request: IncomingMessage): Promise<IncomingMessage> {
  const mayRepeat = request.method === 'GET' || request.method === 'HEAD';
  for (let tries = 1; ; tries += 1) {
    const socket = await reach(side);
    const { method, url } = request;
    const headers = { ...request.headers, connection: 'close' };
    const onward = http.request({ method, path: url, headers, createConnection: () => socket });
    // What fails after the answer has begun ends that, too, and is noticed there.
    onward.on('error', () => {});
    if (mayRepeat) onward.end();
    else request.pipe(onward);
    try {
      const [answer] = (await once(onward, 'response')) as [IncomingMessage];
      return answer;
    } catch (error) {
      if (!mayRepeat || tries >= repeatsMax) throw error;
    }
  }
}

async function send(
  answer: IncomingMessage,
  response: ServerResponse,
  mendPage: FrontOptions['mendPage'] | null,
): Promise<void> {
  const { connection: _hop, ...headers } = answer.headers;
  const status = answer.statusCode ?? 502;
  if (!mendPage || !headers['content-type']?.startsWith('text/html')) {
    response.writeHead(status, headers);
    answer.on('error', () => response.destroy()).pipe(response);
    return;
  }
  const { html, contentSecurityPolicy } = mendPage(await text(answer));
  delete headers['content-length'];
  delete headers['transfer-encoding'];
  response.writeHead(status, { ...headers, 'content-security-policy': contentSecurityPolicy }).end(html);
}

/** The line on which Vite tells of edits: both ends talk, nobody listens in. */
async function join(reach: Reach, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
  socket.on('error', () => socket.destroy());
  const lines = [`${request.method} ${request.url} HTTP/1.1`];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    lines.push(`${request.rawHeaders[at]}: ${request.rawHeaders[at + 1]}`);
  }
  try {
    const onward = await reach(sideOf(request.url ?? '/'));
    onward.write(`${lines.join('\r\n')}\r\n\r\n`);
    onward.write(head);
    onward.on('error', () => onward.destroy());
    socket.pipe(onward).pipe(socket);
  } catch {
    socket.destroy();
  }
}

/** The one address of `npm run dev`. A request that meets a side that is starting waits until it has. */
export async function startFront(options: FrontOptions): Promise<Front> {
  const reach = reacher(options);

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const side = sideOf(request.url ?? '/');
    try {
      const answer = await ask(reach, side, request);
      await send(answer, response, side === 'web' ? options.mendPage : null);
    } catch {
      if (response.headersSent) return void response.destroy();
      response
        .writeHead(502, { 'content-type': 'text/plain; charset=utf-8' })
        .end(`The ${side} does not answer: the terminal of npm run dev says why.\n`);
    }
  }

  const front = http.createServer((request, response) => void pass(request, response));
  front.on('upgrade', (request, socket, head) => void join(reach, request, socket, head));
  front.listen(options.port, options.host);
  await once(front, 'listening');

  return {
    async bothAnswer() {
      for (const side of ['server', 'web'] as const) {
        let socket: Socket | null = null;
        while (!socket) socket = await reach(side).catch(() => delay(retryMs, null));
        socket.destroy();
      }
    },
    async close() {
      front.close();
      front.closeAllConnections();
    },
  };
}
