import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Ask, BcoinSettings, Told } from './bcoin.ts';

/**
 * A real Bitcoin node in regtest, as a process of its own: bcoin, which keeps its chain in memory. Whatever it took is
 * written down before, and taken again at the next start, so that it can be killed at any moment.
 *
 * Two things are unlike Bitcoin Core's regtest: segwit is on after a few dozen blocks instead of 432, to start quickly, and
 * addresses begin with `bcrt` only because it is told so here.
 */
const settings: BcoinSettings = JSON.parse(process.argv[2] ?? '');
const require = createRequire(import.meta.url);

const { regtest } = require('bcoin/lib/protocol/networks.js');
regtest.addressPrefix.bech32 = 'bcrt';
regtest.minerWindow = 8;
regtest.activationThreshold = 6;
const FullNode = require('bcoin/lib/node/fullnode.js');
const Block = require('bcoin/lib/primitives/block.js');
const KeyRing = require('bcoin/lib/primitives/keyring.js');
const MTX = require('bcoin/lib/primitives/mtx.js');
const TX = require('bcoin/lib/primitives/tx.js');

const node = new FullNode({
  network: 'regtest',
  memory: true,
  workers: false,
  logConsole: false,
  listen: false,
  indexAddress: true,
  replaceByFee: true,
  httpPort: settings.port,
  apiKey: settings.password,
});
const { chain, mempool, miner } = node;
const ring = KeyRing.fromOptions({
  privateKey: Buffer.from(settings.privateKey, 'hex'),
  witness: true,
  network: 'regtest',
});

function forgetWaiting(): void {
  for (const entry of [...mempool.map.values()]) mempool.evictEntry(entry);
}

async function takeAgain(): Promise<void> {
  if (!existsSync(settings.journal)) return;
  for (const line of readFileSync(settings.journal, 'utf8').split('\n')) {
    const [kind, hex] = line.split(' ');
    // What was refused, or killed half written, is refused again.
    if (kind === 'block') await chain.add(Block.fromRaw(hex, 'hex')).catch(() => {});
    if (kind === 'forget') forgetWaiting();
    if (kind === 'tx') await mempool.addTX(TX.fromRaw(hex, 'hex')).catch(() => {});
  }
}

function writeDown(): void {
  const [addBlock, addTx] = [chain.add.bind(chain), mempool.addTX.bind(mempool)];
  const note = (kind: string, what: { toRaw(): Buffer }) =>
    appendFileSync(settings.journal, `${kind} ${what.toRaw().toString('hex')}\n`);
  chain.add = (block: { toRaw(): Buffer }, ...rest: unknown[]) => {
    note('block', block);
    return addBlock(block, ...rest);
  };
  mempool.addTX = (tx: { toRaw(): Buffer }, ...rest: unknown[]) => {
    note('tx', tx);
    return addTx(tx, ...rest);
  };
}

/** Without a mempool a miner makes blocks that have nothing but their own reward in them. */
async function mine(count: number, from = chain.tip, isEmpty = false): Promise<void> {
  const known = miner.mempool;
  let tip = from;
  for (let left = count; left > 0; left -= 1) {
    miner.mempool = isEmpty ? null : known;
    try {
      const block = await miner.mineBlock(tip, ring.getAddress());
      tip = await chain.add(block);
    } finally {
      miner.mempool = known;
    }
  }
}

/** Not by `sendrawtransaction`: that answers before it has looked, and with an id even to what it will refuse. */
async function take(tx: { hash(encoding: 'hex'): string; txid(): string }): Promise<string> {
  await mempool.addTX(tx);
  if (!mempool.has(tx.hash('hex'))) throw new Error('It spends what is not there');
  return tx.txid();
}

const deeds: { [Deed in keyof Ask]: (given: Ask[Deed]) => Promise<string> } = {
  async mine({ count }) {
    await mine(count);
    return chain.tip.rhash();
  },

  async send({ outputs, rate }) {
    const mtx = new MTX();
    for (const { address, units } of outputs) mtx.addOutput(address, Number(units));
    const coins = await node.getCoinsByAddress([ring.getAddress()]);
    await mtx.fund(coins, { rate, height: chain.height, changeAddress: ring.getAddress() });
    mtx.sign(ring);
    return take(mtx.toTX());
  },

  broadcast: ({ hex }) => take(TX.fromRaw(hex, 'hex')),

  /**
   * A longer branch from further down. What was in the blocks that are left waits again, or is gone; it is put back here,
   * because bcoin forgets what spends a reward.
   */
  async reorg({ depth, drop }) {
    const waiting = [...mempool.map.values()].map(({ tx }) => tx);
    const left = await Promise.all(
      Array.from({ length: depth }, (_, below) => chain.getBlock(chain.height - depth + 1 + below)),
    );
    await mine(depth + 1, await chain.getEntryByHeight(chain.height - depth), true);
    forgetWaiting();
    if (drop) appendFileSync(settings.journal, 'forget\n');
    if (drop) return chain.tip.rhash();
    for (const tx of [...left.flatMap(({ txs }) => txs.slice(1)), ...waiting]) await mempool.addTX(tx);
    return chain.tip.rhash();
  },
};

const tell = (told: Told) => void process.send?.(told);
process.on('message', async ({ id, deed, given }: { id: number; deed: keyof Ask; given: never }) => {
  try {
    tell({ id, done: await deeds[deed](given) });
  } catch (error) {
    tell({ id, failed: (error as Error).message });
  }
});
// Whoever started it is gone: so is it.
process.on('disconnect', () => process.exit());

node.on('error', () => {});
// It answers nobody before it has everything again: nobody sees a chain that has only begun.
const answerCalls = node.http.open.bind(node.http);
node.http.open = async () => {
  await takeAgain();
  writeDown();
  await answerCalls();
};
await node.open();
tell({ id: 0, done: ring.getAddress().toString('regtest') });
