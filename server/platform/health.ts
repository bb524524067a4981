import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Db } from './db.ts';
import { oldestDueJobSeconds } from './jobs.ts';
import { createReadiness } from './readiness.ts';
import { sendNotFound } from './refusals.ts';

const loopback = ['127.0.0.1', '::1', '::ffff:127.0.0.1'];

/** For whoever runs the server: is it up, can it serve, how is it doing. */
export function healthRoutes(db: Db) {
  const failing = createReadiness(db);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });

  new Gauge({
    name: 'tallystick_oldest_due_job_seconds',
    help: 'How long the oldest due job has waited. Minutes mean that the worker has stopped: nothing matures, no mail leaves.',
    registers: [registry],
    async collect() {
      // Without the database the other figures are wanted all the more.
      this.set(await oldestDueJobSeconds(db).catch(() => Number.NaN));
    },
  });

  return {
    measure(app: FastifyInstance) {
      app.addHook('onResponse', async (request, reply) => {
        // Unknown addresses share one label: a stranger must not be able to make labels at will.
        const route = request.routeOptions.url ?? 'unknown';
        durations.observe(
          { method: request.method, route, status: reply.statusCode },
          reply.elapsedTime / 1000,
        );
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
        // Figures about traffic are for this machine's collector, not for the public.
        const forwarded = request.headers['x-forwarded-for'] ?? request.headers.forwarded;
        const here = loopback.includes(request.socket.remoteAddress ?? '') && forwarded === undefined;
        if (!here) return sendNotFound(reply);
        return reply.type(registry.contentType).send(await registry.metrics());
      });
    },
  };
}
