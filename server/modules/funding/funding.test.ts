import { randomUUID } from 'node:crypto';
import * as calls from '@tallystick/contract/funding';
import { summary } from '@tallystick/contract/ledger';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asking, answerOf, call, refusal, send, tryCall } from '../../testing/call.ts';
import { operator, withOffers } from '../../testing/money.ts';
import { type SignedIn, signedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
let person: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  await withOffers(test);
  person = await signedIn(test);
});
afterAll(() => test.close());

const bitcoin = (amount: number | string) => ({ fundingtypename: 'Bitcoin', amount });
const ask = (body: Asking<typeof calls.addbalance>['body'], key?: string, who = person) =>
  tryCall(test, calls.addbalance, { body, as: who, key });
const asked = async (body: Asking<typeof calls.addbalance>['body'], who = person) =>
  answerOf(await ask(body, undefined, who)).request;
/** What the form of our page never sends. */
const sendOddly = async (body: object, token = person.token) => {
  const answer = await send(test, 'POST', calls.addbalance.path, body, { token });
  return { status: answer.statusCode, code: answer.json().code };
};
const requestsOf = (who: SignedIn, query: Asking<typeof calls.fetchrequests>['query'] = {}) =>
  call(test, calls.fetchrequests, { query, as: who });
const noMethod = { status: 404, code: 'not_found' };
const malformed = { status: 400, code: 'invalid_request' };
const outside = { status: 422, code: 'outside_range' };
const reused = { status: 409, code: 'key_reused' };
const nobody = { status: 401, code: 'unauthenticated' };

describe('the payment methods', () => {
  it('are listed for everyone with the specified fields', async () => {
    const { data } = await call(test, calls.fetchpaymentmethod);
    expect(data.map(({ paymentname }) => paymentname)).toEqual(['Bitcoin', 'Ethereum', 'BnB', 'Ripple']);
    for (const method of data) {
      expect(method).toMatchObject({ _id: expect.any(String), paymentaddress: expect.stringMatching(/\S/) });
    }
  });

  it('that are switched off are neither listed nor taken, and a request keeps the address it was shown', async () => {
    const method = { paymentname: 'Litecoin', paymentaddress: 'old', network: 'ltc', coin: 'litecoin' };
    const { funding } = test.context;
    const { methodId } = await funding.addPaymentMethod({
      method: { ...method, sample: true },
      actor: operator(),
    });
    const body = { fundingtypename: 'Litecoin', amount: 50 };
    expect((await asked(body)).paymentaddress).toBe('old');
    await funding.switchPaymentMethod({ methodId, active: false, actor: operator() });
    expect(await ask(body)).toMatchObject(noMethod);
    expect((await tryCall(test, calls.fetchpaymentmethod)).text).not.toContain('Litecoin');
    // How to pay it is known for as long as it waits, whatever became of the method.
    expect((await requestsOf(person)).request[0]).toMatchObject({
      fundingtype: 'Litecoin',
      paymentaddress: 'old',
      network: 'ltc',
      coin: 'litecoin',
      sample: true,
    });
    const { rows } = await test.context.owner.query(
      'select action, actor_id, details from audit_log where subject_id = $1 order by id',
      [methodId],
    );
    expect(rows).toMatchObject([
      { action: 'payment-method.added', actor_id: 'operator-1', details: { paymentaddress: 'old' } },
      { action: 'payment-method.switched-off', actor_id: 'operator-1' },
    ]);
  });
});

