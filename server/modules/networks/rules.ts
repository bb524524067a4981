import { randomInt } from 'node:crypto';
import type { Cents } from '@tallystick/contract/money';
import { type Network, type NetworkFacts, networks } from '@tallystick/contract/networks';
import type { NetworkState } from '@tallystick/contract/operator/networks';
import { unitsToCents } from '../../platform/chains/units.ts';
import { minuteMs } from '../../platform/clock.ts';

export type AddressFamily = NetworkFacts['family'];
/** What comes to it: an investor's payment, change of our own payouts, or what we put aside. */
export type AddressPurpose = 'deposit' | 'change' | 'cold';

/** A statement of the books names each, in one entry of the log: with what else stands there no more have room for sure. */
export const coldAddressesMax = 300;

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

/** No coin has ever cost so much, or so little, that it cannot be written without an exponent. */
const priceMin = 1e-6;
const priceMax = 1e12;
/** None of these coins doubles or halves within a day: a price service that says so is wrong, or not itself. */
const timesInADayMax = 2;

/** Whether a price can be meant, after the last that was used within a day. */
export function isBelievable(usd: number, before: string | null): boolean {
  if (usd < priceMin || usd > priceMax) return false;
  const times = before === null ? 1 : usd / Number(before);
  return times <= timesInADayMax && times >= 1 / timesInADayMax;
}

/** Ten trillion dollars: nobody pays that, whatever a node says. */
const worthCentsMax = 10n ** 15n;

/** What coins are worth; null for more than can be. */
export function worthOf(units: bigint, decimals: number, price: string): Cents | null {
  const cents = unitsToCents(units, decimals, price);
  return cents <= worthCentsMax ? cents : null;
}

const tagMax = 0xffff_ffff;
const tagMin = 100_000_000;

/** Drawn, not counted: a mistyped tag is then hardly ever somebody else's. */
export const newTag = (): bigint => BigInt(randomInt(tagMin, tagMax));

/** How it is with a chain's node, for operators and for whoever watches the server. */
export interface WatchState {
  state: NonNullable<NetworkState['state']>;
  /** In words, where there is more to say. */
  said: string | null;
}

/** Further behind than this it is told; a block or two is how chains grow. */
const behindMin = 6;

/** For so long no chain stands still: then it is its node that hears of nothing new. */
const stillMsMax: Record<AddressFamily, number> = {
  bitcoin: 120 * minuteMs,
  evm: 10 * minuteMs,
  xrp: 5 * minuteMs,
};

interface Found {
  network: Network;
  height: number;
  tip: number;
}

export function stateAt(
  { network, height, tip }: Found,
  { isNodeBehind, stillMs }: { isNodeBehind: boolean; stillMs: number },
): WatchState {
  if (isNodeBehind) {
    return { state: 'behind', said: 'The node is still catching up with its network.' };
  }
  const blocks = tip - height;
  if (blocks >= behindMin) return { state: 'behind', said: `${blocks} blocks are still to be read.` };
  if (stillMs <= stillMsMax[familyOf(network)]) return { state: 'following', said: null };
  const minutes = Math.floor(stillMs / minuteMs);
  return { state: 'behind', said: `The node has told of no new block for ${minutes} minutes.` };
}

/** Coins that came to an address between two looks and were in no payment that was counted. */
export function surplusOf(
  before: { units: bigint; counted: bigint },
  now: { units: bigint; counted: bigint },
): bigint {
  const surplus = now.units - before.units - (now.counted - before.counted);
  return surplus > 0n ? surplus : 0n;
}

/**
 * The first of a row for which something holds that holds for all that follow it. Asked near the beginning first and in
 * ever wider steps: a branch mostly begins a block or two ago, and one that began a thousand ago takes twenty questions.
 */
export async function firstWhere<Item>(
  row: Item[],
  holds: (item: Item) => Promise<boolean>,
): Promise<Item | undefined> {
  let from = 0;
  let to = 0;
  while (to < row.length && !(await holds(row[to] as Item))) {
    from = to + 1;
    to = 2 * to + 1;
  }
  to = Math.min(to, row.length);
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (await holds(row[middle] as Item)) to = middle;
    else from = middle + 1;
  }
  return row[to];
}
