import { secondMs } from '../clock.ts';
import { type Offers, withOffers } from '../money.ts';
import { startTestApp, type TestApp } from '../start-app.ts';
import { type BitcoinNode, startBcoin } from './bcoin.ts';
import { bitcoinKey, type ChainServer, evmKey, setWayIn, startChainServer } from './chain-server.ts';
import { type EvmNode, startAnvil } from './evm/anvil.ts';
import { type RpcProxy, startRpcProxy } from './rpc-proxy.ts';

export const chainIds = { ethereum: 31_337, bnb: 56 };

export interface TwoChains {
  node: BitcoinNode;
  anvil: EvmNode;
  /** What the server asks in place of its nodes: they may lie. */
  bitcoin: RpcProxy;
  ethereum: RpcProxy;
  test: TestApp;
  offers: Offers;
  server: ChainServer;
  /** A second later. */
  read(): Promise<void>;
  close(): Promise<void>;
}

/** A server that reads Bitcoin and Ethereum, with a way in on each. */
export async function startTwoChains(): Promise<TwoChains> {
  const [node, anvil, test] = await Promise.all([
    startBcoin(),
    startAnvil({ chainId: chainIds.ethereum }),
    startTestApp(),
  ]);
  const [bitcoin, ethereum] = await Promise.all([startRpcProxy(node.rpc), startRpcProxy(anvil.rpc)]);
  const nodeUrls = { bitcoin: bitcoin.url, ethereum: ethereum.url };
  const server = await startChainServer(test, { nodeUrls, chainIds });
  const offers = await withOffers(test);
  await setWayIn(server.context, 'Bitcoin', { key: bitcoinKey });
  await setWayIn(server.context, 'Ethereum', { key: evmKey });
  await server.read();
  return {
    node,
    anvil,
    bitcoin,
    ethereum,
    test,
    offers,
    server,
    async read() {
      test.clock.advance(secondMs);
      await server.read();
    },
    async close() {
      await server.close();
      await test.close();
      await Promise.all([bitcoin.close(), ethereum.close()]);
      await Promise.all([anvil.close(), node.close()]);
    },
  };
}
