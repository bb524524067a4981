import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outcomes } from '../../testing/at-once.ts';
import { minuteMs, secondMs } from '../../testing/clock.ts';
import { newInvestor, newInvestors } from '../../testing/ledger/investors.ts';
import { operator, setBounds, withOffers } from '../../testing/money.ts';
import { type BitcoinNode, startBcoin } from '../../testing/outside/bcoin.ts';
import {
  bitcoinKey,
  type ChainServer,
  dealings,
  satoshi,
  setWayIn,
  startChainServer,
} from '../../testing/outside/chain-server.ts';
import { type PriceServer, startPriceServer } from '../../testing/outside/price-server.ts';
import { masterKeyOf, publicKeyAt, publishedWords } from '../../testing/outside/seeds.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let node: BitcoinNode;
let prices: PriceServer;
let test: TestApp;
let server: ChainServer;
const { asked, payTo, wallet, requests, payments, confirm } = dealings(() => server.context);

beforeAll(async () => {
  [node, prices, test] = await Promise.all([startBcoin(), startPriceServer(), startTestApp()]);
  server = await startChainServer(test, { nodeUrls: { bitcoin: node.url }, priceApiBase: prices.base });
  await withOffers(test);
  await setWayIn(server.context, 'Bitcoin', { key: bitcoinKey });
  await server.read();
});
afterAll(async () => {
  await server.close();
  await test.close();
  await Promise.all([prices.close(), node.close()]);
});

/** Other accounts of the same wallet. */
const accountKey = (account: number) =>
  publicKeyAt(masterKeyOf(publishedWords), `m/84'/1'/${account}'`, 'vpub');
const pay = (address: string, coins: number) => node.send({ address, units: satoshi(coins) });
/** Two blocks are enough for a payment that is in the first of them. */
async function mined(blocks = 2): Promise<void> {
  await node.mine(blocks);
  test.clock.advance(secondMs);
  await server.read();
}
async function letters(userId: string): Promise<string[]> {
  const { rows } = await test.context.owner.query('select email from users where id = $1', [userId]);
  return (await test.mailbox.letters(rows[0].email)).map(({ subject }) => subject);
}

