import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deposit, goodAddress, type Offers, withOffers } from '../../testing/money.ts';
import { type Operator, press, signedInOperator } from '../../testing/operators.ts';
import { type SignedIn, send, signedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
let offers: Offers;
let ada: Operator;
let ben: Operator;
let investor: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
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

async function askToFund(amount: number): Promise<string> {
  const body = { fundingtypename: 'Bitcoin', amount };
  const answer = await send(test, 'POST', '/api/funding/addbalance', body, { token: investor.token });
  return answer.json().request._id;
}

async function askToWithdraw(amount: number): Promise<string> {
  const body = {
    userid: investor.userid,
    withdrawalid: offers.withdrawalMethods.Bitcoin,
    withdrawalamount: amount,
    withdrawaladdress: goodAddress.Bitcoin,
  };
  const answer = await send(test, 'POST', '/api/withdrawal/makenewwithdrawal', body, {
    token: investor.token,
  });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json().withdrawal._id;
}

const received = (amount: number) => ({
  received: amount,
  network: 'bitcoin',
  chaintransactionid: randomUUID(),
});

describe('a deposit in the queue', () => {
  it('shows what is needed to decide, and is credited with what was received', async () => {
    const id = await askToFund(250);
    const shown = (await queue()).deposits.find(({ _id }: { _id: string }) => _id === id);
    expect(shown).toMatchObject({
      amount: 250,
      fundingtype: 'Bitcoin',
      confirmedbefore: 1,
      largestbefore: 50_000,
      coinamount: expect.stringMatching(/^0\.\d{6}$/),
    });
    const before = await available();
    expect((await post(ada, `deposits/${id}/confirm`, received(249.99))).statusCode).toBe(200);
    expect(await available()).toBe(Math.round((before + 249.99) * 100) / 100);
    expect((await queue()).deposits.map(({ _id }: { _id: string }) => _id)).not.toContain(id);
    await vi.waitFor(async () => {
      const letters = await test.mailbox.letters(investor.email);
      expect(letters.map(({ text }) => text)).toContainEqual(expect.stringContaining('$249.99'));
    });
  });

  it('is decided once when both press at once, and the second is told by name who was first', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await askToFund(100);
      const before = await available();
      const both = await Promise.all([
        post(ada, `deposits/${id}/confirm`, received(100)),
        post(ben, `deposits/${id}/confirm`, received(100)),
      ]);
      expect(both.map(outcome).toSorted()).toEqual(['already_decided', 'done']);
      const [first, second] = both[0]?.statusCode === 200 ? [ada, both[1]] : [ben, both[0]];
      expect(second?.json().message).toContain(first.name);
      expect(await available()).toBe(before + 100);
    }
  });

  it('that is rejected needs a reason, moves nothing, and tells the investor why', async () => {
    const id = await askToFund(75);
    const before = await available();
    expect((await post(ada, `deposits/${id}/reject`, { reason: '  ' })).statusCode).toBe(400);
    expect((await post(ada, `deposits/${id}/reject`, { reason: 'Nothing arrived.' })).statusCode).toBe(200);
    expect(await available()).toBe(before);
    await vi.waitFor(async () => {
      const letters = await test.mailbox.letters(investor.email);
      expect(letters.map(({ text }) => text)).toContainEqual(expect.stringContaining('Nothing arrived.'));
    });
  });
});

describe('a withdrawal in the queue', () => {
  it('below the threshold is approved by one and paid by another', async () => {
    const id = await askToWithdraw(400);
    const before = await available();
    expect((await post(ada, `withdrawals/${id}/pay`, { chaintransactionid: 'too-early' })).statusCode).toBe(
      409,
    );
    expect((await post(ada, `withdrawals/${id}/approve`)).json().status).toBe('approved');
    const paid = await post(ben, `withdrawals/${id}/pay`, { chaintransactionid: randomUUID() });
    expect(paid.statusCode).toBe(200);
    expect(await available()).toBe(before);
  });

  it('above the threshold needs two different operators, whoever presses how often', async () => {
    const id = await askToWithdraw(5_000.01);
    const shown = async () => (await queue()).withdrawals.find(({ _id }: { _id: string }) => _id === id);
    expect(await shown()).toMatchObject({ approvalsneeded: 2, approvals: [] });
    expect((await post(ada, `withdrawals/${id}/approve`)).json().status).toBe('requested');
    expect(outcome(await post(ada, `withdrawals/${id}/approve`))).toBe('second_operator_needed');
    expect(outcome(await post(ada, `withdrawals/${id}/pay`, { chaintransactionid: randomUUID() }))).toBe(
      'already_decided',
    );
    expect((await shown()).approvals).toMatchObject([{ name: ada.name }]);
    expect((await post(ben, `withdrawals/${id}/approve`)).json().status).toBe('approved');
    expect((await shown()).approvals).toMatchObject([{ name: ada.name }, { name: ben.name }]);
    await expect(
      test.context.owner.query('update withdrawals set approved_by = first_approved_by where id = $1', [id]),
    ).rejects.toThrow('check');
  });

  it('that is approved twice by both at once is approved by two, never by one twice', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await askToWithdraw(6_000);
      const presses = [ada, ada, ben, ben].map((who) => post(who, `withdrawals/${id}/approve`));
      const done = (await Promise.all(presses)).filter(({ statusCode }) => statusCode === 200);
      expect(done.map((answer) => answer.json().status).toSorted()).toEqual(['approved', 'requested']);
      await post(ada, `withdrawals/${id}/reject`, { reason: 'Only a try.' });
    }
  });

  it('that is rejected gives the money back to the cent', async () => {
    const before = await available();
    const id = await askToWithdraw(123.45);
    expect(await available()).toBe(Math.round((before - 123.45) * 100) / 100);
    await post(ben, `withdrawals/${id}/reject`, {
      reason: 'The address belongs to an exchange that closed.',
    });
    expect(await available()).toBe(before);
  });

  it('of a frozen investor can be neither asked for, approved nor paid, but rejected', async () => {
    const [open, approved] = [await askToWithdraw(20), await askToWithdraw(30)];
    await post(ada, `withdrawals/${approved}/approve`);
    const reason = 'A stolen phone was reported.';
    expect((await post(ada, `investors/${investor.userid}/freeze`, { reason })).statusCode).toBe(200);
    expect(outcome(await post(ben, `investors/${investor.userid}/freeze`, { reason }))).toBe(
      'already_decided',
    );
    expect((await queue()).withdrawals.find(({ _id }: { _id: string }) => _id === open).frozen).toBe(reason);
    expect(outcome(await post(ada, `withdrawals/${open}/approve`))).toBe('withdrawals_frozen');
    expect(
      outcome(await post(ada, `withdrawals/${approved}/pay`, { chaintransactionid: randomUUID() })),
    ).toBe('withdrawals_frozen');
    await expect(askToWithdraw(10)).rejects.toThrow('paused');
    for (const id of [open, approved]) {
      expect((await post(ada, `withdrawals/${id}/reject`, { reason: 'Frozen.' })).statusCode).toBe(200);
    }
    await post(ben, `investors/${investor.userid}/unfreeze`, { reason: 'It was found.' });
    await post(ada, `withdrawals/${await askToWithdraw(10)}/reject`, { reason: 'Only a try.' });
  });
});

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