describe('asking to fund the wallet', () => {
  it('makes a pending request and moves nothing', async () => {
    const before = await call(test, summary, { as: person });
    test.clock.advance(1000);
    const request = await asked(bitcoin(250.5));
    expect(request).toEqual({
      _id: expect.any(String),
      transactionid: expect.stringMatching(/^TS-[2-9A-Z]{4}-[2-9A-Z]{4}$/),
      fundingtype: 'Bitcoin',
      paymentaddress: expect.stringMatching(/^tb1/),
      network: 'Bitcoin test network',
      coin: 'bitcoin',
      sample: true,
      tag: null,
      amount: 250.5,
      coinamount: expect.stringMatching(/^0\.\d{6}$/),
      payuri: null,
      announced: true,
      watched: false,
      payment: null,
      asks: false,
      chaintransactionid: null,
      explorer: null,
      received: null,
      status: 'pending',
      reason: null,
      requestedat: test.clock.now().toISOString(),
      decidedat: null,
    });
    expect(await call(test, summary, { as: person })).toEqual(before);
    expect((await call(test, calls.fetchbalance, { as: person })).balance).toEqual([]);
    expect((await requestsOf(person)).request[0]).toEqual(request);
  });

  it.each([10, '10.00', 10.01, 999_999.99, 1_000_000, '1000000'])(
    'is possible with %s dollars',
    async (amount) => {
      expect((await ask(bitcoin(amount))).status).toBe(200);
    },
  );

  it.each([9.99, 0.01, 1_000_000.01, 999_999_999])('is refused with 422 for %s dollars', async (amount) => {
    const refused = await refusal(test, calls.addbalance, { body: bitcoin(amount), as: person });
    expect(refused).toMatchObject(outside);
    expect(refused.message).toBe('Fund with $10.00 to $1,000,000.00.');
  });

  it.each([
    0,
    -0,
    -10,
    10.001,
    1e21,
    '1e3',
    '0x64',
    ' 100',
    '100 ',
    '+100',
    '1,000',
    '１００',
    '٣٠',
    'NaN',
    'Infinity',
    '',
    null,
    true,
    [100],
    { amount: 100 },
    '9'.repeat(400),
    0.1 + 0.2,
  ])('is refused with 400 for the hostile amount %j', async (amount) => {
    expect(await sendOddly({ fundingtypename: 'Bitcoin', amount })).toEqual(malformed);
  });

  it.each([
    ['no amount', { fundingtypename: 'Bitcoin' }],
    ['no method', { amount: 100 }],
    ['a key nobody asked for', { ...bitcoin(100), status: 'confirmed' }],
    ["another person's id", { ...bitcoin(100), userid: randomUUID() }],
    ['a method that is no text', { fundingtypename: { $ne: null }, amount: 100 }],
  ])('is refused with 400 for %s', async (_case, body) => {
    expect(await sendOddly(body)).toEqual(malformed);
  });

  it.each(['Dogecoin', 'bitcoin', 'constructor', 'Bitcoin\u0000', 'ВіtcoinTypedInCyrillic'])(
    'is refused with 404 for the method %j',
    async (fundingtypename) => {
      expect(await ask({ fundingtypename, amount: 100 })).toMatchObject(noMethod);
    },
  );

  it('is refused in the order 401, 400, 404, 422', async () => {
    const unknown = { fundingtypename: 'Dogecoin', amount: 1 };
    expect(await sendOddly({ ...unknown, extra: 1 }, '')).toEqual(nobody);
    expect(await sendOddly({ ...unknown, extra: 1 })).toEqual(malformed);
    expect(await ask(unknown)).toMatchObject(noMethod);
    expect(await ask(bitcoin(1))).toMatchObject(outside);
  });

  it('leaves nothing behind when it is refused', async () => {
    const { total } = await requestsOf(person);
    await Promise.all([ask(bitcoin(1)), ask(bitcoin('x')), ask({ fundingtypename: 'x', amount: 100 })]);
    expect((await requestsOf(person)).total).toBe(total);
  });
});

describe('an Idempotency-Key', () => {
  it('sent twenty times at once makes one request, and the answer is the first again', async () => {
    const { total } = await requestsOf(person);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(bitcoin(75), 'fund-1')));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect((await ask(bitcoin('75.00'), 'fund-1')).text).toBe(answers[0]?.text);
    expect((await requestsOf(person)).total).toBe(Number(total) + 1);
  });

  it('sent again with another body is refused with 409', async () => {
    await ask(bitcoin(75), 'fund-2');
    expect(await ask(bitcoin(76), 'fund-2')).toMatchObject(reused);
    expect(await ask({ fundingtypename: 'Ethereum', amount: 75 }, 'fund-2')).toMatchObject(reused);
  });

  it('of no sensible form is refused, and the investor learns what a key looks like', async () => {
    for (const key of ['x'.repeat(201), 'two words', 'ключ']) {
      const refused = await refusal(test, calls.addbalance, { body: bitcoin(75), as: person, key });
      expect(refused).toMatchObject(malformed);
      expect(refused.message).toContain('1 to 200');
    }
  });
});

describe('the list of requests', () => {
  it('is newest first, five a page, and can be narrowed to a status', async () => {
    const someone = await signedIn(test);
    const made: calls.FundingRequest[] = [];
    for (let amount = 11; amount <= 17; amount += 1) {
      test.clock.advance(1000);
      made.unshift(await asked(bitcoin(amount), someone));
    }
    await test.context.funding.rejectFunding({
      requestId: made[3]?._id ?? '',
      reason: 'Nothing arrived.',
      actor: operator(),
      idempotencyKey: null,
    });
    const ids = ({ request }: { request: calls.FundingRequest[] }) => request.map(({ _id }) => _id);
    const first = await requestsOf(someone);
    expect(first).toMatchObject({ page: 1, pages: 2, total: 7 });
    expect(ids(first)).toEqual(made.slice(0, 5).map(({ _id }) => _id));
    expect(ids(await requestsOf(someone, { page: 2 }))).toEqual(made.slice(5).map(({ _id }) => _id));
    expect(await requestsOf(someone, { page: 3 })).toEqual({ request: [], page: 3, pages: 2, total: 7 });
    expect(await requestsOf(someone, { status: 'pending' })).toMatchObject({ pages: 2, total: 6 });
    expect(await requestsOf(someone, { status: 'rejected' })).toMatchObject({
      request: [{ _id: made[3]?._id, reason: 'Nothing arrived.' }],
      pages: 1,
      total: 1,
    });
    expect(await requestsOf(someone, { status: 'confirmed' })).toEqual({
      request: [],
      page: 1,
      pages: 1,
      total: 0,
    });
    const odd = await send(test, 'GET', `${calls.fetchrequests.path}?status=stolen`, undefined, {
      token: someone.token,
    });
    expect(odd.json()).toMatchObject({ code: 'invalid_request' });
  });

  it('shows one investor nothing of another', async () => {
    const stranger = await signedIn(test);
    expect(await requestsOf(stranger)).toEqual({ request: [], page: 1, pages: 1, total: 0 });
    expect((await call(test, calls.fetchbalance, { as: stranger })).balance).toEqual([]);
    expect(await tryCall(test, calls.fetchrequests)).toMatchObject(nobody);
  });
});
