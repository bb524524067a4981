import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deposit, goodAddress, newTxid, type Offers, operator, withOffers } from '../../testing/money.ts';
import { type SignedIn, send, signedIn } from '../../testing/people.ts';
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

const ask = (body: object, headers: Record<string, string> = {}, who: SignedIn | null = person) =>
  send(test, 'POST', '/api/withdrawal/makenewwithdrawal', body, {
    ...(who && { token: who.token }),
    headers,
  });
const wish = (change: object = {}) => ({
  userid: person.userid,
  withdrawalid: offers.withdrawalMethods.Bitcoin,
  withdrawalamount: 100,
  withdrawaladdress: goodAddress.Bitcoin,
  ...change,
});
const get = async (path: string, who = person) =>
  (await send(test, 'GET', path, undefined, { token: who.token })).json();
const cancel = (id: string, who = person, headers: Record<string, string> = {}) =>
  send(test, 'POST', `/api/withdrawal/cancelwithdrawal/${id}`, undefined, { token: who.token, headers });
const requested = async (change: object = {}) => (await ask(wish(change))).json().withdrawal;
const entries = async () => (await get('/api/funding/fetchbalance')).balance;
const balance = () => get('/api/ledger/summary');
const wrong = (answer: { statusCode: number; json(): { code: string } }) => [
  answer.statusCode,
  answer.json().code,
];

describe('the withdrawal methods', () => {
  beforeAll(someoneNew);

  it('are listed for everyone with the specified fields', async () => {
    const { data } = (await send(test, 'GET', '/api/withdrawal/fetchallwithdrawal')).json();
    expect(data.map(({ methodname }: { methodname: string }) => methodname)).toEqual([
      'Bitcoin',
      'Ethereum',
      'BnB',
      'Ripple',
    ]);
    expect(data[0]).toEqual({ _id: expect.any(String), methodname: 'Bitcoin', network: 'bitcoin' });
  });

  it('that are switched off are neither listed nor taken', async () => {
    const { withdrawal } = test.context;
    const method = { methodname: 'Ether by post', network: 'ethereum' } as const;
    const { methodId } = await withdrawal.addWithdrawalMethod({ method, actor: operator() });
    const body = wish({ withdrawalid: methodId, withdrawaladdress: goodAddress.Ethereum });
    expect((await ask(body)).statusCode).toBe(200);
    await withdrawal.switchWithdrawalMethod({ methodId, active: false, actor: operator() });
    expect(wrong(await ask(body))).toEqual([404, 'not_found']);
    const { body: listed } = await send(test, 'GET', '/api/withdrawal/fetchallwithdrawal');
    expect(listed).not.toContain('Ether by post');
  });
});

describe('asking for a withdrawal', () => {
  beforeEach(someoneNew);

  it('holds the money at once', async () => {
    const answer = await ask(wish({ withdrawalamount: 120.05 }));
    expect(answer.statusCode).toBe(200);
    expect(answer.json().withdrawal).toEqual({
      _id: expect.any(String),
      transactionid: expect.stringMatching(/^TS-[2-9A-Z]{4}-[2-9A-Z]{4}$/),
      methodname: 'Bitcoin',
      withdrawalamount: 120.05,
      withdrawaladdress: goodAddress.Bitcoin,
      status: 'requested',
      chaintransactionid: null,
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
      transactionid: answer.json().withdrawal.transactionid,
    });
  });

  it('works over every network, from the least amount down to the last cent', async () => {
    for (const [method, withdrawaladdress] of Object.entries(goodAddress)) {
      const withdrawalid = offers.withdrawalMethods[method];
      const body = wish({ withdrawalid, withdrawaladdress, withdrawalamount: '10.00' });
      expect((await ask(body)).statusCode, method).toBe(200);
    }
    expect((await ask(wish({ withdrawalamount: 460 }))).statusCode).toBe(200);
    expect(await balance()).toMatchObject({ available: 0, withdrawing: 500 });
  });

  it('twenty times at once never holds more than there is', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(wish())));
    const statuses = answers.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([...Array(5).fill(200), ...Array(15).fill(402)]);
    expect(await balance()).toMatchObject({ available: 0, withdrawing: 500, together: 500 });
  });

  it('with the same key again holds once; with another body it is refused with 409', async () => {
    const headers = { 'idempotency-key': 'withdraw-1' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(wish(), headers)));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(await balance()).toMatchObject({ available: 400, withdrawing: 100 });
    const other = { withdrawaladdress: 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4' };
    expect(wrong(await ask(wish(other), headers))).toEqual([409, 'key_reused']);
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
    const answer = await ask(wish(change));
    expect([answer.statusCode, answer.json().message]).toEqual([status, expect.stringMatching(/\.$/)]);
    expect(await balance()).toMatchObject({ available: 500, withdrawing: 0, entries: 1 });
    expect(await get('/api/withdrawal/fetchwithdrawals')).toMatchObject({ withdrawal: [], total: 0 });
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
    expect(wrong(await ask({ ...all, extra: 1 }, {}, null))).toEqual([401, 'unauthenticated']);
    expect(wrong(await ask({ ...all, extra: 1 }))).toEqual([400, 'invalid_request']);
    expect(wrong(await ask(all))).toEqual([403, 'not_yours']);
    expect(wrong(await ask({ ...all, userid }))).toEqual([404, 'not_found']);
    expect(wrong(await ask({ ...all, userid, withdrawalid }))).toEqual([422, 'outside_range']);
    const tooMuch = { ...all, userid, withdrawalid, withdrawalamount: 600 };
    expect(wrong(await ask(tooMuch))).toEqual([422, 'address_wrong']);
    expect(wrong(await ask({ ...tooMuch, withdrawaladdress: goodAddress.Bitcoin }))).toEqual([
      402,
      'insufficient_funds',
    ]);
  });
});

