import { randomUUID } from 'node:crypto';
import type { CallAnswer } from '@tallystick/contract/call';
import { fetchpaymentmethod } from '@tallystick/contract/funding';
import { fetchallinvestmentmethod } from '@tallystick/contract/investment';
import { summary } from '@tallystick/contract/ledger';
import * as checklist from '@tallystick/contract/operator/checklist';
import { proposecorrection } from '@tallystick/contract/operator/investors';
import * as methods from '@tallystick/contract/operator/methods';
import * as plans from '@tallystick/contract/operator/plans';
import { corrections, queue } from '@tallystick/contract/operator/queue';
import { me } from '@tallystick/contract/operator/session';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asking, answerOf, call, tryCall } from '../../../testing/call.ts';
import { deposit, goodAddress, withOffers } from '../../../testing/money.ts';
import { accountsOf, type Operator, signedInAgain, signedInOperator } from '../../../testing/operators.ts';
import { type SignedIn, signedIn } from '../../../testing/people.ts';
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

const available = async () => (await call(test, summary, { as: investor })).available;
const codesOf = (replies: { code: string }[]) => replies.map(({ code }) => code).toSorted();
const board = () => call(test, checklist.checklist, { as: ada });
const methodCalled = async (name: string) => {
  const { paymentmethods } = await call(test, methods.paymentmethods, { as: ada });
  return paymentmethods.find(({ paymentname }) => paymentname === name)?._id ?? '';
};

const waits = {
  corrections,
  boundschanges: checklist.boundschanges,
  addresschanges: methods.addresschanges,
  planproposals: plans.planproposals,
};
type Kind = keyof typeof waits;
/** What waits, the oldest first; there is at least one. */
async function waiting<K extends Kind>(kind: K) {
  const all: CallAnswer<typeof queue>[K][number][] = (await call(test, queue, { as: ada }))[kind];
  const [first, ...more] = all;
  if (!first) throw new Error(`no ${kind} wait`);
  return { first, more };
}
const agree = (as: Operator, kind: Kind, { _id: id }: { _id: string }) =>
  tryCall(test, waits[kind].confirm, { params: { id }, as });
const drop = (as: Operator, kind: Kind, { _id: id }: { _id: string }) =>
  tryCall(test, waits[kind].discard, { params: { id }, as });
type Correction = Asking<typeof proposecorrection>['body'];
const correct = (as: Operator, id: string, body: Correction, key?: string) =>
  tryCall(test, proposecorrection, { params: { id }, body, as, key });
const oneDollar: Correction = { direction: 'add', amount: 1, reason: 'Only a try.' };
const proposeBounds = (as: Operator, body: Asking<typeof checklist.proposebounds>['body']) =>
  tryCall(test, checklist.proposebounds, { body, as });
const proposeAddress = (as: Operator, id: string, paymentaddress: string) =>
  tryCall(test, methods.proposeaddress, { params: { id }, body: { paymentaddress }, as });

