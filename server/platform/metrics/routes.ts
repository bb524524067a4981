import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AddressList, isOwnAddress } from '../http/client-address.ts';
import { bearerOf } from '../http/identity.ts';
import { sendNotFound } from '../http/refusals.ts';
import type { Db } from '../postgres/db.ts';
import type { Mode } from '../postgres/installation.ts';
import { createReadiness } from '../postgres/readiness.ts';
import type { Metrics } from './metrics.ts';

const loopback = ['127.0.0.1', '::1'];

interface Readers {
  mode: Mode;
  metricsToken: string | undefined;
  metricsFrom: AddressList;
  trustedProxies: AddressList;
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Figures about traffic are not for the public. Behind a proxy on the same machine everyone seems to be on this machine,
 * so a production asks for a token, or for an address that is the client's own. A demo is reached from nowhere else.
 */
function mayReadMetrics(request: FastifyRequest, readers: Readers): boolean {
  const { mode, metricsToken, metricsFrom, trustedProxies } = readers;
  const { clientAddress } = request;
  if (metricsFrom.has(clientAddress) && isOwnAddress(request, trustedProxies)) return true;
  if (metricsToken !== undefined) {
    return timingSafeEqual(digest(bearerOf(request) ?? ''), digest(metricsToken));
  }
  return mode === 'demo' && loopback.includes(clientAddress);
}

/** For whoever runs the server: is it up, can it serve, how is it doing. */
export function watchingRoutes({ db, config, metrics }: { db: Db; config: Readers; metrics: Metrics }) {
  const { registry, requests, figures } = metrics;
  const failing = createReadiness(db);

  return {
    measure(app: FastifyInstance) {
      app.addHook('onResponse', (request, reply, done) => {
        // Unknown addresses share one label: a stranger must not be able to make labels at will.
        const route = request.routeOptions.url ?? 'unknown';
        requests.observe(
          { method: request.method, route, status: reply.statusCode },
          reply.elapsedTime / 1000,
        );
        done();
      });
    },

    async routes(app: FastifyInstance) {
      app.get('/healthz', async () => ({ status: 'up' }));
      app.get('/readyz', async (_request, reply) => {
        const reasons = await failing();
        if (reasons.length === 0) return { status: 'ready', failing: reasons };
        return reply.status(503).header('retry-after', 5).send({ status: 'not ready', failing: reasons });
      });
      app.get('/metrics', async (request, reply) => {
        if (!mayReadMetrics(request, config)) return sendNotFound(reply);
        await figures.gather();
        return reply.type(registry.contentType).send(await registry.metrics());
      });
    },
  };
}
