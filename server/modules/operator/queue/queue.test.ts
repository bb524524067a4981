import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayMs } from '../../../testing/clock.ts';
import {
  deposit,
  goodAddress,
  newBitcoinAddress,
  newTxid,
  type Offers,
  withOffers,
} from '../../../testing/money.ts';
import { type Operator, press, signedInOperator } from '../../../testing/operators.ts';
import { type SignedIn, send, signedIn, signIn, verified } from '../../../testing/people.ts';
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

const post = (who: Operator, path: string, body?: object, key?: string) =>
  press(test, who, 'POST', path, body, key);
const queue = async (who = ada) => (await press(test, who, 'GET', 'queue')).json();
const available = async () =>
  (await send(test, 'GET', '/api/ledger/summary', undefined, { token: investor.token })).json()
    .available as number;
const lettersSent = async () => (await test.mailbox.letters(investor.email)).map(({ text }) => text);
const outcome = (answer: { statusCode: number; json(): { code?: string } }) =>
  answer.statusCode === 200 ? 'done' : answer.json().code;

async function askToFund(amount: number): Promise<string> {
  const body = { fundingtypename: 'Bitcoin', amount };
  const answer = await send(test, 'POST', '/api/funding/addbalance', body, { token: investor.token });
  return answer.json().request._id;
}

async function askToWithdraw(amount: number): Promise<string> {
  const body = {
    userid: investor.userid,
    withdrawalid: offers.withdrawalMethods.Bitcoin,
    withdrawalamount: amount,
    withdrawaladdress: newBitcoinAddress(),
  };
  const answer = await send(test, 'POST', '/api/withdrawal/makenewwithdrawal', body, {
    token: investor.token,
  });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json().withdrawal._id;
}

const received = (amount: number) => ({ received: amount, chaintransactionid: newTxid() });

describe('a deposit in the queue', () => {
  it('shows what is needed to decide, and is credited with what was received', async () => {
    const id = await askToFund(250);
    const shown = (await queue()).deposits.find(({ _id }: { _id: string }) => _id === id);
    expect(shown).toMatchObject({
      amount: 250,
      fundingtype: 'Bitcoin',
      confirmedbefore: 1,
      largestbefore: 50_000,
      coinamount: expect.stringMatching(/^0\.\d{6}$/),
    });
    const before = await available();
    expect((await post(ada, `deposits/${id}/confirm`, received(249.99))).statusCode).toBe(200);
    expect(await available()).toBe(Math.round((before + 249.99) * 100) / 100);
    expect((await queue()).deposits.map(({ _id }: { _id: string }) => _id)).not.toContain(id);
    await expect.poll(lettersSent).toContainEqual(expect.stringContaining('$249.99'));
  });

  it('is decided once when both press at once, and the second is told by name who was first', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await askToFund(100);
      const before = await available();
      const both = await Promise.all([
        post(ada, `deposits/${id}/confirm`, received(100)),
        post(ben, `deposits/${id}/confirm`, received(100)),
      ]);
      expect(both.map(outcome).toSorted()).toEqual(['already_decided', 'done']);
      const [first, second] = both[0]?.statusCode === 200 ? [ada, both[1]] : [ben, both[0]];
      expect(second?.json().message).toContain(first.name);
      expect(await available()).toBe(before + 100);
    }
  });

  it('is on the network of its method, whatever else is sent, and an account-based network has no outputs', async () => {
    const id = await askToFund(100);
    const named = { ...received(100), network: 'Ethereum' };
    expect(outcome(await post(ada, `deposits/${id}/confirm`, named))).toBe('invalid_request');
    const body = { fundingtypename: 'Ethereum', amount: 100 };
    const asked = await send(test, 'POST', '/api/funding/addbalance', body, { token: investor.token });
    const { _id } = asked.json().request;
    const payment = { received: 100, chaintransactionid: newTxid('ethereum') };
    const confirm = (typed: object) => post(ada, `deposits/${_id}/confirm`, { ...payment, ...typed });
    expect(outcome(await confirm({ chainoutput: 1 }))).toBe('outside_range');
    expect(outcome(await confirm({ received: 1_000_000.01 }))).toBe('outside_range');
    const twice = await confirm({ chaintransactionid: `0x${payment.chaintransactionid}` });
    expect([twice.statusCode, twice.json().message]).toEqual([
      422,
      'The id of an Ethereum transaction is 0x and 64 characters, 0 to 9 and a to f.',
    ]);
    for (const each of [id, _id]) await post(ada, `deposits/${each}/reject`, { reason: 'Only a try.' });
  });

  it('that is rejected needs a reason, moves nothing, and tells the investor why', async () => {
    const id = await askToFund(75);
    const before = await available();
    expect((await post(ada, `deposits/${id}/reject`, { reason: '  ' })).statusCode).toBe(400);
    expect((await post(ada, `deposits/${id}/reject`, { reason: 'Nothing arrived.' })).statusCode).toBe(200);
    expect(await available()).toBe(before);
    await expect.poll(lettersSent).toContainEqual(expect.stringContaining('Nothing arrived.'));
  });
});

