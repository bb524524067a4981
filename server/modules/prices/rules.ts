import { chartDays, type MarketChart } from '@tallystick/contract/prices';
import { dayMs } from '../../platform/clock.ts';

const backOffMsMax = 15 * 60 * 1000;

/** How long to leave the price service alone after failures in a row: a minute, then two, four, … */
export function backOffMs(failures: number, everyMs: number, askedForMs: number | null): number {
  const grown = everyMs * 2 ** Math.min(failures - 1, 10);
  return Math.min(Math.max(grown, askedForMs ?? 0), Math.max(backOffMsMax, askedForMs ?? 0));
}

/** Bundled closes, one a day, laid so that the last is now. */
export function sampleChart(closes: readonly number[], now: Date): MarketChart {
  const days = closes.slice(-chartDays - 1);
  return {
    prices: days.map((close, index) => [now.getTime() - (days.length - 1 - index) * dayMs, close]),
  };
}
