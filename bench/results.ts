import { availableParallelism, cpus, totalmem } from 'node:os';
import type { Chains } from './chains/read-blocks.ts';
import { type Key, ratios } from './keys.ts';
import type { Growth, Lists } from './latency.ts';
import { wrk } from './load/load.ts';
import type { Proven } from './proof/measure.ts';
import { type Figures, median, medians, type Rounds } from './rounds.ts';
import type { WayName } from './ways.ts';

/** All that was measured. */
export interface Measured {
  rounds: Rounds;
  /** With how many clients pgbench was at its best. */
  clients: Partial<Record<WayName, number>>;
  letters: Figures;
  growth: Growth;
  lists: Lists;
  start: { seconds: number[]; site: boolean };
  memoryBytes: number;
  chains: Chains;
  proof: Proven;
}

/** The median of what the rounds say, each compared with what stood beside it. */
function ratioOf(ours: number[] = [], against: number[] = []): number {
  return median(ours.map((value, round) => value / (against[round] ?? Number.NaN)));
}

function eachRatio(rounds: Rounds, ratio: (ours: Figures[], against: Figures[]) => number) {
  return Object.fromEntries(
    Object.entries(ratios).flatMap(([key, way]) => {
      const [ours, against] = [rounds[way.ours], rounds[way.against]];
      return ours && against ? [[key, ratio(ours, against)]] : [];
    }),
  ) as Partial<Record<Key, number>>;
}

const rates = (all: Figures[]) => all.map(({ per_s }) => per_s);
const micros = (all: Figures[]) =>
  all.map(({ node_us, postgres_us, client_us }) => node_us + postgres_us + client_us);

export function keysOf({
  rounds,
  growth,
  lists: { few, many },
  start,
  memoryBytes,
  chains,
  proof,
}: Measured) {
  return {
    ...eachRatio(rounds, (ours, against) => ratioOf(rates(ours), rates(against))),
    growth_latency: ratioOf(growth.many_p50_ms, growth.few_p50_ms),
    list_latency: Math.max(
      ratioOf(many.first_p50_ms, few.first_p50_ms),
      ratioOf(many.last_p50_ms, few.last_p50_ms),
    ),
    start_s: median(start.seconds),
    memory_mb: memoryBytes / 2 ** 20,
    bitcoin_block_ms: median(chains.bitcoin.ms),
    evm_block_ms: median(chains.ethereum.ms),
    proof_s: proof.seconds,
  } satisfies Partial<Record<Key, number>> as Partial<Record<Key, number>>;
}

/**
 * The same ratios by what each time cost in all, whoever asks included: what the rates would be if nobody waited for
 * anything but the processor. They hold on a machine that is busy with other things, too. Of a block, what it cost the
 * thread that reads.
 */
export function byCpuOf({ rounds, chains, proof }: Pick<Measured, 'rounds' | 'chains' | 'proof'>) {
  return {
    ...eachRatio(rounds, (ours, against) => ratioOf(micros(against), micros(ours))),
    bitcoin_block_ms: median(chains.bitcoin.cpu_ms),
    evm_block_ms: median(chains.ethereum.cpu_ms),
    proof_s: proof.node_cpu_s + proof.postgres_cpu_s,
  } satisfies Partial<Record<Key, number>> as Partial<Record<Key, number>>;
}

export function machineOf(postgres: string) {
  return {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? '',
    memory_gb: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    postgres,
    asked_by: wrk ? 'wrk' : 'own client',
  };
}

/** One key for each ratio, then everything that they are made of. */
export function resultsText(measured: Measured, run: object): string {
  const { rounds, clients, letters, growth, lists, start, chains, proof } = measured;
  const written = {
    ...keysOf(measured),
    letters_per_s: letters.per_s,
    by_cpu: byCpuOf(measured),
    run,
    rates: Object.fromEntries(
      Object.entries(rounds).map(([name, all]) => [name, { ...medians(all), rounds: all }]),
    ),
    pgbench_clients: clients,
    letters,
    growth,
    lists,
    start,
    chains,
    proof,
  };
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(5)) : value;
  return `${JSON.stringify(written, rounded, 2)}\n`;
}
