import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest';
import { z } from 'zod';
import { outcomes } from '../../testing/at-once.ts';
import { hourMs, secondMs } from '../../testing/clock.ts';
import { newInvestor, newInvestors } from '../../testing/ledger/investors.ts';
import { newTxid, operator, withOffers } from '../../testing/money.ts';
import {
  type ChainServer,
  dealings,
  evmKey,
  setWayIn,
  startChainServer,
  units,
} from '../../testing/outside/chain-server.ts';
import { type EvmNode, startAnvil } from '../../testing/outside/evm/anvil.ts';
import { it } from '../../testing/outside/evm/on-evm.ts';
import { type PriceServer, startPriceServer } from '../../testing/outside/price-server.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let ethereum: EvmNode;
let bnb: EvmNode;
let prices: PriceServer;
let test: TestApp;
let server: ChainServer;
const { asked, payTo, wallet, requests, payments, confirm } = dealings(() => server.context);
const chainIds = { ethereum: 31_337, bnb: 31_338 };
const wei = (coins: number) => units(coins, 18);

beforeAll(async () => {
  [ethereum, bnb, prices, test] = await Promise.all([
    startAnvil({ chainId: chainIds.ethereum }),
    startAnvil({ chainId: chainIds.bnb }),
    startPriceServer(),
    startTestApp(),
  ]);
  const nodeUrls = { ethereum: ethereum.url, bnb: bnb.url };
  server = await startChainServer(test, { nodeUrls, chainIds, priceApiBase: prices.base });
  await withOffers(test);
  await setWayIn(server.context, 'Ethereum', { key: evmKey });
  await setWayIn(server.context, 'BnB', { key: evmKey });
  await server.read();
});
beforeEach(() => test.clock.advance(secondMs));
afterAll(async () => {
  await server.close();
  await test.close();
  await Promise.all([prices.close(), ethereum.close(), bnb.close()]);
});

async function mined(node: EvmNode, blocks: number): Promise<void> {
  await node.mine(blocks);
  test.clock.advance(secondMs);
  await server.read();
}

describe('payments on Ethereum and BNB Smart Chain', () => {
  it('come to one address of one owner, and after either of them there is a fresh one on both', async () => {
    const userId = await newInvestor(test);
    const request = await asked(userId, 350, 'Ethereum');
    test.clock.advance(secondMs);
    const other = await asked(userId, 60, 'BnB');
    const { paymentaddress: address } = request;
    expect(address).toMatch(/^0x/);
    expect(other.paymentaddress).toBe(address);
    await ethereum.send({ to: address, units: wei(0.1) });
    await mined(ethereum, 11);
    expect(await wallet(userId)).toBe(0n);
    expect(await requests(userId)).toMatchObject([
      { payment: { confirmations: 11, cents: 35_000n } },
      { payment: null },
    ]);
    await mined(ethereum, 1);
    expect(await wallet(userId)).toBe(35_000n);
    const fresh = (await payTo(userId, 'Ethereum')).address;
    expect(fresh).not.toBe(address);
    expect((await payTo(userId, 'BnB')).address).toBe(fresh);
    // The old one stays his, on both networks.
    await bnb.send({ to: address.toLowerCase(), units: wei(0.1) });
    await mined(bnb, 15);
    expect(await wallet(userId)).toBe(35_000n + 6_000n);
    expect(await requests(userId)).toMatchObject([
      { id: request.id, status: 'confirmed', network: 'ethereum' },
      { id: other.id, status: 'confirmed', network: 'bnb' },
    ]);
    expect((await payTo(userId, 'Ethereum')).address).toBe(fresh);
  });

  it('count to the last part of a coin, rounded down to cents', async () => {
    const userId = await newInvestor(test);
    const to = (await payTo(userId, 'BnB')).address;
    // One part less than what would be 6.01 dollars.
    await bnb.send({ to, units: 10_016_666_666_666_666n });
    await mined(bnb, 15);
    expect(await wallet(userId)).toBe(600n);
  });

  it('that failed move nothing and are nothing', async () => {
    const userId = await newInvestor(test);
    const { paymentaddress: to } = await asked(userId, 350, 'Ethereum');
    const failed = await ethereum.sendFailing({ to, units: wei(0.1) });
    await mined(ethereum, 12);
    expect((await payments('ethereum')).map(({ txid }) => txid)).not.toContain(failed);
    expect(await requests(userId)).toMatchObject([{ status: 'pending', payment: null }]);
    expect((await payTo(userId, 'Ethereum')).address).toBe(to);
  });
});

