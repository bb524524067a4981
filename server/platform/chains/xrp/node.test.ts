import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RpcProxy, startRpcProxy } from '../../../testing/outside/rpc-proxy.ts';
import { startXrpServer, type XrpServer } from '../../../testing/outside/xrp-server.ts';
import { createJsonRpc, type JsonRpc } from '../json-rpc.ts';
import { createXrpChain, type XrpChain } from './node.ts';

let node: XrpServer;
let chain: XrpChain;
beforeEach(async () => {
  node = await startXrpServer();
  chain = createXrpChain({ rpc: node.rpc, networkId: 0 });
});
afterEach(() => node.close());

const ours = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY';
const olderOurs = 'rMwjYedjc7qqtKYVLiAccJSmCwih4LnE2q';
const stranger = 'rrrrrrrrrrrrrrrrrrrrBZbvji';
const watched = { destinations: new Set([ours, olderOurs]), coins: new Set<string>() };
const read = (from: number, to = from) => chain.blocks({ from, to }, watched);
const troubleOf = (asked: Promise<unknown>) => asked.catch(({ trouble, message }) => [trouble, message]);
const payment = (txid: string, units: bigint, tag: number | null = null, destination = ours) => ({
  txid,
  output: null,
  destination,
  tag,
  units,
  failed: false,
});

