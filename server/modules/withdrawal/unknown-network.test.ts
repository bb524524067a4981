import { approvewithdrawal, paywithdrawal } from '@tallystick/contract/operator/queue';
import { fetchallwithdrawal, makenewwithdrawal } from '@tallystick/contract/withdrawal';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, refusal } from '../../testing/call.ts';
import { deposit, newTxid, type Offers, withdrawalForm, withOffers } from '../../testing/money.ts';
import { type Operator, signedInOperator } from '../../testing/operators.ts';
import { type SignedIn, signedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
let offers: Offers;
let person: SignedIn;
let ada: Operator;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  person = await signedIn(test);
  ada = await signedInOperator(test);
  await deposit(test, person.userid, 500);
});
afterAll(() => test.close());

/** As after going back to a version from before a coin was added. */
async function forgetNetworks(): Promise<void> {
  const admin = new pg.Client({ connectionString: test.database.adminUrl });
  await admin.connect();
  await admin.query('set session_replication_role = replica');
  for (const table of ['withdrawal_methods', 'withdrawals'])
    await admin.query(`update ${table} set network = 'unknown-coin' where network = 'bitcoin'`);
  await admin.end();
}

it('over a network that is not known nothing is asked for and nothing is paid, and both are told', async () => {
  const body = withdrawalForm({ offers, who: person }, { withdrawalamount: 50 });
  const { withdrawal } = await call(test, makenewwithdrawal, { body, as: person });
  const params = { id: withdrawal._id };
  await call(test, approvewithdrawal, { params, as: ada });
  await forgetNetworks();
  const { data } = await call(test, fetchallwithdrawal);
  expect(data.map(({ methodname }) => methodname)).not.toContain('Bitcoin');
  expect(await refusal(test, makenewwithdrawal, { body, as: person })).toMatchObject({ code: 'not_found' });
  const paid = { params, body: { chaintransactionid: newTxid() }, as: ada };
  expect(await refusal(test, paywithdrawal, paid)).toMatchObject({
    code: 'outside_range',
    message: 'The network of this way out is not known.',
  });
});
