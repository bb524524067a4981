import type { Investment } from '@tallystick/contract/investment';
import { accruedOf, type Cents } from '@tallystick/contract/money';
import { centsOf } from '../../domain/money/amount.ts';

type Term = Pick<Investment, 'openedat' | 'maturesat' | 'profit' | 'status'>;

/** Status 1 is completed, any other value ongoing. */
export const isCompleted = ({ status }: Pick<Investment, 'status'>) => status === 1;

/**
 * What the investment has earned so far if its profit came evenly, floored to the cent. It is a computed figure: the
 * record knows the whole profit only, on the day it is paid.
 */
export function accruedCents(term: Term, now: Date): Cents {
  const whole = centsOf(term.profit);
  if (isCompleted(term)) return whole;
  const opened = Date.parse(term.openedat);
  const lengthMs = Date.parse(term.maturesat) - opened;
  const passedMs = now.getTime() - opened;
  return accruedOf(whole, passedMs, lengthMs);
}
