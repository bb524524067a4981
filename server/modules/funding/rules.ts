import type { Network } from '@tallystick/contract/chain';
import { fundingCentsMax, fundingCentsMin } from '@tallystick/contract/funding';
import { type Cents, formatUsd, toWire } from '@tallystick/contract/money';

export const dayMs = 24 * 60 * 60 * 1000;

/** Why a wallet cannot be funded with an amount; null when it can. */
export function amountRefusal(amountCents: Cents): string | null {
  if (amountCents >= fundingCentsMin && amountCents <= fundingCentsMax) return null;
  return `Fund with ${formatUsd(fundingCentsMin)} to ${formatUsd(fundingCentsMax)}.`;
}

/** More would only fill the operators' queue; a payment that is on its way is asked for once. */
export const pendingRequestsMax = 20;

/** The price service's name of a coin, and the network that carries it. */
const coins = {
  bitcoin: { network: 'bitcoin', name: 'Bitcoin' },
  ethereum: { network: 'ethereum', name: 'Ethereum' },
  binancecoin: { network: 'bnb', name: 'BNB Smart Chain' },
  ripple: { network: 'xrp', name: 'XRP Ledger' },
} as const satisfies Record<string, { network: Network; name: string }>;

const known = (coin: string) => (coin in coins ? coins[coin as keyof typeof coins] : null);

export function coinOf(network: Network): string {
  const found = Object.entries(coins).find(([, each]) => each.network === network);
  return found?.[0] ?? network;
}

export const networkOf = (coin: string): Network | null => known(coin)?.network ?? null;
export const networkNameOf = (coin: string): string => known(coin)?.name ?? coin;

const coinDecimals = 6;

/** What an amount is worth in a coin. For people to compare, never to count with. */
export function coinAmountOf(amountCents: Cents, usdPerCoin: number | null | undefined): string | null {
  if (!usdPerCoin || usdPerCoin <= 0) return null;
  return (toWire(amountCents) / usdPerCoin).toFixed(coinDecimals);
}
