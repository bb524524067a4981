import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { type EvmNode, startAnvil } from '../../../testing/outside/evm/anvil.ts';
import { it } from '../../../testing/outside/evm/on-evm.ts';
import { type RpcProxy, startRpcProxy } from '../../../testing/outside/rpc-proxy.ts';
import { masterKeyOf, publicKeyAt, publishedWords } from '../../../testing/outside/seeds.ts';
import { createAccountKey } from '../account-key.ts';
import type { AccountChain, Watched } from '../chain.ts';
import { createJsonRpc } from '../json-rpc.ts';
import { createEvmChain } from './node.ts';

const chainId = 31_956;
let node: EvmNode;
let chain: AccountChain;
let watched: Watched;
beforeAll(async () => {
  node = await startAnvil({ chainId });
  chain = createEvmChain({ rpc: node.rpc, chainId });
  // The node's own second account stands in for a wallet of ours that pays.
  watched = {
    destinations: new Set([first.matchKey, second.matchKey, node.accounts[1] ?? '']),
    coins: new Set(),
  };
});
afterAll(() => node.close());

const key = createAccountKey(publicKeyAt(masterKeyOf(publishedWords), "m/44'/60'/0'", 'xpub'), {
  family: 'evm',
});
const [first, second] = [key.addressAt(0, 0), key.addressAt(0, 1)];
const stranger = '0x00000000000000000000000000000000deadbeef';

const heightOf = async () => (await chain.tip()).height;
async function newest(from = chain) {
  const height = await heightOf();
  const [block] = await from.blocks({ from: height, to: height }, watched);
  if (!block) throw new Error('no block');
  return block;
}
const troubleOf = (asked: Promise<unknown>) => asked.catch(({ trouble, message }) => [trouble, message]);
const payment = (txid: string, destination: string, units: bigint, failed = false) => ({
  txid,
  output: null,
  destination,
  tag: null,
  units,
  failed,
});

describe('a real node', () => {
  it('says how high its chain is, and another chain than ours is noticed', async () => {
    await node.mine();
    const tip = await chain.tip();
    expect(tip).toEqual({ height: 1, hash: expect.stringMatching(/^0x[0-9a-f]{64}$/), isBehind: false });
    expect(await chain.hashAt(1)).toBe(tip.hash);
    expect(await chain.hashAt(2)).toBeNull();
    const other = createEvmChain({ rpc: node.rpc, chainId: 1 });
    expect(await troubleOf(other.tip())).toEqual([
      'wrong-chain',
      expect.stringContaining(`follows the chain ${chainId} and not 1`),
    ]);
  });

  it("shows payments to us to the wei, failed ones as failed, and nobody else's or empty ones", async () => {
    const units = 1_234_567_890_123_456_789n;
    const paid = await node.send({ to: first.address, units });
    await node.send({ to: stranger, units: 5n });
    await node.send({ to: second.address, units: 0n });
    const failed = await node.sendFailing({ to: second.address, units: 77n });
    const block = await newest();
    expect(block.payments).toEqual([
      payment(paid, first.matchKey, units),
      payment(failed, second.matchKey, 77n, true),
    ]);
    expect(block).toMatchObject({ parentHash: await chain.hashAt(block.height - 1), spends: [] });
    expect(Math.abs(block.time.getTime() - Date.now())).toBeLessThan(3_600_000);
  });

  it('shows what is sent from our addresses, to whomever, and from one of ours to another', async () => {
    const from = node.accounts[1] ?? '';
    const out = await node.send({ to: stranger, units: 1000n, from });
    const between = await node.send({ to: first.address, units: 2000n, from });
    await node.mine();
    const { payments, spends } = await newest();
    expect(spends).toEqual([
      { txid: out, from: [from], pays: [payment(out, stranger, 1000n)] },
      { txid: between, from: [from], pays: [payment(between, first.matchKey, 2000n)] },
    ]);
    expect(payments).toEqual([payment(between, first.matchKey, 2000n)]);
  });

  it('shows coins that come through a contract in the balance alone', async () => {
    const addresses = [first.address, second.address, stranger];
    const before = await chain.balances(addresses, await heightOf());
    await node.sendThroughContract({ to: second.matchKey, units: 31n });
    await node.mine();
    expect((await newest()).payments).toEqual([]);
    const height = await heightOf();
    expect(await chain.balances(addresses, height)).toEqual([before[0], (before[1] ?? 0n) + 31n, before[2]]);
    expect(await chain.balances(addresses, height - 1)).toEqual(before);
    const many = Array.from({ length: 120 }, (_, index) => addresses[index % 3] as string);
    expect(await chain.balances(many, height)).toHaveLength(120);
  });

  it('gives a row of blocks, each following from the last', async () => {
    await node.mine(3);
    const height = await heightOf();
    const blocks = await chain.blocks({ from: 1, to: height }, watched);
    expect(blocks.map((block) => block.height)).toEqual(Array.from({ length: height }, (_, at) => at + 1));
    expect(blocks.flatMap(({ payments }) => payments)).toHaveLength(3);
    expect(await troubleOf(chain.blocks({ from: height, to: height + 1 }, watched))).toEqual([
      'no-block',
      expect.stringContaining(`has no block ${height + 1}`),
    ]);
  });

  it('shows other blocks after a reorganisation of one and of three; what was paid is there again, or gone', async () => {
    for (const depth of [1, 3]) {
      const txid = await node.send({ to: first.address, units: BigInt(depth) });
      await node.mine(depth);
      const height = await heightOf();
      const before = await chain.hashAt(height - depth + 1);
      await node.reorg(depth);
      expect(await heightOf()).toBe(height);
      const after = await chain.blocks({ from: height - depth + 1, to: height }, watched);
      expect(after[0]?.hash).not.toBe(before);
      expect(after.flatMap(({ payments }) => payments)).toEqual([]);
      await node.mine();
      expect((await newest()).payments).toEqual([payment(txid, first.matchKey, BigInt(depth))]);
    }
    const gone = await node.send({ to: first.address, units: 4444n });
    await node.mine();
    await node.reorg(1, { drop: true });
    await node.mine();
    const height = await heightOf();
    const since = await chain.blocks({ from: height - 2, to: height }, watched);
    expect(since.flatMap(({ payments }) => payments).map(({ txid }) => txid)).not.toContain(gone);
  });

  it('is away while it is killed and has everything again afterwards', async () => {
    const txid = await node.send({ to: second.address, units: 777n });
    const tip = await chain.tip();
    await node.kill();
    expect(await troubleOf(chain.tip())).toEqual(['away', expect.stringContaining('cannot be reached')]);
    await node.restart();
    expect(await chain.tip()).toEqual(tip);
    await node.mine();
    expect((await newest()).payments).toEqual([payment(txid, second.matchKey, 777n)]);
  });
});

