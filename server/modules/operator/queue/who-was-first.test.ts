import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownPage, send } from '../../../testing/call.ts';
import { deposit, goodAddress, newBitcoinAddress, newTxid, withOffers } from '../../../testing/money.ts';
import { type Operator, signedInOperator } from '../../../testing/operators.ts';
import { type SignedIn, signedIn } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';

let test: TestApp;
let ada: Operator;
let ben: Operator;
let investor: SignedIn;
let bitcoin: string;
beforeAll(async () => {
  test = await startTestApp();
  bitcoin = (await withOffers(test)).withdrawalMethods.Bitcoin ?? '';
  ada = await signedInOperator(test);
  ben = await signedInOperator(test);
  investor = await signedIn(test);
  await deposit(test, investor.userid, 4_000);
});
afterAll(() => test.close());

const rawId = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
/** By paths, because every kind of proposal is pressed alike. */
const post = ({ cookies }: Operator, path: string, body?: object, key?: string) =>
  send(test, 'POST', `/api/operator/${path}`, body, {
    cookies,
    headers: { ...ownPage, ...(key && { 'idempotency-key': key }) },
  });
const read = async (path: string) =>
  (await send(test, 'GET', `/api/operator/${path}`, undefined, { cookies: ada.cookies })).json();
const asInvestor = async (path: string, body?: object) =>
  (await send(test, 'POST', `/api/${path}`, body, { token: investor.token })).json();

async function done(who: Operator, path: string, body?: object): Promise<void> {
  const answer = await post(who, path, body);
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.body}`);
}

/** What whoever comes late is told; with the same key once more they are told the same. */
async function toldLate(who: Operator, path: string, body?: object): Promise<string> {
  const key = randomUUID();
  const [first, again] = [await post(who, path, body, key), await post(who, path, body, key)];
  expect([first.json().code, again.json()]).toEqual(['already_decided', first.json()]);
  expect(first.json().message).not.toMatch(rawId);
  return first.json().message;
}

const newDeposit = async (amount: number): Promise<string> =>
  (await asInvestor('funding/addbalance', { fundingtypename: 'Bitcoin', amount })).request._id;
const payment = (received: number) => ({ received, chaintransactionid: newTxid() });

async function newWithdrawal(): Promise<string> {
  const asked = { userid: investor.userid, withdrawalid: bitcoin, withdrawalamount: 10 };
  const body = { ...asked, withdrawaladdress: newBitcoinAddress() };
  return (await asInvestor('withdrawal/makenewwithdrawal', body)).withdrawal._id;
}

describe('a refusal in the console names who was first, and never by an id', () => {
  const asking: Record<string, () => Promise<void>> = {
    corrections: () => {
      const body = { direction: 'add', amount: 1, reason: 'Counted too little.' };
      return done(ada, `investors/${investor.userid}/correction`, body);
    },
    boundschanges: async () => {
      const { bounds } = await read('checklist');
      await done(ada, 'bounds', { ...bounds, threshold: bounds.threshold - 1 });
    },
    addresschanges: () => {
      const body = { network: 'bitcoin', paymentaddress: goodAddress.Bitcoin };
      return done(ada, 'paymentmethods', { paymentname: `Bitcoin ${randomUUID()}`, ...body });
    },
    planproposals: () =>
      done(ada, 'plans', { planname: randomUUID().slice(0, 8), from: 100, to: 200, duration: 1, roi: 1 }),
  };

  it.each([
    ['corrections', 'This correction was posted', 'This correction was dropped'],
    ['boundschanges', 'These bounds were decided', 'These bounds were decided'],
    ['addresschanges', 'This change was decided', 'This change was decided'],
    ['planproposals', 'This draft was decided', 'This draft was decided'],
  ])('%s', async (kind, agreed, dropped) => {
    for (const [way, words] of [
      ['confirm', agreed],
      ['discard', dropped],
    ]) {
      await asking[kind]?.();
      const [{ _id }] = (await read('queue'))[kind];
      await done(ben, `${kind}/${_id}/${way}`);
      for (const late of ['confirm', 'discard']) {
        expect(await toldLate(ada, `${kind}/${_id}/${late}`)).toBe(`${words} already, by ${ben.name}.`);
      }
    }
  });

  it.each([
    ['corrections', 'correction.posted', 'correction.dropped'],
    ['boundschanges', 'bounds.agreed', 'bounds.dropped'],
    ['addresschanges', 'payment-address.agreed', 'payment-address.dropped'],
    ['planproposals', 'plan.added', 'plan.dropped'],
  ])('and the audit log who decided about %s, and who had asked', async (kind, agreed, dropped) => {
    for (const [way, action] of [
      ['confirm', agreed],
      ['discard', dropped],
    ]) {
      await asking[kind]?.();
      const [{ _id }] = (await read('queue'))[kind];
      await done(ben, `${kind}/${_id}/${way}`);
      const [last] = (await read('audit')).entries;
      expect(last).toMatchObject({ action, actorid: ben.id, details: { askedBy: ada.id } });
    }
  });

  it('deposits, the first of two confirmations as well', async () => {
    const one = await newDeposit(20);
    await done(ben, `deposits/${one}/confirm`, payment(20));
    const confirmed = `This request was confirmed already, by ${ben.name}.`;
    expect(await toldLate(ada, `deposits/${one}/confirm`, payment(20))).toBe(confirmed);
    expect(await toldLate(ada, `deposits/${one}/drop`)).toBe(confirmed);
    const two = await newDeposit(6_000);
    const entered = payment(6_000);
    await done(ben, `deposits/${two}/confirm`, entered);
    const other = { ...entered, received: 5_999 };
    expect(await toldLate(ada, `deposits/${two}/confirm`, other)).toBe(
      `${ben.name} confirmed $6,000.00 with the transaction id ${entered.chaintransactionid}. Confirm exactly that, or drop the first confirmation.`,
    );
    await done(ben, `deposits/${two}/reject`, { reason: 'It never came.' });
    const rejected = `This request was rejected already, by ${ben.name}.`;
    expect(await toldLate(ada, `deposits/${two}/reject`, { reason: 'It never came.' })).toBe(rejected);
  });

  it('withdrawals, one that the investor took back as well', async () => {
    const approved = await newWithdrawal();
    await done(ben, `withdrawals/${approved}/approve`);
    const text = `This withdrawal was approved already, by ${ben.name}.`;
    expect(await toldLate(ada, `withdrawals/${approved}/approve`)).toBe(text);
    const cancelled = await newWithdrawal();
    await asInvestor(`withdrawal/cancelwithdrawal/${cancelled}`);
    const byInvestor = 'This withdrawal was cancelled already, by the investor.';
    expect(await toldLate(ada, `withdrawals/${cancelled}/approve`)).toBe(byInvestor);
  });

  it('messages', async () => {
    const body = { name: 'Amara', email: 'amara@example.com', message: 'How long does it take?' };
    await send(test, 'POST', '/api/mail/contact', body);
    const [{ _id }] = (await read('messages')).messages;
    await done(ben, `messages/${_id}/handled`);
    const text = `This message was answered already, by ${ben.name}.`;
    expect(await toldLate(ada, `messages/${_id}/handled`)).toBe(text);
  });
});
