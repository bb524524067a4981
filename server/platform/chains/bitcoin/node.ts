import { z } from 'zod';
import type { Block, CoinChain } from '../chain.ts';
import type { JsonRpc } from '../json-rpc.ts';
import { NodeError } from '../node-error.ts';
import { BadBlock, readBlock } from './block.ts';
import { type BitcoinNetwork, bitcoinParams } from './params.ts';

/** A block a minute would reach this in two hundred years. */
const heightMax = 100_000_000;
const Hash = z.string().regex(/^[0-9a-f]{64}$/, 'not a hash');
const Height = z.int().min(0).max(heightMax);
const ChainInfo = z.object({
  blocks: Height,
  headers: Height,
  bestblockhash: Hash,
  initialblockdownload: z.boolean().optional(),
});

const Header = z.object({ height: Height, time: z.int().min(0).max(0xffff_ffff) });
/** No coin is larger than all there will be. */
const coinsMax = 21_000_000;
const Unspent = z.object({
  bestblock: Hash,
  confirmations: z.int().min(1),
  // Eight decimals of so many coins are within what a JSON number holds exactly.
  value: z
    .number()
    .min(0)
    .max(coinsMax)
    .transform((coins) => BigInt(Math.round(coins * 1e8))),
  scriptPubKey: z.object({ hex: z.string().regex(/^(?:[0-9a-f]{2})*$/, 'not a script') }),
});

/** Bitcoin Core's number for a height that its chain does not have. */
const outOfRange = -8;
/** Headers arrive before their blocks, so a node that is up to date may know one or two more. */
const headersAheadMax = 2;

/** Reads any node that speaks Bitcoin Core's JSON-RPC, a pruned one too, without an index and without a wallet. */
export function createBitcoinChain({ rpc, network }: { rpc: JsonRpc; network: BitcoinNetwork }): CoinChain {
  const { fail } = rpc;
  const zeros = '0'.repeat(bitcoinParams[network].hashZeros);

  async function hashAt(height: number): Promise<string | null> {
    try {
      return await rpc.call('getblockhash', [height], Hash);
    } catch (error) {
      if (error instanceof NodeError && error.code === outOfRange) return null;
      throw error;
    }
  }

  /** Whichever way a node says that it has no such block: pruned, not downloaded yet, or not found. */
  async function rawBlock(hash: string, height: number): Promise<Buffer> {
    try {
      // Decoding stops at what is no digit, and a block cut short is noticed. A pattern would take long over 8 MB.
      return Buffer.from(await rpc.call('getblock', [hash, 0], z.string()), 'hex');
    } catch (error) {
      const isMissing =
        error instanceof NodeError && /pruned|not found|not available|not downloaded/i.test(error.message);
      if (!isMissing) throw error;
      throw fail('no-block', `does not have block ${height} any more, or not yet: it may be pruned.`);
    }
  }

  return {
    spanMax: 1,
    hashAt,

    async tip() {
      const genesis = await rpc.call('getblockhash', [0], Hash);
      if (!bitcoinParams[network].genesis.includes(genesis)) {
        throw fail('wrong-chain', `does not follow Bitcoin's ${network}: its first block is ${genesis}.`);
      }
      const info = await rpc.call('getblockchaininfo', [], ChainInfo);
      return {
        height: info.blocks,
        hash: info.bestblockhash,
        isBehind: info.initialblockdownload === true || info.headers > info.blocks + headersAheadMax,
      };
    },

    async blocks({ from, to }, watched) {
      const blocks: Block[] = [];
      for (let height = from; height <= to; height += 1) {
        const hash = await hashAt(height);
        if (hash === null) throw fail('no-block', `has no block ${height}.`);
        if (!hash.startsWith(zeros)) throw fail('nonsense', `has a block ${height} that nobody worked for.`);
        const raw = await rawBlock(hash, height);
        try {
          blocks.push(readBlock(raw, { hash, height }, watched));
        } catch (error) {
          if (!(error instanceof BadBlock)) throw error;
          throw fail('nonsense', `gave a block ${height} that cannot be: ${error.message}.`);
        }
        if (height > from && blocks.at(-1)?.parentHash !== blocks.at(-2)?.hash) {
          throw fail('moved', `changed its chain at block ${height} while it was read.`);
        }
      }
      return blocks;
    },

    async coinAt(txid, output) {
      const coin = await rpc.call('gettxout', [txid, output, false], Unspent.nullable());
      if (!coin) return null;
      const { bestblock, confirmations, value: units, scriptPubKey } = coin;
      const best = await rpc.call('getblockheader', [bestblock, true], Header);
      const height = best.height - confirmations + 1;
      const hash = await hashAt(height);
      if (hash === null) throw fail('moved', `changed its chain at block ${height} while it was read.`);
      const { time } = await rpc.call('getblockheader', [hash, true], Header);
      const blockAt = new Date(time * 1000);
      return { destination: scriptPubKey.hex, units, height, blockHash: hash, blockAt };
    },
  };
}
