import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../clock.ts';
import { createFigures } from './figures.ts';

interface MetricsNeeds {
  clock: Clock;
  /** What this process does of all that a server does. */
  role: string;
  keptMs: number;
}

/** What is counted and timed while it happens. */
function createCounts(registry: Registry) {
  const registers = [registry];
  return {
    requests: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'How long requests took, by route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    batches: new Histogram({
      name: 'tallystick_batch_size',
      help: 'How many commands that move money were executed together.',
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
      registers,
    }),
    commits: new Histogram({
      name: 'tallystick_commit_duration_seconds',
      help: 'How long the writing of money took, from sending the last of it, or from the end of what it was sent behind, until the commit was acknowledged.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    reads: new Counter({
      name: 'tallystick_reads_total',
      help: 'Statements that may be answered by a replica, by where they were and, at the primary, why there.',
      labelNames: ['from', 'why'],
      registers,
    }),
    jobs: new Counter({
      name: 'tallystick_job_runs_total',
      help: 'Jobs that this server has run, by task and by whether they were done or have failed.',
      labelNames: ['task', 'outcome'],
      registers,
    }),
  };
}

/** What happens by the clock: when each work last ended well on this server. */
function createWorks(registry: Registry, clock: Clock) {
  const works = new Map<string, { everySeconds: number; endedAt: number }>();
  const now = () => clock.now().getTime();
  const gauge = (
    name: string,
    help: string,
    of: (work: { everySeconds: number; endedAt: number }) => number,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: ['work'],
      registers: [registry],
      collect() {
        for (const [work, known] of works) this.set({ work }, of(known));
      },
    });
  gauge(
    'tallystick_clock_work_success_seconds',
    'How long ago a work last ended well on this server; before the first time, how long ago the server began.',
    ({ endedAt }) => Math.max(0, (now() - endedAt) / 1000),
  );
  gauge(
    'tallystick_clock_work_interval_seconds',
    'How often a work is to happen, on whichever server.',
    ({ everySeconds }) => everySeconds,
  );
  return {
    begin(name: string, everySeconds: number): void {
      works.set(name, { everySeconds, endedAt: now() });
    },
    endWell(name: string): void {
      const work = works.get(name);
      if (work) work.endedAt = now();
    },
  };
}

/** Everything that whoever watches the server is told, in one registry. */
export function createMetrics({ clock, role, keptMs }: MetricsNeeds) {
  const registry = new Registry();
  const roles = new Gauge({
    name: 'tallystick_role',
    help: '1 for what this process does: all, web or worker. One that is web has no figures of works and runs no jobs.',
    labelNames: ['role'],
    registers: [registry],
  });
  roles.set({ role }, 1);
  collectDefaultMetrics({ register: registry });
  const { batches, commits, reads, ...counts } = createCounts(registry);
  return {
    registry,
    ...counts,
    /** Told by whoever moves money. */
    money: {
      onBatch: (size: number) => batches.observe(size),
      onCommit: (seconds: number) => commits.observe(seconds),
    },
    /** Told by whoever reads what may be a moment old, where there is a replica. */
    onRead: (from: string, why: string) => reads.inc({ from, why }),
    works: createWorks(registry, clock),
    figures: createFigures({ registry, keptMs }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
