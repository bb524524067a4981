import { type Network, type NetworkFacts, networks } from '@tallystick/contract/networks';
import type { BitcoinNetwork } from './bitcoin/params.ts';

/** Which chains are read under the networks' names: the real ones, or ones to try things on. */
export interface ChainNames {
  bitcoinNetwork: BitcoinNetwork;
  chainIds: Partial<Record<Network, number>>;
}

/** Where anyone can look a transaction up. Explorers know the real chains only. */
export function explorerOf(network: Network, txid: string, names: ChainNames): string | null {
  return isReal(network, names) ? networks[network].explorer + txid : null;
}

function isReal(network: Network, { bitcoinNetwork, chainIds }: ChainNames): boolean {
  const facts: NetworkFacts = networks[network];
  if (facts.family === 'bitcoin') return !facts.isReadable || bitcoinNetwork === 'mainnet';
  return (chainIds[network] ?? facts.chainId) === facts.chainId;
}