describe('what waits for a second operator', () => {
  it('a correction: asked once however often it is pressed, posted by another, seen as such by the investor', async () => {
    const body = { direction: 'take', amount: 1.25, reason: 'A deposit was counted twice.' } as const;
    const key = randomUUID();
    const press = () => correct(ada, investor.userid, body, key);
    await Promise.all([press(), press()]);
    const { first, more } = await waiting('corrections');
    expect([first, more]).toMatchObject([{ amount: -1.25, askedby: ada.name }, []]);
    const before = await available();
    const confirm = (who: Operator) => agree(who, 'corrections', first);
    expect((await confirm(ada)).code).toBe('second_operator_needed');
    const all = await Promise.all([confirm(ben), confirm(ben), drop(ada, 'corrections', first)]);
    expect(codesOf(all).filter((each) => each === 'done').length).toBe(1);
    const posted = all[2].status !== 200;
    expect(await available()).toBe(posted ? Math.round((before - 1.25) * 100) / 100 : before);
    expect((await call(test, queue, { as: ada })).corrections).toEqual([]);
  });

  it('a correction of nobody’s wallet, or beyond what it holds, is refused', async () => {
    const body = { direction: 'take', amount: 1, reason: 'Nobody there.' } as const;
    expect((await correct(ada, randomUUID(), body)).code).toBe('not_found');
    const poor = await signedIn(test);
    await correct(ada, poor.userid, body);
    const { first } = await waiting('corrections');
    expect((await agree(ben, 'corrections', first)).code).toBe('insufficient_funds');
    expect((await drop(ben, 'corrections', first)).status).toBe(200);
  });

  it('a payment address: checked for its network, shown to investors only once another has agreed', async () => {
    const offered = async () =>
      (await call(test, fetchpaymentmethod)).data.find(({ paymentname }) => paymentname === 'Ethereum');
    const id = await methodCalled('Ethereum');
    expect((await proposeAddress(ada, id, goodAddress.Bitcoin)).code).toBe('address_wrong');
    expect((await proposeAddress(ada, id, goodAddress.Ethereum)).status).toBe(200);
    expect((await proposeAddress(ada, id, goodAddress.Ethereum)).code).toBe('already_decided');
    expect((await offered())?.paymentaddress).not.toBe(goodAddress.Ethereum);
    const { first } = await waiting('addresschanges');
    expect((await agree(ada, 'addresschanges', first)).code).toBe('second_operator_needed');
    expect((await agree(ben, 'addresschanges', first)).status).toBe(200);
    expect(await offered()).toMatchObject({ paymentaddress: goodAddress.Ethereum, sample: false });
  });

  it('a new way in: off until another has agreed, and it cannot be switched on around that', async () => {
    const paymentaddress = goodAddress.Bitcoin;
    const body = { paymentname: 'Bitcoin, second', network: 'bitcoin', paymentaddress } as const;
    const add = () => tryCall(test, methods.addpaymentmethod, { body, as: ada });
    expect((await add()).status).toBe(200);
    expect((await add()).code).toBe('name_taken');
    const { first } = await waiting('addresschanges');
    expect(first.from).toBeNull();
    const on = { params: { id: first.methodid }, body: { active: true }, as: ada };
    expect((await tryCall(test, methods.switchpaymentmethod, on)).code).toBe('second_operator_needed');
    await drop(ben, 'addresschanges', first);
    expect((await tryCall(test, methods.switchpaymentmethod, on)).code).toBe('second_operator_needed');
    expect((await tryCall(test, fetchpaymentmethod)).text).not.toContain('second');
  });

  it('other bounds, narrower ones too: one waits at a time, and it counts once another has agreed', async () => {
    const { bounds } = await board();
    expect(bounds).toEqual({
      threshold: 5_000,
      chainthreshold: 10_000,
      roiperday: 0.5,
      daysmin: 7,
      daysmax: 365,
      planmax: 100_000,
    });
    expect((await proposeBounds(ada, bounds)).code).toBe('already_decided');
    const upsideDown = { ...bounds, daysmin: 30, daysmax: 7 };
    expect((await proposeBounds(ada, upsideDown)).code).toBe('invalid_request');
    const both = await Promise.all([
      proposeBounds(ada, { ...bounds, threshold: 3_000, chainthreshold: 7_000, planmax: 50_000 }),
      proposeBounds(ben, { ...bounds, threshold: 1 }),
    ]);
    expect(codesOf(both)).toEqual(['already_decided', 'done']);
    const [asker, other] = both[0].status === 200 ? [ada, ben] : [ben, ada];
    expect((await board()).bounds).toEqual(bounds);
    const { first: change } = await waiting('boundschanges');
    expect(change).toMatchObject({ from: bounds, askedby: asker.name, askedbyid: asker.id });
    expect((await board()).boundschange).toEqual(change);
    const confirm = (who: Operator) => agree(who, 'boundschanges', change);
    expect((await confirm(asker)).code).toBe('second_operator_needed');
    const pressed = await Promise.all([confirm(other), confirm(other), drop(asker, 'boundschanges', change)]);
    expect(codesOf(pressed)).toEqual(['already_decided', 'already_decided', 'done']);
    const agreed = pressed[2].status !== 200;
    expect((await board()).bounds).toEqual(agreed ? change.to : bounds);
    expect((await call(test, queue, { as: ada })).boundschanges).toEqual([]);
    const sql = "update bounds set asked_by = 'x' where id = $1";
    await expect(test.context.owner.query(sql, [change._id])).rejects.toThrow('has ended');
  });

  it('nobody agrees in another session of their own: people are compared, not sessions', async () => {
    const { operator } = await call(test, me, { as: ada });
    const elsewhere = await signedInAgain(test, ada);
    expect((await call(test, me, { as: elsewhere })).operator).toEqual(operator);
    await correct(ada, investor.userid, oneDollar);
    await proposeBounds(ada, { ...(await board()).bounds, threshold: 4_321 });
    for (const kind of ['corrections', 'boundschanges'] as const) {
      const { first } = await waiting(kind);
      expect((await agree(elsewhere, kind, first)).code).toBe('second_operator_needed');
      expect((await drop(elsewhere, kind, first)).code).toBe('done');
    }
  });

  it('what somebody asked for who was disabled since: nobody can agree to it, only drop it', async () => {
    const gone = await signedInOperator(test);
    await correct(gone, investor.userid, oneDollar);
    await proposeBounds(gone, { ...(await board()).bounds, threshold: 4_321 });
    await proposeAddress(gone, await methodCalled('BnB'), goodAddress.BnB);
    const greedy = { planname: 'Gone', from: 100, to: 200, duration: 1, roi: 1 };
    await call(test, plans.addplan, { body: greedy, as: gone });
    await accountsOf(test).disableOperator({ email: gone.email });
    for (const kind of ['corrections', 'boundschanges', 'addresschanges', 'planproposals'] as const) {
      const { first } = await waiting(kind);
      const refused = await agree(ben, kind, first);
      expect([kind, refused.code]).toEqual([kind, 'second_operator_needed']);
      expect(refused.text).toContain(`${gone.name} is an operator no more.`);
      expect([kind, (await drop(ben, kind, first)).code]).toEqual([kind, 'done']);
    }
  });
});

