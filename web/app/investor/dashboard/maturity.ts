import type { Investment } from '@tallystick/contract/investment';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

type Term = Pick<Investment, 'openedat' | 'maturesat' | 'duration'>;

/** The day that is running, the first being 1. */
export function dayOfTerm({ openedat, duration }: Term, now: Date): number {
  const elapsedDays = Math.ceil((now.getTime() - Date.parse(openedat)) / dayMs);
  return Math.min(duration, Math.max(1, elapsedDays));
}

/** 'In 6 days', 'In 5 hours'; null once the time has come. */
export function timeLeft({ maturesat }: Pick<Term, 'maturesat'>, now: Date): string | null {
  const leftMs = Date.parse(maturesat) - now.getTime();
  if (leftMs <= 0) return null;
  if (leftMs > dayMs) return counted(Math.ceil(leftMs / dayMs), 'day');
  if (leftMs > hourMs) return counted(Math.ceil(leftMs / hourMs), 'hour');
  return counted(Math.ceil(leftMs / minuteMs), 'minute');
}

function counted(count: number, unit: string): string {
  return `In ${count} ${unit}${count === 1 ? '' : 's'}`;
}
