import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deposit, goodAddress, withOffers } from '../../testing/money.ts';
import { type Operator, press, signedInOperator } from '../../testing/operators.ts';
import { type SignedIn, send, signedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
let ada: Operator;
let ben: Operator;
let investor: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  await withOffers(test);
  ada = await signedInOperator(test);
  ben = await signedInOperator(test);
  investor = await signedIn(test);
  await deposit(test, investor.userid, 50_000);
});
afterAll(() => test.close());

const post = (who: Operator, path: string, body?: object, key?: string) =>
  press(test, who, 'POST', path, body, key);
const queue = async (who = ada) => (await press(test, who, 'GET', 'queue')).json();
const available = async () =>
  (await send(test, 'GET', '/api/ledger/summary', undefined, { token: investor.token })).json()
    .available as number;
const outcome = (answer: { statusCode: number; json(): { code?: string } }) =>
  answer.statusCode === 200 ? 'done' : answer.json().code;

describe('what waits for a second operator', () => {
  const waiting = async (kind: string) => (await queue())[kind];

  it('a correction: asked once however often it is pressed, posted by another, seen as such by the investor', async () => {
    const path = `investors/${investor.userid}/correction`;
    const body = { direction: 'take', amount: 1.25, reason: 'A deposit was counted twice.' };
    const key = randomUUID();
    await Promise.all([post(ada, path, body, key), post(ada, path, body, key)]);
    const [correction, ...more] = await waiting('corrections');
    expect([correction, more]).toMatchObject([{ amount: -1.25, askedby: ada.name }, []]);
    const before = await available();
    const confirm = (who: Operator) => post(who, `corrections/${correction._id}/confirm`);
    expect(outcome(await confirm(ada))).toBe('second_operator_needed');
    const both = await Promise.all([
      confirm(ben),
      confirm(ben),
      post(ada, `corrections/${correction._id}/discard`),
    ]);
    expect(both.map(outcome).filter((each) => each === 'done').length).toBe(1);
    const posted = both[2]?.statusCode !== 200;
    expect(await available()).toBe(posted ? Math.round((before - 1.25) * 100) / 100 : before);
    expect(await waiting('corrections')).toEqual([]);
  });

  it('a correction of nobody’s wallet, or beyond what it holds, is refused', async () => {
    const body = { direction: 'take', amount: 1, reason: 'Nobody there.' };
    expect(outcome(await post(ada, `investors/${randomUUID()}/correction`, body))).toBe('not_found');
    const poor = await signedIn(test);
    await post(ada, `investors/${poor.userid}/correction`, body);
    const [correction] = await waiting('corrections');
    expect(outcome(await post(ben, `corrections/${correction._id}/confirm`))).toBe('insufficient_funds');
    expect((await post(ben, `corrections/${correction._id}/discard`)).statusCode).toBe(200);
  });

  it('a payment address: checked for its network, shown to investors only once another has agreed', async () => {
    const methods = async () => (await press(test, ada, 'GET', 'paymentmethods')).json().paymentmethods;
    const offered = async () =>
      (await send(test, 'GET', '/api/funding/fetchpaymentmethod'))
        .json()
        .data.find(({ paymentname }: { paymentname: string }) => paymentname === 'Ethereum');
    const { _id } = (await methods()).find(
      ({ paymentname }: { paymentname: string }) => paymentname === 'Ethereum',
    );
    const propose = (paymentaddress: string) =>
      post(ada, `paymentmethods/${_id}/address`, { paymentaddress });
    expect(outcome(await propose(goodAddress.Bitcoin))).toBe('address_wrong');
    expect((await propose(goodAddress.Ethereum)).statusCode).toBe(200);
    expect(outcome(await propose(goodAddress.Ethereum))).toBe('already_decided');
    expect((await offered()).paymentaddress).not.toBe(goodAddress.Ethereum);
    const [change] = await waiting('addresschanges');
    expect(outcome(await post(ada, `addresschanges/${change._id}/confirm`))).toBe('second_operator_needed');
    expect((await post(ben, `addresschanges/${change._id}/confirm`)).statusCode).toBe(200);
    expect(await offered()).toMatchObject({ paymentaddress: goodAddress.Ethereum, sample: false });
  });

  it('a new way in: off until another has agreed, and it cannot be switched on around that', async () => {
    const body = { paymentname: 'Bitcoin, second', network: 'bitcoin', paymentaddress: goodAddress.Bitcoin };
    expect((await post(ada, 'paymentmethods', body)).statusCode).toBe(200);
    expect(outcome(await post(ada, 'paymentmethods', body))).toBe('name_taken');
    const [change] = await waiting('addresschanges');
    expect(change.from).toBeNull();
    const turnOn = () => post(ada, `paymentmethods/${change.methodid}/switch`, { active: true });
    expect(outcome(await turnOn())).toBe('second_operator_needed');
    await post(ben, `addresschanges/${change._id}/discard`);
    expect(outcome(await turnOn())).toBe('second_operator_needed');
    expect((await send(test, 'GET', '/api/funding/fetchpaymentmethod')).body).not.toContain('second');
  });

  it('a higher threshold; a lower one counts at once', async () => {
    expect((await post(ada, 'threshold', { amount: 3_000 })).json().message).toContain('lower');
    expect((await post(ada, 'threshold', { amount: 9_000 })).json().message).toContain('second');
    const [change] = await waiting('thresholdchanges');
    expect(change).toMatchObject({ from: 3_000, to: 9_000 });
    expect(outcome(await post(ada, `thresholdchanges/${change._id}/confirm`))).toBe('second_operator_needed');
    expect((await post(ben, `thresholdchanges/${change._id}/confirm`)).statusCode).toBe(200);
    expect((await press(test, ada, 'GET', 'checklist')).json().threshold).toBe(9_000);
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([2_000, 3_000, 4_000].map((amount) => post(ada, 'threshold', { amount })));
      const { threshold } = (await press(test, ada, 'GET', 'checklist')).json();
      const waits = await waiting('thresholdchanges');
      // However they came in: one that was raised alone would be above one that was set before it.
      expect(threshold).toBe(2_000);
      for (const each of waits) await post(ben, `thresholdchanges/${each._id}/discard`);
    }
  });
});

