import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const lookMs = 50;
/** For the rest of a request whose beginning has come. */
const arrivalMsMax = 2_000;

/**
 * Lets a closing server finish what it was asked and then end at once. By itself it would wait for connections that
 * browsers and proxies keep open without a request, for more than a minute, and for requests that never come whole.
 */
export function closeConnectionsWhenIdle(app: FastifyInstance): void {
  /**
   * What came last on each connection and is unanswered: only that can have come by half. Not a set of requests: where
   * thousands come and go in one, V8's collector of short-lived things takes those that are gone for alive, with all they
   * hold, until the next full collection.
   */
  const latest = new Map<Socket, { request: IncomingMessage | null }>();
  let unanswered = 0;
  let closing = false;
  let timer: NodeJS.Timeout | undefined;
  app.server.on('connection', (socket) => {
    latest.set(socket, { request: null });
    socket.once('close', () => latest.delete(socket));
  });
  app.server.on('request', (request, response) => {
    const place = latest.get(request.socket);
    if (place) place.request = request;
    unanswered += 1;
    response.once('close', () => {
      unanswered -= 1;
      if (place?.request === request) place.request = null;
    });
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('preClose', async () => {
    closing = true;
    const toldAt = performance.now();
    timer = setInterval(() => {
      if (performance.now() - toldAt > arrivalMsMax) {
        for (const { request } of latest.values()) if (request?.complete === false) request.destroy();
      }
      // Connections that never carried a request are not idle in Node's eyes, so at the end all are closed.
      if (unanswered === 0) app.server.closeAllConnections();
      else app.server.closeIdleConnections();
    }, lookMs);
  });
  app.addHook('onClose', async () => clearInterval(timer));
}
