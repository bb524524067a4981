import type { Bank } from './bank.ts';
import { endedChildrenMicros, familyMicros, processMicros } from './cpu.ts';
import type { Cluster } from './postgres/cluster.ts';
import type { Way, WayName } from './ways.ts';

/** What a way did in one round, and what it cost for each time. */
export interface Figures {
  per_s: number;
  node_us: number;
  postgres_us: number;
  /** Whoever asked: wrk, pgbench or our own client. */
  client_us: number;
  wal_bytes: number;
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export interface Meter {
  cluster: Cluster;
  bank: Bank;
}

async function readMeter({ cluster, bank }: Meter) {
  return {
    node: processMicros(bank.server.pid),
    postgres: familyMicros(cluster.postmasterPid),
    client: endedChildrenMicros(),
    wal: await cluster.walBytes(),
  };
}

export async function measure(meter: Meter, way: () => ReturnType<Way>): Promise<Figures> {
  const before = await readMeter(meter);
  const { done, seconds } = await way();
  const after = await readMeter(meter);
  if (done === 0) throw new Error('not done a single time: the machine is too busy to measure anything');
  const each = (name: keyof typeof before) => (after[name] - before[name]) / done;
  return {
    per_s: done / seconds,
    node_us: each('node'),
    postgres_us: each('postgres'),
    client_us: each('client'),
    wal_bytes: each('wal'),
  };
}

export type Rounds = Partial<Record<WayName, Figures[]>>;

interface Turns {
  order: WayName[];
  prepare(name: WayName): Promise<void>;
  go(name: WayName, seconds: number): ReturnType<Way>;
  rounds: number;
  secondsEach: number;
  tell(line: string): void;
}

/** The ways take turns, so that whatever else the machine does touches all of them. */
export async function takeTurns(
  meter: Meter,
  { order, prepare, go, rounds, secondsEach, tell }: Turns,
): Promise<Rounds> {
  const measured: Rounds = {};
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of order) {
      await prepare(name);
      const figures = await measure(meter, () => go(name, secondsEach));
      measured[name] = [...(measured[name] ?? []), figures];
      tell(`round ${round} of ${rounds}: ${name} ${Math.round(figures.per_s)} a second`);
    }
  }
  return measured;
}

export function medians(rounds: Figures[]): Figures {
  const of = (name: keyof Figures) => median(rounds.map((figures) => figures[name]));
  return {
    per_s: of('per_s'),
    node_us: of('node_us'),
    postgres_us: of('postgres_us'),
    client_us: of('client_us'),
    wal_bytes: of('wal_bytes'),
  };
}