describe('a payment on Bitcoin', () => {
  it('is seen, and added to the cent after two confirmations without anybody', async () => {
    const userId = await newInvestor(test);
    const request = await asked(userId, 700);
    expect(request.paymentaddress).toMatch(/^bcrt1/);
    const txid = await pay(request.paymentaddress, 0.01);
    await mined(1);
    expect(await requests(userId)).toMatchObject([
      { id: request.id, status: 'pending', payment: { confirmations: 1, cents: 70_000n, price: '70000.5' } },
    ]);
    expect(await wallet(userId)).toBe(0n);
    await mined(1);
    // 0.01 x 70,000.50 dollars, rounded down.
    expect(await wallet(userId)).toBe(70_000n);
    expect(await requests(userId)).toMatchObject([
      { id: request.id, status: 'confirmed', receivedCents: 70_000n, chainTxid: txid, decidedBy: 'chain' },
    ]);
    expect((await payTo(userId)).address).not.toBe(request.paymentaddress);
  });

  it('may be less or more than was asked for', async () => {
    const [less = '', more = ''] = await newInvestors(test, 2);
    const first = await asked(less, 700);
    const second = await asked(more, 700);
    await pay(first.paymentaddress, 0.001);
    await pay(second.paymentaddress, 0.05);
    await mined();
    expect([await wallet(less), await wallet(more)]).toEqual([7_000n, 350_002n]);
    expect(await requests(more)).toMatchObject([
      { id: second.id, status: 'confirmed', amountCents: 70_000n },
    ]);
  });

  it('closes the oldest request; further ones to the same address make their own', async () => {
    const userId = await newInvestor(test);
    const first = await asked(userId, 70);
    test.clock.advance(1);
    const second = await asked(userId, 140);
    expect(second.paymentaddress).toBe(first.paymentaddress);
    for (const coins of [0.001, 0.002, 0.003]) {
      await pay(first.paymentaddress, coins);
      await mined();
    }
    expect(await wallet(userId)).toBe(7_000n + 14_000n + 21_000n);
    expect(await requests(userId)).toMatchObject([
      { id: first.id, receivedCents: 7_000n, announced: true },
      { id: second.id, receivedCents: 14_000n, announced: true },
      { receivedCents: 21_000n, amountCents: 21_000n, announced: false },
    ]);
  });

  it('that comes after its request was rejected, or without one, or to an old address, is added all the same', async () => {
    const userId = await newInvestor(test);
    const late = await asked(userId, 70);
    await server.context.funding.rejectFunding({
      requestId: late.id,
      reason: 'nothing came',
      actor: operator('ada'),
      idempotencyKey: null,
    });
    const old = (await payTo(userId)).address;
    expect(old).toBe(late.paymentaddress);
    await pay(old, 0.001);
    await mined();
    const fresh = (await payTo(userId)).address;
    expect(fresh).not.toBe(old);
    await node.send({ address: fresh, units: satoshi(0.002) }, { address: old, units: satoshi(0.003) });
    await mined();
    expect(await wallet(userId)).toBe(42_000n);
    const all = await requests(userId);
    expect(all.map(({ status, announced }) => [status, announced])).toEqual([
      ['rejected', true],
      ['confirmed', false],
      ['confirmed', false],
      ['confirmed', false],
    ]);
  });

  it('closes its request also when its way in has another key by then, and is not the only one of its network', async () => {
    const { funding } = server.context;
    const second = { paymentname: 'Bitcoin, second', network: 'bitcoin' as const };
    const way = { source: 'derived' as const, paymentaddress: '', key: accountKey(7) };
    const { methodId } = await funding.proposePaymentMethod({
      method: { ...second, ...way },
      actor: operator('ada'),
    });
    const [proposed] = await funding.waitingAddresses();
    await funding.agreeAddress({ id: proposed?.id ?? '', actor: operator('ben') });
    const userId = await newInvestor(test);
    const request = await asked(userId, 70, second.paymentname);
    await setWayIn(server.context, second.paymentname, { key: accountKey(8) });
    await pay(request.paymentaddress, 0.001);
    await mined();
    expect(await requests(userId)).toMatchObject([{ id: request.id, methodId, status: 'confirmed' }]);
  });

  it('is listed and not added when it is too small; address, request and letters stay as they were', async () => {
    const userId = await newInvestor(test);
    const request = await asked(userId, 70);
    const txid = await pay(request.paymentaddress, 0.00001);
    await mined();
    expect(await payments('bitcoin')).toContainEqual({ txid, state: 'dust', lost: false });
    expect(await wallet(userId)).toBe(0n);
    expect(await requests(userId)).toMatchObject([{ status: 'pending', payment: null }]);
    expect((await payTo(userId)).address).toBe(request.paymentaddress);
    expect(await letters(userId)).toEqual([expect.stringMatching(/^We noted/)]);
  });

  it('is told about once when it is seen', async () => {
    const userId = await newInvestor(test);
    await pay((await payTo(userId)).address, 0.001);
    await mined(1);
    await mined(2);
    expect(await letters(userId)).toEqual([
      'Your deposit arrived: $70.00 is in your wallet',
      'Your payment of 0.001 BTC was seen',
    ]);
  });

  it('may be one of three in a transaction, each of its own investor', async () => {
    const investors = await newInvestors(test, 3);
    const outputs = await Promise.all(
      investors.map(async (userId, at) => ({
        address: (await payTo(userId)).address,
        units: satoshi((at + 1) / 1000),
      })),
    );
    const txid = await node.send(...outputs);
    await mined();
    expect(await Promise.all(investors.map(wallet))).toEqual([7_000n, 14_000n, 21_000n]);
    const outputsOf = await Promise.all(investors.map(async (userId) => (await requests(userId))[0]));
    expect(new Set(outputsOf.map((row) => row?.chainOutput)).size).toBe(3);
    expect(outputsOf.every((row) => row?.chainTxid === txid)).toBe(true);
  });
});

