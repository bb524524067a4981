import * as calls from '@tallystick/contract/funding';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../../testing/call.ts';
import { goodAddress, newTxid, operator, withOffers } from '../../testing/money.ts';
import { masterKeyOf, publicKeyAt, publishedWords } from '../../testing/outside/seeds.ts';
import { type SignedIn, signedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import type { WayIn } from './service.ts';

let test: TestApp;
let person: SignedIn;
let other: SignedIn;
const key = publicKeyAt(masterKeyOf(publishedWords), "m/84'/1'/0'", 'vpub');

/** Bitcoin is read, as far as anybody can see; the other networks are not. */
beforeAll(async () => {
  test = await startTestApp({ BITCOIN_NETWORK: 'regtest', BITCOIN_RPC_URL: 'http://127.0.0.1:9' });
  await withOffers(test);
  await setWay('Bitcoin', { source: 'derived', paymentaddress: '', key });
  await setWay('Ripple', { source: 'tagged', paymentaddress: goodAddress.Ripple, key: null });
  await setWay('Ethereum', { source: 'fixed', paymentaddress: goodAddress.Ethereum, key: null });
  person = await signedIn(test);
  other = await signedIn(test);
});
afterAll(() => test.close());

async function setWay(paymentname: string, way: WayIn): Promise<void> {
  const { funding } = test.context;
  const method = (await funding.allPaymentMethods()).find((each) => each.paymentname === paymentname);
  await funding.proposeAddress({ methodId: method?.id ?? '', ...way, actor: operator('ada') });
  const [waiting] = await funding.waitingAddresses();
  await funding.agreeAddress({ id: waiting?.id ?? '', actor: operator('ben') });
}

const methodOf = async (paymentname: string, as?: SignedIn) =>
  (await call(test, calls.fetchpaymentmethod, as ? { as } : {})).data.find(
    (each) => each.paymentname === paymentname,
  );
const asked = async (fundingtypename: string) =>
  (await call(test, calls.addbalance, { body: { fundingtypename, amount: 500 }, as: person })).request;
const shown = async (transactionid: string, as = person) =>
  (await call(test, calls.fetchrequests, { query: { transaction: transactionid }, as })).request;

it('an investor sees an own address and an own tag, as a wallet reads them; nobody else does', async () => {
  const bitcoin = await methodOf('Bitcoin', person);
  expect(bitcoin).toMatchObject({ paymentaddress: expect.stringMatching(/^bcrt1/), tag: null });
  expect(bitcoin?.payuri).toBe(`bitcoin:${bitcoin?.paymentaddress}`);
  expect((await methodOf('Bitcoin', other))?.paymentaddress).not.toBe(bitcoin?.paymentaddress);
  expect(await methodOf('Bitcoin')).toMatchObject({ paymentaddress: '', payuri: null });

  const ripple = await methodOf('Ripple', person);
  expect(ripple).toMatchObject({ paymentaddress: goodAddress.Ripple, tag: expect.stringMatching(/^\d+$/) });
  expect(ripple?.payuri).toBe(`xrp:${goodAddress.Ripple}?dt=${ripple?.tag}`);
  expect((await methodOf('Ripple', other))?.tag).not.toBe(ripple?.tag);
  expect(await methodOf('Ripple')).toMatchObject({ tag: null, payuri: null });
});

it('a request says whether its chain is read, and is found by its transaction id by whoever made it', async () => {
  const { transactionid } = await asked('Bitcoin');
  const [found, ...more] = await shown(transactionid);
  expect(found).toMatchObject({ transactionid, watched: true, announced: true, payment: null });
  expect(more).toEqual([]);
  expect(await shown(transactionid, other)).toEqual([]);
  expect(await shown((await asked('Ripple')).transactionid)).toMatchObject([{ watched: false }]);
});

it('what was confirmed by hand can be looked up where its network is a real one', async () => {
  const { _id, transactionid } = await asked('Ethereum');
  expect(await shown(transactionid)).toMatchObject([{ chaintransactionid: null, explorer: null }]);
  const chainTxid = newTxid('ethereum');
  await test.context.funding.confirmFunding({
    requestId: _id,
    receivedCents: 500_00n,
    chainTxid,
    chainOutput: null,
    actor: operator('ada'),
    idempotencyKey: null,
  });
  expect(await shown(transactionid)).toMatchObject([
    { status: 'confirmed', chaintransactionid: chainTxid, explorer: `https://etherscan.io/tx/${chainTxid}` },
  ]);
});