describe('plans and ways out', () => {
  const draft = { planname: 'Winter', from: 500, to: 4_999, duration: 45, roi: 2.2 };
  const addPlan = (as: Operator, body: typeof draft) => tryCall(test, plans.addplan, { body, as });

  it('pressed twice make one plan, one version, one switch', async () => {
    const added = await Promise.all([addPlan(ada, draft), addPlan(ben, draft)]);
    expect(codesOf(added)).toEqual(['done', 'name_taken']);
    const made = added.find(({ code }) => code === 'done') ?? added[0];
    const params = { id: answerOf(made).plan?._id ?? '' };
    const next = { ...draft, roi: 2.1 };
    const replaced = await Promise.all(
      [ada, ben].map((as) => tryCall(test, plans.replaceplan, { params, body: next, as })),
    );
    expect(codesOf(replaced)).toEqual(['already_decided', 'done']);
    const listed = async () => (await call(test, plans.plans, { as: ada })).plans;
    const before = await listed();
    const [winter, ...others] = before.filter(({ planname }) => planname === 'Winter');
    expect([winter, others]).toMatchObject([{ version: 2, roi: 2.1, active: true }, []]);
    const turn = async (active: boolean) =>
      (
        await tryCall(test, plans.switchplan, {
          params: { id: winter?._id ?? '' },
          body: { active },
          as: ada,
        })
      ).code;
    expect([await turn(false), await turn(false)]).toEqual(['done', 'already_decided']);
    expect(await turn(true)).toBe('done');
    const ids = before.map(({ _id }) => _id).toReversed();
    expect((await tryCall(test, plans.orderplans, { body: { ids }, as: ada })).status).toBe(200);
    expect((await listed()).map(({ _id }) => _id)).toEqual(ids);
    const { data } = await call(test, fetchallinvestmentmethod);
    expect(data.map(({ _id }) => _id)).toEqual(ids);
  });

  it('refuse a range that ends before it begins', async () => {
    const upsideDown = { ...draft, planname: 'Upside down', from: 5_000, to: 500 };
    expect((await addPlan(ada, upsideDown)).code).toBe('outside_range');
  });

  it('a way out is added once and switched off once', async () => {
    const body = { methodname: 'Bitcoin, slow', network: 'bitcoin' } as const;
    const both = await Promise.all(
      [ada, ben].map((as) => tryCall(test, methods.addwithdrawalmethod, { body, as })),
    );
    expect(codesOf(both)).toEqual(['done', 'name_taken']);
  });
});
