import { demands, holds, type Key } from './keys.ts';
import type { Measured } from './results.ts';
import { type Figures, medians } from './rounds.ts';
import { type WayName, wayWords } from './ways.ts';

const grouped = (value: number) => Math.round(value).toLocaleString('en-US');
const short = (value: number) => (value >= 100 ? grouped(value) : value.toFixed(2));

/** The first column to the left, the others to the right. */
export function tableOf(rows: string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const [head = '', ...body] = rows.map((row) =>
    line(widths.map((width, n) => (n === 0 ? row[n]?.padEnd(width) : row[n]?.padStart(width)) ?? '')),
  );
  const rule = line(widths.map((width, n) => (n === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)));
  return [head, rule, ...body].join('\n');
}

const words = { goal: 'goal', must: 'must', missed: 'MISSED' };

/** What was asked for and what came out. */
export function keysTable(values: Partial<Record<Key, number>>, byCpu: Partial<Record<Key, number>>): string {
  const rows = (Object.keys(demands) as Key[]).map((key) => {
    const { must, goal, wanted } = demands[key];
    const value = values[key];
    const sign = wanted === 'at least' ? '>=' : '<=';
    const demanded = [`${sign} ${must}`, String(goal)];
    if (value === undefined) return [key, 'not measured', ...demanded, '', ''];
    const cpu = byCpu[key];
    const reached = words[holds(demands[key], value)];
    return [key, short(value), ...demanded, reached, cpu === undefined ? '' : short(cpu)];
  });
  return tableOf([['key', 'measured', 'must', 'goal', 'reached', 'by CPU'], ...rows]);
}

/** The rates behind them, with what each time cost. */
export function ratesTable({ rounds, letters }: Pick<Measured, 'rounds' | 'letters'>): string {
  const row = (name: string, all: Figures[]) => {
    const figures = medians(all);
    const rates = all.map(({ per_s }) => per_s);
    return [
      name,
      grouped(figures.per_s),
      `${grouped(Math.min(...rates))} to ${grouped(Math.max(...rates))}`,
      grouped(figures.node_us),
      grouped(figures.postgres_us),
      grouped(figures.client_us),
      grouped(figures.wal_bytes),
    ];
  };
  const rows = (Object.entries(rounds) as [WayName, Figures[]][]).map(([name, all]) =>
    row(`${name}: ${wayWords[name]}`, all),
  );
  const head = ['way', 'a second', 'least to most', 'node µs', 'PostgreSQL µs', 'who asks µs', 'WAL bytes'];
  return tableOf([head, ...rows, row('letters: delivered to a mail server on loopback', [letters])]);
}
