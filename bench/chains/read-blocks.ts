import { hash } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Network } from '@tallystick/contract/networks';
import pg from 'pg';
import { pino } from 'pino';
import { createNetworks } from '../../server/modules/networks/service.ts';
import type { Prices } from '../../server/modules/prices/service.ts';
import { bitcoinParams } from '../../server/platform/chains/bitcoin/params.ts';
import { openChains } from '../../server/platform/chains/open-chains.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { ownersDb } from '../../server/platform/postgres/db.ts';
import { makeFullBlock } from '../../server/testing/outside/full-block.ts';
import type { Database } from '../postgres/cluster.ts';
import type { Answers } from './node.ts';

/** Ours are the first so many; further numbers are nobody's. */
const addressCount = 100_000;
const bitcoinTransactions = 4_000;
const evmTransactions = 1_000;
/** One in so many pays one of ours. */
const oursEvery = 100;
const chainId = 31_337;
const height = 1_000;
/** The block before the one that is read. Of our making, so that it can be read again and again. */
const before = '0'.repeat(64);

/** What an address is made of, by its number. */
const digits = (number: number) => hash('sha256', `address ${number}`).slice(0, 40);
/** One of ours now and then. */
const target = (at: number) => digits(at % oursEvery === 0 ? at : addressCount + at);

/** What reading one block took, from the first question to the node to the database's last word. */
interface BlockRead {
  ms: number[];
  /** Of the thread that reads. */
  cpu_ms: number[];
  payments: number;
}
export type Chains = Record<'bitcoin' | 'ethereum', BlockRead>;

function bitcoinAnswers(): Answers {
  const outputs = Array.from({ length: 3 * bitcoinTransactions }, (_, at) => `0014${target(at)}`);
  const block = makeFullBlock(outputs);
  const quoted = (value: string) => JSON.stringify(value);
  const info = { blocks: height + 1, headers: height + 1, bestblockhash: block.hash };
  return {
    getblockchaininfo: JSON.stringify(info),
    'getblockhash 0': quoted(bitcoinParams.regtest.genesis[0] ?? ''),
    [`getblockhash ${height}`]: quoted(before),
    [`getblockhash ${height + 1}`]: quoted(block.hash),
    getblock: quoted(block.raw.toString('hex')),
  };
}

function evmAnswers(): Answers {
  const word = (text: string) => `0x${hash('sha256', text)}`;
  const blockHash = word('block');
  const transactions = Array.from({ length: evmTransactions }, (_, at) => ({
    blockHash,
    hash: word(`transaction ${at}`),
    from: `0x${digits(-at - 1)}`,
    to: `0x${target(at)}`,
    value: '0xde0b6b3a7640000',
    gas: '0x5208',
    gasPrice: '0x3b9aca00',
    nonce: '0x1',
    // Most of what is sent are calls of contracts, a few words long.
    input: `0x${hash('sha512', `input ${at}`).repeat(2)}`,
    r: word('r'),
    s: word('s'),
    v: '0x1',
  }));
  const times = { timestamp: '0x6553f100' };
  const header = { number: `0x${(height + 1).toString(16)}`, hash: blockHash, parentHash: `0x${before}` };
  const full = JSON.stringify({ ...header, ...times, transactions });
  const parent = { ...header, ...times, number: `0x${height.toString(16)}`, hash: `0x${before}` };
  const receipts = transactions.map(({ hash: transactionHash }) => [
    `eth_getTransactionReceipt ${transactionHash}`,
    JSON.stringify({ transactionHash, blockHash, status: '0x1' }),
  ]);
  return {
    eth_chainId: JSON.stringify(`0x${chainId.toString(16)}`),
    eth_syncing: 'false',
    eth_getBalance: '"0x0"',
    'eth_getBlockByNumber latest': JSON.stringify({ ...header, ...times }),
    [`eth_getBlockByNumber ${header.number}`]: full,
    [`eth_getBlockByNumber ${parent.number}`]: JSON.stringify(parent),
    ...Object.fromEntries(receipts),
  };
}

