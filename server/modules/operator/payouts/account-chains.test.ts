import { afterAll, beforeAll, describe, expect } from 'vitest';
import { z } from 'zod';
import { outcomes } from '../../../testing/at-once.ts';
import { secondMs } from '../../../testing/clock.ts';
import { fundedInvestor } from '../../../testing/ledger/investors.ts';
import { goodAddress, type Offers, withOffers } from '../../../testing/money.ts';
import {
  type ChainServer,
  dealings,
  evmKey,
  setWayIn,
  startChainServer,
} from '../../../testing/outside/chain-server.ts';
import { type EvmNode, startAnvil } from '../../../testing/outside/evm/anvil.ts';
import { it } from '../../../testing/outside/evm/on-evm.ts';
import { payoutDealings } from '../../../testing/outside/payouts.ts';
import { startXrpServer, type XrpServer } from '../../../testing/outside/xrp-server.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';
import type { Sheet } from '../../withdrawal/service.ts';
import { uriOf } from './wire.ts';

const chainIds = { ethereum: 31_337 };
const ours = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe';
const exchange = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const requiresTag = 0x0002_0000;

let ethereum: EvmNode;
let ripple: XrpServer;
let test: TestApp;
let server: ChainServer;
let offers: Offers;
let userId: string;
const { payTo } = dealings(() => server.context);
const { approved, make, claim, release, sheet, reject, statusOf, paidOut } = payoutDealings(
  () => server.context,
  () => offers,
);

beforeAll(async () => {
  [ethereum, ripple, test] = await Promise.all([
    startAnvil({ chainId: chainIds.ethereum }),
    startXrpServer(),
    startTestApp(),
  ]);
  const nodeUrls = { ethereum: ethereum.url, xrp: ripple.url };
  server = await startChainServer(test, { nodeUrls, chainIds });
  offers = await withOffers(test);
  await setWayIn(server.context, 'Ethereum', { key: evmKey });
  await setWayIn(server.context, 'Ripple', { source: 'tagged', paymentaddress: ours });
  await server.read();
  userId = await fundedInvestor(test, 4_000);
});
afterAll(async () => {
  await server.close();
  await test.close();
  await Promise.all([ethereum.close(), ripple.close()]);
});

async function read(): Promise<void> {
  test.clock.advance(secondMs);
  await server.read();
}
const uris = (made: Sheet) => made.items.map((item) => uriOf(made, item, chainIds) ?? '');

describe('a payment on Ethereum', () => {
  /** An address of ours, whose key the test does not need: the node signs for anybody. */
  async function ourAccount(): Promise<string> {
    const { address } = await payTo(userId, 'Ethereum');
    const ask = (method: string, ...params: unknown[]) => ethereum.rpc.call(method, params, z.unknown());
    await ask('anvil_impersonateAccount', address);
    await ask('anvil_setBalance', address, '0xde0b6b3a7640000');
    return address;
  }

  /** As a wallet does that scans the code. */
  async function payUri(uri: string, from: string): Promise<string> {
    const [, to, chainId, value] = /^ethereum:(0x\w{40})@(\d+)\?value=(\d+)$/.exec(uri) ?? [];
    expect(Number(chainId)).toBe(chainIds.ethereum);
    const wanted = { from, to, value: `0x${BigInt(value ?? 0).toString(16)}`, gas: '0x30d40' };
    return ethereum.rpc.call('eth_sendTransaction', [wanted], z.string());
  }
  async function mined(blocks: number): Promise<void> {
    await ethereum.mine(blocks);
    await read();
  }
  const wish = { dollars: 30, method: 'Ethereum', address: goodAddress.Ethereum } as const;

  it('that a wallet made of the sheet’s code is marked by itself after twelve confirmations', async () => {
    const id = await approved({ userId, ...wish });
    const before = await paidOut();
    const made = await claim(await make([id], 'ethereum'));
    const txid = await payUri(uris(made)[0] ?? '', await ourAccount());
    await mined(11);
    const sent = await sheet(made);
    expect(sent.items).toMatchObject([{ status: 'approved', seen: { confirmations: 11 } }]);
    // Nobody scans it a second time.
    expect(uris(sent)).toEqual(['']);
    await mined(1);
    expect(await statusOf(id)).toMatchObject({ status: 'paid', txid, output: null, by: 'chain' });
    expect((await sheet(made)).state).toBe('paid');
    expect((await paidOut()) - before).toBe(3_000n);
    expect(await server.context.withdrawal.oddPayouts()).toEqual([]);
  });

  it('of the same amount to the same address pays one withdrawal each', async () => {
    const ids = [await approved({ userId, ...wish }), await approved({ userId, ...wish })];
    const made = await claim(await make(ids, 'ethereum'));
    const [uri = '', again] = uris(made);
    expect(again).toBe(uri);
    const from = await ourAccount();
    await payUri(uri, from);
    await mined(12);
    expect((await Promise.all(ids.map(statusOf))).map(({ status }) => status).sort()).toEqual([
      'approved',
      'paid',
    ]);
    expect((await sheet(made)).state).toBe('claimed');
    await payUri(uri, from);
    await mined(12);
    expect((await Promise.all(ids.map(statusOf))).map(({ status }) => status)).toEqual(['paid', 'paid']);
    // A third pays nobody, and is told of.
    const third = await payUri(uri, from);
    await mined(12);
    expect(await server.context.withdrawal.oddPayouts()).toMatchObject([
      { txid: third, transactionid: null },
    ]);
  });

  it('that failed, that is of another amount, or that comes from others, pays nothing', async () => {
    const id = await approved({ userId, ...wish, address: '0x00000000000000000000000000000000000abcd1' });
    const made = await claim(await make([id], 'ethereum'));
    const [{ address, units } = { address: '', units: 0n }] = made.items;
    const from = await ourAccount();
    const ask = (method: string, ...params: unknown[]) => ethereum.rpc.call(method, params, z.unknown());
    await ask('anvil_setCode', address, '0x60006000fd');
    await payUri(uris(made)[0] ?? '', from);
    await mined(1);
    await ask('anvil_setCode', address, '0x');
    await ethereum.send({ to: address, units });
    await payUri(uris(made)[0]?.replace(/\d$/, (digit) => (digit === '0' ? '1' : '0')) ?? '', from);
    await mined(13);
    expect(await statusOf(id)).toMatchObject({ status: 'approved' });
    await payUri(uris(made)[0] ?? '', from);
    await mined(12);
    expect(await statusOf(id)).toMatchObject({ status: 'paid' });
  });

  it('that is seen keeps its withdrawal from another sheet, after two have released the first', async () => {
    const id = await approved({ userId, ...wish, address: '0x00000000000000000000000000000000000abcd2' });
    const made = await claim(await make([id], 'ethereum'));
    await release(made);
    expect(uris(await sheet(made))).toEqual(['']);
    await payUri(uris(made)[0] ?? '', await ourAccount());
    await mined(1);
    // Twelve blocks are two minutes in which one operator could have given it back as well.
    expect(await outcomes([make([id], 'ethereum'), reject(id)])).toEqual([
      'already_decided',
      'already_decided',
    ]);
    await mined(11);
    expect(await statusOf(id)).toMatchObject({ status: 'paid' });
  });
});

