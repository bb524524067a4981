import * as account from '@tallystick/contract/account';
import * as addresses from '@tallystick/contract/addresses';
import * as factors from '@tallystick/contract/factors';
import * as funding from '@tallystick/contract/funding';
import * as investment from '@tallystick/contract/investment';
import * as ledger from '@tallystick/contract/ledger';
import * as notices from '@tallystick/contract/notices';
import * as books from '@tallystick/contract/operator/books';
import * as checklist from '@tallystick/contract/operator/checklist';
import * as operatorFactors from '@tallystick/contract/operator/factors';
import * as investors from '@tallystick/contract/operator/investors';
import * as methods from '@tallystick/contract/operator/methods';
import * as networks from '@tallystick/contract/operator/networks';
import * as payouts from '@tallystick/contract/operator/payouts';
import * as plans from '@tallystick/contract/operator/plans';
import * as queue from '@tallystick/contract/operator/queue';
import * as signing from '@tallystick/contract/operator/signing';
import * as removals from '@tallystick/contract/removals';
import * as withdrawal from '@tallystick/contract/withdrawal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callsOf, ownPage, send } from './testing/call.ts';
import { withOffers } from './testing/money.ts';
import { type Operator, signedInOperator } from './testing/operators.ts';
import { type SignedIn, signedIn } from './testing/people.ts';
import { startTestApp, type TestApp } from './testing/start-app.ts';

let test: TestApp;
let investor: SignedIn;
let clerk: Operator;
beforeAll(async () => {
  test = await startTestApp();
  await withOffers(test);
  investor = await signedIn(test);
  clerk = await signedInOperator(test);
});
afterAll(() => test.close());

it('half a character in a body is refused in a sentence, wherever it stands; a whole one is not', async () => {
  const create = (payload: string) =>
    test.app.inject({
      method: 'POST',
      url: '/api/operator/withdrawalmethods',
      payload,
      headers: { ...ownPage, 'content-type': 'application/json' },
      cookies: clerk.cookies,
    });
  for (const half of ['\\ud800', '\\udc00\\ud800', 'a\\uDBFFb']) {
    for (const body of [
      `{"methodname":"${half}","network":"bnb"}`,
      `{"methodname":"x","network":"bnb","${half}":1}`,
    ]) {
      const { statusCode, json } = await create(body);
      expect(statusCode).toBe(400);
      expect(json()).toEqual({ code: 'invalid_request', message: 'The body has half a character in it.' });
    }
  }
  expect((await create('{"methodname":"\\ud83d\\ude00 coins","network":"bnb"}')).statusCode).toBe(200);
});

describe('a number in a body', () => {
  /** As text: JSON.stringify would write a number in its own way. */
  const fund = (amount: string) =>
    test.app.inject({
      method: 'POST',
      url: '/api/funding/addbalance',
      payload: `{"fundingtypename":"Bitcoin","amount":${amount}}`,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${investor.token}` },
    });

  it.each([
    '1e3',
    '1E2',
    '1e+2',
    '10000e-2',
    '250.000',
    '250.500',
    '1.00000000000000000001',
    '99.99999999999999999999',
    '100.0000',
    '1000000000000000000000',
    '-0.000',
    '1e999',
  ])('is refused for how it is written: %s', async (amount) => {
    const answer = await fund(amount);
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { code: 'invalid_request', message: expect.stringMatching(/^amount: .*plain digits/) },
    ]);
  });

  it.each([
    ['250', 250],
    ['250.5', 250.5],
    ['250.50', 250.5],
    ['"250.50"', 250.5],
    ['10.10', 10.1],
    ['999999.99', 999999.99],
  ])('is read as what it says: %s', async (amount, read) => {
    const answer = await fund(amount);
    expect([answer.statusCode, answer.json().request?.amount]).toEqual([200, read]);
  });

  it('is looked at in every call, however deep, and named without echoing what a stranger wrote', async () => {
    for (const payload of ['{"email":"a@example.com","password":{"deep":[1e3]}}', '{"<b>":1e3}']) {
      const headers = { 'content-type': 'application/json' };
      const answer = await test.app.inject({ method: 'POST', url: '/api/users/signin', payload, headers });
      expect([answer.statusCode, answer.json().message]).toEqual([400, expect.not.stringContaining('<')]);
    }
  });

  it.each([
    '{"a":',
    '',
    '{"__proto__":{"a":1}}',
    '{"constructor":{"prototype":{"a":1}}}',
    '{"a":01}',
    '\ufeff',
    '\ufeff{"email":"a@example.com","password":"x"}',
  ])('does not change what is no JSON for us: %j', async (payload) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await test.app.inject({ method: 'POST', url: '/api/users/signin', payload, headers });
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request']);
  });
});

it.each([
  ['[', ']'],
  ['{"a":', '}'],
])(
  'a body that is nested deeper than anyone reads is refused, not a fault of ours: %s',
  async (open, close) => {
    for (const depth of [1_000, 5_000, 10_000]) {
      const payload = `${open.repeat(depth)}1${close.repeat(depth)}`;
      const headers = { 'content-type': 'application/json' };
      const answer = await test.app.inject({ method: 'POST', url: '/api/users/signin', payload, headers });
      expect([answer.statusCode, answer.json().code], String(depth)).toEqual([400, 'invalid_request']);
    }
  },
);

describe('a field that nobody asked for', () => {
  const strictCalls = [
    account,
    addresses,
    factors,
    operatorFactors,
    funding,
    investment,
    ledger,
    notices,
    withdrawal,
    queue,
    removals,
    operatorFactors,
    investors,
    plans,
    methods,
    books,
    checklist,
    networks,
    payouts,
    signing,
  ].flatMap(callsOf);
  const bodyOf = (url: string) =>
    strictCalls.find(({ path, method }) => path === url && method !== 'GET')?.body;

  it('is refused by every call about money, about factors and of the console that has a body', () => {
    const withBody = strictCalls.filter(({ body }) => body);
    expect(withBody.length).toBeGreaterThan(20);
    // Signing in is neither; an investor's form sends more than we ask for, too.
    const others = withBody.filter(({ path }) => !/\/(signin|enrol)$/.test(path));
    for (const { path, body } of others) {
      const issues = body?.safeParse({ surprise: true }).error?.issues ?? [];
      expect(
        issues.some(({ code }) => code === 'unrecognized_keys'),
        path,
      ).toBe(true);
    }
  });

  it('is refused by every call that has none, approving a withdrawal first of all', async () => {
    const bodiless = test.app
      .routeTable()
      .filter(({ method, scope }) => ['POST', 'PATCH', 'DELETE'].includes(method) && scope !== 'public')
      .filter(({ url }) => !bodyOf(url) && !/^\/api\/users\/(editprofile|changepassword)$/.test(url));
    const urls = bodiless.map(({ url }) => url);
    expect(urls).toContain('/api/operator/withdrawals/:id/approve');
    expect(urls.length).toBeGreaterThan(10);
    const id = crypto.randomUUID();
    for (const { method, url, scope } of bodiless) {
      const how =
        scope === 'operator' ? { cookies: clerk.cookies, headers: ownPage } : { token: investor.token };
      const address = url.replace(/:\w+/g, id);
      const answer = await send(test, method as 'POST', address, { surprise: true }, how);
      expect([answer.statusCode, answer.json().message], url).toEqual([400, 'Unknown field: surprise.']);
    }
  });
});
