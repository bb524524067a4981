import { afterAll, beforeAll, expect, it } from 'vitest';
import { deposit, goodAddress, type Offers, withOffers } from '../../testing/money.ts';
import { type SignedIn, send, signedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
let offers: Offers;
let person: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  person = await signedIn(test);
  await deposit(test, person.userid, 500);
});
afterAll(() => test.close());

const post = (path: string, body: object, key = '') =>
  send(test, 'POST', path, body, {
    token: person.token,
    ...(key && { headers: { 'idempotency-key': key } }),
  });
const askForWithdrawal = (key?: string) =>
  post(
    '/api/withdrawal/makenewwithdrawal',
    {
      userid: person.userid,
      withdrawalid: offers.withdrawalMethods.Bitcoin,
      withdrawalamount: 10,
      withdrawaladdress: goodAddress.Bitcoin,
    },
    key,
  );
const askForFunding = (key?: string) =>
  post('/api/funding/addbalance', { fundingtypename: 'Bitcoin', amount: 10 }, key);

it.each([
  ['open withdrawal', askForWithdrawal],
  ['pending funding request', askForFunding],
])('the 21st %s is refused with Retry-After, and again with the same key', async (what, ask) => {
  const taken = await Promise.all(Array.from({ length: 20 }, () => ask()));
  expect(taken.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200));
  for (const key of ['once', 'once', 'other']) {
    const { statusCode, headers } = await ask(`${key}-${what.replace(/ /g, '-')}`);
    expect([statusCode, headers['retry-after']]).toEqual([429, '3600']);
  }
});
