import type { Network } from '@tallystick/contract/networks';
import { createBitcoinChain } from './bitcoin/node.ts';
import type { BitcoinNetwork } from './bitcoin/params.ts';
import type { Chain } from './chain.ts';
import { createEvmChain } from './evm/node.ts';
import { createJsonRpc } from './json-rpc.ts';
import { createXrpChain } from './xrp/node.ts';

/** A chain that is read, and which of its network's chains it is. */
export interface OpenChain {
  name: string;
  chain: Chain;
}

interface Settings {
  nodeUrls: Partial<Record<Network, string>>;
  bitcoinNetwork: BitcoinNetwork;
  chainIds: { ethereum: number; bnb: number };
}

/** XRP's main network; its test networks count up from there. */
const xrpNetworkId = 0;

/** The chains that there is a node for. Nothing is asked of it yet. */
export function openChains({
  nodeUrls,
  bitcoinNetwork,
  chainIds,
}: Settings): Partial<Record<Network, OpenChain>> {
  const { bitcoin, ethereum, bnb, xrp } = nodeUrls;
  const evm = (url: string, chainId: number): OpenChain => ({
    name: `chain ${chainId}`,
    chain: createEvmChain({ rpc: createJsonRpc({ url }), chainId }),
  });
  return {
    ...(bitcoin && {
      bitcoin: {
        name: bitcoinNetwork,
        chain: createBitcoinChain({ rpc: createJsonRpc({ url: bitcoin }), network: bitcoinNetwork }),
      },
    }),
    ...(ethereum && { ethereum: evm(ethereum, chainIds.ethereum) }),
    ...(bnb && { bnb: evm(bnb, chainIds.bnb) }),
    ...(xrp && {
      xrp: {
        name: `network ${xrpNetworkId}`,
        chain: createXrpChain({ rpc: createJsonRpc({ url: xrp }), networkId: xrpNetworkId }),
      },
    }),
  };
}
