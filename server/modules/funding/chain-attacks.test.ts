import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { dayMs, hourMs, minuteMs, secondMs } from '../../testing/clock.ts';
import { newInvestor, newInvestors } from '../../testing/ledger/investors.ts';
import { operator, withOffers } from '../../testing/money.ts';
import {
  type ChainServer,
  dealings,
  evmKey,
  setWayIn,
  startChainServer,
  units,
} from '../../testing/outside/chain-server.ts';
import { type MadeUpEvm, startMadeUpEvm } from '../../testing/outside/made-up-evm.ts';
import { proofRuns } from '../../testing/proof-size.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let ethereum: MadeUpEvm;
let bnb: MadeUpEvm;
let test: TestApp;
let server: ChainServer;
const { asked, payTo, wallet, requests, payments } = dealings(() => server.context);

const usual = { ethereum: 3_500, binancecoin: 600 };
let quoted = usual;
/** A price service that says what a test wants. */
const priceServer = createServer((_request, response) => {
  const prices = Object.entries(quoted).map(([id, usd]) => [id, { usd }]);
  response.end(JSON.stringify(Object.fromEntries(prices)));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => priceServer.listen(0, '127.0.0.1', resolve));
  [ethereum, bnb, test] = await Promise.all([
    startMadeUpEvm({ chainId: 1 }),
    startMadeUpEvm({ chainId: 56 }),
    startTestApp(),
  ]);
  server = await startChainServer(test, {
    nodeUrls: { ethereum: ethereum.url, bnb: bnb.url },
    chainIds: { ethereum: 1, bnb: 56 },
    priceApiBase: `http://127.0.0.1:${(priceServer.address() as AddressInfo).port}`,
  });
  await withOffers(test);
  await setWayIn(server.context, 'Ethereum', { key: evmKey });
  await setWayIn(server.context, 'BnB', { key: evmKey });
  await server.read();
});
beforeEach(() => priceIs({}));
afterAll(async () => {
  await server.close();
  await test.close();
  priceServer.close();
  await Promise.all([ethereum.close(), bnb.close()]);
});

/** Known to the server, which asks anew when what it knows is a minute old. */
async function priceIs(prices: Partial<typeof usual>): Promise<void> {
  quoted = { ...usual, ...prices };
  const { prices: service } = server.context;
  await vi.waitUntil(
    async () => {
      test.clock.advance(2 * minuteMs);
      return (await service.simplePrice()).value.ethereum?.usd === quoted.ethereum;
    },
    { timeout: 45_000 },
  );
}
async function read(): Promise<void> {
  test.clock.advance(secondMs);
  await server.read();
}
async function confirmed(): Promise<void> {
  ethereum.mine(12);
  bnb.mine(15);
  await read();
}
const eth = (coins: number) => units(coins, 18);
const addressOf = async (userId: string) => (await payTo(userId, 'Ethereum')).address.toLowerCase();

describe('what cannot be', () => {
  it('is worth nothing, and keeps nobody else waiting', async () => {
    const [liar = '', honest = ''] = await newInvestors(test, 2);
    ethereum.block({ to: await addressOf(liar), units: 2n ** 95n });
    ethereum.block({ to: await addressOf(honest), units: eth(0.1) });
    await confirmed();
    expect([await wallet(liar), await wallet(honest)]).toEqual([0n, 35_000n]);
    const states = (await payments('ethereum')).map(({ state }) => state);
    expect(states.toSorted()).toEqual(['credited', 'seen']);
  });

  it.each([1e99, 1e300, 1e-300])('no price of %d is believed: what came waits for another', async (price) => {
    const userId = await newInvestor(test);
    await priceIs({ ethereum: price });
    ethereum.block({ to: await addressOf(userId), units: eth(0.1) });
    await confirmed();
    expect(await wallet(userId)).toBe(0n);
    await priceIs({});
    await confirmed();
    expect(await wallet(userId)).toBe(35_000n);
  });
});

