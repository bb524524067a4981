/** What one run of Lighthouse found: points of 100, milliseconds, and how far things moved. */
export interface Run {
  performance: number;
  accessibility: number;
  bestPractices: number;
  seo: number;
  firstPaintMs: number;
  largestPaintMs: number;
  blockingMs: number;
  shift: number;
}

interface Report {
  categories: Record<string, { score: number | null } | undefined>;
  audits: Record<string, { numericValue?: number } | undefined>;
}

export function foundIn({ categories, audits }: Report): Run {
  const points = (name: string) => Math.round((categories[name]?.score ?? 0) * 100);
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN;
  return {
    performance: points('performance'),
    accessibility: points('accessibility'),
    bestPractices: points('best-practices'),
    seo: points('seo'),
    firstPaintMs: Math.round(value('first-contentful-paint')),
    largestPaintMs: Math.round(value('largest-contentful-paint')),
    blockingMs: Math.round(value('total-blocking-time')),
    shift: Number(value('cumulative-layout-shift').toFixed(4)),
  };
}

/** Of points the fewest are the worst, of everything else the most. */
const points: readonly string[] = ['performance', 'accessibility', 'bestPractices', 'seo'];

/** Each figure by itself: the worst of all is no single run. */
export function summaryOf(runs: readonly Run[]): { median: Run; worst: Run } {
  const pick = (choose: (sorted: number[], name: string) => number | undefined) => {
    const names = Object.keys(runs[0] ?? {}) as (keyof Run)[];
    const figures = names.map((name) => [
      name,
      choose(
        runs.map((run) => run[name]).toSorted((a, b) => a - b),
        name,
      ),
    ]);
    return Object.fromEntries(figures) as Run;
  };
  return {
    median: pick((sorted) => sorted[Math.floor(sorted.length / 2)]),
    worst: pick((sorted, name) => (points.includes(name) ? sorted[0] : sorted.at(-1))),
  };
}
