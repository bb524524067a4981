import { approvewithdrawal, droppayment, paywithdrawal, queue } from '@tallystick/contract/operator/queue';
import { fetchwithdrawals, makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, refusal, send } from '../../../testing/call.ts';
import {
  deposit,
  goodAddress,
  newTxid,
  type Offers,
  withdrawalForm,
  withOffers,
} from '../../../testing/money.ts';
import { accountsOf, type Operator, signedInOperator } from '../../../testing/operators.ts';
import { startXrpServer, type XrpServer } from '../../../testing/outside/xrp-server.ts';
import { type SignedIn, signedIn } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';

let node: XrpServer;
let test: TestApp;
let offers: Offers;
let ada: Operator;
let ben: Operator;
let investor: SignedIn;
beforeAll(async () => {
  node = await startXrpServer();
  test = await startTestApp({ XRP_RPC_URL: node.url });
  offers = await withOffers(test);
  [ada, ben] = [await signedInOperator(test), await signedInOperator(test)];
  investor = await signedIn(test);
  await deposit(test, investor.userid, 1_000);
});
afterAll(async () => {
  await test.close();
  await node.close();
});

const form = (tag: string) =>
  withdrawalForm(
    { offers, who: investor },
    {
      withdrawalid: offers.withdrawalMethods.Ripple,
      withdrawalamount: 20,
      withdrawaladdress: goodAddress.Ripple,
      withdrawaltag: tag,
    },
  );

async function approved(): Promise<string> {
  const { withdrawal } = await call(test, makenewwithdrawal, { body: form('42'), as: investor });
  await call(test, approvewithdrawal, { params: { id: withdrawal._id }, as: ada });
  return withdrawal._id;
}
const named = (id: string, chaintransactionid: string, as: Operator) => ({
  params: { id },
  body: { chaintransactionid },
  as,
});
const queued = async (id: string) =>
  (await call(test, queue, { as: ada })).withdrawals.find(({ _id }) => _id === id);
const shown = async (id: string) =>
  (await call(test, fetchwithdrawals, { query: {}, as: investor })).withdrawal.find(({ _id }) => _id === id);

it('where its network is read, one who says that a withdrawal was paid is the first of two, and told so', async () => {
  const id = await approved();
  const txid = newTxid('xrp');
  expect(await call(test, paywithdrawal, named(id, txid, ada))).toEqual({
    status: 'approved',
    message: 'Noted. A second operator has to say the same: XRP Ledger does not show exactly this payment.',
  });
  expect(await queued(id)).toMatchObject({
    watched: true,
    tag: '42',
    status: 'approved',
    firstpaid: { name: ada.name, chaintransactionid: txid, chainoutput: null, departed: false },
  });
  // The investor is told nothing that is not so.
  expect(await shown(id)).toMatchObject({ status: 'approved', chaintransactionid: null, explorer: null });
  const other = await refusal(test, paywithdrawal, named(id, newTxid('xrp'), ben));
  expect(other).toMatchObject({ code: 'already_decided', message: expect.stringContaining(ada.name) });
  expect((await refusal(test, paywithdrawal, named(id, txid, ada))).code).toBe('second_operator_needed');
  expect(await call(test, paywithdrawal, named(id, txid, ben))).toMatchObject({ status: 'paid' });
  expect(await shown(id)).toMatchObject({
    status: 'paid',
    explorer: expect.stringMatching(new RegExp(`${txid}$`)),
  });
});

it('what the first has named can be dropped', async () => {
  const id = await approved();
  await call(test, paywithdrawal, named(id, newTxid('xrp'), ada));
  await call(test, droppayment, { params: { id }, as: ben });
  expect(await queued(id)).toMatchObject({ firstpaid: null });
  expect((await refusal(test, droppayment, { params: { id }, as: ben })).code).toBe('already_decided');
});

it('the word of somebody who is an operator no more does not count', async () => {
  const id = await approved();
  const txid = newTxid('xrp');
  const gone = await signedInOperator(test);
  await call(test, paywithdrawal, named(id, txid, gone));
  await accountsOf(test).disableOperator({ email: gone.email });
  expect(await queued(id)).toMatchObject({ firstpaid: { departed: true } });
  expect(await call(test, paywithdrawal, named(id, txid, ada))).toMatchObject({ status: 'approved' });
  expect(await queued(id)).toMatchObject({ firstpaid: { name: ada.name, departed: false } });
  expect(await call(test, paywithdrawal, named(id, txid, ben))).toMatchObject({ status: 'paid' });
});

it('a tag is a number of 32 bits', async () => {
  for (const tag of ['-1', '4294967296', '1.5', '', 'x', '99999999999']) {
    const answer = await send(test, 'POST', makenewwithdrawal.path, form(tag), { token: investor.token });
    expect(answer.statusCode, tag).toBe(400);
  }
  const largest = await call(test, makenewwithdrawal, { body: form('4294967295'), as: investor });
  expect(largest.withdrawal).toMatchObject({ withdrawaltag: '4294967295' });
});