describe('a node that is wrong', () => {
  let proxy: RpcProxy;
  let lying: AccountChain;
  beforeAll(async () => {
    proxy = await startRpcProxy(node.rpc);
    lying = createEvmChain({ rpc: createJsonRpc({ url: proxy.url }), chainId });
  });
  afterEach(() => {
    proxy.answers = {};
  });
  afterAll(() => proxy.close());

  const hash = `0x${'ab'.repeat(32)}`;
  const header = { number: '0x5', hash, parentHash: hash, timestamp: '0x6afa6574' };

  it.each([
    ['nothing', null],
    ['a text', 'x'],
    ['a height that cannot be', { ...header, number: '0xffffffffffffff' }],
    ['a height that is a number', { ...header, number: 5 }],
    ['a height below nought', { ...header, number: '-0x5' }],
    ['a hash that is none', { ...header, hash: '0x' }],
    ['a time that cannot be', { ...header, timestamp: '0xffffffffffff' }],
  ])('with %s for its newest block gets a clear error, never a crash', async (_what, lie) => {
    proxy.answers.eth_getBlockByNumber = () => lie;
    expect(await troubleOf(lying.tip())).toEqual(['nonsense', expect.stringContaining('with nonsense')]);
  });

  it('about a block is caught: another height, wrong transactions, a chain that does not hang together', async () => {
    const says = (lie: unknown) => {
      proxy.answers.eth_getBlockByNumber = () => lie;
      return troubleOf(lying.blocks({ from: 5, to: 6 }, watched));
    };
    const block = { ...header, transactions: [] };
    expect(await says({ ...block, number: '0x4' })).toEqual([
      'nonsense',
      expect.stringContaining('block 4 when 5'),
    ]);
    expect(await says(block)).toEqual(['nonsense', expect.stringContaining('block 5 when 6')]);
    expect(await says(header)).toEqual(['nonsense', expect.stringContaining('transactions')]);
    for (const wrong of [
      { value: '1' },
      { value: `0x${'f'.repeat(65)}` },
      { value: `0x1${'0'.repeat(24)}` },
      { to: 'x' },
      { from: null },
      { hash: 1 },
    ]) {
      const transactions = [{ hash, from: stranger, to: stranger, value: '0x1', ...wrong }];
      expect(await says({ ...block, transactions })).toEqual([
        'nonsense',
        expect.stringContaining('transactions.0'),
      ]);
    }
    proxy.answers.eth_getBlockByNumber = ([number]) => ({ ...block, number, hash: `0x${'cd'.repeat(32)}` });
    expect(await troubleOf(lying.blocks({ from: 5, to: 6 }, watched))).toEqual([
      'moved',
      expect.stringContaining('changed its chain at block 6'),
    ]);
  });

  it('about a receipt is caught, and one that is gone means that the chain has changed', async () => {
    const txid = await node.send({ to: first.address, units: 9n });
    await node.mine();
    expect((await newest(lying)).payments).toEqual([payment(txid, first.matchKey, 9n)]);
    const { hash: blockHash } = await newest();
    const receipt = { transactionHash: txid, blockHash, status: '0x1' };
    for (const [lie, trouble] of [
      [null, 'moved'],
      [{ ...receipt, blockHash: hash }, 'moved'],
      [{ ...receipt, transactionHash: hash }, 'nonsense'],
      [{ ...receipt, status: '0x2' }, 'nonsense'],
      [{}, 'nonsense'],
    ]) {
      proxy.answers.eth_getTransactionReceipt = () => lie;
      expect(await troubleOf(newest(lying))).toEqual([trouble, expect.any(String)]);
    }
  });

  it('that is still catching up says so', async () => {
    proxy.answers.eth_syncing = () => ({ currentBlock: '0x1', highestBlock: '0x9' });
    expect(await lying.tip()).toMatchObject({ isBehind: true });
  });
});
