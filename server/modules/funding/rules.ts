import { fundingCentsMax, fundingCentsMin } from '@tallystick/contract/funding';
import { type Cents, formatUsd } from '@tallystick/contract/money';

/** Why a wallet cannot be funded with an amount; null when it can. */
export function amountRefusal(amountCents: Cents): string | null {
  if (amountCents >= fundingCentsMin && amountCents <= fundingCentsMax) return null;
  return `Fund with ${formatUsd(fundingCentsMin)} to ${formatUsd(fundingCentsMax)}.`;
}