describe('a withdrawal in the queue', () => {
  it('below the threshold is approved by one and paid by another', async () => {
    const id = await askToWithdraw(400);
    const before = await available();
    expect((await post(ada, `withdrawals/${id}/pay`, { chaintransactionid: 'too-early' })).statusCode).toBe(
      409,
    );
    expect((await post(ada, `withdrawals/${id}/approve`)).json().status).toBe('approved');
    const paid = await post(ben, `withdrawals/${id}/pay`, { chaintransactionid: newTxid() });
    expect(paid.statusCode).toBe(200);
    expect(await available()).toBe(before);
  });

  it('above the threshold needs two different operators, whoever presses how often', async () => {
    const id = await askToWithdraw(5_000.01);
    const shown = async () => (await queue()).withdrawals.find(({ _id }: { _id: string }) => _id === id);
    expect(await shown()).toMatchObject({ approvalsneeded: 2, approvals: [] });
    expect((await post(ada, `withdrawals/${id}/approve`)).json().status).toBe('requested');
    expect(outcome(await post(ada, `withdrawals/${id}/approve`))).toBe('second_operator_needed');
    expect(outcome(await post(ada, `withdrawals/${id}/pay`, { chaintransactionid: newTxid() }))).toBe(
      'already_decided',
    );
    expect((await shown()).approvals).toMatchObject([{ name: ada.name }]);
    expect((await post(ben, `withdrawals/${id}/approve`)).json().status).toBe('approved');
    expect((await shown()).approvals).toMatchObject([{ name: ada.name }, { name: ben.name }]);
    await expect(
      test.context.owner.query('update withdrawals set approved_by = first_approved_by where id = $1', [id]),
    ).rejects.toThrow('check');
  });

  it('that is approved twice by both at once is approved by two, never by one twice', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await askToWithdraw(6_000);
      const presses = [ada, ada, ben, ben].map((who) => post(who, `withdrawals/${id}/approve`));
      const done = (await Promise.all(presses)).filter(({ statusCode }) => statusCode === 200);
      expect(done.map((answer) => answer.json().status).toSorted()).toEqual(['approved', 'requested']);
      await post(ada, `withdrawals/${id}/reject`, { reason: 'Only a try.' });
    }
  });

  it('counts with what was approved for the same investor within a day: many small ones need two, too', async () => {
    const other = await signedIn(test);
    await deposit(test, other.userid, 20_000);
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const asked = await test.context.withdrawal.askForWithdrawal({
        ...{ userId: other.userid, methodId: offers.withdrawalMethods.Bitcoin ?? '', amountCents: 200_000n },
        ...{ address: goodAddress.Bitcoin, idempotencyKey: null },
      });
      ids.push(asked.id);
    }
    const answers = await Promise.all(ids.map((id) => post(ada, `withdrawals/${id}/approve`)));
    expect(answers.map((answer) => answer.json().status).toSorted()).toEqual([
      ...['approved', 'approved', 'requested', 'requested'],
    ]);
    const needed = (await queue()).withdrawals
      .filter(({ _id }: { _id: string }) => ids.includes(_id))
      .map(({ approvalsneeded }: { approvalsneeded: number }) => approvalsneeded);
    expect(needed.toSorted()).toEqual([1, 1, 2, 2]);
  });

  it('that is rejected gives the money back to the cent', async () => {
    const before = await available();
    const id = await askToWithdraw(123.45);
    expect(await available()).toBe(Math.round((before - 123.45) * 100) / 100);
    await post(ben, `withdrawals/${id}/reject`, {
      reason: 'The address belongs to an exchange that closed.',
    });
    expect(await available()).toBe(before);
  });

  it('of a frozen investor can be neither asked for, approved nor paid, but rejected', async () => {
    const [open, approved] = [await askToWithdraw(20), await askToWithdraw(30)];
    for (const who of [ada, ben]) await post(who, `withdrawals/${approved}/approve`);
    const reason = 'A stolen phone was reported.';
    expect((await post(ada, `investors/${investor.userid}/freeze`, { reason })).statusCode).toBe(200);
    expect(outcome(await post(ben, `investors/${investor.userid}/freeze`, { reason }))).toBe(
      'already_decided',
    );
    expect((await queue()).withdrawals.find(({ _id }: { _id: string }) => _id === open).frozen).toBe(reason);
    expect(outcome(await post(ada, `withdrawals/${open}/approve`))).toBe('withdrawals_frozen');
    expect(outcome(await post(ada, `withdrawals/${approved}/pay`, { chaintransactionid: newTxid() }))).toBe(
      'withdrawals_frozen',
    );
    await expect(askToWithdraw(10)).rejects.toThrow('paused');
    for (const id of [open, approved]) {
      expect((await post(ada, `withdrawals/${id}/reject`, { reason: 'Frozen.' })).statusCode).toBe(200);
    }
    await post(ben, `investors/${investor.userid}/unfreeze`, { reason: 'It was found.' });
    await post(ada, `withdrawals/${await askToWithdraw(10)}/reject`, { reason: 'Only a try.' });
  });
});
