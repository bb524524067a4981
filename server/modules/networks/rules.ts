import { randomInt } from 'node:crypto';
import { type Network, type NetworkFacts, networks } from '@tallystick/contract/networks';

export type AddressFamily = NetworkFacts['family'];
/** What comes to it: an investor's payment, change of our own payouts, or what we put aside. */
export type AddressPurpose = 'deposit' | 'change' | 'cold';

/**
 * Where a payment stands: seen in a block; credited; too small to be; our own money, that nobody is credited; or gone with
 * its block.
 */
export type PaymentState = 'seen' | 'credited' | 'dust' | 'ours' | 'vanished';

export const familyOf = (network: Network): AddressFamily => networks[network].family;

/** How many blocks say so: the block that it is in is the first. */
export function confirmationsOf(payment: { height: number }, { height }: { height: number }): number {
  return Math.max(0, height - payment.height + 1);
}

/** A price that is older says nothing about the moment at which something was paid. */
const priceMsMax = 5 * 60_000;

export const isFresh = ({ priceAt }: { priceAt: Date }, now: Date): boolean =>
  now.getTime() - priceAt.getTime() <= priceMsMax;

const tagMax = 0xffff_ffff;
const tagMin = 100_000_000;

/** Drawn, not counted: a mistyped tag is then hardly ever somebody else's. */
export const newTag = (): bigint => BigInt(randomInt(tagMin, tagMax));

/** How it is with a chain's node, for operators and for whoever watches the server. */
export interface WatchState {
  state: 'following' | 'behind' | 'away' | 'wrong-chain' | 'nonsense';
  /** In words, where there is more to say. */
  said: string | null;
}

/** Further behind than this it is told; a block or two is how chains grow. */
const behindMin = 6;

export function stateAt(
  { height, tip }: { height: number; tip: number },
  { isNodeBehind }: { isNodeBehind: boolean },
): WatchState {
  if (isNodeBehind) {
    return { state: 'behind', said: 'The node is still catching up with its network.' };
  }
  const blocks = tip - height;
  if (blocks < behindMin) return { state: 'following', said: null };
  return { state: 'behind', said: `${blocks} blocks are still to be read.` };
}

/** Coins that came to an address between two looks and were in no payment that was counted. */
export function surplusOf(
  before: { units: bigint; counted: bigint },
  now: { units: bigint; counted: bigint },
): bigint {
  const surplus = now.units - before.units - (now.counted - before.counted);
  return surplus > 0n ? surplus : 0n;
}
