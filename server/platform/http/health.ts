import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { lastBackup } from '../backup/last-backup.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../postgres/db.ts';
import type { Mode } from '../postgres/installation.ts';
import { createReadiness } from '../postgres/readiness.ts';
import { oldestDueJobSeconds } from '../work/jobs.ts';
import { bearerOf } from './identity.ts';
import { sendNotFound } from './refusals.ts';

const loopback = ['127.0.0.1', '::1'];

/** How it is with a network whose chain is read. */
interface ChainHealth {
  network: string;
  state: string;
  height: number | null;
  tip: number | null;
  secondsSinceLook: number;
}

/** How it is with the public log. */
interface LogHealth {
  size: number;
  secondsSinceSigned: number | null;
  isStopped: boolean;
}

interface HealthNeeds {
  db: Db;
  clock: Clock;
  log: { health(): Promise<LogHealth> };
  networks: { health(): Promise<ChainHealth[]> };
  config: { mode: Mode; metricsToken: string | undefined };
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Figures about traffic are not for the public. Behind a proxy on the same machine everyone seems to be on this machine,
 * so a production asks for a token; a demo is reached from nowhere else.
 */
function mayReadMetrics(request: FastifyRequest, { mode, metricsToken }: HealthNeeds['config']): boolean {
  if (metricsToken !== undefined) {
    return timingSafeEqual(digest(bearerOf(request) ?? ''), digest(metricsToken));
  }
  return mode === 'demo' && loopback.includes(request.clientAddress);
}

/** Without a network it is still up: nothing here makes a server less ready. */
function measureNetworks(registry: Registry, networks: HealthNeeds['networks']): void {
  const gauge = (
    name: string,
    help: string,
    labels: string[],
    set: (gauge: Gauge, of: ChainHealth) => void,
  ) =>
    new Gauge({
      name: `tallystick_network_${name}`,
      help,
      labelNames: ['network', ...labels],
      registers: [registry],
      async collect() {
        this.reset();
        for (const chain of await networks.health().catch(() => [])) set(this, chain);
      },
    });
  gauge('height', 'The last block of a network that was read.', [], (blocks, { network, height }) => {
    if (height !== null) blocks.set({ network }, height);
  });
  gauge('tip', 'The last block that a network’s node knew of.', [], (blocks, { network, tip }) => {
    if (tip !== null) blocks.set({ network }, tip);
  });
  gauge(
    'state',
    '1 for the state that a network is in: following, behind, away, wrong-chain or nonsense.',
    ['state'],
    (state, chain) => state.set({ network: chain.network, state: chain.state }, 1),
  );
  gauge(
    'last_look_seconds',
    'How long ago a network was last looked at, whatever came of it. Minutes mean that nobody does.',
    [],
    (look, chain) => look.set({ network: chain.network }, chain.secondsSinceLook),
  );
}

function measureLog(registry: Registry, log: HealthNeeds['log']): void {
  const gauge = (name: string, help: string, of: (health: LogHealth) => number | null) =>
    new Gauge({
      name: `tallystick_log_${name}`,
      help,
      registers: [registry],
      async collect() {
        this.set((await log.health().then(of, () => null)) ?? Number.NaN);
      },
    });
  gauge('size', 'How many entries of the public log have their place.', ({ size }) => size);
  gauge(
    'signed_seconds',
    'How long ago the newest checkpoint of the public log was signed.',
    ({ secondsSinceSigned }) => secondsSinceSigned,
  );
  gauge(
    'stopped',
    '1 when the public log is not the one that was signed, so that nothing more is signed: look into it at once.',
    ({ isStopped }) => (isStopped ? 1 : 0),
  );
}

function measureBackup(registry: Registry, { db, clock }: Pick<HealthNeeds, 'db' | 'clock'>): void {
  new Gauge({
    name: 'tallystick_last_backup_seconds',
    help: 'How old the newest backup that was noted is. NaN means that there is none.',
    registers: [registry],
    async collect() {
      const at = await lastBackup(db).catch(() => null);
      this.set(at ? Math.max(0, (clock.now().getTime() - at.getTime()) / 1000) : Number.NaN);
    },
  });
}

/** For whoever runs the server: is it up, can it serve, how is it doing. */
export function healthRoutes({ db, clock, config, networks, log }: HealthNeeds) {
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

  measureNetworks(registry, networks);
  measureLog(registry, log);
  measureBackup(registry, { db, clock });

  return {
    measure(app: FastifyInstance) {
      app.addHook('onResponse', (request, reply, done) => {
        // Unknown addresses share one label: a stranger must not be able to make labels at will.
        const route = request.routeOptions.url ?? 'unknown';
        durations.observe(
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
        return reply.type(registry.contentType).send(await registry.metrics());
      });
    },
  };
}
