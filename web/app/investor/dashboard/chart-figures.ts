import type { MarketChart } from '@tallystick/contract/prices';
import { shortDayOf } from '../../domain/dates.ts';
import { priceText } from '../../domain/prices/price-quotes.ts';

export interface ChartPoint {
  at: string;
  usd: number;
}

export interface ChartFigures {
  first: ChartPoint;
  last: ChartPoint;
  high: ChartPoint;
  low: ChartPoint;
  percent: number;
}

export function pointsOf({ prices }: MarketChart): ChartPoint[] {
  return prices.map(([at, usd]) => ({ at: new Date(at).toISOString(), usd }));
}

/** Null for a line that has no two ends. */
export function figuresOf(points: readonly ChartPoint[]): ChartFigures | null {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return null;
  const high = points.reduce((best, point) => (point.usd > best.usd ? point : best));
  const low = points.reduce((best, point) => (point.usd < best.usd ? point : best));
  return { first, last, high, low, percent: (last.usd / first.usd - 1) * 100 };
}

export const bitcoinText = (usd: number) => priceText({ id: 'bitcoin', usd });

/** The chart in words, for whoever does not see it. */
export function chartSummary({ first, last, high, low, percent }: ChartFigures): string {
  const change = `${percent < 0 ? 'Down' : 'Up'} ${Math.abs(percent).toFixed(2)}%`;
  const told = ({ at, usd }: ChartPoint) => `${bitcoinText(usd)} on ${shortDayOf(at)}`;
  return `${change}: from ${told(first)} to ${told(last)}. Highest ${told(high)}, lowest ${told(low)}.`;
}

/** The last price of each day (UTC), the newest first. */
export function dailyRows(points: readonly ChartPoint[]): ChartPoint[] {
  const byDay = new Map(points.map((point) => [point.at.slice(0, 10), point]));
  return [...byDay.values()].reverse();
}