async function startNode(answers: Answers): Promise<{ url: string; worker: Worker }> {
  const worker = new Worker(new URL('node.ts', import.meta.url), { workerData: answers });
  const [port] = await once(worker, 'message');
  return { url: `http://127.0.0.1:${port}`, worker };
}

/** As if they had been given out one after the other: all of them on Bitcoin, and so many of them on EVM networks. */
export async function fillAddresses({ owner }: Database, evmCount: number): Promise<void> {
  const given = Array.from({ length: addressCount }, (_, number) => digits(number));
  await owner.query(
    `insert into network_addresses (family, match, address, purpose, made_at)
     select family, prefix || digits, prefix || digits, 'deposit', now()
     from (values ('bitcoin', '0014', $2::int), ('evm', '0x', $3)) as of (family, prefix, count)
     join unnest($1::text[]) with ordinality as given (digits, number) on number <= count`,
    [given, addressCount, evmCount],
  );
}

/** Back to the block before. */
async function goBack({ owner }: Database, network: Network, chain: string): Promise<void> {
  await owner.query('delete from network_blocks where network = $1', [network]);
  const hashBefore = network === 'bitcoin' ? before : `0x${before}`;
  await owner.query(
    `insert into network_cursors (network, chain, height, hash, tip, read_at) values ($1, $2, $3, $4, $3, now())
     on conflict (network) do update set height = excluded.height, hash = excluded.hash`,
    [network, chain, height, hashBefore],
  );
}

/** Reads one block of each kind, full of others' payments and with some to us, several times over. */
export async function readBlocks(database: Database, times: number): Promise<Chains> {
  const [bitcoin, ethereum] = [await startNode(bitcoinAnswers()), await startNode(evmAnswers())];
  const pool = new pg.Pool({ connectionString: database.url });
  const db = ownersDb(pool);
  const chains = openChains({
    nodeUrls: { bitcoin: bitcoin.url, ethereum: ethereum.url },
    bitcoinNetwork: 'regtest',
    chainIds: { ethereum: chainId },
  });
  const usd = { usd: 1_000 };
  const value = { bitcoin: usd, ethereum: usd, binancecoin: usd, ripple: usd };
  const prices = { simplePrice: async () => ({ value, ageMs: 0, source: 'sample' }) } as unknown as Prices;
  const networks = createNetworks({
    db,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    prices,
    chains,
    bitcoinNetwork: 'regtest',
    sampleHeight: null,
  });
  const [readBitcoin, readEthereum] = networks.readers({
    afterReading: async () => {},
    onGone: async () => {},
  });

  async function measure(network: Network, read: (() => Promise<void>) | undefined): Promise<BlockRead> {
    const figures: BlockRead = { ms: [], cpu_ms: [], payments: 0 };
    // The first time all addresses are read from the database, and code is compiled.
    for (let time = -1; time < times; time += 1) {
      await goBack(database, network, chains[network]?.name ?? '');
      const [begun, cpu] = [performance.now(), process.threadCpuUsage()];
      await read?.();
      const used = process.threadCpuUsage(cpu);
      if (time < 0) continue;
      figures.ms.push(performance.now() - begun);
      figures.cpu_ms.push((used.user + used.system) / 1000);
    }
    const cursor = (await networks.cursors()).get(network);
    if (cursor?.height !== height + 1) throw new Error(`the block of ${network} was not read`);
    figures.payments = (await networks.openPayments({ network })).length;
    return figures;
  }

  try {
    return {
      bitcoin: await measure('bitcoin', readBitcoin),
      ethereum: await measure('ethereum', readEthereum),
    };
  } finally {
    await Promise.all([pool.end(), bitcoin.worker.terminate(), ethereum.worker.terminate()]);
  }
}
