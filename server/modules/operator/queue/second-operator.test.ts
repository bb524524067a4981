import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deposit, goodAddress, withOffers } from '../../../testing/money.ts';
import {
  accountsOf,
  type Operator,
  press,
  signedInAgain,
  signedInOperator,
} from '../../../testing/operators.ts';
import { type SignedIn, send, signedIn } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';

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

  it('other bounds, narrower ones too: one waits at a time, and it counts once another has agreed', async () => {
    const now = async () => (await press(test, ada, 'GET', 'checklist')).json();
    const { bounds } = await now();
    expect(bounds).toEqual({ threshold: 5_000, roiperday: 0.5, daysmin: 7, daysmax: 365, planmax: 100_000 });
    expect(outcome(await post(ada, 'bounds', bounds))).toBe('already_decided');
    const upsideDown = { ...bounds, daysmin: 30, daysmax: 7 };
    expect(outcome(await post(ada, 'bounds', upsideDown))).toBe('invalid_request');
    const narrower = { ...bounds, threshold: 3_000, planmax: 50_000 };
    const both = await Promise.all([
      post(ada, 'bounds', narrower),
      post(ben, 'bounds', { ...bounds, threshold: 1 }),
    ]);
    expect(both.map(outcome).toSorted()).toEqual(['already_decided', 'done']);
    const first = both[0]?.statusCode === 200 ? ada : ben;
    const second = first === ada ? ben : ada;
    expect((await now()).bounds).toEqual(bounds);
    const [change] = await waiting('boundschanges');
    expect(change).toMatchObject({ from: bounds, askedby: first.name, askedbyid: first.id });
    expect((await now()).boundschange).toEqual(change);
    const confirm = (who: Operator) => post(who, `boundschanges/${change._id}/confirm`);
    expect(outcome(await confirm(first))).toBe('second_operator_needed');
    const pressed = await Promise.all([
      confirm(second),
      confirm(second),
      post(first, `boundschanges/${change._id}/discard`),
    ]);
    expect(pressed.map(outcome).toSorted()).toEqual(['already_decided', 'already_decided', 'done']);
    const agreed = pressed[2]?.statusCode !== 200;
    expect((await now()).bounds).toEqual(agreed ? change.to : bounds);
    expect(await waiting('boundschanges')).toEqual([]);
    const sql = "update bounds set asked_by = 'x' where id = $1";
    await expect(test.context.owner.query(sql, [change._id])).rejects.toThrow('has ended');
  });

  it('nobody agrees in another session of their own: people are compared, not sessions', async () => {
    const again = await press(test, ada, 'GET', 'me');
    const elsewhere = { ...ada, cookies: (await signedInAgain(test, ada)).cookies };
    expect((await press(test, elsewhere, 'GET', 'me')).json().operator).toEqual(again.json().operator);
    const body = { direction: 'add', amount: 1, reason: 'Only a try.' };
    await post(ada, `investors/${investor.userid}/correction`, body);
    const [correction] = await waiting('corrections');
    const { bounds } = (await press(test, ada, 'GET', 'checklist')).json();
    await post(ada, 'bounds', { ...bounds, threshold: 4_321 });
    const [change] = await waiting('boundschanges');
    const paths = [`corrections/${correction._id}`, `boundschanges/${change._id}`];
    for (const path of paths) {
      expect(outcome(await post(elsewhere, `${path}/confirm`))).toBe('second_operator_needed');
      expect(outcome(await post(elsewhere, `${path}/discard`))).toBe('done');
    }
  });

  it('what somebody asked for who was disabled since: nobody can agree to it, only drop it', async () => {
    const gone = await signedInOperator(test);
    const body = { direction: 'add', amount: 1, reason: 'Only a try.' };
    await post(gone, `investors/${investor.userid}/correction`, body);
    const { bounds } = (await press(test, ada, 'GET', 'checklist')).json();
    await post(gone, 'bounds', { ...bounds, threshold: 4_321 });
    const { paymentmethods } = (await press(test, ada, 'GET', 'paymentmethods')).json();
    const method = paymentmethods.find(({ paymentname }: { paymentname: string }) => paymentname === 'BnB');
    const address = { paymentaddress: goodAddress.BnB };
    await post(gone, `paymentmethods/${method._id}/address`, address);
    await post(gone, 'plans', { planname: 'Gone', from: 100, to: 200, duration: 1, roi: 1 });
    await accountsOf(test).disableOperator({ email: gone.email });
    const { corrections, boundschanges, addresschanges, planproposals } = await queue();
    const all = { corrections, boundschanges, addresschanges, planproposals };
    for (const [kind, [asked]] of Object.entries(all)) {
      const refused = await post(ben, `${kind}/${asked._id}/confirm`);
      expect([kind, outcome(refused)]).toEqual([kind, 'second_operator_needed']);
      expect(refused.json().message).toContain(`${gone.name} is an operator no more.`);
      expect([kind, outcome(await post(ben, `${kind}/${asked._id}/discard`))]).toEqual([kind, 'done']);
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
