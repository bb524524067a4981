import { Transaction } from '@scure/btc-signer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BitcoinNode, startBcoin } from '../../../testing/outside/bcoin.ts';
import { masterKeyOf, publicKeyAt, publishedWords } from '../../../testing/outside/seeds.ts';
import { createAccountKey, type DerivedAddress } from '../account-key.ts';
import { type Block, type Chain, outpointKey, type Payment, type Watched } from '../chain.ts';
import { createBitcoinChain } from './node.ts';
import { buildPayout, type Coin, type PayoutOrder } from './psbt.ts';

const master = masterKeyOf(publishedWords);
const key = createAccountKey(`[73c5da0a/84h/1h/0h]${publicKeyAt(master, "m/84'/1'/0'", 'vpub')}`, {
  family: 'bitcoin',
  network: 'regtest',
});
const [first, second] = [key.addressAt(0, 0), key.addressAt(0, 1)];
const change = key.addressAt(1, 0);
const stranger = 'bcrt1q2vma00td2g9llw8hwa8ny3r774rtt7ae3q2e44';

const coin = (number: number, units: bigint, at: DerivedAddress = first): Coin => ({
  txid: number.toString(16).padStart(64, '0'),
  output: number,
  units,
  at,
});
const build = (order: Partial<PayoutOrder>) =>
  buildPayout({
    network: 'regtest',
    coins: [coin(1, 100_000n), coin(2, 300_000n, second), coin(3, 50_000n)],
    payments: [{ address: stranger, units: 200_000n }],
    change,
    satPerVbyte: 10,
    ...order,
  });
const chosen = (order: Partial<PayoutOrder>) => build(order).coins.map(({ output }) => output);

/** As a hardware wallet does: it finds its keys by their paths and signs; nothing else is changed. */
function sign(psbt: Uint8Array): Transaction {
  const transaction = Transaction.fromPSBT(psbt);
  transaction.sign(master as Parameters<Transaction['sign']>[0]);
  transaction.finalize();
  return transaction;
}

describe('which coins pay', () => {
  it('is the largest first, as many as it takes', () => {
    expect(chosen({})).toEqual([2]);
    expect(chosen({ payments: [{ address: stranger, units: 299_999n }] })).toEqual([2, 1]);
    expect(chosen({ payments: [{ address: stranger, units: 440_000n }] })).toEqual([2, 1, 3]);
    expect(chosen({ coins: [coin(9, 300_000n), coin(7, 300_000n), coin(8, 300_000n)] })).toEqual([7]);
  });

  it('is first of all the one that must be spent again', () => {
    expect(chosen({ mustSpend: [outpointKey(coin(3, 0n).txid, 3)] })).toEqual([3, 2]);
    const small = [{ address: stranger, units: 5000n }];
    expect(chosen({ mustSpend: [outpointKey(coin(3, 0n).txid, 3)], payments: small })).toEqual([3]);
    expect(() => build({ mustSpend: [outpointKey('00', 1)] })).toThrow('not among ours any more');
  });
});

describe('the fee', () => {
  it('is exact: what goes in is what comes out and the fee; the signed transaction pays the rate', () => {
    for (const satPerVbyte of [1, 1.5, 12.345, 300]) {
      const { psbt, feeUnits, vbytes, change: back, coins } = build({ satPerVbyte });
      expect(coins.reduce((sum, { units }) => sum + units, 0n)).toBe(
        200_000n + (back?.units ?? 0n) + feeUnits,
      );
      expect(feeUnits).toBe(BigInt(Math.ceil((vbytes * Math.round(satPerVbyte * 1000)) / 1000)));
      const signed = sign(psbt);
      expect(signed.fee).toBe(feeUnits);
      expect([0, 1]).toContain(vbytes - signed.vsize);
    }
  });

  it('takes what is left when that is too little for an output', () => {
    const units = 300_000n - 1100n - 300n;
    const { feeUnits, change: back } = build({ payments: [{ address: stranger, units }] });
    expect([feeUnits, back]).toEqual([1400n, null]);
    const { change: worthIt } = build({ payments: [{ address: stranger, units: units - 400n }] });
    expect(worthIt).toEqual({ output: 1, units: expect.any(BigInt) });
    expect(worthIt?.units).toBeGreaterThanOrEqual(294n);
  });
});

