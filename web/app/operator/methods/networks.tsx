import { type Network, paymentNetworks } from '@tallystick/contract/chain';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { coinOf } from '../../domain/prices/coin-of.ts';
import type { Option } from '../../ui/forms/choice-field.tsx';

const names: Record<Network, string> = {
  bitcoin: 'Bitcoin',
  ethereum: 'Ethereum',
  bnb: 'BNB Smart Chain',
  xrp: 'XRP Ledger',
};

/** A sample method names its test network in words already. */
export function networkName(network: string): string {
  return names[network as Network] ?? network;
}

const networkOfCoin: Record<string, Network> = {
  bitcoin: 'bitcoin',
  ethereum: 'ethereum',
  binancecoin: 'bnb',
  ripple: 'xrp',
};

/** Where a coin really moves, whatever test network a sample names. */
export function realNetwork(coin: string): string {
  return networkName(networkOfCoin[coin] ?? coin);
}

export function Mark({ of }: { of: string }) {
  const coin = coinOf(of);
  return coin && <CoinMark coin={coin} size={28} />;
}

export const networkOptions: readonly Option[] = paymentNetworks.map((network) => ({
  value: network,
  name: names[network],
  mark: <Mark of={network} />,
}));
