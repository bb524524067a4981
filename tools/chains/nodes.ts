import { randomBytes } from 'node:crypto';
import type { HDKey } from '@scure/bip32';
import { Transaction } from '@scure/btc-signer';
import type { Network } from '@tallystick/contract/networks';
import { z } from 'zod';
import { createAccountKey } from '../../server/platform/chains/account-key.ts';
import { startBcoin } from '../../server/testing/outside/bcoin.ts';
import { startAnvil } from '../../server/testing/outside/evm/anvil.ts';
import { masterKeyOf, publicKeyAt } from '../../server/testing/outside/seeds.ts';
import { startXrpServer } from '../../server/testing/outside/xrp-server.ts';

/** Nothing of a real chain's is theirs: no explorer knows them. */
const chainIds = { ethereum: 31_337, bnb: 31_338, xrp: 31_339 };
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
  /** The same from the wallet whose public key the server has: what an operator does with a payout sheet. */
  payOut(sending: Sending): Promise<string>;
  /** Where a sheet is a file: signs it as a hardware wallet would, and hands it over. */
  sign(psbt: Uint8Array): Promise<string>;
  mine(): Promise<unknown>;
}

const nothingToSign = () => Promise.reject(new Error('A file is signed on Bitcoin; here use payout.'));

async function openBitcoin(wallet: HDKey): Promise<TestChain> {
  const node = await startBcoin();
  const fingerprint = wallet.fingerprint.toString(16).padStart(8, '0');
  const key = `[${fingerprint}/84h/1h/0h]${publicKeyAt(wallet, "m/84'/1'/0'", 'vpub')}`;
  return {
    what: 'bcoin, regtest',
    url: node.url,
    blockMs: 5_000,
    settings: { BITCOIN_NETWORK: 'regtest', BITCOIN_RPC_URL: node.url, BITCOIN_XPUB: key },
    send: ({ address, units }) => node.send({ address, units }),
    payOut: () => Promise.reject(new Error('On Bitcoin the file of a payout sheet is signed: use sign.')),
    async sign(psbt) {
      const transaction = Transaction.fromPSBT(psbt);
      transaction.sign(wallet as Parameters<Transaction['sign']>[0]);
      transaction.finalize();
      return node.broadcast(transaction.hex);
    },
    mine: () => node.mine(),
  };
}

/** As many of the wallet's addresses are looked at for coins. */
const addressesMax = 100;
/** What a payment costs besides. */
const feeUnits = 10n ** 15n;

async function openEvm(network: 'ethereum' | 'bnb', wallet: HDKey): Promise<TestChain> {
  const chainId = chainIds[network];
  const node = await startAnvil({ chainId });
  const key = publicKeyAt(wallet, "m/44'/60'/0'", 'xpub');
  const account = createAccountKey(key, { family: 'evm' });

  async function richEnough(units: bigint): Promise<string> {
    for (let index = 0; index < addressesMax; index += 1) {
      const { address } = account.addressAt(0, index);
      const held = BigInt(await node.rpc.call('eth_getBalance', [address, 'latest'], z.string()));
      if (held >= units + feeUnits) return address;
    }
    throw new Error('No address of the wallet has so much, and the fee: let it be paid first.');
  }

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
    async payOut({ address: to, units }) {
      const from = await richEnough(units);
      await node.rpc.call('anvil_impersonateAccount', [from], z.unknown());
      return node.send({ to, units, from });
    },
    sign: nothingToSign,
    mine: () => node.mine(),
  };
}

async function openXrp(): Promise<TestChain> {
  const node = await startXrpServer();
  node.networkId = chainIds.xrp;
  // The stand-in keeps no balances; what is held is read from the one that is ours.
  let held = 0n;
  const payFrom = async (from: string, { address: to, units, tag }: Sending) => {
    if (to === xrpAddress) held += units;
    if (from === xrpAddress) held = held > units ? held - units : 0n;
    return node.pay({ from, to, units, ...(tag !== null && { tag }) });
  };
  return {
    what: 'a stand-in that speaks rippled’s JSON',
    url: node.url,
    blockMs: 4_000,
    settings: { XRP_RPC_URL: node.url, XRP_NETWORK_ID: String(chainIds.xrp), XRP_ADDRESS: xrpAddress },
    send: (sending) => payFrom(xrpPayer, sending),
    payOut: (sending) => payFrom(xrpAddress, sending),
    sign: nothingToSign,
    mine: async () => {
      node.accounts.set(xrpAddress, { units: held, flags: 0 });
      node.validate();
    },
  };
}

/** Starts one of each, with keys that nobody had before and nobody will have again. */
export async function startChains(): Promise<Record<Network, TestChain>> {
  const wallet = masterKeyOf(randomBytes(32).toString('hex'));
  const [bitcoin, ethereum, bnb, xrp] = await Promise.all([
    openBitcoin(wallet),
    openEvm('ethereum', wallet),
    openEvm('bnb', wallet),
    openXrp(),
  ]);
  return { bitcoin, ethereum, bnb, xrp };
}
