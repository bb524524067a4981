import { addbalance } from '@tallystick/contract/funding';
import { makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tryCall } from '../../testing/call.ts';
import { deposit, type Offers, withdrawalForm, withOffers } from '../../testing/money.ts';
import { type SignedIn, signedIn } from '../../testing/people.ts';
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

const askForWithdrawal = (key?: string) => {
  const body = withdrawalForm({ offers, who: person }, { withdrawalamount: 10 });
  return tryCall(test, makenewwithdrawal, { body, as: person, key });
};
const askForFunding = (key?: string) =>
  tryCall(test, addbalance, { body: { fundingtypename: 'Bitcoin', amount: 10 }, as: person, key });

it.each([
  ['open withdrawal', askForWithdrawal],
  ['pending funding request', askForFunding],
])('the 21st %s is refused with Retry-After, and again with the same key', async (what, ask) => {
  const taken = await Promise.all(Array.from({ length: 20 }, () => ask()));
  expect(taken.map(({ status }) => status)).toEqual(Array(20).fill(200));
  for (const key of ['once', 'once', 'other']) {
    const { status, headers } = await ask(`${key}-${what.replace(/ /g, '-')}`);
    expect([status, headers['retry-after']]).toEqual([429, '3600']);
  }
});