it.each<[string, Partial<PayoutOrder>, RegExp]>([
  ['coins that are short', { payments: [{ address: stranger, units: 450_000n }] }, /2460 satoshi short/],
  ['no coins', { coins: [] }, /satoshi short/],
  ['nothing to pay', { payments: [] }, /nothing to pay/],
  ['dust', { payments: [{ address: stranger, units: 293n }] }, /too little: nodes pass on 294/],
  ['less than nothing', { payments: [{ address: stranger, units: -1n }] }, /too little/],
  [
    'an address of another network',
    { payments: [{ address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', units: 5000n }] },
    /not an address of Bitcoin's regtest/,
  ],
  ['a fee nobody takes', { satPerVbyte: 0.5 }, /between 1 and 5000/],
  ['a fee that is a slip of the pen', { satPerVbyte: 50_000 }, /between 1 and 5000/],
  ['no fee at all', { satPerVbyte: Number.NaN }, /between 1 and 5000/],
  ['a coin twice', { coins: [coin(1, 500_000n), coin(1, 500_000n)] }, /twice/],
  [
    'more than fits',
    {
      coins: Array.from({ length: 1600 }, (_, at) => coin(at, 3000n)),
      payments: [{ address: stranger, units: 4_390_000n }],
      satPerVbyte: 1,
    },
    /too much for one transaction/,
  ],
])('%s: refused', (_what, order, words) => expect(() => build(order)).toThrow(words));

it('the same order gives the same bytes, and says which keys sign, without one private key', () => {
  const { psbt, txid } = build({});
  expect(build({}).psbt).toEqual(psbt);
  expect(build({ coins: [coin(3, 50_000n), coin(2, 300_000n, second), coin(1, 100_000n)] }).psbt).toEqual(
    psbt,
  );
  const hex = Buffer.from(psbt).toString('hex');
  expect(hex.startsWith('70736274ff')).toBe(true);
  // Fingerprint and path m/84'/1'/0'/0/1 of the input, m/84'/1'/0'/1/0 of the change.
  expect(hex).toContain('73c5da0a54000080010000800000008000000000' + '01000000');
  expect(hex).toContain('73c5da0a54000080010000800000008001000000' + '00000000');
  expect(sign(psbt).id).toBe(txid);
});

describe('on a real node', () => {
  let node: BitcoinNode;
  let chain: Chain;
  beforeAll(async () => {
    node = await startBcoin();
    chain = createBitcoinChain({ rpc: node.rpc, network: 'regtest' });
  });
  afterAll(() => node.close());

  const ours = new Map([first, second, change].map((each) => [each.matchKey, each]));
  async function newest(coins: Iterable<string> = []): Promise<Block> {
    const { height } = await chain.tip();
    const watched: Watched = { destinations: ours, coins: new Set(coins) };
    const [block] = await chain.blocks({ from: height, to: height }, watched);
    return block as Block;
  }
  const coinOf = ({ txid, output, units, destination }: Payment): Coin => ({
    txid,
    output: output ?? 0,
    units,
    at: ours.get(destination) as DerivedAddress,
  });

  it('a payout is built from what was seen, signed elsewhere, mined, and seen leaving', async () => {
    await node.send(
      { address: first.address, units: 600_000n },
      { address: second.address, units: 500_000n },
    );
    await node.mine();
    const coins = (await newest()).payments.map(coinOf);
    const payments = [
      { address: stranger, units: 700_000n },
      { address: stranger, units: 50_000n },
      { address: 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', units: 60_000n },
    ];
    const payout = build({ coins, payments });
    expect(payout.coins).toHaveLength(2);
    await node.broadcast(sign(payout.psbt).hex);
    await node.mine();
    const keys = coins.map(({ txid, output }) => outpointKey(txid, output));
    const { spends, payments: toUs } = await newest(keys);
    expect(spends).toHaveLength(1);
    expect(spends[0]).toMatchObject({ txid: payout.txid, from: expect.arrayContaining(keys) });
    expect(spends[0]?.pays.slice(0, 3)).toMatchObject(
      payments.map(({ units }, output) => ({ output, units })),
    );
    expect(toUs).toEqual([
      { txid: payout.txid, ...payout.change, destination: change.matchKey, tag: null, failed: false },
    ]);
  });

  it('a coin that leaves in the block it came in is seen coming and leaving', async () => {
    const txid = await node.send({ address: first.address, units: 400_000n });
    const waiting = [0, 1].map((output) => ({ txid, output, units: 400_000n, at: first }));
    for (const each of waiting) {
      const { psbt } = build({ coins: [each], payments: [{ address: stranger, units: 390_000n }] });
      await node.broadcast(sign(psbt).hex).catch(() => {});
    }
    await node.mine();
    const { payments, spends } = await newest();
    expect(payments[0]).toMatchObject({ txid, destination: first.matchKey });
    expect(spends).toMatchObject([{ from: [outpointKey(txid, payments[0]?.output ?? -1)] }]);
  });

  it('of two payouts that spend the same coin only one confirms', async () => {
    await node.send({ address: first.address, units: 600_000n });
    await node.mine();
    const coins = (await newest()).payments.map(coinOf);
    const again = outpointKey(coins[0]?.txid ?? '', coins[0]?.output ?? 0);
    const one = build({ coins, payments: [{ address: stranger, units: 100_000n }] });
    const other = build({ coins, mustSpend: [again], payments: [{ address: stranger, units: 200_000n }] });
    await node.broadcast(sign(one.psbt).hex);
    await expect(node.broadcast(sign(other.psbt).hex)).rejects.toThrow('bad-txns-inputs-spent');
    await node.mine();
    expect((await newest([again])).spends).toMatchObject([{ txid: one.txid, from: [again] }]);
  });
});
