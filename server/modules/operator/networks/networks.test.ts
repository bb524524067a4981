import { addbalance, fetchpaymentmethod, fetchrequests } from '@tallystick/contract/funding';
import { addresses, investors } from '@tallystick/contract/operator/investors';
import { addresschanges, paymentmethods, proposeaddress } from '@tallystick/contract/operator/methods';
import { chains, endsurplus } from '@tallystick/contract/operator/networks';
import { confirmdeposit, dropconfirmation, queue, rejectdeposit } from '@tallystick/contract/operator/queue';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, tryCall } from '../../../testing/call.ts';
import { withOffers } from '../../../testing/money.ts';
import { type Operator, signedInOperator } from '../../../testing/operators.ts';
import { startXrpServer, type XrpServer } from '../../../testing/outside/xrp-server.ts';
import { type SignedIn, signedIn } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';
import { watchersOf } from '../../../work.ts';

const ours = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe';
const theirs = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const xrp = (coins: number) => BigInt(Math.round(coins * 1e6));

let node: XrpServer;
let test: TestApp;
let ada: Operator;
let ben: Operator;
let investor: SignedIn;
let tag: number;

beforeAll(async () => {
  node = await startXrpServer();
  test = await startTestApp({ XRP_RPC_URL: node.url });
  await withOffers(test);
  [ada, ben] = [await signedInOperator(test), await signedInOperator(test)];
  investor = await signedIn(test);
  // It is read by hand here: the worker would be in between.
  await test.jobs.stop();
  const { _id: id } = await ripple();
  const body = { source: 'tagged' as const, paymentaddress: ours };
  await call(test, proposeaddress, { params: { id }, body, as: ada });
  const [change] = (await call(test, queue, { as: ben })).addresschanges;
  await call(test, addresschanges.confirm, { params: { id: change?._id ?? '' }, as: ben });
  await read();
  const { data } = await call(test, fetchpaymentmethod, { as: investor });
  tag = Number(data.find(({ paymentname }) => paymentname === 'Ripple')?.tag);
});
afterAll(async () => {
  await test.close();
  await node.close();
});

async function ripple() {
  const found = (await call(test, paymentmethods, { as: ada })).paymentmethods;
  const method = found.find(({ paymentname }) => paymentname === 'Ripple');
  if (!method) throw new Error('there is no such method');
  return method;
}

/** Everything that the chain has: what the server does by itself every two seconds, at once. */
async function read(): Promise<void> {
  const { networks } = test.context;
  for (const readChain of networks.readers(watchersOf(test.context))) await readChain();
}

async function paid(coins: number, to: { tag?: number } = { tag }): Promise<string> {
  const txid = node.pay({ from: theirs, to: ours, units: xrp(coins), ...to });
  node.validate();
  await read();
  return txid;
}

const look = () => call(test, chains, { as: ada });
const strayOf = async (txid: string) =>
  (await look()).payments.find(({ chaintransactionid }) => chaintransactionid === txid);

