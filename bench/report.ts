import { availableParallelism } from 'node:os';

export interface Measured {
  name: string;
  /** One for each round. */
  rates: number[];
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const grouped = (value: number) => Math.round(value).toLocaleString('en-US');

/** The first column to the left, the others to the right, as the formatter would have it. */
function tableOf(rows: string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const [head = '', ...body] = rows.map((row) =>
    line(widths.map((width, n) => (n === 0 ? row[n]?.padEnd(width) : row[n]?.padStart(width)) ?? '')),
  );
  const rule = line(widths.map((width, n) => (n === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)));
  return [head, rule, ...body].join('\n');
}

/** The first line is what the others are compared with. */
export function report(
  measured: Measured[],
  how: { rounds: number; secondsEach: number; loadBefore: number },
): string {
  const base = median(measured[0]?.rates ?? []);
  const rows = measured.map(({ name, rates }) => {
    const rate = median(rates);
    const span = `${grouped(Math.min(...rates))} to ${grouped(Math.max(...rates))}`;
    return [name, grouped(rate), span, (rate / base).toFixed(2)];
  });
  const cores = availableParallelism();
  const calm = how.loadBefore < cores / 2;
  const company = calm
    ? 'The machine had nothing else to do.'
    : 'The machine was busy with other work all the while: run it again on a quiet one before you quote it.';
  return `# Measured

Investments a second, written by \`npm run bench\`. Everything on one machine with ${cores} cores: the
embedded PostgreSQL with \`fsync\`, \`full_page_writes\`, \`synchronous_commit\` and checksums on, the server, and whoever
asks. ${how.rounds} rounds of ${how.secondsEach} s each, the ways taking turns; the median counts. Absolute numbers are
this machine's; the ratios are what travels.

Load before the run: ${how.loadBefore.toFixed(1)}. ${company}

${tableOf([['way', 'a second', 'least to most', 'ratio'], ...rows])}

- All ways but the last write the same rows: key, movement, two entries with their chained hashes, two balances, an
  investment, the answer. Afterwards the run checks that every balance is the sum of its entries and all add up to zero.
- The ledger's ways also queue the letter that tells the investor, sealed, in the same transaction; plain SQL does not.
- Over HTTP the server also reads the session, checks the request's shape and keeps the limits.
- pgbench's own transaction is three updates, a select and an insert, without keys, hashes or an answer that is kept.
`;
}
