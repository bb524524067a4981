import type { Investment } from '@tallystick/contract/investment';
import { timeLeft } from './maturity.ts';

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
