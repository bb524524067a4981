import { type Investment, nextmaturity } from '@tallystick/contract/investment';
import { counted, dayMs, hourMs, minuteMs } from '../../domain/dates.ts';
import { useLive } from '../../domain/live.ts';

type Term = Pick<Investment, 'openedat' | 'maturesat' | 'duration'>;

/** The day that is running, the first being 1. */
export function dayOfTerm({ openedat, duration }: Term, now: Date): number {
  const elapsedDays = Math.ceil((now.getTime() - Date.parse(openedat)) / dayMs);
  return Math.min(duration, Math.max(1, elapsedDays));
}

/**
 * 'In 6 days', 'In 5 hours'; null once the time has come. What was opened a moment ago may be newer than the moment a
 * screen last looked at the clock: nothing takes longer than its term.
 */
export function timeLeft({ openedat, maturesat }: Term, now: Date): string | null {
  const leftMs = Date.parse(maturesat) - Math.max(now.getTime(), Date.parse(openedat));
  if (leftMs <= 0) return null;
  if (leftMs > dayMs) return `In ${counted(Math.ceil(leftMs / dayMs), 'day')}`;
  if (leftMs > hourMs) return `In ${counted(Math.ceil(leftMs / hourMs), 'hour')}`;
  return `In ${counted(Math.ceil(leftMs / minuteMs), 'minute')}`;
}

export function useNextMaturity() {
  return useLive(nextmaturity, {}, 'Error fetching investment:');
}

interface Facts {
  ongoing: number;
  investment: Investment | null;
  entries: number;
  waiting: number;
}

/** What matters most at the moment, in a line. */
export function welcomeSentence({ ongoing, investment, entries, waiting }: Facts, now: Date): string {
  const waits =
    waiting === 0 ? '' : waiting === 1 ? ' One request is waiting.' : ` ${waiting} requests are waiting.`;
  if (!investment) {
    const nothing = entries === 0 ? 'Fund your wallet to begin.' : 'No investment is running.';
    return nothing + waits;
  }
  const left = timeLeft(investment, now);
  const when = left === null ? 'is being paid out' : `matures ${left.toLowerCase()}`;
  const which = ongoing === 1 ? 'One investment' : `${ongoing} investments are running, the next`;
  return `${which} ${when}.${waits}`;
}
