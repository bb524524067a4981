import type { Maturity, MaturityChoice } from '@tallystick/contract/investment';
import { usd } from '../../domain/money/amount.ts';

export const choiceNames: Record<MaturityChoice, string> = {
  wallet: 'Paid to your wallet',
  principal: 'Principal invested again',
  everything: 'Everything invested again',
};

/** From then on no letter is written any more: a server that stood still writes it up to a day late. */
const lastLetterMs = 47 * 3_600_000;

/** Nobody has told it yet; who chooses again is told on the screen. */
function untoldLine(closesat: string, now: Date): string {
  const left = Date.parse(closesat) - now.getTime();
  if (left > lastLetterMs) return 'A letter tells you the terms three days before.';
  if (left > 0) return 'No letter told you the terms. Unless you choose again, it is paid to your wallet.';
  return 'You were not told the terms in time: it is paid to your wallet.';
}

/** How it was told what the choice will come to; null where there is nothing to add. */
export function toldLine(
  { choice, told, closesat }: Pick<Maturity, 'choice' | 'told' | 'closesat'>,
  now: Date,
): string | null {
  if (choice === 'wallet') return null;
  if (told === null) return untoldLine(closesat, now);
  const by = told.by === 'letter' ? 'told by letter' : 'as you were shown';
  if (told.terms === null) return `It will be paid to your wallet, ${by}. ${told.reason ?? ''}`.trim();
  const { amount, planname, profit, duration } = told.terms;
  return `${usd(amount)} in ${planname} for ${duration} days, ${usd(profit)} profit, ${by}.`;
}
