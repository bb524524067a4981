import type { Maturity, MaturityChoice } from '@tallystick/contract/investment';
import { usd } from '../../domain/money/amount.ts';

export const choiceNames: Record<MaturityChoice, string> = {
  wallet: 'Paid to your wallet',
  principal: 'Principal invested again',
  everything: 'Everything invested again',
};

/** How it was told what the choice will come to; null where there is nothing to add. */
export function toldLine({ choice, told }: Pick<Maturity, 'choice' | 'told'>): string | null {
  if (choice === 'wallet') return null;
  if (told === null) return 'A letter tells you the terms three days before.';
  const by = told.by === 'letter' ? 'told by letter' : 'as you were shown';
  if (told.terms === null) return `It will be paid to your wallet, ${by}. ${told.reason ?? ''}`.trim();
  const { amount, planname, profit, duration } = told.terms;
  return `${usd(amount)} in ${planname} for ${duration} days, ${usd(profit)} profit, ${by}.`;
}
