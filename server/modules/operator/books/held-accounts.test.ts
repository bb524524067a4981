import { networkOf } from '@tallystick/contract/networks';
import { parseBooks } from '@tallystick/verify/books';
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest';
import { openChains } from '../../../platform/chains/open-chains.ts';
import { inTransaction } from '../../../platform/postgres/db.ts';
import { outcomes } from '../../../testing/at-once.ts';
import { hourMs, minuteMs, secondMs } from '../../../testing/clock.ts';
import { fundedInvestor, newInvestor } from '../../../testing/ledger/investors.ts';
import { deposit, goodAddress, type Offers, withOffers } from '../../../testing/money.ts';
import {
  type ChainServer,
  dealings,
  evmKey,
  holdings,
  setWayIn,
  startChainServer,
  units,
} from '../../../testing/outside/chain-server.ts';
import { type EvmNode, startAnvil } from '../../../testing/outside/evm/anvil.ts';
import { it } from '../../../testing/outside/evm/on-evm.ts';
import { type PriceServer, startPriceServer } from '../../../testing/outside/price-server.ts';
import { startXrpServer, type XrpServer } from '../../../testing/outside/xrp-server.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';
import { createHeld } from '../../networks/held/held.ts';

let ethereum: EvmNode;
let xrp: XrpServer;
let prices: PriceServer;
let test: TestApp;
let offers: Offers;
let server: ChainServer;
const { payTo } = dealings(() => server.context);
const { ada, held, heldOn, list, agree } = holdings(() => server.context);
const ripple = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe';

beforeAll(async () => {
  const chainIds = { ethereum: 31_337 };
  [ethereum, xrp, prices, test] = await Promise.all([
    startAnvil({ chainId: chainIds.ethereum }),
    startXrpServer(),
    startPriceServer(),
    startTestApp(),
  ]);
  const nodeUrls = { ethereum: ethereum.url, xrp: xrp.url };
  server = await startChainServer(test, { nodeUrls, chainIds, priceApiBase: prices.base });
  offers = await withOffers(test);
  await setWayIn(server.context, 'Ethereum', { key: evmKey });
  await setWayIn(server.context, 'Ripple', { source: 'tagged', paymentaddress: ripple });
  await server.read();
});
beforeEach(() => test.clock.advance(secondMs));
afterAll(async () => {
  await server.close();
  await test.close();
  await Promise.all([prices.close(), ethereum.close(), xrp.close()]);
});

/** A block on each chain, and a minute: what was touched is looked at again. */
async function goOn(): Promise<void> {
  await ethereum.mine(1);
  xrp.validate();
  test.clock.advance(minuteMs + secondMs);
  await server.read();
}

describe('what is held on Ethereum', () => {
  const wei = (coins: number) => units(coins, 18);

  it('is what the node says of every address, soon after something came or went', async () => {
    const to = (await payTo(await newInvestor(test), 'Ethereum')).address;
    const cold = ethereum.accounts[2] ?? '';
    await list('ethereum', cold);
    await agree();
    await goOn();
    const before = await heldOn('ethereum');
    expect(before).toMatchObject({ coldUnits: wei(10_000), unlooked: 0 });
    await ethereum.send({ to, units: wei(1.5) });
    await goOn();
    expect((await heldOn('ethereum')).units).toBe(before.units + wei(1.5));
    await ethereum.send({ from: cold, to: goodAddress.Ethereum, units: wei(100) });
    await goOn();
    const after = await heldOn('ethereum');
    const fee = wei(9_900) - after.coldUnits;
    expect(fee > 0n && fee < wei(0.01)).toBe(true);
    expect(after.height).toBeGreaterThan(before.height ?? 0);
    expect(after.cents).toBe((after.units * 350_000n) / 10n ** 18n);
    // What lies at an address of our own is nobody's surplus.
    expect(await server.context.networks.surpluses()).toEqual([]);
  });

  it('is seen within an hour where it came through a contract', async () => {
    const cold = ethereum.accounts[2] ?? '';
    const before = (await heldOn('ethereum')).units;
    await ethereum.sendThroughContract({ to: cold, units: wei(7) });
    await goOn();
    expect((await heldOn('ethereum')).units).toBe(before);
    test.clock.advance(hourMs);
    await goOn();
    expect((await heldOn('ethereum')).units).toBe(before + wei(7));
  });
});

describe('a cold address', () => {
  it('is none that deposits come to and none of another chain; only coins of Bitcoin are named', async () => {
    const investors = (await payTo(await newInvestor(test), 'Ethereum')).address;
    const coins = [`${'ab'.repeat(32)}:0`];
    expect(
      await outcomes([
        list('ethereum', investors),
        list('ethereum', goodAddress.Ripple),
        list('xrp', ripple),
        list('ethereum', goodAddress.Ethereum, { coins }),
      ]),
    ).toEqual(['address_wrong', 'address_wrong', 'address_wrong', 'outside_range']);
  });

  it('is where neither a deposit nor a withdrawal may be sent to from then on', async () => {
    const cold = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
    await list('ethereum', cold);
    await agree();
    expect(
      await outcomes([setWayIn(server.context, 'Ethereum', { source: 'fixed', paymentaddress: cold })]),
    ).toEqual(['address_wrong']);
    const { funding, withdrawal } = server.context;
    const [waiting] = await funding.waitingAddresses();
    await funding.discardAddress({ id: waiting?.id ?? '', actor: ada });
    const userId = await fundedInvestor(test);
    const asked = { userId, methodId: offers.withdrawalMethods.Ethereum, address: cold, amountCents: 50_00n };
    expect(await outcomes([withdrawal.askForWithdrawal({ ...asked, idempotencyKey: null })])).toEqual([
      'address_wrong',
    ]);
  });
});

