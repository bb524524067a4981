import { afterAll, beforeAll, expect, it } from 'vitest';
import { outcomes } from '../../testing/at-once.ts';
import { secondMs } from '../../testing/clock.ts';
import { newInvestor, newInvestors } from '../../testing/ledger/investors.ts';
import { goodAddress, operator, withOffers } from '../../testing/money.ts';
import {
  type ChainServer,
  dealings,
  setWayIn,
  startChainServer,
  units,
} from '../../testing/outside/chain-server.ts';
import { type PriceServer, startPriceServer } from '../../testing/outside/price-server.ts';
import { startXrpServer, type XrpServer } from '../../testing/outside/xrp-server.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let node: XrpServer;
let prices: PriceServer;
let test: TestApp;
let server: ChainServer;
const { asked, payTo, wallet, requests, payments, confirm } = dealings(() => server.context);
const to = goodAddress.Ripple;
const from = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe';
const drops = (coins: number) => units(coins, 6);

beforeAll(async () => {
  [node, prices, test] = await Promise.all([startXrpServer(), startPriceServer(), startTestApp()]);
  server = await startChainServer(test, { nodeUrls: { xrp: node.url }, priceApiBase: prices.base });
  await withOffers(test);
  await setWayIn(server.context, 'Ripple', { source: 'tagged', paymentaddress: to });
  await server.read();
});
afterAll(async () => {
  await server.close();
  await test.close();
  await Promise.all([prices.close(), node.close()]);
});

async function validated(): Promise<void> {
  node.validate();
  test.clock.advance(secondMs);
  await server.read();
}

it('a payment with a tag is its owner’s as soon as it is validated, and the tag stays theirs', async () => {
  const [one = '', other = ''] = await newInvestors(test, 2);
  const request = await asked(one, 50, 'Ripple');
  const { tag } = await payTo(one, 'Ripple');
  expect(request).toMatchObject({ paymentaddress: to, tag: BigInt(tag) });
  expect((await payTo(other, 'Ripple')).tag).not.toBe(tag);
  const chainTxid = node.pay({ from, to, units: drops(100), tag });
  await validated();
  expect([await wallet(one), await wallet(other)]).toEqual([5_000n, 0n]);
  expect(await requests(one)).toMatchObject([{ id: request.id, status: 'confirmed', chainTxid }]);
  expect((await payTo(one, 'Ripple')).tag).toBe(tag);
  node.pay({ from, to, units: drops(10), tag });
  node.pay({ from, to, units: drops(20), tag });
  await validated();
  expect(await wallet(one)).toBe(6_500n);
});

it('of a partial payment only what was delivered counts', async () => {
  const userId = await newInvestor(test);
  const { tag } = await payTo(userId, 'Ripple');
  const meta = { delivered_amount: String(drops(3)) };
  node.pay({ from, to, units: drops(1_000_000), tag }, { tx: { Flags: 0x0002_0000 }, meta });
  await validated();
  expect(await wallet(userId)).toBe(150n);
});

it('without a tag, or with one that is nobody’s, it is credited by two operators and exactly', async () => {
  const [userId = '', thief = ''] = await newInvestors(test, 2);
  const request = await asked(userId, 50, 'Ripple');
  const stolen = await asked(thief, 50, 'Ripple');
  const { tag } = await payTo(userId, 'Ripple');
  const untagged = node.pay({ from, to, units: drops(100) });
  const mistyped = node.pay({ from, to, units: drops(200), tag: tag - 1 });
  const tooSmall = node.pay({ from, to, units: drops(1) });
  await validated();
  expect(await requests(userId)).toMatchObject([{ status: 'pending', payment: null }]);
  const states = new Map((await payments('xrp')).map(({ txid, state }) => [txid, state]));
  expect([untagged, mistyped, tooSmall].map((txid) => states.get(txid))).toEqual(['seen', 'seen', 'dust']);

  const named = { receivedCents: 5_000n, chainTxid: untagged };
  expect(
    await outcomes([
      confirm(request.id, { ...named, receivedCents: 5_001n, by: 'ada' }),
      confirm(request.id, { ...named, chainOutput: 0, by: 'ada' }),
    ]),
  ).toEqual(['outside_range', 'outside_range']);
  expect(await confirm(request.id, { ...named, chainTxid: untagged.toLowerCase(), by: 'ada' })).toMatchObject(
    {
      status: 'pending',
      secondBecause: 'XRP Ledger does not say whose payment it is',
    },
  );
  expect(
    await outcomes([
      confirm(request.id, { ...named, by: 'ada' }),
      confirm(stolen.id, { ...named, by: 'ben' }),
    ]),
  ).toEqual(['second_operator_needed', 'already_decided']);
  await confirm(request.id, { ...named, by: 'ben' });
  expect([await wallet(userId), await wallet(thief)]).toEqual([5_000n, 0n]);
  await validated();
  expect(await payments('xrp')).toContainEqual({ txid: untagged, state: 'credited', lost: false });
  expect(await wallet(userId)).toBe(5_000n);
});

it('what is worth less than a cent is listed, also where nothing is too small, and holds up nobody', async () => {
  const { funding } = server.context;
  const method = (await funding.allPaymentMethods()).find(({ paymentname }) => paymentname === 'Ripple');
  const actor = operator('ada');
  const setDust = (dustCents: bigint) =>
    funding.setPaymentMethod({ methodId: method?.id ?? '', confirmations: 1, dustCents, actor });
  await setDust(0n);
  const [one = '', other = ''] = await newInvestors(test, 2);
  const nothing = node.pay({ from, to, units: 1n, tag: (await payTo(one, 'Ripple')).tag });
  node.pay({ from, to, units: drops(0.02), tag: (await payTo(other, 'Ripple')).tag });
  await validated();
  await setDust(100n);
  expect(await payments('xrp')).toContainEqual({ txid: nothing, state: 'dust', lost: false });
  expect([await wallet(one), await wallet(other)]).toEqual([0n, 1n]);
});
