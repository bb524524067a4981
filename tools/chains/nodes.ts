import { randomBytes } from 'node:crypto';
import type { Network } from '@tallystick/contract/networks';
import { startAnvil } from '../../server/testing/outside/anvil.ts';
import { startBcoin } from '../../server/testing/outside/bcoin.ts';
import { masterKeyOf, publicKeyAt } from '../../server/testing/outside/seeds.ts';
import { startXrpServer } from '../../server/testing/outside/xrp-server.ts';

/** Nothing of a real chain's is theirs: no explorer knows them. */
const chainIds = { ethereum: 31_337, bnb: 31_338 };
/** Where the stand-in for XRP takes deposits, and who pays them. */
const xrpAddress = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe';
const xrpPayer = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';

interface Sending {
  address: string;
  units: bigint;
  tag: number | null;
}

/** One chain: how it is told to a server, paid on, and made longer. */
export interface TestChain {
  what: string;
  url: string;
  blockMs: number;
  /** What a server that reads it has to be told. */
  settings: Record<string, string>;
  /** Pays from the chain's own wallet, into its next block, and says the payment's id. */
  send(sending: Sending): Promise<string>;
  mine(): Promise<unknown>;
}

async function openBitcoin(key: string): Promise<TestChain> {
  const node = await startBcoin();
  return {
    what: 'bcoin, regtest',
    url: node.url,
    blockMs: 5_000,
    settings: { BITCOIN_NETWORK: 'regtest', BITCOIN_RPC_URL: node.url, BITCOIN_XPUB: key },
    send: ({ address, units }) => node.send({ address, units }),
    mine: () => node.mine(),
  };
}

async function openEvm(network: 'ethereum' | 'bnb', key: string): Promise<TestChain> {
  const chainId = chainIds[network];
  const node = await startAnvil({ chainId });
  const name = network.toUpperCase();
  return {
    what: `anvil, chain ${chainId}`,
    url: node.url,
    blockMs: 1_000,
    settings: {
      [`${name}_RPC_URL`]: node.url,
      [`${name}_CHAIN_ID`]: String(chainId),
      [`${name}_XPUB`]: key,
    },
    send: ({ address: to, units }) => node.send({ to, units }),
    mine: () => node.mine(),
  };
}

async function openXrp(): Promise<TestChain> {
  const node = await startXrpServer();
  return {
    what: 'a stand-in that speaks rippled’s JSON',
    url: node.url,
    blockMs: 4_000,
    settings: { XRP_RPC_URL: node.url, XRP_ADDRESS: xrpAddress },
    send: async ({ address: to, units, tag }) =>
      node.pay({ from: xrpPayer, to, units, ...(tag !== null && { tag }) }),
    mine: async () => node.validate(),
  };
}

/** Starts one of each, with keys that nobody had before and nobody will have again. */
export async function startChains(): Promise<Record<Network, TestChain>> {
  const wallet = masterKeyOf(randomBytes(32).toString('hex'));
  const evmKey = publicKeyAt(wallet, "m/44'/60'/0'", 'xpub');
  const [bitcoin, ethereum, bnb, xrp] = await Promise.all([
    openBitcoin(publicKeyAt(wallet, "m/84'/1'/0'", 'vpub')),
    openEvm('ethereum', evmKey),
    openEvm('bnb', evmKey),
    openXrp(),
  ]);
  return { bitcoin, ethereum, bnb, xrp };
}