describe('a node', () => {
  it('says how far its validated ledgers reach, and another network than ours is noticed', async () => {
    expect(await chain.tip()).toEqual({ height: 1000, hash: await chain.hashAt(1000), isBehind: false });
    expect(await chain.hashAt(1001)).toBeNull();
    node.state = 'syncing';
    expect(await chain.tip()).toMatchObject({ isBehind: true });
    node.networkId = 1;
    expect(await troubleOf(chain.tip())).toEqual([
      'wrong-chain',
      expect.stringContaining('the network 1 and not 0'),
    ]);
    node.networkId = undefined;
    expect(await chain.tip()).toMatchObject({ height: 1000 });
  });

  it('shows payments with their tags, without one, with a tag of nought, and to an older address of ours', async () => {
    const expected = [
      payment(
        node.pay({ from: stranger, to: ours, units: 25_000_000n, tag: 4_294_967_295 }),
        25_000_000n,
        4_294_967_295,
      ),
      payment(node.pay({ from: stranger, to: ours, units: 1n }), 1n),
      payment(node.pay({ from: stranger, to: ours, units: 2n, tag: 0 }), 2n, 0),
      payment(node.pay({ from: stranger, to: ours, units: 4n, tag: 9 }), 4n, 9),
      payment(node.pay({ from: stranger, to: olderOurs, units: 3n, tag: 7 }), 3n, 7, olderOurs),
    ];
    node.pay({ from: stranger, to: stranger, units: 9n });
    node.validate();
    const [block, ...others] = await read(1001);
    expect(others).toEqual([]);
    expect(block?.payments).toEqual(expected);
    expect(block).toMatchObject({
      height: 1001,
      hash: await chain.hashAt(1001),
      parentHash: await chain.hashAt(1000),
      time: new Date((946_684_800 + 800_001_001) * 1000),
      spends: [],
    });
  });

  it('is asked so little at once that a distant one answers within a minute', async () => {
    let calls = 0;
    const rpc: JsonRpc = {
      ...node.rpc,
      call(...given) {
        calls += 1;
        return node.rpc.call(...given);
      },
    };
    const { spanMax, blocks } = createXrpChain({ rpc, networkId: 0 });
    for (let height = 0; height < spanMax; height += 1) {
      node.pay({ from: stranger, to: ours, units: 1n });
      node.validate();
    }
    expect(await blocks({ from: 1001, to: 1000 + spanMax }, watched)).toHaveLength(spanMax);
    // The stand-in's pages are small ones.
    expect(calls).toBeLessThan(200);
  });

  it('counts what was delivered and never what was said', async () => {
    const million = { from: stranger, to: ours, units: 1_000_000_000_000n, tag: 5 };
    const partial = node.pay(million, { tx: { Flags: 0x20000 }, meta: { delivered_amount: '1' } });
    node.pay(million, { meta: { delivered_amount: undefined } });
    node.pay(million, { meta: { delivered_amount: 'unavailable' } });
    node.pay(million, {
      meta: { delivered_amount: { currency: 'USD', issuer: stranger, value: '1000000' } },
    });
    node.pay(million, { meta: { TransactionResult: 'tecUNFUNDED_PAYMENT', delivered_amount: undefined } });
    node.pay(million, { tx: { TransactionType: 'EscrowFinish' } });
    node.validate();
    const [block] = await read(1001);
    expect(block?.payments).toEqual([payment(partial, 1n, 5)]);
  });

  it('shows what our account sends, failed or not, and from one of ours to another once', async () => {
    const paid = node.pay({ from: ours, to: stranger, units: 500n, tag: 3 });
    const failed = node.pay(
      { from: ours, to: stranger, units: 600n },
      { meta: { TransactionResult: 'tecNO_DST' } },
    );
    const between = node.pay({ from: ours, to: olderOurs, units: 700n });
    const setting = node.pay(
      { from: ours, to: ours, units: 0n },
      { tx: { TransactionType: 'AccountSet', Destination: undefined } },
    );
    node.validate();
    const [block] = await read(1001);
    expect(block?.spends).toEqual([
      { txid: paid, from: [ours], pays: [payment(paid, 500n, 3, stranger)] },
      { txid: failed, from: [ours], pays: [{ ...payment(failed, 0n, null, stranger), failed: true }] },
      { txid: between, from: [ours], pays: [payment(between, 700n, null, olderOurs)] },
      { txid: setting, from: [ours], pays: [] },
    ]);
    expect(block?.payments).toEqual([payment(between, 700n, null, olderOurs)]);
  });

  it('gives of many ledgers those with something of ours and the last, however many pages it takes', async () => {
    const paid: string[] = [];
    for (let ledger = 0; ledger < 20; ledger += 1) {
      if (ledger % 2 === 0) paid.push(node.pay({ from: stranger, to: ours, units: 5n }));
      node.validate();
    }
    const blocks = await read(1001, 1020);
    expect(blocks.map(({ height }) => height)).toEqual([
      1001, 1003, 1005, 1007, 1009, 1011, 1013, 1015, 1017, 1019, 1020,
    ]);
    expect(blocks.flatMap(({ payments }) => payments).map(({ txid }) => txid)).toEqual(paid);
  });

  it('that lacks a part of its history, or has not reached it, says so instead of leaving payments out', async () => {
    node.oldest = 900;
    expect(await troubleOf(read(899, 1000))).toEqual([
      'no-block',
      expect.stringContaining('from 899 to 1000'),
    ]);
    expect(await troubleOf(read(1001))).toEqual(['no-block', expect.stringContaining('ledger 1001')]);
    expect(await read(900, 1000)).toHaveLength(1);
  });

  it('knows what an account holds and whether it wants a tag', async () => {
    node.accounts.set(ours, { units: 123_456_789n, flags: 0x0002_0000 | 0x0010_0000 });
    node.accounts.set(stranger, { units: 1n, flags: 0x0080_0000 });
    expect(await chain.balances([ours, stranger, olderOurs], 1000)).toEqual([123_456_789n, 1n, 0n]);
    expect(await chain.destinationOf(ours)).toEqual({ exists: true, requiresTag: true });
    expect(await chain.destinationOf(stranger)).toEqual({ exists: true, requiresTag: false });
    expect(await chain.destinationOf(olderOurs)).toEqual({ exists: false, requiresTag: false });
  });

  it('is away while it is killed and has everything again afterwards', async () => {
    const txid = node.pay({ from: stranger, to: ours, units: 7n });
    await node.kill();
    expect(await troubleOf(chain.tip())).toEqual(['away', expect.stringContaining('cannot be reached')]);
    await node.restart();
    node.validate();
    expect(await read(1001)).toMatchObject([{ payments: [{ txid }] }]);
  });
});

