import * as calls from '@tallystick/contract/operator/payouts';
import {
  approvewithdrawal,
  paywithdrawal,
  queue,
  rejectwithdrawal,
} from '@tallystick/contract/operator/queue';
import { fetchwithdrawals, makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf, call, ownPage, refusal, send, tryCall } from '../../../testing/call.ts';
import { minuteMs } from '../../../testing/clock.ts';
import {
  deposit,
  goodAddress,
  newTxid,
  type Offers,
  withdrawalForm,
  withOffers,
} from '../../../testing/money.ts';
import { accountsOf, type Operator, signedInAgain, signedInOperator } from '../../../testing/operators.ts';
import { type SignedIn, signedIn, signIn } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';

let test: TestApp;
let offers: Offers;
let ada: Operator;
let ben: Operator;
let investor: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  [ada, ben] = [await signedInOperator(test), await signedInOperator(test)];
  investor = await signedIn(test);
  await deposit(test, investor.userid, 4_000);
});
afterAll(() => test.close());

/** Approved, over a network that nobody reads here. */
async function approved(method: keyof typeof goodAddress = 'Ripple', tag?: string): Promise<string> {
  const form = withdrawalForm(
    { offers, who: investor },
    {
      withdrawalid: offers.withdrawalMethods[method],
      withdrawalamount: 20,
      withdrawaladdress: goodAddress[method],
      ...(tag && { withdrawaltag: tag }),
    },
  );
  const { withdrawal } = await call(test, makenewwithdrawal, { body: form, as: investor });
  await call(test, approvewithdrawal, { params: { id: withdrawal._id }, as: ada });
  return withdrawal._id;
}

/** Everybody has to sign in again by then. */
async function later(minutes: number): Promise<void> {
  test.clock.advance(minutes * minuteMs);
  [ada, ben] = [await signedInAgain(test, ada), await signedInAgain(test, ben)];
  investor = await signIn(test, investor);
}

const make = (withdrawals: string[], network: 'xrp' | 'ethereum' | 'bitcoin' = 'xrp') =>
  tryCall(test, calls.makesheet, { body: { network, withdrawals }, as: ada });
async function made(withdrawals: string[], network: 'xrp' | 'ethereum' | 'bitcoin' = 'xrp') {
  return (await call(test, calls.makesheet, { body: { network, withdrawals }, as: ada })).sheet;
}
const at = ({ _id: id }: { _id: string }, as = ada) => ({ params: { id }, as });
const reason = { reason: 'The wallet was not there' };
const list = () => call(test, calls.payouts, { as: ada });
const csvOf = ({ _id }: { _id: string }) =>
  send(test, 'GET', `/api/operator/payouts/${_id}/export.csv`, undefined, {
    cookies: ada.cookies,
    headers: ownPage,
  });
const waiting = async () =>
  (await list()).networks.flatMap(({ withdrawals }) => withdrawals.map(({ _id }) => _id));

