import { protectaddresses, saveaddress, unprotectaddresses } from '@tallystick/contract/addresses';
import { investor as investorCall, withdrawaladdresses } from '@tallystick/contract/operator/investors';
import { queue } from '@tallystick/contract/operator/queue';
import { makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, refusal } from '../../../testing/call.ts';
import { dayMs, minuteMs } from '../../../testing/clock.ts';
import { steppedUp } from '../../../testing/factors/people.ts';
import {
  deposit,
  goodAddress,
  newBitcoinAddress,
  newTxid,
  type Offers,
  operator,
  withdrawalForm,
  withOffers,
} from '../../../testing/money.ts';
import { type Operator, signedInOperator } from '../../../testing/operators.ts';
import { type SignedIn, signedIn } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';

let test: TestApp;
let offers: Offers;
let ada: Operator;
let who: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  ada = await signedInOperator(test);
  who = await signedIn(test);
  await deposit(test, who.userid, 1_000);
});
afterAll(() => test.close());

async function ask(withdrawaladdress: string): Promise<string> {
  const to = { withdrawalid: offers.withdrawalMethods.Ethereum, withdrawaladdress };
  const body = withdrawalForm({ offers, who }, to);
  return (await call(test, makenewwithdrawal, { as: who, body })).withdrawal._id;
}
async function pay(withdrawalId: string): Promise<void> {
  const step = { withdrawalId, actor: operator('one'), idempotencyKey: null };
  await test.context.withdrawal.approveWithdrawal(step);
  await test.context.withdrawal.markWithdrawalPaid({ ...step, chainTxid: newTxid('ethereum') });
}
const moment = () => test.clock.now().toISOString();
const destinationOf = async (id: string) => {
  const { withdrawals } = await call(test, queue, { as: ada });
  const found = withdrawals.find(({ _id }) => _id === id);
  return { addressused: found?.addressused, ...found?.destination };
};
const listed = (id = who.userid) => call(test, withdrawaladdresses, { params: { id }, as: ada });

it('an operator sees how old an address is, whose word it is and when it was last paid to', async () => {
  const first = moment();
  const address = goodAddress.Ethereum.toLowerCase();
  const one = await ask(address);
  const typed = { savedas: null, savedat: null, lastpaidat: null, protected: false };
  expect(await destinationOf(one)).toEqual({ addressused: 0, ...typed, firstseenat: first });
  await pay(one);
  const paid = moment();
  test.clock.advance(minuteMs);

  const body = { label: 'Ledger', network: 'ethereum', address: goodAddress.Ethereum } as const;
  const { savedat } = (await call(test, saveaddress, { as: who, body })).savedaddress;
  const spare = { label: 'Spare', network: 'bitcoin', address: newBitcoinAddress() } as const;
  await call(test, saveaddress, { as: who, body: spare });
  await call(test, protectaddresses, { as: who });
  const known = { savedas: 'Ledger', savedat, firstseenat: first, lastpaidat: paid };
  expect(await destinationOf(await ask(address))).toEqual({ addressused: 1, ...known, protected: true });

  const { addresses, total } = await listed();
  expect(total).toBe(2);
  expect(addresses).toEqual([
    {
      network: 'bitcoin',
      address: spare.address,
      tag: null,
      savedas: 'Spare',
      savedat,
      timespaid: 0,
      usablefrom: savedat,
      firstseenat: savedat,
      lastpaidat: null,
    },
    {
      network: 'ethereum',
      address: goodAddress.Ethereum,
      tag: null,
      ...known,
      timespaid: 1,
      usablefrom: savedat,
    },
  ]);
});

it('and whether addresses are protected, and when that ends', async () => {
  const protection = async () => {
    const { addressprotection } = await call(test, investorCall, { params: { id: who.userid }, as: ada });
    return addressprotection;
  };
  const since = moment();
  expect(await protection()).toEqual({ since, offfrom: null });
  await steppedUp(test, who);
  await call(test, unprotectaddresses, { as: who });
  const offfrom = new Date(test.clock.now().getTime() + dayMs).toISOString();
  expect(await protection()).toEqual({ since, offfrom });
  test.clock.advance(dayMs);
  ada = await signedInOperator(test);
  expect(await protection()).toBeNull();
});

it('of nobody nothing', async () => {
  expect(await listed((await signedIn(test)).userid)).toMatchObject({ addresses: [], total: 0 });
  const id = '00000000-0000-4000-8000-000000000000';
  expect((await refusal(test, withdrawaladdresses, { params: { id }, as: ada })).code).toBe('not_found');
});
