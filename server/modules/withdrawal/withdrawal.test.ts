import { randomUUID } from 'node:crypto';
import { fetchbalance } from '@tallystick/contract/funding';
import { summary } from '@tallystick/contract/ledger';
import * as calls from '@tallystick/contract/withdrawal';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Asking, answerOf, call, refusal, send, tryCall } from '../../testing/call.ts';
import {
  deposit,
  goodAddress,
  newTxid,
  type Offers,
  operator,
  withdrawalForm,
  withOffers,
} from '../../testing/money.ts';
import { type SignedIn, signedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
let offers: Offers;
let person: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
});
afterAll(() => test.close());

async function someoneNew(): Promise<void> {
  person = await signedIn(test);
  await deposit(test, person.userid, 500);
}

type Wish = Asking<typeof calls.makenewwithdrawal>['body'];
const ask = (change: Partial<Wish> = {}, key?: string) =>
  tryCall(test, calls.makenewwithdrawal, {
    body: withdrawalForm({ offers, who: person }, change),
    as: person,
    key,
  });
/** What the form of our page never sends. */
const sendOddly = async (change: object, token = person.token) => {
  const body = { ...withdrawalForm({ offers, who: person }), ...change };
  const answer = await send(test, 'POST', calls.makenewwithdrawal.path, body, { token });
  return { status: answer.statusCode, ...answer.json() };
};
const cancel = (withdrawalid: string, who = person, key?: string) =>
  tryCall(test, calls.cancelwithdrawal, { params: { withdrawalid }, as: who, key });
const requested = async (change: Partial<Wish> = {}) => answerOf(await ask(change)).withdrawal;
const entries = async () => (await call(test, fetchbalance, { as: person })).balance;
const balance = () => call(test, summary, { as: person });

describe('the withdrawal methods', () => {
  beforeAll(someoneNew);

  it('are listed for everyone with the specified fields', async () => {
    const { data } = await call(test, calls.fetchallwithdrawal);
    expect(data.map(({ methodname }) => methodname)).toEqual(['Bitcoin', 'Ethereum', 'BnB', 'Ripple']);
    expect(data[0]).toEqual({ _id: expect.any(String), methodname: 'Bitcoin', network: 'bitcoin' });
  });

  it('that are switched off are neither listed nor taken', async () => {
    const { withdrawal } = test.context;
    const method = { methodname: 'Ether by post', network: 'ethereum' } as const;
    const { methodId } = await withdrawal.addWithdrawalMethod({ method, actor: operator() });
    const to = { withdrawalid: methodId, withdrawaladdress: goodAddress.Ethereum };
    expect((await ask(to)).status).toBe(200);
    await withdrawal.switchWithdrawalMethod({ methodId, active: false, actor: operator() });
    expect(await ask(to)).toMatchObject({ status: 404, code: 'not_found' });
    expect((await tryCall(test, calls.fetchallwithdrawal)).text).not.toContain('Ether by post');
  });
});

describe('asking for a withdrawal', () => {
  beforeEach(someoneNew);

  it('holds the money at once', async () => {
    const made = await requested({ withdrawalamount: 120.05 });
    expect(made).toEqual({
      _id: expect.any(String),
      transactionid: expect.stringMatching(/^TS-[2-9A-Z]{4}-[2-9A-Z]{4}$/),
      methodname: 'Bitcoin',
      withdrawalamount: 120.05,
      withdrawaladdress: goodAddress.Bitcoin,
      withdrawaltag: null,
      status: 'requested',
      payout: null,
      chaintransactionid: null,
      explorer: null,
      reason: null,
      requestedat: test.clock.now().toISOString(),
      approvedat: null,
      endedat: null,
    });
    expect(await balance()).toMatchObject({
      available: 379.95,
      invested: 0,
      withdrawing: 120.05,
      together: 500,
    });
    expect((await entries())[0]).toMatchObject({
      fundingtype: 'Withdrawal',
      finalBalance: -120.05,
      transactionid: made.transactionid,
    });
  });

  it('works over every network, from the least amount down to the last cent', async () => {
    for (const method of ['Bitcoin', 'Ethereum', 'BnB', 'Ripple'] as const) {
      const withdrawalid = offers.withdrawalMethods[method];
      const to = { withdrawalid, withdrawaladdress: goodAddress[method], withdrawalamount: '10.00' };
      expect((await ask(to)).status, method).toBe(200);
    }
    expect((await ask({ withdrawalamount: 460 })).status).toBe(200);
    expect(await balance()).toMatchObject({ available: 0, withdrawing: 500 });
  });

  it('twenty times at once never holds more than there is', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask()));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(200), ...Array(15).fill(402)]);
    expect(await balance()).toMatchObject({ available: 0, withdrawing: 500, together: 500 });
  });

  it('with the same key again holds once; with another body it is refused with 409', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask({}, 'withdraw-1')));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await balance()).toMatchObject({ available: 400, withdrawing: 100 });
    const other = { withdrawaladdress: 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4' };
    expect(await ask(other, 'withdraw-1')).toMatchObject({ status: 409, code: 'key_reused' });
  });
});

