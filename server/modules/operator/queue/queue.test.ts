import { addbalance } from '@tallystick/contract/funding';
import { summary } from '@tallystick/contract/ledger';
import { freezeinvestor, unfreezeinvestor } from '@tallystick/contract/operator/investors';
import * as calls from '@tallystick/contract/operator/queue';
import { makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asking, answerOf, call, tryCall } from '../../../testing/call.ts';
import { dayMs } from '../../../testing/clock.ts';
import {
  deposit,
  goodAddress,
  newBitcoinAddress,
  newTxid,
  type Offers,
  withdrawalForm,
  withOffers,
} from '../../../testing/money.ts';
import { type Operator, signedInOperator } from '../../../testing/operators.ts';
import { type SignedIn, signedIn, signIn, verified } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';

let test: TestApp;
let offers: Offers;
let ada: Operator;
let ben: Operator;
let investor: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  const person = await verified(test);
  await deposit(test, person.userid, 50_000);
  // What was confirmed longer than a day ago counts for nothing any more.
  test.clock.advance(dayMs);
  ada = await signedInOperator(test);
  ben = await signedInOperator(test);
  investor = await signIn(test, person);
});
afterAll(() => test.close());

const queue = (who = ada) => call(test, calls.queue, { as: who });
const depositInQueue = async (id: string) => (await queue()).deposits.find(({ _id }) => _id === id);
const withdrawalInQueue = async (id: string) => (await queue()).withdrawals.find(({ _id }) => _id === id);
const available = async () => (await call(test, summary, { as: investor })).available;
const lettersSent = async () => (await test.mailbox.letters(investor.email)).map(({ text }) => text);

async function askToFund(amount: number, fundingtypename = 'Bitcoin'): Promise<string> {
  const body = { fundingtypename, amount };
  return (await call(test, addbalance, { body, as: investor })).request._id;
}

async function askToWithdraw(withdrawalamount: number): Promise<string> {
  const to = { withdrawalamount, withdrawaladdress: newBitcoinAddress() };
  const body = withdrawalForm({ offers, who: investor }, to);
  return (await call(test, makenewwithdrawal, { body, as: investor })).withdrawal._id;
}

const received = (amount: number) => ({ received: amount, chaintransactionid: newTxid() });
const confirm = (as: Operator, id: string, body: Asking<typeof calls.confirmdeposit>['body']) =>
  tryCall(test, calls.confirmdeposit, { params: { id }, body, as });
const rejectDeposit = (as: Operator, id: string, reason = 'Only a try.') =>
  tryCall(test, calls.rejectdeposit, { params: { id }, body: { reason }, as });
const approve = (as: Operator, id: string) => tryCall(test, calls.approvewithdrawal, { params: { id }, as });
const pay = (as: Operator, id: string, chaintransactionid = newTxid()) =>
  tryCall(test, calls.paywithdrawal, { params: { id }, body: { chaintransactionid }, as });
const reject = (as: Operator, id: string, reason = 'Only a try.') =>
  tryCall(test, calls.rejectwithdrawal, { params: { id }, body: { reason }, as });

describe('a deposit in the queue', () => {
  it('shows what is needed to decide, and is credited with what was received', async () => {
    const id = await askToFund(250);
    expect(await depositInQueue(id)).toMatchObject({
      amount: 250,
      fundingtype: 'Bitcoin',
      confirmedbefore: 1,
      largestbefore: 50_000,
      coinamount: expect.stringMatching(/^0\.\d{6}$/),
    });
    const before = await available();
    expect((await confirm(ada, id, received(249.99))).status).toBe(200);
    expect(await available()).toBe(Math.round((before + 249.99) * 100) / 100);
    expect(await depositInQueue(id)).toBeUndefined();
    expect(await lettersSent()).toContainEqual(expect.stringContaining('$249.99'));
  });

  it('is decided once when both press at once, and the second is told by name who was first', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await askToFund(100);
      const before = await available();
      const both = await Promise.all([ada, ben].map((who) => confirm(who, id, received(100))));
      expect(both.map(({ code }) => code).toSorted()).toEqual(['already_decided', 'done']);
      const [first, second] = both[0]?.status === 200 ? [ada, both[1]] : [ben, both[0]];
      expect(second).toMatchObject({ message: expect.stringContaining(first.name) });
      expect(await available()).toBe(before + 100);
    }
  });

  it('is on the network of its method, whatever else is sent, and an account-based network has no outputs', async () => {
    const id = await askToFund(100);
    const named = { ...received(100), network: 'Ethereum' };
    expect((await confirm(ada, id, named)).code).toBe('invalid_request');
    const other = await askToFund(100, 'Ethereum');
    const payment = { received: 100, chaintransactionid: newTxid('ethereum') };
    expect((await confirm(ada, other, { ...payment, chainoutput: 1 })).code).toBe('outside_range');
    expect((await confirm(ada, other, { ...payment, received: 1_000_000.01 })).code).toBe('outside_range');
    const twice = { ...payment, chaintransactionid: `0x${payment.chaintransactionid}` };
    expect(await confirm(ada, other, twice)).toMatchObject({
      status: 422,
      message: 'The id of an Ethereum transaction is 0x and 64 characters, 0 to 9 and a to f.',
    });
    for (const each of [id, other]) await rejectDeposit(ada, each);
  });

  it('that is rejected needs a reason, moves nothing, and tells the investor why', async () => {
    const id = await askToFund(75);
    const before = await available();
    expect((await rejectDeposit(ada, id, '  ')).status).toBe(400);
    expect((await rejectDeposit(ada, id, 'Nothing arrived.')).status).toBe(200);
    expect(await available()).toBe(before);
    expect(await lettersSent()).toContainEqual(expect.stringContaining('Nothing arrived.'));
  });
});

