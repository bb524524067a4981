import { z } from 'zod';
import type { AccountChain, Block, Keys, Payment, Spend } from '../chain.ts';
import { type Call, type JsonRpc, listOf } from '../json-rpc.ts';

/** As many as the database has numbers for; a block every tenth of a second would take seven years. */
const heightMax = 2_147_483_647;
const secondsMax = 10_000_000_000;
/** Providers refuse larger batches. */
const callsMax = 50;
/** Each takes its gas: the largest blocks have some thousands. */
const transactionsMax = 100_000;

const quantity = z.string().regex(/^0x(?:0|[1-9a-f][0-9a-f]{0,63})$/i, 'not a quantity');
const countTo = (max: number) => quantity.transform(Number).pipe(z.int().max(max));
/** Eighty times a billion coins: no network has as many, and what they are worth in cents still fits the books. */
const unitsMax = 2n ** 96n;
const Units = quantity.transform(BigInt).refine((units) => units < unitsMax, 'more than there can be');
const Hash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/i, 'not a hash')
  .toLowerCase();
const Address = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/i, 'not an address')
  .toLowerCase();

const Header = z.object({
  number: countTo(heightMax),
  hash: Hash,
  parentHash: Hash,
  timestamp: countTo(secondsMax),
});
const Transaction = z.object({ hash: Hash, from: Address, to: Address.nullish(), value: Units });
type Transaction = z.infer<typeof Transaction>;
const FullBlock = Header.extend({ transactions: listOf(Transaction, transactionsMax) });
const Receipt = z.object({ transactionHash: Hash, blockHash: Hash, status: z.enum(['0x0', '0x1']) });

const hex = (value: number) => `0x${value.toString(16)}`;

interface Matched {
  header: z.infer<typeof Header>;
  transactions: Transaction[];
}

/**
 * Reads any node or provider that speaks Ethereum's JSON-RPC. It sees what transactions say of themselves; coins that a
 * contract passes on are in none of them and show only in `balances`.
 */
export function createEvmChain({ rpc, chainId }: { rpc: JsonRpc; chainId: number }): AccountChain {
  const { fail } = rpc;

  async function inBatches<T>(calls: Call[], shape: z.ZodType<T>): Promise<T[]> {
    const answers: T[] = [];
    for (let at = 0; at < calls.length; at += callsMax) {
      answers.push(...(await rpc.batch(calls.slice(at, at + callsMax), shape)));
    }
    return answers;
  }

  async function fullBlocks(from: number, to: number): Promise<z.infer<typeof FullBlock>[]> {
    const heights = Array.from({ length: to - from + 1 }, (_, above) => from + above);
    const calls = heights.map((height) => ({ method: 'eth_getBlockByNumber', params: [hex(height), true] }));
    const blocks = await inBatches(calls, FullBlock.nullable());
    return blocks.map((block, at) => {
      const height = from + at;
      if (!block) throw fail('no-block', `has no block ${height}.`);
      if (block.number !== height) {
        throw fail('nonsense', `answered with block ${block.number} when ${height} was asked for.`);
      }
      if (at > 0 && block.parentHash !== blocks[at - 1]?.hash) {
        throw fail('moved', `changed its chain at block ${height} while it was read.`);
      }
      return block;
    });
  }

  /** Which of the transactions failed. A receipt from another block means that the chain has changed meanwhile. */
  async function failures(matched: Matched[]): Promise<Set<string>> {
    const asked = matched.flatMap(({ header, transactions }) =>
      transactions.map(({ hash }) => ({ hash, blockHash: header.hash, height: header.number })),
    );
    const receipts = await inBatches(
      asked.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
      Receipt.nullable(),
    );
    const failed = new Set<string>();
    for (const [at, { hash, blockHash, height }] of asked.entries()) {
      const receipt = receipts[at];
      if (!receipt || receipt.blockHash !== blockHash) {
        throw fail('moved', `changed its chain at block ${height} while it was read.`);
      }
      if (receipt.transactionHash !== hash)
        throw fail('nonsense', 'answered with the receipt of another transaction.');
      if (receipt.status === '0x0') failed.add(hash);
    }
    return failed;
  }

  return {
    spanMax: 10,

    async tip() {
      const [chain, latest, syncing] = await Promise.all([
        rpc.call('eth_chainId', [], Units),
        rpc.call('eth_getBlockByNumber', ['latest', false], Header),
        rpc.call('eth_syncing', [], z.union([z.literal(false), z.looseObject({})])),
      ]);
      if (chain !== BigInt(chainId)) {
        throw fail('wrong-chain', `follows the chain ${chain} and not ${chainId}.`);
      }
      return { height: latest.number, hash: latest.hash, isBehind: syncing !== false };
    },

    async hashAt(height) {
      const header = await rpc.call('eth_getBlockByNumber', [hex(height), false], Header.nullable());
      return header?.hash ?? null;
    },

    async blocks({ from, to }, { destinations }) {
      const matched = (await fullBlocks(from, to)).map(({ transactions, ...header }) => ({
        header,
        transactions: transactions.filter((each) => concernsUs(each, destinations)),
      }));
      const failed = await failures(matched);
      return matched.map((each) => toBlock(each, failed, destinations));
    },

    async balances(addresses, height) {
      const calls = addresses.map((address) => ({
        method: 'eth_getBalance',
        params: [address, hex(height)],
      }));
      return inBatches(calls, Units);
    },
  };
}

const pays = ({ to, value }: Transaction, destinations: Keys) =>
  typeof to === 'string' && value > 0n && destinations.has(to);
const concernsUs = (each: Transaction, destinations: Keys) =>
  pays(each, destinations) || destinations.has(each.from);

function toBlock({ header, transactions }: Matched, failed: Set<string>, destinations: Keys): Block {
  const payments: Payment[] = [];
  const spends: Spend[] = [];
  for (const each of transactions) {
    const { hash: txid, from, to, value: units } = each;
    const paid = to
      ? [{ txid, output: null, destination: to, tag: null, units, failed: failed.has(txid) }]
      : [];
    if (pays(each, destinations)) payments.push(...paid);
    if (destinations.has(from)) spends.push({ txid, from: [from], pays: paid });
  }
  return {
    height: header.number,
    hash: header.hash,
    parentHash: header.parentHash,
    time: new Date(header.timestamp * 1000),
    payments,
    spends,
  };
}
