import { chartDays, type MarketChart } from '@tallystick/contract/prices';
import { dayMs } from '../../platform/clock.ts';

const backOffMsMax = 15 * 60 * 1000;
/** However long it asks for: a service that says a year by mistake is asked again. */
const askedForMsMax = 60 * 60 * 1000;

/** How long to leave the price service alone after failures in a row: a minute, then two, four, … */
export function backOffMs(failures: number, everyMs: number, askedForMs: number | null): number {
  const grown = everyMs * 2 ** Math.min(failures - 1, 10);
  const asked = Math.min(askedForMs ?? 0, askedForMsMax);
  return Math.min(Math.max(grown, asked), Math.max(backOffMsMax, asked));
}

/** Bundled closes, one a day, laid so that the last is now. */
export function sampleChart(closes: readonly number[], now: Date): MarketChart {
  const days = closes.slice(-chartDays - 1);
  return {
    prices: days.map((close, index) => [now.getTime() - (days.length - 1 - index) * dayMs, close]),
  };
}