describe('a payout sheet', () => {
  it('fixes the coins that are owed, and tells a wallet nothing before somebody has claimed it', async () => {
    const one = await approved('Ripple', '12345');
    const other = await approved();
    expect(await waiting()).toEqual(expect.arrayContaining([one, other]));
    const sheet = await made([one, other]);
    expect(sheet).toMatchObject({
      state: 'made',
      network: 'xrp',
      amount: 40,
      made: { name: ada.name },
      claimed: null,
      transaction: null,
      expiresat: new Date(test.clock.now().getTime() + 30 * minuteMs).toISOString(),
      items: [
        { _id: one, tag: '12345', status: 'approved', payuri: null, confirmations: null },
        { _id: other, tag: null, payuri: null },
      ],
    });
    const [item] = sheet.items;
    // Rounded down to what the coin has.
    expect(Number(item?.coins)).toBeCloseTo(20 / Number(sheet.price), 5);
    expect(Number(item?.coins) * Number(sheet.price)).toBeLessThanOrEqual(20);
    expect(await waiting()).not.toContain(one);
    expect((await list()).open.map(({ number }) => number)).toContain(sheet.number);
    expect((await csvOf(sheet)).statusCode).toBe(409);

    const { sheet: claimed } = await call(test, calls.claimsheet, at(sheet, ben));
    expect(claimed).toMatchObject({ state: 'claimed', claimed: { name: ben.name }, expiresat: null });
    expect(claimed.items.map(({ payuri }) => payuri)).toEqual([
      `xrp:${goodAddress.Ripple}?amount=${item?.coins}&dt=12345`,
      `xrp:${goodAddress.Ripple}?amount=${item?.coins}`,
    ]);
    const { body } = await csvOf(sheet);
    expect(body.split('\r\n')[1]).toBe(
      `${sheet.number},${item?.transactionid},xrp,${goodAddress.Ripple},12345,${item?.coins},20.00,${claimed.items[0]?.payuri}`,
    );
    const psbt = `/api/operator/payouts/${sheet._id}/transaction.psbt`;
    const none = await send(test, 'GET', psbt, undefined, { cookies: ada.cookies, headers: ownPage });
    expect(none.statusCode).toBe(404);
    const { withdrawal } = await call(test, fetchwithdrawals, { query: {}, as: investor });
    expect(withdrawal.find(({ _id }) => _id === one)).toMatchObject({
      withdrawaltag: '12345',
      payout: { coins: item?.coins, ticker: 'XRP', price: sheet.price },
    });
  });

  it('is for approved withdrawals of its network that stand on no other', async () => {
    const id = await approved();
    const ethereum = await approved('Ethereum');
    expect((await make([id, ethereum])).code).toBe('outside_range');
    expect((await make([ada.id])).code).toBe('not_found');
    const sheet = await made([id]);
    const again = await refusal(test, calls.makesheet, {
      body: { network: 'xrp', withdrawals: [id] },
      as: ada,
    });
    expect(again.code).toBe('already_decided');
    expect(again.message).toContain(`on sheet ${sheet.number}`);
    const frozen = { reason: 'under investigation', userId: investor.userid };
    const actor = { kind: 'operator', id: ada.id } as const;
    await test.context.withdrawal.freezeInvestor({ ...frozen, actor });
    expect((await make([ethereum], 'ethereum')).code).toBe('withdrawals_frozen');
    expect((await tryCall(test, calls.claimsheet, at(sheet))).code).toBe('withdrawals_frozen');
    expect((await list()).networks.flatMap(({ withdrawals }) => withdrawals)).toContainEqual(
      expect.objectContaining({ _id: ethereum, hindered: expect.stringContaining('under investigation') }),
    );
    await test.context.withdrawal.unfreezeInvestor({ ...frozen, actor });
    expect((await tryCall(test, calls.claimsheet, at(sheet))).code).toBe('done');
    expect((await refusal(test, calls.claimsheet, at(sheet, ben))).message).toContain(ada.name);
  });

  it('expires when nobody claims it, or is dropped, and frees what was on it', async () => {
    const id = await approved();
    const first = await made([id]);
    await later(30);
    expect((await tryCall(test, calls.claimsheet, at(first))).code).toBe('already_decided');
    expect((await call(test, calls.onesheet, at(first))).sheet.state).toBe('expired');
    const second = await made([id]);
    await call(test, calls.discardsheet, at(second, ben));
    expect((await tryCall(test, calls.discardsheet, at(second))).code).toBe('already_decided');
    const third = await made([id]);
    await call(test, calls.claimsheet, at(third));
    await later(60);
    expect((await list()).open.map(({ number }) => number)).toContain(third.number);
    expect((await tryCall(test, calls.discardsheet, at(third))).code).toBe('already_decided');
  });

  it('keeps its withdrawals from being rejected until two have released it', async () => {
    const id = await approved();
    const sheet = await made([id]);
    const reject = () => tryCall(test, rejectwithdrawal, { params: { id }, body: reason, as: ada });
    expect((await reject()).text).toContain(`sheet ${sheet.number}`);
    await call(test, calls.claimsheet, at(sheet));
    expect((await reject()).code).toBe('already_decided');
    const release = (as: Operator) => tryCall(test, calls.releasesheet, { ...at(sheet, as), body: reason });
    expect(answerOf(await release(ada))).toMatchObject({ state: 'claimed' });
    expect((await release(ada)).code).toBe('second_operator_needed');
    await call(test, calls.keepsheet, at(sheet, ben));
    expect(answerOf(await release(ben))).toMatchObject({ state: 'claimed' });
    expect(answerOf(await release(ada))).toMatchObject({ state: 'released' });
    expect((await release(ben)).code).toBe('already_decided');
    expect(await waiting()).toContain(id);
    // No wallet is told of it any more.
    const { sheet: over } = await call(test, calls.onesheet, at(sheet));
    expect(over).toMatchObject({ items: [{ payuri: null }] });
    expect((await csvOf(sheet)).statusCode).toBe(409);
    expect((await reject()).code).toBe('done');
  });

  it('is not released by somebody who is an operator no more and one other', async () => {
    const sheet = await made([await approved()]);
    await call(test, calls.claimsheet, at(sheet));
    const gone = await signedInOperator(test);
    await call(test, calls.releasesheet, { ...at(sheet, gone), body: reason });
    await accountsOf(test).disableOperator({ email: gone.email });
    const second = await call(test, calls.releasesheet, { ...at(sheet), body: reason });
    expect(second.state).toBe('claimed');
  });

  it('tells a wallet nothing any more once two have released it, nor of what is paid', async () => {
    const ids = [await approved(), await approved()];
    const sheet = await made(ids);
    await call(test, calls.claimsheet, at(sheet));
    const url = `/api/operator/payouts/${sheet._id}/export.csv`;
    const file = () => send(test, 'GET', url, undefined, { cookies: ada.cookies, headers: ownPage });
    const codes = async () =>
      (await call(test, calls.onesheet, at(sheet))).sheet.items.map(({ payuri }) => payuri !== null);
    expect(await codes()).toEqual([true, true]);
    const body = { chaintransactionid: newTxid('xrp') };
    await call(test, paywithdrawal, { params: { id: ids[0] ?? '' }, body, as: ada });
    expect(await codes()).toEqual([false, true]);
    expect((await file()).body.trim().split('\r\n')).toHaveLength(2);
    for (const as of [ada, ben]) await call(test, calls.releasesheet, { ...at(sheet, as), body: reason });
    expect(await codes()).toEqual([false, false]);
    expect((await file()).statusCode).toBe(409);
  });

  it('tells a wallet nothing while an investor on it is frozen, although it was claimed before', async () => {
    const sheet = await made([await approved()]);
    await call(test, calls.claimsheet, at(sheet));
    const frozen = { userId: investor.userid, actor: { kind: 'operator', id: 'ada' } } as const;
    await test.context.withdrawal.freezeInvestor({ ...frozen, reason: 'Looked into.' });
    const read = async () => (await call(test, calls.onesheet, at(sheet))).sheet;
    const { items, hindered } = await read();
    expect(items).toMatchObject([{ payuri: null }]);
    expect(hindered).toMatch(/is frozen: Looked into\./);
    const url = `/api/operator/payouts/${sheet._id}/export.csv`;
    const file = () => send(test, 'GET', url, undefined, { cookies: ada.cookies, headers: ownPage });
    expect((await file()).json()).toMatchObject({ code: 'withdrawals_frozen' });
    await test.context.withdrawal.unfreezeInvestor({ ...frozen, reason: 'Nothing was found.' });
    expect(await read()).toMatchObject({ hindered: null, items: [{ payuri: expect.any(String) }] });
    expect((await file()).statusCode).toBe(200);
  });

  it('is shown to operators alone, and so are its files', async () => {
    const sheet = await made([await approved('Bitcoin')], 'bitcoin');
    await call(test, calls.claimsheet, at(sheet));
    const one = `/api/operator/payouts/${sheet._id}`;
    for (const url of [one, `${one}/export.csv`, `${one}/transaction.psbt`, '/api/operator/payouts']) {
      const nobody = await send(test, 'GET', url, undefined, { headers: ownPage });
      const anInvestor = await send(test, 'GET', url, undefined, { token: investor.token });
      expect([nobody.statusCode, anInvestor.statusCode], url).toEqual([401, 401]);
    }
  });

  it('is paid when everything on it is, by hand where its network is not read', async () => {
    const ids = [await approved(), await approved()];
    const sheet = await made(ids);
    await call(test, calls.claimsheet, at(sheet));
    const pay = (id: string) => ({
      params: { id },
      body: { chaintransactionid: newTxid('xrp') },
      as: ada,
    });
    const queued = async (id: string) =>
      (await call(test, queue, { as: ada })).withdrawals.find(({ _id }) => _id === id);
    expect(await queued(ids[0] ?? '')).toMatchObject({
      sheet: sheet.number,
      watched: false,
      firstpaid: null,
    });
    const answers = [];
    answers.push(await call(test, paywithdrawal, pay(ids[0] ?? '')));
    // What is paid is not paid again by the code or the list.
    const { sheet: left } = await call(test, calls.onesheet, at(sheet));
    expect(left.items.map(({ payuri }) => payuri === null)).toEqual([true, false]);
    const { body } = await csvOf(sheet);
    expect(left.items.map(({ transactionid }) => body.includes(transactionid))).toEqual([false, true]);
    answers.push(await call(test, paywithdrawal, pay(ids[1] ?? '')));
    expect(answers.map(({ status }) => status)).toEqual(['paid', 'paid']);
    const { sheet: ended } = await call(test, calls.onesheet, at(sheet));
    expect(ended).toMatchObject({ state: 'paid', items: [{ status: 'paid' }, { status: 'paid' }] });
  });

  it('pays one by one with Bitcoin, where that is not read', async () => {
    const sheet = await made([await approved('Bitcoin')], 'bitcoin');
    const { sheet: claimed } = await call(test, calls.claimsheet, at(sheet));
    expect(claimed).toMatchObject({ transaction: null });
    expect(claimed.items[0]?.payuri).toBe(`bitcoin:${goodAddress.Bitcoin}?amount=${claimed.items[0]?.coins}`);
  });
});

it('more than can be listed are said to be more', async () => {
  const id = await approved();
  const { total } = await call(test, calls.payouts, { as: ada });
  const same =
    'user_id, method_id, methodname, network, address, amount_cents, requested_at, status, approved_at, approved_by';
  await test.context.owner.query(
    `insert into withdrawals (id, transactionid, ${same})
     select gen_random_uuid(), 'copy ' || n, ${same} from withdrawals, generate_series(1, 500) n where id = $1`,
    [id],
  );
  const after = await call(test, calls.payouts, { as: ada });
  expect(after.networks.flatMap(({ withdrawals }) => withdrawals)).toHaveLength(500);
  expect(after.total).toBe(total + 500);
});
