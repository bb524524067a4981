import type { FastifyInstance } from 'fastify';

const lookMs = 50;

/**
 * Lets a closing server finish what it was asked and then end at once. By itself it would wait for connections that
 * browsers and proxies keep open without a request, for more than a minute.
 */
export function closeConnectionsWhenIdle(app: FastifyInstance): void {
  let unanswered = 0;
  let closing = false;
  let timer: NodeJS.Timeout | undefined;
  app.server.on('request', (_request, response) => {
    unanswered += 1;
    response.once('close', () => {
      unanswered -= 1;
    });
  });
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close');
  });
  app.addHook('preClose', async () => {
    closing = true;
    timer = setInterval(() => {
      // Connections that never carried a request are not idle in Node's eyes, so at the end all are closed.
      if (unanswered === 0) app.server.closeAllConnections();
      else app.server.closeIdleConnections();
    }, lookMs);
  });
  app.addHook('onClose', async () => clearInterval(timer));
}
