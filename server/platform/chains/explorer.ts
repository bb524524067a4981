import { type Network, networks } from '@tallystick/contract/networks';
import type { BitcoinNetwork } from './bitcoin/params.ts';

/** Which chains are read under the networks' names: the real ones, or ones to try things on. */
export interface ChainNames {
  bitcoinNetwork: BitcoinNetwork;
  chainIds: Partial<Record<Network, number>>;
}

const realIds: Partial<Record<Network, number>> = { ethereum: 1, bnb: 56 };

/** Where anyone can look a transaction up. Explorers know the real chains only. */
export function explorerOf(network: Network, txid: string, names: ChainNames): string | null {
  const isReal =
    network === 'bitcoin' ? names.bitcoinNetwork === 'mainnet' : names.chainIds[network] === realIds[network];
  return isReal ? networks[network].explorer + txid : null;
}