describe('a payment without a fresh price', () => {
  const noPrice = () => {
    prices.mood = 'failing';
    test.clock.advance(6 * minuteMs);
  };
  const unpriced = async () =>
    (await server.context.networks.openPayments({ network: 'bitcoin' })).filter(({ price }) => !price).length;
  async function freshPrice() {
    prices.mood = 'good';
    test.clock.advance(20 * minuteMs);
    // It is fetched behind the old one.
    await expect.poll(() => server.read().then(unpriced)).toBe(0);
  }

  it('waits and says so, and is added at the first price there is', async () => {
    const [announced = '', silent = ''] = await newInvestors(test, 2);
    const request = await asked(announced, 70);
    noPrice();
    await pay(request.paymentaddress, 0.001);
    await pay((await payTo(silent)).address, 0.001);
    await mined(3);
    expect(await requests(announced)).toMatchObject([
      { status: 'pending', payment: { confirmations: 3, cents: null, price: null } },
    ]);
    expect(await requests(silent)).toEqual([]);
    expect(await letters(silent)).toEqual([]);
    await freshPrice();
    expect([await wallet(announced), await wallet(silent)]).toEqual([7_000n, 7_000n]);
    expect(await requests(announced)).toMatchObject([{ id: request.id, payment: { priceSource: 'live' } }]);
    expect(await letters(silent)).toEqual([
      'Your deposit arrived: $70.00 is in your wallet',
      'Your payment of 0.001 BTC was seen',
    ]);
  });

  it('lets its request wait again when it turns out to be too small', async () => {
    const userId = await newInvestor(test);
    const request = await asked(userId, 70);
    noPrice();
    await pay(request.paymentaddress, 0.00001);
    await mined();
    expect(await requests(userId)).toMatchObject([{ payment: { cents: null } }]);
    await freshPrice();
    expect(await requests(userId)).toMatchObject([{ status: 'pending', payment: null }]);
    await pay(request.paymentaddress, 0.001);
    await mined();
    expect(await requests(userId)).toMatchObject([{ id: request.id, receivedCents: 7_000n }]);
  });
});

describe('what the chain shows', () => {
  it('is not rejected, and above the threshold one operator confirms exactly that', async () => {
    const userId = await newInvestor(test);
    const request = await asked(userId, 70);
    const chainTxid = await pay(request.paymentaddress, 0.2);
    await mined(1);
    const { funding } = server.context;
    const reject = { requestId: request.id, reason: 'no', actor: operator('ada'), idempotencyKey: null };
    const receivedCents = 1_400_010n;
    const [shown] = await requests(userId);
    const chainOutput = shown?.payment?.output ?? null;
    const exact = { receivedCents, chainTxid, chainOutput, by: 'ada' };
    const alone = () => [
      confirm(request.id, { ...exact, receivedCents: receivedCents + 1n }),
      confirm(request.id, { ...exact, chainOutput: null }),
      confirm(request.id, { ...exact, chainOutput: 7 }),
      confirm(request.id, { receivedCents, by: 'ada' }),
      funding.rejectFunding(reject),
      funding.dropConfirmation({ id: request.id, actor: operator('ada') }),
    ];
    const refused = Array.from({ length: 6 }, () => 'already_decided');
    expect(await outcomes([confirm(request.id, exact), ...alone()])).toEqual(['already_decided', ...refused]);
    await mined(1);
    expect(await requests(userId)).toMatchObject([
      { status: 'pending', firstConfirmedBy: 'chain', receivedCents, secondBecause: expect.any(String) },
    ]);
    expect(await outcomes(alone())).toEqual(refused);
    expect(await wallet(userId)).toBe(0n);
    await confirm(request.id, { ...exact, chainTxid: chainTxid.toUpperCase() });
    expect(await wallet(userId)).toBe(receivedCents);
    await mined(1);
    expect(await wallet(userId)).toBe(receivedCents);
  });

  it('is added without anybody up to a bound of its own, which two change as they do the others', async () => {
    const { thresholdCents, chainThresholdCents } = await server.context.bounds.bounds();
    expect([thresholdCents, chainThresholdCents]).toEqual([500_000n, 1_000_000n]);
    const paid = async (coins: number) => {
      const userId = await newInvestor(test);
      await pay((await payTo(userId)).address, coins);
      await mined();
      return [await wallet(userId), (await requests(userId))[0]?.secondBecause ?? null];
    };
    expect(await paid(0.14)).toEqual([980_007n, null]);
    expect(await paid(0.143)).toEqual([0n, 'Above $10,000.00']);
    await setBounds(server.context, { chainThresholdCents: 700_004n });
    expect(await paid(0.1)).toEqual([0n, 'Above $7,000.04']);
    await setBounds(server.context, { chainThresholdCents: 700_005n });
    expect(await paid(0.1)).toEqual([700_005n, null]);
    await setBounds(server.context, { chainThresholdCents });
  });

  it('may be more than anybody can announce', async () => {
    const userId = await newInvestor(test);
    const chainTxid = await pay((await payTo(userId)).address, 20);
    await mined();
    const [request] = await requests(userId);
    const exact = { receivedCents: 140_001_000n, chainTxid, chainOutput: request?.payment?.output ?? null };
    await confirm(request?.id ?? '', { ...exact, by: 'ada' });
    expect(await wallet(userId)).toBe(140_001_000n);
  });
});