describe('a withdrawal in the queue', () => {
  it('below the threshold is approved by one and paid by another', async () => {
    const id = await askToWithdraw(400);
    const before = await available();
    expect((await pay(ada, id, 'too-early')).status).toBe(409);
    expect(answerOf(await approve(ada, id)).status).toBe('approved');
    expect((await pay(ben, id)).status).toBe(200);
    expect(await available()).toBe(before);
  });

  it('above the threshold needs two different operators, whoever presses how often', async () => {
    const id = await askToWithdraw(5_000.01);
    const shown = () => withdrawalInQueue(id);
    expect(await shown()).toMatchObject({ approvalsneeded: 2, approvals: [] });
    expect(answerOf(await approve(ada, id)).status).toBe('requested');
    expect((await approve(ada, id)).code).toBe('second_operator_needed');
    expect((await pay(ada, id)).code).toBe('already_decided');
    expect((await shown())?.approvals).toMatchObject([{ name: ada.name }]);
    expect(answerOf(await approve(ben, id)).status).toBe('approved');
    expect((await shown())?.approvals).toMatchObject([{ name: ada.name }, { name: ben.name }]);
    await expect(
      test.context.owner.query('update withdrawals set approved_by = first_approved_by where id = $1', [id]),
    ).rejects.toThrow('check');
  });

  it('that is approved twice by both at once is approved by two, never by one twice', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await askToWithdraw(6_000);
      const pressed = await Promise.all([ada, ada, ben, ben].map((who) => approve(who, id)));
      const done = pressed.flatMap((reply) => (reply.code === 'done' ? reply.answer.status : []));
      expect(done.toSorted()).toEqual(['approved', 'requested']);
      await reject(ada, id);
    }
  });

  it('counts with what was approved for the same investor within a day: many small ones need two, too', async () => {
    const other = await signedIn(test);
    await deposit(test, other.userid, 20_000);
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const asked = await test.context.withdrawal.askForWithdrawal({
        userId: other.userid,
        methodId: offers.withdrawalMethods.Bitcoin,
        amountCents: 200_000n,
        address: goodAddress.Bitcoin,
        idempotencyKey: null,
      });
      ids.push(asked.id);
    }
    const answers = await Promise.all(ids.map((id) => approve(ada, id)));
    expect(answers.map((reply) => answerOf(reply).status).toSorted()).toEqual([
      'approved',
      'approved',
      'requested',
      'requested',
    ]);
    const needed = (await queue()).withdrawals
      .filter(({ _id }) => ids.includes(_id))
      .map(({ approvalsneeded }) => approvalsneeded);
    expect(needed.toSorted()).toEqual([1, 1, 2, 2]);
  });

  it('that is rejected gives the money back to the cent', async () => {
    const before = await available();
    const id = await askToWithdraw(123.45);
    expect(await available()).toBe(Math.round((before - 123.45) * 100) / 100);
    await reject(ben, id, 'The address belongs to an exchange that closed.');
    expect(await available()).toBe(before);
  });

  it('of a frozen investor can be neither asked for, approved nor paid, but rejected', async () => {
    const [open, approved] = [await askToWithdraw(20), await askToWithdraw(30)];
    for (const who of [ada, ben]) await approve(who, approved);
    const reason = 'A stolen phone was reported.';
    const params = { id: investor.userid };
    const freeze = (as: Operator) => tryCall(test, freezeinvestor, { params, body: { reason }, as });
    expect((await freeze(ada)).status).toBe(200);
    expect((await freeze(ben)).code).toBe('already_decided');
    expect((await withdrawalInQueue(open))?.frozen).toBe(reason);
    expect((await approve(ada, open)).code).toBe('withdrawals_frozen');
    expect((await pay(ada, approved)).code).toBe('withdrawals_frozen');
    await expect(askToWithdraw(10)).rejects.toThrow('paused');
    for (const id of [open, approved]) expect((await reject(ada, id, 'Frozen.')).status).toBe(200);
    await call(test, unfreezeinvestor, { params, body: { reason: 'It was found.' }, as: ben });
    await reject(ada, await askToWithdraw(10));
  });
});
