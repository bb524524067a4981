import { networks } from '@tallystick/contract/networks';
import type { NetworkState, StrayPayment } from '@tallystick/contract/operator/networks';
import { agoOf, counted, dayOf, minuteMs, timeOf } from '../../../domain/dates.ts';
import { usd } from '../../../domain/money/amount.ts';
import { groupedDecimal } from '../../../domain/prices/coin-text.ts';
import type { ChipLook } from '../../../ui/facts/chip.tsx';

type Words = { look: ChipLook; chip: string };

const states: Record<NonNullable<NetworkState['state']>, Words> = {
  following: { look: 'done', chip: 'Following' },
  behind: { look: 'going', chip: 'Behind' },
  away: { look: 'refused', chip: 'Node away' },
  'wrong-chain': { look: 'refused', chip: 'Another chain' },
  nonsense: { look: 'refused', chip: 'Not to be believed' },
};

/** A chain is looked at every few seconds; after so long nobody does any more. */
const quietMsMax = 2 * minuteMs;

/** How it is with a network that is read. */
export function stateWords({ state, lookedat }: NetworkState, now: Date): Words {
  if (state === null || lookedat === null) return { look: 'waiting', chip: 'Not looked at yet' };
  if (now.getTime() - Date.parse(lookedat) > quietMsMax) return { look: 'refused', chip: 'Not looked at' };
  return states[state];
}

/** What an operator should know before relying on the queue. */
export const isTroubled = (network: NetworkState, now: Date): boolean =>
  network.watched && stateWords(network, now).look === 'refused';

/** How far it is read, when it was looked at last, and since when it is as it is. */
export function stateLines({ state, said, since, lookedat, height, tip }: NetworkState, now: Date): string[] {
  const blocks = height !== null && tip !== null && blocksText(height, tip);
  const looked = lookedat && `looked at ${agoOf(lookedat, now)}`;
  const lasts = state !== 'following' && since && `since ${dayOf(since)}, ${timeOf(since)}`;
  const line = [blocks, looked, lasts].filter(Boolean).join(', ');
  return [line.charAt(0).toUpperCase() + line.slice(1), said ?? ''].filter((text) => text !== '');
}

function blocksText(height: number, tip: number): string {
  const at = `Block ${height.toLocaleString('en-US')}`;
  return tip > height
    ? `${at} of ${tip.toLocaleString('en-US')}, ${counted(tip - height, 'block')} behind`
    : at;
}

export const strayTitles: Record<StrayPayment['why'], string> = {
  lost: 'Credited, and its block is gone',
  nobody: 'Sent to nobody',
  closed: 'Sent to a closed account',
  'held-up': 'Belongs to no request',
  unpriced: 'Waits for a price',
  dust: 'Too small to be credited',
};

/** What there is to do about it. */
export const strayAdvice: Record<StrayPayment['why'], string> = {
  lost: 'The withdrawals of this investor are frozen. If the payment does not come again, two operators correct the wallet.',
  nobody:
    'It came with a wrong tag or none. Confirm it for the request of whoever sent it; two operators have to.',
  closed:
    'Its owner has closed the account. Write to them as long as the address is kept; two operators confirm it for a request of their new account, or it is paid back by hand.',
  'held-up':
    'Its transaction was credited or paid out as a whole, or no payment method takes this coin. If it is owed, two operators correct the wallet.',
  unpriced: 'No price was fresh enough. It goes on by itself with the next one.',
  dust: 'It is worth less than the least that its method credits.',
};

export const surplusAdvice =
  'No transaction names this address, so the chain does not say who sent it. Ask the investor; two operators credit it by hand.';

/** `0.01 BTC, worth $684.12` */
export function amountText({
  network,
  coins,
  worth,
}: Pick<StrayPayment, 'network' | 'coins' | 'worth'>): string {
  const amount = `${groupedDecimal(coins)} ${networks[network].coin.ticker}`;
  return worth === null ? amount : `${amount}, worth ${usd(worth)}`;
}
