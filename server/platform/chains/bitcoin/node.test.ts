import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type BitcoinNode, startBcoin } from '../../../testing/outside/bcoin.ts';
import { type RpcProxy, startRpcProxy } from '../../../testing/outside/rpc-proxy.ts';
import { masterKeyOf, publicKeyAt, publishedWords } from '../../../testing/outside/seeds.ts';
import { createAccountKey } from '../account-key.ts';
import type { Chain, Watched } from '../chain.ts';
import { createJsonRpc } from '../json-rpc.ts';
import { createBitcoinChain } from './node.ts';
import { bitcoinParams } from './params.ts';

let node: BitcoinNode;
let chain: Chain;
beforeAll(async () => {
  node = await startBcoin();
  chain = createBitcoinChain({ rpc: node.rpc, network: 'regtest' });
});
afterAll(() => node.close());

const key = createAccountKey(publicKeyAt(masterKeyOf(publishedWords), "m/84'/1'/0'", 'vpub'), {
  family: 'bitcoin',
  network: 'regtest',
});
const ours = [0, 1, 2].map((index) => key.addressAt(0, index));
const [first, second, third] = ours as [(typeof ours)[0], (typeof ours)[0], (typeof ours)[0]];
const watched = (): Watched => ({
  destinations: new Map(ours.map((each) => [each.matchKey, each])),
  coins: new Set(),
});
const heightOf = async () => (await chain.tip()).height;
const blockAt = async (height: number, what = watched()) => {
  const [block] = await chain.blocks({ from: height, to: height }, what);
  if (!block) throw new Error('no block');
  return block;
};
const troubleOf = (asked: Promise<unknown>) => asked.catch(({ trouble, message }) => [trouble, message]);