it('coins that are moved from one of our addresses to another are credited to nobody', async () => {
  const [one = '', other = ''] = await newInvestors(test, 2);
  const [from, to] = [(await payTo(one, 'Ethereum')).address, (await payTo(other, 'Ethereum')).address];
  await ethereum.send({ to: from, units: wei(1) });
  await mined(ethereum, 12);
  expect(await wallet(one)).toBe(350_000n);
  await ethereum.rpc.call('anvil_impersonateAccount', [from], z.unknown());
  const moved = await ethereum.send({ from, to, units: wei(0.5) });
  await mined(ethereum, 12);
  expect([await wallet(one), await wallet(other)]).toEqual([350_000n, 0n]);
  expect(await payments('ethereum')).toContainEqual({ txid: moved, state: 'ours', lost: false });
  expect(await requests(other)).toEqual([]);
  expect((await payTo(other, 'Ethereum')).address).toBe(to);
});

describe('coins that came through a contract', () => {
  const later = async () => {
    test.clock.advance(hourMs + secondMs);
    await server.read();
    return (await server.context.networks.surpluses()).map(({ units: found, ownerId, network }) => ({
      found,
      ownerId,
      network,
    }));
  };

  it('are credited to nobody by itself, but shown to operators until one has looked into it', async () => {
    const userId = await newInvestor(test);
    const request = await asked(userId, 350, 'Ethereum');
    const to = request.paymentaddress;
    expect(await later()).toEqual([]);
    await ethereum.send({ to, units: wei(0.001) });
    const chainTxid = await ethereum.sendThroughContract({ to, units: wei(0.1) });
    await mined(ethereum, 12);
    const found = { found: wei(0.1), ownerId: userId, network: 'ethereum' };
    expect(await later()).toEqual([found]);
    expect(await later()).toEqual([found]);
    // A price is fetched first: the last was of hours ago.
    await expect.poll(() => server.read().then(() => wallet(userId))).toBe(350n);

    const own = { receivedCents: 35_000n, chainTxid };
    const second = await asked(userId, 350, 'Ethereum');
    expect(await confirm(second.id, { ...own, by: 'ada' })).toMatchObject({
      status: 'pending',
      secondBecause: 'Ethereum does not show this payment',
    });
    expect(await outcomes([confirm(second.id, { ...own, by: 'ada' })])).toEqual(['second_operator_needed']);
    await confirm(second.id, { ...own, by: 'ben' });
    expect(await wallet(userId)).toBe(35_350n);
    const [surplus] = await server.context.networks.surpluses();
    const ending = { id: surplus?.id ?? '', note: 'credited by hand', actor: operator('ada') };
    await server.context.networks.endSurplus(ending);
    expect(await later()).toEqual([]);
    await expect(server.context.networks.endSurplus(ending)).rejects.toMatchObject({
      code: 'already_decided',
    });
  });

  it('of which some were moved on are not found twice', async () => {
    const userId = await newInvestor(test);
    const to = (await payTo(userId, 'BnB')).address;
    await bnb.sendThroughContract({ to, units: wei(0.5) });
    await mined(bnb, 1);
    expect(await later()).toMatchObject([{ found: wei(0.5) }]);
    await bnb.rpc.call('anvil_setBalance', [to, '0x1'], z.unknown());
    await mined(bnb, 1);
    await bnb.sendThroughContract({ to, units: wei(0.25) });
    expect(await later()).toHaveLength(1);
    await mined(bnb, 1);
    expect(await later()).toMatchObject([{ found: wei(0.5) }, { found: wei(0.25) }]);
  });
});

it('a transaction id that the chain does not know has its network’s form', async () => {
  const userId = await newInvestor(test);
  const { id } = await asked(userId, 350, 'Ethereum');
  const wrong = { receivedCents: 35_000n, by: 'ada' };
  const tries = [newTxid(), newTxid('xrp'), `${newTxid('ethereum')}0`];
  const refused = tries.map((chainTxid) => confirm(id, { ...wrong, chainTxid }));
  expect(await outcomes(refused)).toEqual(['outside_range', 'outside_range', 'outside_range']);
});
