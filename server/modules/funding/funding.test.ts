import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operator, withOffers } from '../../testing/money.ts';
import { type SignedIn, send, signedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
let person: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  await withOffers(test);
  person = await signedIn(test);
});
afterAll(() => test.close());

const ask = (body: object, headers: Record<string, string> = {}, who: SignedIn | null = person) =>
  send(test, 'POST', '/api/funding/addbalance', body, { ...(who && { token: who.token }), headers });
const bitcoin = (amount: unknown) => ({ fundingtypename: 'Bitcoin', amount });
const get = async (path: string, who = person) =>
  (await send(test, 'GET', path, undefined, { token: who.token })).json();
const requestsOf = (who: SignedIn, query = '') => get(`/api/funding/fetchrequests${query}`, who);
const wrong = (answer: { statusCode: number; json(): { code: string } }) => [
  answer.statusCode,
  answer.json().code,
];

describe('the payment methods', () => {
  it('are listed for everyone with the specified fields', async () => {
    const answer = await send(test, 'GET', '/api/funding/fetchpaymentmethod');
    expect(answer.statusCode).toBe(200);
    const { data } = answer.json();
    expect(data.map(({ paymentname }: { paymentname: string }) => paymentname)).toEqual([
      'Bitcoin',
      'Ethereum',
      'BnB',
      'Ripple',
    ]);
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
    expect((await ask(body)).json().request.paymentaddress).toBe('old');
    await funding.switchPaymentMethod({ methodId, active: false, actor: operator() });
    expect(wrong(await ask(body))).toEqual([404, 'not_found']);
    expect((await send(test, 'GET', '/api/funding/fetchpaymentmethod')).body).not.toContain('Litecoin');
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
    const before = await get('/api/ledger/summary');
    test.clock.advance(1000);
    const answer = await ask(bitcoin(250.5));
    expect(answer.statusCode).toBe(200);
    expect(answer.json().request).toEqual({
      _id: expect.any(String),
      transactionid: expect.stringMatching(/^TS-[2-9A-Z]{4}-[2-9A-Z]{4}$/),
      fundingtype: 'Bitcoin',
      paymentaddress: expect.stringMatching(/^tb1/),
      network: 'Bitcoin test network',
      coin: 'bitcoin',
      sample: true,
      amount: 250.5,
      coinamount: expect.stringMatching(/^0\.\d{6}$/),
      received: null,
      status: 'pending',
      reason: null,
      requestedat: test.clock.now().toISOString(),
      decidedat: null,
    });
    expect(await get('/api/ledger/summary')).toEqual(before);
    expect((await get('/api/funding/fetchbalance')).balance).toEqual([]);
    expect((await requestsOf(person)).request[0]).toEqual(answer.json().request);
  });

  it.each([10, '10.00', 10.01, 999_999.99, 1_000_000, '1000000'])(
    'is possible with %s dollars',
    async (amount) => {
      expect((await ask(bitcoin(amount))).statusCode).toBe(200);
    },
  );

  it.each([9.99, 0.01, 1_000_000.01, 999_999_999])('is refused with 422 for %s dollars', async (amount) => {
    const answer = await ask(bitcoin(amount));
    expect(wrong(answer)).toEqual([422, 'outside_range']);
    expect(answer.json().message).toBe('Fund with $10.00 to $1,000,000.00.');
  });

  it.each([
    ...[0, -0, -10, 10.001, 1e21, '1e3', '0x64', ' 100', '100 ', '+100', '1,000', '１００', '٣٠'],
    ...['NaN', 'Infinity', '', null, true, [100], { amount: 100 }, '9'.repeat(400), 0.1 + 0.2],
  ])('is refused with 400 for the hostile amount %j', async (amount) => {
    expect(wrong(await ask(bitcoin(amount)))).toEqual([400, 'invalid_request']);
  });

  it.each([
    ['no amount', { fundingtypename: 'Bitcoin' }],
    ['no method', { amount: 100 }],
    ['a key nobody asked for', { ...bitcoin(100), status: 'confirmed' }],
    ["another person's id", { ...bitcoin(100), userid: randomUUID() }],
    ['a method that is no text', { fundingtypename: { $ne: null }, amount: 100 }],
  ])('is refused with 400 for %s', async (_case, body) => {
    expect(wrong(await ask(body))).toEqual([400, 'invalid_request']);
  });

  it.each(['Dogecoin', 'bitcoin', 'constructor', 'Bitcoin\u0000', 'ВіtcoinTypedInCyrillic'])(
    'is refused with 404 for the method %j',
    async (fundingtypename) => {
      expect(wrong(await ask({ fundingtypename, amount: 100 }))).toEqual([404, 'not_found']);
    },
  );

  it('is refused in the order 401, 400, 404, 422', async () => {
    const unknown = { fundingtypename: 'Dogecoin', amount: 1 };
    expect(wrong(await ask({ ...unknown, extra: 1 }, {}, null))).toEqual([401, 'unauthenticated']);
    expect(wrong(await ask({ ...unknown, extra: 1 }))).toEqual([400, 'invalid_request']);
    expect(wrong(await ask(unknown))).toEqual([404, 'not_found']);
    expect(wrong(await ask(bitcoin(1)))).toEqual([422, 'outside_range']);
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
    const headers = { 'idempotency-key': 'fund-1' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(bitcoin(75), headers)));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(answers[0]?.statusCode).toBe(200);
    expect((await ask(bitcoin('75.00'), headers)).body).toBe(answers[0]?.body);
    expect((await requestsOf(person)).total).toBe(total + 1);
  });

  it('sent again with another body is refused with 409', async () => {
    const headers = { 'idempotency-key': 'fund-2' };
    await ask(bitcoin(75), headers);
    expect(wrong(await ask(bitcoin(76), headers))).toEqual([409, 'key_reused']);
    expect(wrong(await ask({ fundingtypename: 'Ethereum', amount: 75 }, headers))).toEqual([
      409,
      'key_reused',
    ]);
  });

  it('of no sensible form is refused, and the investor learns what a key looks like', async () => {
    for (const key of ['x'.repeat(201), 'two words', 'ключ']) {
      const answer = await ask(bitcoin(75), { 'idempotency-key': key });
      expect(wrong(answer)).toEqual([400, 'invalid_request']);
      expect(answer.json().message).toContain('1 to 200');
    }
  });
});

