import { type CoinId, coins } from '@tallystick/contract/coins';

/** Payment methods name their coin as the price service does, withdrawal methods name the network. */
const coinOfNetwork: Record<string, CoinId> = {
  bitcoin: 'bitcoin',
  ethereum: 'ethereum',
  bnb: 'binancecoin',
  xrp: 'ripple',
};

export function coinOf(coinOrNetwork: string): CoinId | null {
  return coins.find(({ id }) => id === coinOrNetwork)?.id ?? coinOfNetwork[coinOrNetwork] ?? null;
}