describe('the console’s view of the networks', () => {
  it('says which are read, how far, and how it is with their nodes', async () => {
    const stateOf = async (id: string) => (await look()).networks.find(({ network }) => network === id);
    expect(await stateOf('bitcoin')).toMatchObject({ watched: false, state: null, height: null });
    const before = await stateOf('xrp');
    expect(before).toMatchObject({ watched: true, state: 'following', said: null });
    expect(before?.height).toBe(before?.tip);
    node.validate();
    await read();
    expect((await stateOf('xrp'))?.height).toBe((before?.height ?? 0) + 1);
    await node.kill();
    await read();
    expect(await stateOf('xrp')).toMatchObject({ state: 'away', said: expect.stringMatching(/./) });
    await node.restart();
    await read();
    expect(await stateOf('xrp')).toMatchObject({ state: 'following', said: null });
  });

  it('lists what is nobody’s, what is too small, and what is gone with its block, each with its figures', async () => {
    const untagged = await paid(50, {});
    expect(await strayOf(untagged)).toMatchObject({
      why: 'nobody',
      network: 'xrp',
      coins: '50',
      address: ours,
      tag: null,
      investor: null,
      worth: expect.any(Number),
    });
    const small = await paid(0.01);
    expect(await strayOf(small)).toMatchObject({
      why: 'dust',
      coins: '0.01',
      tag: String(tag),
      investor: { _id: investor.userid },
    });
    const credited = await paid(20);
    expect(await strayOf(credited)).toBeUndefined();
    await test.context.owner.query('update network_payments set lost_at = now() where txid = $1', [credited]);
    expect(await strayOf(credited)).toMatchObject({
      why: 'lost',
      confirmations: 0,
      transactionid: expect.stringMatching(/^TS-/),
      investor: { email: investor.email },
    });
    const { transactionid: transaction } = (await strayOf(credited)) ?? {};
    const { request } = await call(test, fetchrequests, {
      query: { transaction: transaction ?? '' },
      as: investor,
    });
    expect(request).toMatchObject([{ status: 'confirmed', payment: { lost: true, confirmations: 0 } }]);
    expect((await look()).counts).toEqual({
      lost: 1,
      nobody: 1,
      closed: 0,
      'held-up': 0,
      unpriced: 0,
      dust: 1,
    });
    expect((await look()).payments.map(({ why }) => why)).toEqual(['lost', 'nobody', 'dust']);
  });

  it('names the network that confirmed a large deposit, which can then be agreed to and nothing else', async () => {
    const txid = await paid(20_000);
    const waiting = async () =>
      (await call(test, queue, { as: ada })).deposits.find(
        ({ payment }) => payment?.chaintransactionid === txid,
      );
    const deposit = await waiting();
    expect(deposit).toMatchObject({
      watched: true,
      chain: 'xrp',
      tag: String(tag),
      payment: {
        coins: '20000',
        confirmations: 1,
        needed: 1,
        price: expect.stringMatching(/^\d/),
        explorer: `https://livenet.xrpl.org/transactions/${txid}`,
      },
      first: { bychain: true, name: 'XRP Ledger', chaintransactionid: txid },
    });
    const { _id: id, first } = deposit ?? { _id: '', first: null };
    expect(deposit?.payment?.worth).toBe(first?.received);
    const params = { id };
    expect((await tryCall(test, dropconfirmation, { params, as: ada })).code).toBe('already_decided');
    const reason = { reason: 'It never came.' };
    expect((await tryCall(test, rejectdeposit, { params, body: reason, as: ada })).code).toBe(
      'already_decided',
    );
    const body = { received: first?.received ?? 0, chaintransactionid: txid };
    expect(await call(test, confirmdeposit, { params, body, as: ada })).toMatchObject({
      status: 'confirmed',
    });
    expect(await waiting()).toBeUndefined();
  });

  it('shows nothing of a request that no payment came for, and that its chain is read', async () => {
    const { request } = await call(test, addbalance, {
      body: { fundingtypename: 'Ripple', amount: 25 },
      as: investor,
    });
    const { deposits } = await call(test, queue, { as: ada });
    expect(deposits.find(({ _id }) => _id === request._id)).toMatchObject({ watched: true, payment: null });
  });
});

describe('coins that came through a contract', () => {
  it('stand beside the payments that need somebody until one operator says what they were', async () => {
    await test.context.owner.query(
      `insert into network_surpluses (network, address_id, units, height_from, height_to, found_at)
       select 'ethereum', id, 1500000000000000000, 100, 190, now() from network_addresses where owner_id = $1 limit 1`,
      [investor.userid],
    );
    const { surpluses, surplusescount } = await look();
    expect(surplusescount).toBe(1);
    expect(surpluses).toMatchObject([
      {
        network: 'ethereum',
        coins: '1.5',
        investor: { _id: investor.userid },
        fromheight: 100,
        toheight: 190,
      },
    ]);
    const params = { id: surpluses[0]?._id ?? '' };
    const body = { note: 'An exchange paid by its contract; credited by hand.' };
    await call(test, endsurplus, { params, body, as: ada });
    expect(await look()).toMatchObject({ surpluses: [], surplusescount: 0 });
    expect((await tryCall(test, endsurplus, { params, body, as: ben })).code).toBe('already_decided');
  });
});

describe('what an investor was given', () => {
  it('stands on their page with when it was used, and finds them; the method counts it', async () => {
    const page = await call(test, addresses, {
      params: { id: investor.userid },
      query: { page: '1' },
      as: ada,
    });
    expect(page.addresses.at(-1)).toMatchObject({
      networks: ['xrp'],
      address: ours,
      tag: String(tag),
      path: null,
      usedat: expect.any(String),
    });
    expect(page.total).toBe((await ripple()).given);
    expect(await ripple()).toMatchObject({ source: 'tagged', paymentaddress: ours, path: null });
    const found = await call(test, investors, { query: { search: String(tag) }, as: ada });
    expect(found.investors.map(({ _id }) => _id)).toEqual([investor.userid]);
    const nobody = { id: '00000000-0000-4000-8000-000000000000' };
    expect((await tryCall(test, addresses, { params: nobody, as: ada })).status).toBe(404);
  });
});
