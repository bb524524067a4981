import { type Network, networks } from '@tallystick/contract/networks';
import { createBitcoinChain } from './bitcoin/node.ts';
import type { BitcoinNetwork } from './bitcoin/params.ts';
import type { Chain } from './chain.ts';
import { createEvmChain } from './evm/node.ts';
import { createJsonRpc, type JsonRpc } from './json-rpc.ts';
import { createXrpChain } from './xrp/node.ts';

/** A chain that is read, and which of its network's chains it is. */
export interface OpenChain {
  name: string;
  chain: Chain;
}

interface Settings {
  nodeUrls: Partial<Record<Network, string>>;
  bitcoinNetwork: BitcoinNetwork;
  chainIds: Partial<Record<Network, number>>;
}

/** The chains that there is a node for. Nothing is asked of it yet. */
export function openChains(
  { nodeUrls, ...settings }: Settings,
  stopping?: AbortSignal,
): Partial<Record<Network, OpenChain>> {
  const opened = Object.entries(nodeUrls).map(([network, url]) => [
    network,
    openChain(network as Network, createJsonRpc({ url, stopping }), settings),
  ]);
  return Object.fromEntries(opened);
}

function openChain(
  id: Network,
  rpc: JsonRpc,
  { bitcoinNetwork: network, chainIds }: Omit<Settings, 'nodeUrls'>,
): OpenChain {
  switch (networks[id].family) {
    case 'bitcoin':
      return { name: network, chain: createBitcoinChain({ rpc, network }) };
    case 'evm': {
      const chainId = chainIds[id];
      if (chainId === undefined) throw new Error(`Which chain ${networks[id].name} is, is not known.`);
      return { name: `chain ${chainId}`, chain: createEvmChain({ rpc, chainId }) };
    }
    case 'xrp': {
      const networkId = chainIds[id] ?? networks[id].chainId;
      return { name: `network ${networkId}`, chain: createXrpChain({ rpc, networkId }) };
    }
  }
}