describe('cancelling', () => {
  beforeEach(someoneNew);

  it('gives the money back to the cent, as an entry of its own', async () => {
    const { _id, transactionid } = await requested({ withdrawalamount: 99.99 });
    const answer = await cancel(_id);
    expect(answer.statusCode).toBe(200);
    expect(answer.json().withdrawal).toMatchObject({
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
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(19).fill(409)]);
    expect(await balance()).toMatchObject({ available: 500, withdrawing: 0, entries: 3 });
  });

  it('with the same key again gives the first answer', async () => {
    const { _id } = await requested();
    const headers = { 'idempotency-key': 'cancel-1' };
    const first = await cancel(_id, person, headers);
    expect([first.statusCode, (await cancel(_id, person, headers)).body]).toEqual([200, first.body]);
  });

  it('finds the withdrawal when its id is sent in capitals', async () => {
    const { _id } = await requested();
    expect((await cancel(_id.toUpperCase())).json().withdrawal).toMatchObject({ _id, status: 'cancelled' });
  });

  it('is not possible after approval, and the investor does not learn who approved', async () => {
    const { _id } = await requested();
    await test.context.withdrawal.approveWithdrawal({
      withdrawalId: _id,
      actor: operator(),
      idempotencyKey: null,
    });
    const answer = await cancel(_id);
    expect(wrong(answer)).toEqual([409, 'already_decided']);
    expect(answer.json().message).toBe('This withdrawal was approved already.');
    expect(await balance()).toMatchObject({ available: 400, withdrawing: 100 });
  });

  it("of someone else's withdrawal says that there is none, as for one that never was", async () => {
    const { _id } = await requested();
    const other = await signedIn(test);
    const answers = [await cancel(_id, other), await cancel(randomUUID(), other)];
    expect(answers.map(wrong)).toEqual(Array(2).fill([404, 'not_found']));
    expect(answers[0]?.body).toBe(answers[1]?.body);
    expect(wrong(await cancel('nonsense', other))).toEqual([400, 'invalid_request']);
    const nobody = await send(test, 'POST', `/api/withdrawal/cancelwithdrawal/${_id}`);
    expect(wrong(nobody)).toEqual([401, 'unauthenticated']);
    expect(await balance()).toMatchObject({ withdrawing: 100 });
  });
});

describe('the list of withdrawals', () => {
  beforeAll(someoneNew);

  it('is newest first, five a page, by status, and open means requested or approved', async () => {
    const { withdrawal } = test.context;
    const made: { _id: string }[] = [];
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
    const list = async (query: string) => {
      const { withdrawal: shown, ...rest } = await get(`/api/withdrawal/fetchwithdrawals${query}`);
      return { ids: shown.map(({ _id }: { _id: string }) => _id), ...rest };
    };
    expect(await list('')).toEqual({ ids: ids.slice(0, 5), page: 1, pages: 2, total: 7 });
    expect(await list('?page=2')).toEqual({ ids: ids.slice(5), page: 2, pages: 2, total: 7 });
    expect(await list('?page=9')).toEqual({ ids: [], page: 9, pages: 2, total: 7 });
    const [approved, paid, rejected, cancelled, ...open] = ids;
    expect(await list('?status=open')).toMatchObject({ ids: [approved, ...open], total: 4 });
    expect(await list('?status=requested')).toMatchObject({ ids: open, total: 3 });
    expect(await list('?status=approved')).toMatchObject({ ids: [approved], total: 1 });
    expect(await list('?status=paid')).toMatchObject({ ids: [paid] });
    expect(await list('?status=rejected')).toMatchObject({ ids: [rejected] });
    expect(await list('?status=cancelled')).toMatchObject({ ids: [cancelled] });
    expect(await get('/api/withdrawal/fetchwithdrawals?status=lost')).toMatchObject({
      code: 'invalid_request',
    });
    const other = await signedIn(test);
    expect((await get('/api/withdrawal/fetchwithdrawals', other)).total).toBe(0);
  });
});