describe('a node that is wrong', () => {
  let proxy: RpcProxy;
  beforeEach(async () => {
    proxy = await startRpcProxy(node.rpc);
    chain = createXrpChain({ rpc: createJsonRpc({ url: proxy.url }), networkId: 0 });
  });
  afterEach(() => proxy.close());

  const info = { complete_ledgers: '500-1000', validated_ledger: { seq: 1000, hash: 'AB'.repeat(32) } };

  it.each([
    ['nothing', null],
    ['a text', 'x'],
    ['no status', { info }],
    [
      'a height that cannot be',
      { status: 'success', info: { ...info, validated_ledger: { seq: 1e12, hash: 'AB'.repeat(32) } } },
    ],
    [
      'a hash that is none',
      { status: 'success', info: { ...info, validated_ledger: { seq: 5, hash: 'AB' } } },
    ],
    ['ranges that are none', { status: 'success', info: { ...info, complete_ledgers: 'all' } }],
  ])('with %s about itself gets a clear error, never a crash', async (_what, lie) => {
    proxy.answers.server_info = () => lie;
    expect(await troubleOf(chain.tip())).toEqual(['nonsense', expect.stringContaining('with nonsense')]);
  });

  it('without any validated ledger, or that wants to be left alone, says so', async () => {
    proxy.answers.server_info = () => ({ status: 'success', info: { complete_ledgers: 'empty' } });
    expect(await troubleOf(chain.tip())).toEqual([
      'no-block',
      expect.stringContaining('any validated ledger'),
    ]);
    expect(await troubleOf(read(1000))).toEqual(['no-block', expect.stringContaining('ledger 1000')]);
    proxy.answers.server_info = () => ({ status: 'error', error: 'slowDown' });
    expect(await troubleOf(chain.tip())).toEqual(['limited', expect.stringContaining('slowDown')]);
    proxy.answers.server_info = () => ({ status: 'error', error: 'noNetwork' });
    expect(await troubleOf(chain.tip())).toEqual(['refused', expect.stringContaining('noNetwork')]);
  });

  it('about transactions is caught: other ledgers, not validated, wrong types, no end', async () => {
    const tx = {
      hash: 'CD'.repeat(32),
      ledger_index: 1000,
      TransactionType: 'Payment',
      Account: stranger,
      Destination: ours,
    };
    const meta = { TransactionResult: 'tesSUCCESS', delivered_amount: '5' };
    const good = { validated: true, tx, meta };
    const says = (transactions: unknown, more = {}) => {
      const span = { ledger_index_min: 1000, ledger_index_max: 1000 };
      proxy.answers.account_tx = () => ({ status: 'success', ...span, transactions, ...more });
      return troubleOf(read(1000));
    };
    expect(await says([good])).toMatchObject([{ payments: [{ units: 5n }] }]);
    for (const wrong of [
      'x',
      [null],
      [{ ...good, validated: false }],
      [{ ...good, tx: { ...tx, ledger_index: 999 } }],
      [{ ...good, tx: { ...tx, DestinationTag: -1 } }],
      [{ ...good, tx: { ...tx, Account: 'me' } }],
      [{ ...good, tx: { ...tx, hash: 5 } }],
    ]) {
      expect(await says(wrong)).toEqual(['nonsense', expect.any(String)]);
    }
    for (const delivered_amount of ['-5', '1e9', '5.5', 5, '9'.repeat(30)]) {
      expect(await says([{ ...good, meta: { ...meta, delivered_amount } }])).toMatchObject([
        { payments: [] },
      ]);
    }
    expect(await says([good], { ledger_index_min: 1001 })).toEqual(['no-block', expect.any(String)]);
    expect(await says([], { marker: 'again' })).toEqual([
      'nonsense',
      expect.stringContaining('never comes to the end'),
    ]);
  });

  it('about a ledger is caught', async () => {
    const ledger = { ledger_hash: 'AB'.repeat(32), parent_hash: 'AB'.repeat(32), close_time: 1 };
    const says = (lie: object) => {
      proxy.answers.ledger = () => ({
        status: 'success',
        validated: true,
        ledger_index: 1000,
        ledger,
        ...lie,
      });
      return troubleOf(read(1000));
    };
    expect(await says({})).toHaveLength(1);
    expect(await says({ ledger_index: 999 })).toEqual([
      'nonsense',
      expect.stringContaining('ledger 999 when 1000'),
    ]);
    expect(await says({ validated: false })).toEqual(['no-block', expect.any(String)]);
    expect(await says({ ledger: { ...ledger, close_time: -1 } })).toEqual(['nonsense', expect.any(String)]);
  });
});
