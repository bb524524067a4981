import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

const lookMs = 50;
/** For the rest of a request whose beginning has come. */
const arrivalMsMax = 2_000;

/**
 * Lets a closing server finish what it was asked and then end at once. By itself it would wait for connections that
 * browsers and proxies keep open without a request, for more than a minute, and for requests that never come whole.
 */
export function closeConnectionsWhenIdle(app: FastifyInstance): void {
  const unanswered = new Set<IncomingMessage>();
  let closing = false;
  let timer: NodeJS.Timeout | undefined;
  app.server.on('request', (request, response) => {
    unanswered.add(request);
    response.once('close', () => unanswered.delete(request));
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
        for (const request of unanswered) if (!request.complete) request.destroy();
      }
      // Connections that never carried a request are not idle in Node's eyes, so at the end all are closed.
      if (unanswered.size === 0) app.server.closeAllConnections();
      else app.server.closeIdleConnections();
    }, lookMs);
  });
  app.addHook('onClose', async () => clearInterval(timer));
}
