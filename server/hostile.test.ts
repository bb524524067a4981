import { ErrorBody } from '@tallystick/contract/error-body';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownPage } from './testing/call.ts';
import { type Operator, signedInOperator } from './testing/operators.ts';
import { type SignedIn, signedIn } from './testing/people.ts';
import { proofRuns } from './testing/proof-size.ts';
import { startTestApp, type TestApp } from './testing/start-app.ts';

let test: TestApp;
let investor: SignedIn;
let operator: Operator;
beforeAll(async () => {
  test = await startTestApp();
  investor = await signedIn(test);
  operator = await signedInOperator(test);
});
afterAll(() => test.close());

const hostileText = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  "' or 1=1 --",
  '<script>alert(1)</script>',
  '{{7*7}}',
  '../../etc/passwd',
  '\ud800',
  '\u202ereversed',
  'a'.repeat(20_000),
  'x@example.com\r\nBcc: y@example.com',
  '9'.repeat(400),
  '1e309',
  '-0',
  'NaN',
  '١٢',
);
const value = fc.oneof(
  hostileText,
  fc.string(),
  fc.jsonValue(),
  fc.constantFrom(1e308, -1, 0, null, true, []),
);
const fieldNames = [
  ...[
    'fullname',
    'email',
    'password',
    'cpassword',
    'passwordnew',
    'code',
    'token',
    'purpose',
    'isAdmin',
    'userid',
  ],
  ...['planid', 'investinvestmemntamount', 'fundingtypename', 'amount', 'name', 'message'],
  ...['withdrawalid', 'withdrawalamount', 'withdrawaladdress', 'constructor', 'extra'],
  ...['received', 'network', 'chaintransactionid', 'chainoutput', 'reason', 'direction', 'recoverycode'],
  ...[
    'planname',
    'from',
    'to',
    'duration',
    'roi',
    'active',
    'ids',
    'paymentname',
    'paymentaddress',
    'methodname',
  ],
];
const body = fc.dictionary(fc.constantFrom(...fieldNames), value, { maxKeys: 8 });
const consoleQueries = ['before', 'action', 'actorkind', 'show', 'from', 'to'];
const queryNames = [
  'page',
  'search',
  'status',
  'fundingtype',
  'after',
  'limit',
  'days',
  'extra',
  ...consoleQueries,
];
const query = fc
  .dictionary(fc.constantFrom(...queryNames), fc.oneof(hostileText, fc.string(), fc.nat().map(String)), {
    maxKeys: 4,
  })
  .map((values) =>
    new URLSearchParams(
      Object.entries(values).map(([key, text]) => [key, text.toWellFormed().slice(0, 300)]),
    ).toString(),
  );
const pathPart = fc
  .oneof(hostileText, fc.string(), fc.uuid())
  .map((text) => encodeURIComponent(text.toWellFormed()));

describe('random and hostile requests', () => {
  it('never break a route: no 5xx, no trace, a refusal is always a code and a sentence', async () => {
    const routes = test.app
      .routeTable()
      .filter(({ url, method }) => url.startsWith('/api/') && method !== 'HEAD');
    const route = fc.constantFrom(...routes.filter(({ url }) => !url.startsWith('/api/docs')));
    await fc.assert(
      fc.asyncProperty(
        route,
        body,
        query,
        pathPart,
        fc.boolean(),
        async ({ method, url, scope }, payload, search, part, isSignedIn) => {
          if (url.endsWith('/signout')) return;
          const own = isSignedIn && /:userid|investors\/:id/.test(url) ? investor.userid : part;
          const asInvestor = { headers: { authorization: `Bearer ${investor.token}` } };
          const asOperator = { headers: ownPage, cookies: operator.cookies };
          const answer = await test.app.inject({
            method: method as 'POST',
            url: `${url.replace(/:\w+/g, own)}?${search}`,
            ...(method === 'GET' ? {} : { payload }),
            ...(isSignedIn && (scope === 'operator' ? asOperator : asInvestor)),
          });
          // A burst of sign-ups may be told to wait; that is the one honest 503.
          expect(
            answer.statusCode === 503 || answer.statusCode < 500,
            `${method} ${url}: ${answer.body}`,
          ).toBe(true);
          expect(answer.body).not.toMatch(/\bat .*\.(ts|js):\d+|node_modules|select |insert |postgres/i);
          if (answer.statusCode >= 400) {
            expect(ErrorBody.parse(answer.json()).message, `${method} ${url}`).toMatch(/^\S.*\.$/s);
          }
        },
      ),
      { numRuns: proofRuns(2500, 400) },
    );
  }, 60_000);
});