describe('the list of requests', () => {
  it('is newest first, five a page, and can be narrowed to a status', async () => {
    const someone = await signedIn(test);
    const made: { _id: string; transactionid: string }[] = [];
    for (let amount = 11; amount <= 17; amount += 1) {
      test.clock.advance(1000);
      made.unshift((await ask(bitcoin(amount), {}, someone)).json().request);
    }
    await test.context.funding.rejectFunding({
      requestId: made[3]?._id ?? '',
      reason: 'Nothing arrived.',
      actor: operator(),
      idempotencyKey: null,
    });
    const ids = ({ request }: { request: { _id: string }[] }) => request.map(({ _id }) => _id);
    const first = await requestsOf(someone);
    expect(first).toMatchObject({ page: 1, pages: 2, total: 7 });
    expect(ids(first)).toEqual(made.slice(0, 5).map(({ _id }) => _id));
    expect(ids(await requestsOf(someone, '?page=2'))).toEqual(made.slice(5).map(({ _id }) => _id));
    expect(await requestsOf(someone, '?page=3')).toEqual({ request: [], page: 3, pages: 2, total: 7 });
    expect(await requestsOf(someone, '?status=pending')).toMatchObject({ pages: 2, total: 6 });
    expect(await requestsOf(someone, '?status=rejected')).toMatchObject({
      request: [{ _id: made[3]?._id, reason: 'Nothing arrived.' }],
      pages: 1,
      total: 1,
    });
    expect(await requestsOf(someone, '?status=confirmed')).toEqual({
      request: [],
      page: 1,
      pages: 1,
      total: 0,
    });
    expect(await requestsOf(someone, '?status=stolen')).toMatchObject({ code: 'invalid_request' });
  });

  it('shows one investor nothing of another', async () => {
    const stranger = await signedIn(test);
    expect(await requestsOf(stranger)).toEqual({ request: [], page: 1, pages: 1, total: 0 });
    expect((await get('/api/funding/fetchbalance', stranger)).balance).toEqual([]);
    const nobody = await send(test, 'GET', '/api/funding/fetchrequests');
    expect(wrong(nobody)).toEqual([401, 'unauthenticated']);
  });
});
