import type { WayName } from './ways.ts';

interface Demand {
  must: number;
  goal: number;
  /** A ratio of rates is to be large, a time, a size or a ratio of times small. */
  wanted: 'at least' | 'at most';
}

const atLeast = (must: number, goal: number): Demand => ({ must, goal, wanted: 'at least' });
const atMost = (must: number, goal: number): Demand => ({ must, goal, wanted: 'at most' });

/** The rates of two ways, one divided by the other. */
export const ratios = {
  money_http_vs_pgbench: { ours: 'money_http', against: 'pgbench', ...atLeast(1.5, 3) },
  money_http_vs_noop: { ours: 'money_http', against: 'noop_post', ...atLeast(0.4, 0.75) },
  ledger_vs_single: { ours: 'ledger', against: 'single', ...atLeast(3, 6) },
  settle_vs_ledger: { ours: 'settle', against: 'ledger', ...atLeast(0.8, 1) },
  read_http_vs_noop: { ours: 'read_http', against: 'noop_get', ...atLeast(0.5, 0.8) },
} satisfies Record<string, Demand & { ours: WayName; against: WayName }>;

/** What is measured by itself. Letters are only told: nobody waits for them. */
const others = {
  growth_latency: atMost(1.25, 1.1),
  list_latency: atMost(3, 1.5),
  start_s: atMost(3, 2),
  memory_mb: atMost(350, 250),
  bitcoin_block_ms: atMost(1_000, 250),
  evm_block_ms: atMost(1_000, 100),
  /** Of a million investors. */
  proof_s: atMost(60, 30),
} satisfies Record<string, Demand>;

export const demands: Record<Key, Demand> = { ...ratios, ...others };
export type Key = keyof typeof ratios | keyof typeof others;

export function holds({ must, goal, wanted }: Demand, value: number): 'goal' | 'must' | 'missed' {
  const reaches = (mark: number) => (wanted === 'at least' ? value >= mark : value <= mark);
  return reaches(goal) ? 'goal' : reaches(must) ? 'must' : 'missed';
}

/** Also what could not be measured: nobody knows that it holds. */
export function missed(values: Partial<Record<Key, number>>): Key[] {
  return (Object.keys(demands) as Key[]).filter((key) => {
    const value = values[key];
    return value === undefined || holds(demands[key], value) === 'missed';
  });
}