describe('plans and ways out', () => {
  const draft = { planname: 'Winter', from: 500, to: 4_999, duration: 45, roi: 2.2 };

  it('pressed twice make one plan, one version, one switch', async () => {
    const added = await Promise.all([post(ada, 'plans', draft), post(ben, 'plans', draft)]);
    expect(added.map(outcome).toSorted()).toEqual(['done', 'name_taken']);
    const { plan } = added.find(({ statusCode }) => statusCode === 200)?.json() ?? {};
    const next = { ...draft, roi: 2.1 };
    const replaced = await Promise.all([
      post(ada, `plans/${plan._id}/version`, next),
      post(ben, `plans/${plan._id}/version`, next),
    ]);
    expect(replaced.map(outcome).toSorted()).toEqual(['already_decided', 'done']);
    const { plans } = (await press(test, ada, 'GET', 'plans')).json();
    const [winter, ...others] = plans.filter(({ planname }: { planname: string }) => planname === 'Winter');
    expect([winter, others]).toMatchObject([{ version: 2, roi: 2.1, active: true }, []]);
    const off = () => post(ada, `plans/${winter._id}/switch`, { active: false });
    expect([outcome(await off()), outcome(await off())]).toEqual(['done', 'already_decided']);
    expect(outcome(await post(ada, `plans/${winter._id}/switch`, { active: true }))).toBe('done');
    const ids = plans.map(({ _id }: { _id: string }) => _id).toReversed();
    expect((await post(ada, 'plans/order', { ids })).statusCode).toBe(200);
    const after = (await press(test, ada, 'GET', 'plans')).json().plans;
    expect(after.map(({ _id }: { _id: string }) => _id)).toEqual(ids);
    const { data } = (await send(test, 'GET', '/api/investment/fetchallinvestmentmethod')).json();
    expect(data.map(({ _id }: { _id: string }) => _id)).toEqual(ids);
  });

  it('refuse a range that ends before it begins', async () => {
    const upsideDown = { ...draft, planname: 'Upside down', from: 5_000, to: 500 };
    expect(outcome(await post(ada, 'plans', upsideDown))).toBe('outside_range');
  });

  it('a way out is added once and switched off once', async () => {
    const body = { methodname: 'Bitcoin, slow', network: 'bitcoin' };
    const both = await Promise.all([
      post(ada, 'withdrawalmethods', body),
      post(ben, 'withdrawalmethods', body),
    ]);
    expect(both.map(outcome).toSorted()).toEqual(['done', 'name_taken']);
  });
});