describe('a refusal', () => {
  beforeAll(someoneNew);

  it.each([
    ['an amount of no shape', 400, { withdrawalamount: '1e2' }],
    ['an amount below zero', 400, { withdrawalamount: -100 }],
    ['an amount in fractions of a cent', 400, { withdrawalamount: 100.001 }],
    ['an unknown key', 400, { fee: 0 }],
    ['no address', 400, { withdrawaladdress: '' }],
    ['an address of 121 characters', 400, { withdrawaladdress: 'x'.repeat(121) }],
    ['an address that is no text', 400, { withdrawaladdress: ['x'] }],
    ["someone else's name", 403, { userid: randomUUID() }],
    ['a name that is no id', 403, { userid: 'me' }],
    ['an unknown method', 404, { withdrawalid: 'Bitcoin' }],
    ['a method that never was', 404, { withdrawalid: randomUUID() }],
    ['less than the least', 422, { withdrawalamount: 9.99 }],
    ['an address of another network', 422, { withdrawaladdress: goodAddress.Ethereum }],
    ['a mistyped address', 422, { withdrawaladdress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5' }],
    ['a cent more than there is', 402, { withdrawalamount: 500.01 }],
    ['all the money in the world', 402, { withdrawalamount: 1_000_000_000 }],
  ])('is for %s with %i, and nothing is held', async (_case, status, change) => {
    expect(await sendOddly(change)).toMatchObject({ status, message: expect.stringMatching(/\.$/) });
    expect(await balance()).toMatchObject({ available: 500, withdrawing: 0, entries: 1 });
    const listed = await call(test, calls.fetchwithdrawals, { as: person });
    expect(listed).toMatchObject({ withdrawal: [], total: 0 });
  });

  it('comes in the order 401, 400, 403, 404, 422, 402', async () => {
    const all = {
      userid: randomUUID(),
      withdrawalid: 'nothing',
      withdrawalamount: 1,
      withdrawaladdress: 'nowhere',
    };
    const { userid } = person;
    const withdrawalid = offers.withdrawalMethods.Bitcoin;
    const extra = { ...all, extra: 1 };
    expect(await sendOddly(extra, '')).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(await sendOddly(extra)).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(await ask(all)).toMatchObject({ status: 403, code: 'not_yours' });
    expect(await ask({ ...all, userid })).toMatchObject({ status: 404, code: 'not_found' });
    const mine = { ...all, userid, withdrawalid };
    expect(await ask(mine)).toMatchObject({ status: 422, code: 'outside_range' });
    const tooMuch = { ...mine, withdrawalamount: 600 };
    expect(await ask(tooMuch)).toMatchObject({ status: 422, code: 'address_wrong' });
    const short = await ask({ ...tooMuch, withdrawaladdress: goodAddress.Bitcoin });
    expect(short).toMatchObject({ status: 402, code: 'insufficient_funds' });
  });
});

describe('cancelling', () => {
  beforeEach(someoneNew);

  it('gives the money back to the cent, as an entry of its own', async () => {
    const { _id, transactionid } = await requested({ withdrawalamount: 99.99 });
    expect(answerOf(await cancel(_id)).withdrawal).toMatchObject({
      _id,
      status: 'cancelled',
      reason: null,
      endedat: test.clock.now().toISOString(),
    });
    expect(await balance()).toMatchObject({ available: 500, withdrawing: 0, together: 500, entries: 3 });
    expect((await entries())[0]).toMatchObject({
      fundingtype: 'Withdrawal Returned',
      finalBalance: 99.99,
      reference: transactionid,
    });
  });

  it('pressed twenty times at once has one effect', async () => {
    const { _id } = await requested();
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(_id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    expect(await balance()).toMatchObject({ available: 500, withdrawing: 0, entries: 3 });
  });

  it('with the same key again gives the first answer', async () => {
    const { _id } = await requested();
    const first = await cancel(_id, person, 'cancel-1');
    expect([first.status, (await cancel(_id, person, 'cancel-1')).text]).toEqual([200, first.text]);
  });

  it('finds the withdrawal when its id is sent in capitals', async () => {
    const { _id } = await requested();
    const { withdrawal } = answerOf(await cancel(_id.toUpperCase()));
    expect(withdrawal).toMatchObject({ _id, status: 'cancelled' });
  });

  it('is not possible after approval, and the investor does not learn who approved', async () => {
    const { _id } = await requested();
    await test.context.withdrawal.approveWithdrawal({
      withdrawalId: _id,
      actor: operator(),
      idempotencyKey: null,
    });
    expect(await cancel(_id)).toMatchObject({
      status: 409,
      code: 'already_decided',
      message: 'This withdrawal was approved already.',
    });
    expect(await balance()).toMatchObject({ available: 400, withdrawing: 100 });
  });

  it("of someone else's withdrawal says that there is none, as for one that never was", async () => {
    const { _id } = await requested();
    const other = await signedIn(test);
    const answers = [await cancel(_id, other), await cancel(randomUUID(), other)];
    expect(answers).toMatchObject(Array(2).fill({ status: 404, code: 'not_found' }));
    expect(answers[0]?.text).toBe(answers[1]?.text);
    expect(await cancel('nonsense', other)).toMatchObject({ status: 400, code: 'invalid_request' });
    const nobody = await refusal(test, calls.cancelwithdrawal, { params: { withdrawalid: _id } });
    expect(nobody).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(await balance()).toMatchObject({ withdrawing: 100 });
  });
});

describe('the list of withdrawals', () => {
  beforeAll(someoneNew);

  it('is newest first, five a page, by status, and open means requested or approved', async () => {
    const { withdrawal } = test.context;
    const made: calls.Withdrawal[] = [];
    for (let amount = 11; amount <= 17; amount += 1) {
      test.clock.advance(1000);
      made.unshift(await requested({ withdrawalamount: amount }));
    }
    const ids = made.map(({ _id }) => _id) as [string, string, string, string, ...string[]];
    const act = (withdrawalId: string) => ({ withdrawalId, actor: operator(), idempotencyKey: null });
    await withdrawal.approveWithdrawal(act(ids[0]));
    await withdrawal.approveWithdrawal(act(ids[1]));
    await withdrawal.markWithdrawalPaid({ ...act(ids[1]), chainTxid: newTxid() });
    await withdrawal.rejectWithdrawal({ ...act(ids[2]), reason: 'Ask again.' });
    await cancel(ids[3]);
    const list = async (query: Asking<typeof calls.fetchwithdrawals>['query'] = {}, who = person) => {
      const { withdrawal: shown, ...rest } = await call(test, calls.fetchwithdrawals, { query, as: who });
      return { ids: shown.map(({ _id }) => _id), ...rest };
    };
    expect(await list()).toEqual({ ids: ids.slice(0, 5), page: 1, pages: 2, total: 7 });
    expect(await list({ page: 2 })).toEqual({ ids: ids.slice(5), page: 2, pages: 2, total: 7 });
    expect(await list({ page: 9 })).toEqual({ ids: [], page: 9, pages: 2, total: 7 });
    const [approved, paid, rejected, cancelled, ...open] = ids;
    expect(await list({ status: 'open' })).toMatchObject({ ids: [approved, ...open], total: 4 });
    expect(await list({ status: 'requested' })).toMatchObject({ ids: open, total: 3 });
    expect(await list({ status: 'approved' })).toMatchObject({ ids: [approved], total: 1 });
    expect(await list({ status: 'paid' })).toMatchObject({ ids: [paid] });
    expect(await list({ status: 'rejected' })).toMatchObject({ ids: [rejected] });
    expect(await list({ status: 'cancelled' })).toMatchObject({ ids: [cancelled] });
    const { token } = person;
    const odd = await send(test, 'GET', `${calls.fetchwithdrawals.path}?status=lost`, undefined, { token });
    expect(odd.json()).toMatchObject({ code: 'invalid_request' });
    expect((await list({}, await signedIn(test))).total).toBe(0);
  });
});