describe('a payment on the XRP Ledger', () => {
  const wish = { dollars: 25, method: 'Ripple', address: exchange } as const;
  async function validated(): Promise<void> {
    ripple.validate();
    await read();
  }

  it('is told apart by its tag', async () => {
    const ids = [
      await approved({ userId, ...wish, tag: 7n }),
      await approved({ userId, ...wish, tag: 0n }),
      await approved({ userId, ...wish }),
    ];
    const made = await claim(await make(ids, 'xrp'));
    expect(uris(made).map((uri) => /&dt=(\d+)$/.exec(uri)?.[1])).toEqual(['7', '0', undefined]);
    const [{ units } = { units: 0n }] = made.items;
    const paid = async () => (await Promise.all(ids.map(statusOf))).map(({ status }) => status === 'paid');
    ripple.pay({ from: ours, to: exchange, units, tag: 8 });
    ripple.pay({ from: exchange, to: ours, units, tag: 7 });
    await validated();
    expect(await paid()).toEqual([false, false, false]);
    ripple.pay({ from: ours, to: exchange, units, tag: 0 });
    await validated();
    expect(await paid()).toEqual([false, true, false]);
    ripple.pay({ from: ours, to: exchange, units });
    ripple.pay({ from: ours, to: exchange, units, tag: 7 });
    await validated();
    expect(await paid()).toEqual([true, true, true]);
    expect((await sheet(made)).state).toBe('paid');
  });

  it('counts as what was delivered', async () => {
    const id = await approved({ userId, ...wish, tag: 99n });
    const made = await claim(await make([id], 'xrp'));
    const units = made.items[0]?.units ?? 0n;
    const partial = { tx: { Flags: 0x0002_0000 }, meta: { delivered_amount: String(units - 1n) } };
    ripple.pay({ from: ours, to: exchange, units, tag: 99 }, partial);
    await validated();
    expect(await statusOf(id)).toMatchObject({ status: 'approved' });
    ripple.pay(
      { from: ours, to: exchange, units: units * 2n, tag: 99 },
      { meta: { delivered_amount: String(units) } },
    );
    await validated();
    expect(await statusOf(id)).toMatchObject({ status: 'paid' });
  });

  it('needs a tag where the address does, as far as the node can be asked; elsewhere there are none', async () => {
    const ask = (change: object) =>
      server.context.withdrawal.askForWithdrawal({
        userId,
        methodId: offers.withdrawalMethods.Ripple,
        amountCents: 2_000n,
        address: exchange,
        idempotencyKey: null,
        ...change,
      });
    ripple.accounts.set(exchange, { units: 10n, flags: requiresTag });
    expect(await outcomes([ask({}), ask({ tag: 5n })])).toEqual(['address_wrong', 'done']);
    await ripple.kill();
    expect(await outcomes([ask({})])).toEqual(['done']);
    await ripple.restart();
    ripple.accounts.delete(exchange);
    const elsewhere = { methodId: offers.withdrawalMethods.Ethereum, address: goodAddress.Ethereum, tag: 5n };
    expect(await outcomes([ask(elsewhere), ask({ address: ours, tag: 5n })])).toEqual([
      'outside_range',
      'address_wrong',
    ]);
  });

  it('with another tag under the same key is another wish', async () => {
    const ask = (tag: bigint | null) =>
      server.context.withdrawal.askForWithdrawal({
        userId,
        methodId: offers.withdrawalMethods.Ripple,
        amountCents: 2_000n,
        address: exchange,
        tag,
        idempotencyKey: 'the same',
      });
    const first = await ask(5n);
    expect(await ask(5n)).toMatchObject({ id: first.id, tag: 5n });
    expect(await outcomes([ask(6n), ask(null)])).toEqual(['key_reused', 'key_reused']);
    const cancel = { userId, withdrawalId: first.id, idempotencyKey: null };
    expect(await server.context.withdrawal.cancelWithdrawal(cancel)).toMatchObject({ status: 'cancelled' });
  });
});