it('one address for everyone counts as well, and what comes to it is listed until two say whose it is', async () => {
  const [fixed, older] = ['0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb', goodAddress.Ethereum];
  const { funding, operator: console } = server.context;
  // Agreed to before its network was read, and found again at the next start.
  const method = { paymentname: 'Ether', paymentaddress: older, network: 'Ethereum', coin: 'ethereum' };
  await funding.addPaymentMethod({ method: { ...method, sample: false }, actor: ada });
  await funding.installMethods([]);
  await setWayIn(server.context, 'Ethereum', { source: 'fixed', paymentaddress: fixed });
  await goOn();
  const before = await heldOn('ethereum');
  const txids = [
    await ethereum.send({ to: fixed, units: units(2, 18) }),
    await ethereum.send({ to: older, units: units(3, 18) }),
  ];
  await goOn();
  expect((await heldOn('ethereum')).units).toBe(before.units + units(5, 18));
  const strays = (await console.strayPayments()).filter(({ why }) => why === 'nobody');
  expect(strays.map(({ txid }) => txid)).toEqual(expect.arrayContaining(txids));
});

it('what is held on the XRP Ledger is what the accounts hold, each once however many tags it has', async () => {
  xrp.accounts.set(ripple, { units: 1_500_000_000n, flags: 0 });
  await payTo(await newInvestor(test), 'Ripple');
  await payTo(await newInvestor(test), 'Ripple');
  xrp.accounts.set(goodAddress.Ripple, { units: 20_000_000n, flags: 0 });
  await list('xrp', goodAddress.Ripple);
  await agree();
  test.clock.advance(hourMs);
  await goOn();
  // At half a dollar.
  expect(await heldOn('xrp')).toMatchObject({
    units: 1_520_000_000n,
    coldUnits: 20_000_000n,
    cents: 76_000n,
  });
});

describe('coverage', () => {
  const enter = async (paymentname: string, amountCents: bigint) => {
    const methods = await server.context.funding.allPaymentMethods();
    const methodId = methods.find((method) => method.paymentname === paymentname)?.id ?? '';
    await server.context.operator.enterHeld({ methodId, amountCents, actor: ada });
  };

  it('takes the chains’ word where they are read, what was typed elsewhere, and says which is which', async () => {
    await enter('BnB', 1_234_00n);
    const { networks, methods, typedCents, togetherCents } = await held();
    expect(methods.map(({ coin }) => networkOf(coin))).toEqual(['bitcoin', 'bnb']);
    expect(typedCents).toBe(1_234_00n);
    const read = networks.reduce((sum, { cents }) => sum + (cents ?? 0n), 0n);
    expect(read > 0n).toBe(true);
    expect(togetherCents).toBe(read + 1_234_00n);
    test.clock.advance(minuteMs);
    expect(await server.context.operator.coverage()).toMatchObject({
      heldCents: togetherCents,
      typedCents,
    });
  });

  it('is told by a statement of the books, as an outsider reads it', async () => {
    await deposit(test, await newInvestor(test), 100);
    test.clock.advance(2 * minuteMs);
    await server.context.proof.prove();
    const text = `select entry from log_entries where kind = 'books/v1' order by id desc limit 1`;
    const { rows } = await server.context.owner.query(text);
    const books = parseBooks(rows[0].entry);
    if ('wrong' in books) throw new Error(`${books.wrong}\n${rows[0].entry}`);
    const { networks } = await held();
    expect(books.held.map(({ network, units, cents }) => [network, units, cents])).toEqual(
      networks
        .filter(({ height }) => height !== null)
        .map(({ network, units, cents }) => [network, units, cents]),
    );
    expect(new Set(books.cold.map(({ network }) => network))).toEqual(new Set(['ethereum', 'xrp']));
    expect(books.derived.map(({ network }) => network)).toContain('ethereum');
    expect(books.shared.map(({ address }) => address)).toContain(ripple);
    expect(books.typed.map(({ method, cents }) => [method, cents])).toContainEqual(['BnB', 1_234_00n]);
    expect(books.coverage).not.toBeNull();
  });

  it('is not raised by what one operator types where there is a node', async () => {
    const before = (await held()).togetherCents;
    const typed = ['Ethereum', 'Ripple'].map((name) => enter(name, 1_000_000_00n));
    expect(await outcomes(typed)).toEqual(['already_decided', 'already_decided']);
    expect((await held()).togetherCents).toBe(before);
  });

  it('goes on with the last known price, and says so, when none can be fetched', async () => {
    await server.context.networks.keepPrices();
    const before = await heldOn('ethereum');
    prices.mood = 'failing';
    test.clock.advance(6 * minuteMs);
    expect(await heldOn('ethereum')).toMatchObject({ cents: before.cents, price: { isFresh: false } });
    prices.mood = 'good';
    // After a day, or a restart, only the database knows it.
    const { db, clock, config } = server.context;
    const { ethereum: chain } = openChains(config);
    const chains = chain ? { ethereum: chain } : {};
    const later = createHeld({ db, clock, chains, newestPrice: async () => null });
    const known = await later.newestPrices();
    const [row] = await inTransaction(db, (tx) => later.heldOnChains(tx, known));
    expect(row).toMatchObject({ cents: before.cents, price: { price: '3500', isFresh: false } });
  });
});
