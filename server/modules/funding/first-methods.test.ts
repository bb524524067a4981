import { paymentmethods, setpaymentmethod } from '@tallystick/contract/operator/methods';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf, tryCall } from '../../testing/call.ts';
import { newInvestor } from '../../testing/ledger/investors.ts';
import { goodAddress, operator, withOffers } from '../../testing/money.ts';
import { signedInOperator } from '../../testing/operators.ts';
import { bitcoinKey, dealings, evmKey, setWayIn } from '../../testing/outside/chain-server.ts';
import { masterKeyOf, publicKeyAt, publishedWords } from '../../testing/outside/seeds.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
const { payTo } = dealings(() => test.context);
const named = (
  network: 'bitcoin' | 'ethereum' | 'bnb' | 'xrp',
  payTo: string | null,
  confirmations: number | null,
) => ({
  network,
  payTo,
  confirmations,
});
const all = [
  named('bitcoin', bitcoinKey, 3),
  named('ethereum', evmKey, null),
  named('bnb', evmKey, null),
  named('xrp', goodAddress.Ripple, null),
];
const methods = async () =>
  (await test.context.funding.allPaymentMethods()).map(
    ({ paymentname, source, sample, active, confirmations }) => ({
      paymentname,
      source,
      sample,
      active,
      confirmations,
    }),
  );
const installed = { sample: false, active: true, confirmations: null };
const asInstalled = [
  { ...installed, paymentname: 'Bitcoin', source: 'derived', confirmations: 3 },
  { ...installed, paymentname: 'Ethereum', source: 'derived' },
  { ...installed, paymentname: 'BnB', source: 'derived' },
  { ...installed, paymentname: 'Ripple', source: 'tagged' },
];

const begun = (before: (app: TestApp) => Promise<unknown>) => {
  beforeAll(async () => {
    test = await startTestApp({ BITCOIN_NETWORK: 'regtest' });
    await before(test);
  });
  afterAll(() => test.close());
};

describe('at the first start, where there is no way in yet', () => {
  begun(async () => {});

  it('the environment makes them, once, and every investor has an own address', async () => {
    const { funding } = test.context;
    await funding.installMethods([named('bnb', null, 20)]);
    expect(await methods()).toEqual([]);
    await funding.installMethods(all);
    await funding.installMethods([
      named('bitcoin', publicKeyAt(masterKeyOf(publishedWords), "m/84'/1'/1'", 'vpub'), 9),
    ]);
    expect(await methods()).toEqual(asInstalled);
    const [one, other] = [await newInvestor(test), await newInvestor(test)];
    expect((await payTo(one)).address).toMatch(/^bcrt1/);
    expect((await payTo(one)).address).not.toBe((await payTo(other)).address);
    expect((await payTo(one, 'Ethereum')).address).toBe((await payTo(one, 'BnB')).address);
    expect((await payTo(one, 'Ripple')).tag).not.toBe((await payTo(other, 'Ripple')).tag);
  });
});

describe('where there are the sample ones', () => {
  begun(withOffers);

  it('they are set, unless an operator has asked for another address', async () => {
    const { funding } = test.context;
    const [, ethereum] = await funding.allPaymentMethods();
    await funding.proposeAddress({
      methodId: ethereum?.id ?? '',
      source: 'fixed',
      paymentaddress: goodAddress.Ethereum,
      key: null,
      actor: operator('ada'),
    });
    await funding.installMethods(all);
    const [first, second, ...others] = asInstalled;
    expect(await methods()).toEqual([first, { ...second, source: 'fixed', sample: true }, ...others]);
    expect((await funding.waitingAddresses()).map(({ askedBy }) => askedBy)).toEqual(['ada']);
  });

  it('what operators have agreed to stays', async () => {
    const { funding } = test.context;
    await setWayIn(test.context, 'Ripple', { source: 'fixed', paymentaddress: goodAddress.Ripple });
    await funding.installMethods(all);
    expect((await methods())[3]).toMatchObject({ source: 'fixed' });
  });
});

describe('an operator', () => {
  begun(withOffers);

  it('sets confirmations and the least amount of a way in, within bounds, and it is logged', async () => {
    const { cookies } = await signedInOperator(test);
    const [bitcoin] = await test.context.funding.allPaymentMethods();
    const params = { id: bitcoin?.id ?? '' };
    const set = (body: { confirmations: number; dust: number }) =>
      tryCall(test, setpaymentmethod, { params, body, cookies });
    expect(answerOf(await set({ confirmations: 6, dust: 2.5 }))).toMatchObject({
      message: expect.any(String),
    });
    const { paymentmethods: shown } = answerOf(await tryCall(test, paymentmethods, { cookies }));
    expect(shown[0]).toMatchObject({ paymentname: 'Bitcoin', confirmations: 6, dust: 2.5 });
    for (const body of [
      { confirmations: 0, dust: 1 },
      { confirmations: 1_001, dust: 1 },
      { confirmations: 1, dust: 100.01 },
    ]) {
      expect((await set(body)).status).toBe(400);
    }
    // What is credited too early can be taken back by its sender.
    expect(await set({ confirmations: 1, dust: 1 })).toMatchObject({ status: 422 });
    // What an operator has set, the environment does not.
    await test.context.funding.installMethods([named('bitcoin', null, 1)]);
    expect((await methods())[0]).toMatchObject({ confirmations: 6 });
    const { rows } = await test.context.owner.query(
      `select details from audit_log where action = 'payment-method.set' and actor_kind = 'operator'`,
    );
    expect(rows).toMatchObject([{ details: { to: { confirmations: 6, dustCents: '250' } } }]);
  });
});