describe('a real node', () => {
  it('says how high its chain is, and another chain than ours is noticed', async () => {
    const hash = await node.mine();
    expect(await chain.tip()).toEqual({ height: 111, hash, isBehind: false });
    expect(await chain.hashAt(111)).toBe(hash);
    expect(await chain.hashAt(112)).toBeNull();
    for (const network of ['mainnet', 'testnet'] as const) {
      const other = createBitcoinChain({ rpc: node.rpc, network });
      expect(await troubleOf(other.tip())).toEqual([
        'wrong-chain',
        expect.stringContaining(`Bitcoin's ${network}`),
      ]);
    }
  });

  it("shows a transaction that pays three of ours, each output once and nobody else's", async () => {
    const stranger = key.addressAt(1, 9).address;
    const txid = await node.send(
      { address: first.address, units: 150_000n },
      { address: stranger, units: 70_000n },
      { address: second.address, units: 1n << 32n },
      { address: third.address, units: 999n },
      { address: first.address, units: 150_000n },
    );
    const hash = await node.mine();
    const height = await heightOf();
    const block = await blockAt(height);
    expect(block).toMatchObject({ height, hash, parentHash: await chain.hashAt(height - 1), spends: [] });
    expect(Math.abs(block.time.getTime() - Date.now())).toBeLessThan(3_600_000);
    const seen = block.payments.map(({ destination, units }) => [destination, units]).sort();
    expect(seen).toEqual(
      [
        [first.matchKey, 150_000n],
        [first.matchKey, 150_000n],
        [second.matchKey, 1n << 32n],
        [third.matchKey, 999n],
      ].sort(),
    );
    expect(new Set(block.payments.map(({ output }) => output)).size).toBe(4);
    expect(new Set(block.payments.map((payment) => payment.txid))).toEqual(new Set([txid]));
    expect(block.payments[0]).toMatchObject({ tag: null, failed: false });
  });

  it('gives the blocks of its past, those from before segwit too, each following from the last', async () => {
    const blocks = await chain.blocks({ from: 1, to: 30 }, watched());
    expect(blocks.map((block) => block.height)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
    expect(blocks.slice(1).every((block, at) => block.parentHash === blocks[at]?.hash)).toBe(true);
  });

  it('shows another chain after a reorganisation of one block and of three; what was paid is there again, or gone', async () => {
    for (const depth of [1, 3]) {
      const txid = await node.send({ address: first.address, units: 1000n + BigInt(depth) });
      await node.mine(depth);
      const height = (await heightOf()) - depth + 1;
      const before = await blockAt(height);
      expect(before.payments).toMatchObject([{ txid }]);
      await node.reorg(depth);
      const after = await blockAt(height);
      expect([after.hash === before.hash, after.parentHash === before.parentHash]).toEqual([false, true]);
      expect(after.payments).toEqual([]);
      expect(await heightOf()).toBe(height + depth);
      await node.mine();
      expect((await blockAt(await heightOf())).payments).toMatchObject([{ txid }]);
    }
    const gone = await node.send({ address: first.address, units: 4444n });
    await node.mine();
    await node.reorg(1, { drop: true });
    await node.mine();
    const height = await heightOf();
    const since = await chain.blocks({ from: height - 3, to: height }, watched());
    expect(since.flatMap(({ payments }) => payments).map(({ txid }) => txid)).not.toContain(gone);
  });

  it('is away while it is killed and has everything again afterwards', async () => {
    const txid = await node.send({ address: second.address, units: 777n });
    const tip = await chain.tip();
    await node.kill();
    expect(await troubleOf(chain.tip())).toEqual(['away', expect.stringContaining('cannot be reached')]);
    await node.restart();
    expect(await chain.tip()).toEqual(tip);
    await node.mine();
    expect((await blockAt(tip.height + 1)).payments).toMatchObject([{ txid, units: 777n }]);
  });
});

describe('a node that is wrong', () => {
  let proxy: RpcProxy;
  let lying: Chain;
  beforeAll(async () => {
    proxy = await startRpcProxy(node.rpc);
    lying = createBitcoinChain({ rpc: createJsonRpc({ url: proxy.url }), network: 'regtest' });
  });
  afterEach(() => {
    proxy.answers = {};
  });
  afterAll(() => proxy.close());
  const rawAt = async (height: number) => {
    const hash = await chain.hashAt(height);
    return Buffer.from(await node.rpc.call('getblock', [hash, 0], z.string()), 'hex');
  };

  it('and makes up blocks of the main network has not worked for them', async () => {
    const { genesis } = bitcoinParams.mainnet;
    const height = await heightOf();
    proxy.answers = {
      getblockhash: ([asked]) =>
        asked === 0 ? genesis[0] : node.rpc.call('getblockhash', [asked], z.string()),
    };
    const main = createBitcoinChain({ rpc: createJsonRpc({ url: proxy.url }), network: 'mainnet' });
    expect((await main.tip()).height).toBe(height);
    expect(await troubleOf(main.blocks({ from: height, to: height }, watched()))).toEqual([
      'nonsense',
      expect.stringContaining('nobody worked for'),
    ]);
  });

  it('about a block is caught: another one, one cut short, one too long, one with a changed or doubled payment', async () => {
    const txid = await node.send({ address: first.address, units: 123_456n });
    await node.mine();
    const height = await heightOf();
    const raw = await rawAt(height);
    const says = (lie: Buffer) => {
      proxy.answers.getblock = () => lie.toString('hex');
      return troubleOf(lying.blocks({ from: height, to: height }, watched()));
    };
    expect(await says(raw)).toMatchObject([{ payments: [{ txid, units: 123_456n }] }]);

    expect(await says(await rawAt(height - 1))).toEqual(['nonsense', expect.stringContaining('the hash')]);
    proxy.answers.getblock = () => `${raw.toString('hex')}zz`;
    expect(await troubleOf(lying.blocks({ from: height, to: height }, watched()))).toMatchObject([
      { height },
    ]);
    for (const lie of ['', 'zz', 'é']) {
      proxy.answers.getblock = () => lie;
      expect(await troubleOf(lying.blocks({ from: height, to: height }, watched()))).toMatchObject([
        'nonsense',
        {},
      ]);
    }
    expect(await says(raw.subarray(0, 60))).toEqual(['nonsense', expect.stringContaining('too early')]);
    expect(await says(raw.subarray(0, -1))).toEqual([
      'nonsense',
      expect.stringMatching(/too early|counts more/),
    ]);
    expect(await says(Buffer.concat([raw, Buffer.alloc(1)]))).toEqual([
      'nonsense',
      expect.stringContaining('after its end'),
    ]);

    const amount = Buffer.alloc(8);
    amount.writeBigUInt64LE(123_456n);
    const richer = Buffer.from(raw);
    richer.writeBigUInt64LE(123_457n, raw.indexOf(amount));
    expect(await says(richer)).toEqual(['nonsense', expect.stringContaining('not those of its header')]);
    richer.writeBigUInt64LE(1n << 60n, raw.indexOf(amount));
    expect(await says(richer)).toEqual(['nonsense', expect.stringContaining('more than there can be')]);
    const all = raw.subarray(81);
    const doubled = Buffer.concat([raw.subarray(0, 80), Buffer.from([4]), all, all]);
    expect(await says(doubled)).toEqual(['nonsense', expect.stringContaining('a transaction twice')]);
    const empty = Buffer.concat([raw.subarray(0, 80), Buffer.from([0])]);
    expect(await says(empty)).toEqual(['nonsense', expect.stringContaining('no transaction')]);
    const endless = Buffer.concat([raw.subarray(0, 80), Buffer.alloc(9, 0xff)]);
    expect(await says(endless)).toEqual(['nonsense', expect.stringContaining('counts more')]);
  });

  it('about heights and hashes gets a clear error, never a crash', async () => {
    const info = { blocks: 5, headers: 5, bestblockhash: '00'.repeat(32) };
    const lies = [
      [],
      null,
      'x',
      {},
      { ...info, blocks: -1 },
      { ...info, blocks: 1e12 },
      { ...info, blocks: 1.5 },
    ];
    for (const lie of [...lies, { ...info, bestblockhash: 'ff' }]) {
      proxy.answers.getblockchaininfo = () => lie;
      expect(await troubleOf(lying.tip())).toEqual(['nonsense', expect.stringContaining('with nonsense')]);
    }
    for (const lie of [5, '', 'zz'.repeat(32), null]) {
      proxy.answers.getblockhash = () => lie;
      expect(await troubleOf(lying.hashAt(1))).toEqual([
        'nonsense',
        expect.stringContaining('with nonsense'),
      ]);
    }
  });

  it('because it is pruned says so; one that is still downloading is behind', async () => {
    proxy.answers.getblock = () => {
      throw new Error('Block not available (pruned data)');
    };
    expect(await troubleOf(lying.blocks({ from: 5, to: 5 }, watched()))).toEqual([
      'no-block',
      expect.stringContaining('does not have block 5 any more'),
    ]);
    expect(await troubleOf(lying.blocks({ from: 90_000, to: 90_000 }, watched()))).toEqual([
      'no-block',
      expect.stringContaining('has no block 90000'),
    ]);
    const info = { blocks: 5, headers: 5, bestblockhash: '00'.repeat(32) };
    for (const more of [{ headers: 900 }, { initialblockdownload: true }]) {
      proxy.answers.getblockchaininfo = () => ({ ...info, ...more });
      expect(await lying.tip()).toMatchObject({ height: 5, isBehind: true });
    }
  });

  it('whose chain changes between two blocks is asked again', async () => {
    const height = await heightOf();
    proxy.answers.getblockhash = ([at]) => chain.hashAt(at === height ? height - 3 : (at as number));
    expect(await troubleOf(lying.blocks({ from: height - 1, to: height }, watched()))).toEqual([
      'moved',
      expect.stringContaining('changed its chain'),
    ]);
  });
});