describe('a price', () => {
  it.each([7_001, 1_749])('of %d dollars a while after 3,500 is not believed', async (price) => {
    const [before = '', after = ''] = await newInvestors(test, 2);
    ethereum.block({ to: await addressOf(before), units: eth(0.1) });
    await confirmed();
    await priceIs({ ethereum: price });
    ethereum.block({ to: await addressOf(after), units: eth(0.1) });
    await confirmed();
    expect([await wallet(before), await wallet(after)]).toEqual([35_000n, 0n]);
    await priceIs({});
    await confirmed();
    expect(await wallet(after)).toBe(35_000n);
  });

  it('is, a day later: then there is nothing to compare it with', async () => {
    const userId = await newInvestor(test);
    test.clock.advance(dayMs + hourMs);
    await priceIs({ ethereum: 9_000 });
    ethereum.block({ to: await addressOf(userId), units: eth(0.1) });
    await confirmed();
    expect(await wallet(userId)).toBe(90_000n);
    test.clock.advance(dayMs + hourMs);
  });
});

it('coins of ours that are moved to an investor’s address are nobody’s deposit', async () => {
  const [one = '', other = ''] = await newInvestors(test, 2);
  const [from, to] = [await addressOf(one), await addressOf(other)];
  const request = await asked(other, 3_500, 'Ethereum');
  ethereum.block({ to: from, units: eth(1) });
  await confirmed();
  const [txid = ''] = ethereum.block({ from, to, units: eth(1) });
  await confirmed();
  expect([await wallet(one), await wallet(other)]).toEqual([350_000n, 0n]);
  expect(await payments('ethereum')).toContainEqual({ txid, state: 'ours', lost: false });
  expect(await requests(other)).toMatchObject([{ id: request.id, status: 'pending', payment: null }]);
  // By hand it is nobody's either.
  const named = { requestId: request.id, receivedCents: 350_000n, chainTxid: txid, chainOutput: null };
  const confirming = server.context.funding.confirmFunding({
    ...named,
    actor: operator('ada'),
    idempotencyKey: null,
  });
  await expect(confirming).rejects.toThrow('This is our own money, paid to ourselves.');
});

/** A statement has room for 65,535 values. */
const dustCount = proofRuns(66_000, 2_000);

it('more dust than a statement has room for is set aside, and the next payment is added as ever', async () => {
  const userId = await newInvestor(test);
  const to = await addressOf(userId);
  const { height = 0 } = (await server.context.networks.heights()).get('ethereum') ?? {};
  await test.context.owner.query(
    `insert into network_payments (id, network, txid, address_id, units, height, block_hash, block_at, seen_at)
     select gen_random_uuid(), 'ethereum', 'dust ' || number, a.id, 1000, $2, 'x', now(), now()
     from network_addresses a, generate_series(1, $3::integer) as number where a.match = $1`,
    [to, height, dustCount],
  );
  ethereum.block({ to, units: eth(0.1) });
  await confirmed();
  expect(await wallet(userId)).toBe(35_000n);
  const { rows } = await test.context.owner.query(
    `select state, count(*)::int from network_payments where txid like 'dust %' group by state`,
  );
  expect(rows).toEqual([{ state: 'dust', count: dustCount }]);
  expect(await requests(userId)).toHaveLength(1);
});

it('one transaction that is valid on two networks keeps nobody else waiting', async () => {
  const [twice = '', honest = ''] = await newInvestors(test, 2);
  const [txid = ''] = ethereum.block({ to: await addressOf(twice), units: eth(0.1) });
  await confirmed();
  bnb.block(
    { to: await addressOf(twice), units: eth(0.1), txid },
    { to: await addressOf(honest), units: eth(0.1) },
  );
  await confirmed();
  expect(await wallet(honest)).toBe(6_000n);
  expect(await wallet(twice)).toBeGreaterThanOrEqual(35_000n);
});
