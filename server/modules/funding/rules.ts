import { fundingCentsMax, fundingCentsMin } from '@tallystick/contract/funding';
import { type Cents, formatUsd, toWire } from '@tallystick/contract/money';

/** Why a wallet cannot be funded with an amount; null when it can. */
export function amountRefusal(amountCents: Cents): string | null {
  if (amountCents >= fundingCentsMin && amountCents <= fundingCentsMax) return null;
  return `Fund with ${formatUsd(fundingCentsMin)} to ${formatUsd(fundingCentsMax)}.`;
}

/** More would only fill the operators' queue; a payment that is on its way is asked for once. */
export const pendingRequestsMax = 20;

/** The name of the lock behind which an investor's requests are counted, made and found to be none. */
export const requestsOf = (userId: string) => `requests of ${userId}`;

const coinDecimals = 6;

/** What an amount is worth in a coin. For people to compare, never to count with. */
export function coinAmountOf(amountCents: Cents, usdPerCoin: number | null | undefined): string | null {
  if (!usdPerCoin || usdPerCoin <= 0) return null;
  return (toWire(amountCents) / usdPerCoin).toFixed(coinDecimals);
}

/** Too little to be credited. What is no cent is nothing, whatever the method says. */
export function isDust(cents: Cents, { dustCents }: { dustCents: Cents }): boolean {
  return cents === 0n || cents < dustCents;
}

interface Paid {
  keyId: string | null;
  address: string;
}

/** Which way in was paid: the one that gives out this address, or, after a change, any of its network. */
export function methodPaid<Method extends { keyId: string | null; paymentaddress: string }>(
  methodsOfNetwork: Method[],
  { keyId, address }: Paid,
): Method | undefined {
  const gives = (method: Method) => (keyId ? method.keyId === keyId : method.paymentaddress === address);
  return methodsOfNetwork.find(gives) ?? methodsOfNetwork[0];
}
