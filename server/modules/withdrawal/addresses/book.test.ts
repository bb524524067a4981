import * as calls from '@tallystick/contract/addresses';
import { makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { times } from '../../../testing/at-once.ts';
import { call, refusal, tryCall } from '../../../testing/call.ts';
import { hourMs } from '../../../testing/clock.ts';
import { trails } from '../../../testing/factors/people.ts';
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
import { type SignedIn, signedIn, signIn } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';

let test: TestApp;
let offers: Offers;
let person: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
});
afterAll(() => test.close());
beforeEach(async () => {
  person = await signedIn(test);
});

type Wish = Parameters<typeof tryCall<typeof calls.saveaddress>>[2]['body'];
const wallet: Wish = { label: 'Hardware wallet', network: 'ethereum', address: goodAddress.Ethereum };
const save = (change: Partial<Wish> = {}) =>
  tryCall(test, calls.saveaddress, { as: person, body: { ...wallet, ...change } });
const codesOf = async (tries: Partial<Wish>[]) => {
  const codes: string[] = [];
  for (const each of tries) codes.push((await save(each)).code);
  return codes;
};
const book = (as = person) => call(test, calls.savedaddresses, { as });

it('an address is saved, renamed and removed, and each leaves a trace', async () => {
  expect(await book()).toEqual({
    savedaddress: [],
    protection: { state: 'off', since: null, offfrom: null },
  });
  expect((await save()).code).toBe('done');
  const [saved] = (await book()).savedaddress;
  expect(saved).toEqual({
    _id: expect.any(String),
    ...wallet,
    tag: null,
    usablefrom: null,
    lastpaidat: null,
    savedat: test.clock.now().toISOString(),
  });
  const params = { addressid: saved?._id ?? '' };
  const named = await call(test, calls.nameaddress, { as: person, params, body: { label: '  Cold  ' } });
  expect(named.savedaddress).toEqual({ ...saved, label: 'Cold' });
  expect((await book()).savedaddress).toEqual([named.savedaddress]);
  await call(test, calls.removeaddress, { as: person, params });
  expect((await book()).savedaddress).toEqual([]);
  for (const gone of [calls.nameaddress, calls.removeaddress] as const) {
    const asked = { as: person, params, body: { label: 'x' } };
    expect(
      (await refusal(test, gone, gone === calls.nameaddress ? asked : { as: person, params })).code,
    ).toBe('not_found');
  }
  const acts = (await trails(test, person.userid)).filter(({ action }) => action.startsWith('address'));
  expect(acts.map(({ action }) => action)).toEqual(['address.saved', 'address.named', 'address.removed']);
  // What it was called is forgotten with the account; the log is not.
  const { network, address } = wallet;
  expect(acts.map(({ details }) => details)).toEqual(Array(3).fill({ network, address }));
});

it('is checked as that of a withdrawal is', async () => {
  const ripple = { network: 'xrp', address: goodAddress.Ripple } as const;
  const codes = await codesOf([
    { address: '0xnothing' },
    { network: 'bitcoin' },
    { tag: '7' },
    { address: '0x000000000000000000000000000000000000dEaD' },
    { label: ' ' },
    { label: 'x'.repeat(61) },
    { label: 'a\u202eb' },
    { ...ripple, tag: '4294967296' },
    { ...ripple, tag: '4294967295', label: 'x'.repeat(60) },
  ]);
  expect(codes).toEqual([
    'address_wrong',
    'address_wrong',
    'outside_range',
    'address_wrong',
    'invalid_request',
    'invalid_request',
    'invalid_request',
    'invalid_request',
    'done',
  ]);
});

it('is saved once, however it is written; with another tag or on another network it is another', async () => {
  const ripple = { network: 'xrp', address: goodAddress.Ripple } as const;
  const lower = goodAddress.Ethereum.toLowerCase();
  const codes = await codesOf([{}, { address: lower }, { network: 'bnb' }, ripple, { ...ripple, tag: '0' }]);
  expect(codes).toEqual(['done', 'already_saved', 'done', 'done', 'done']);
  const again = await save({ ...ripple, tag: '0', label: 'Other' });
  expect(again).toMatchObject({ status: 409, message: 'This address is saved already, as Hardware wallet.' });
  const together = times(4, () => save({ network: 'bitcoin', address: goodAddress.Bitcoin }));
  const ends = (await Promise.all(together)).map(({ code }) => code);
  expect(ends.toSorted()).toEqual(['already_saved', 'already_saved', 'already_saved', 'done']);
});

it('fifty can be saved, also when many are at once', async () => {
  await test.context.owner.query(
    `insert into saved_addresses (user_id, label, network, address, created_at, usable_from)
     select $1, 'n' || n, 'bitcoin', 'bc1n' || n, now(), now() from generate_series(1, 48) n`,
    [person.userid],
  );
  const bitcoin = () => save({ network: 'bitcoin', address: newBitcoinAddress() });
  const ends = (await Promise.all(times(5, bitcoin))).map(({ code }) => code);
  expect(ends.filter((end) => end === 'done')).toHaveLength(2);
  expect(ends.filter((end) => end === 'outside_range')).toHaveLength(3);
});

it('is saved sixty times an hour at most, and removed as often as one likes', async () => {
  const { _id: addressid } = (await call(test, calls.saveaddress, { as: person, body: wallet })).savedaddress;
  await test.context.owner.query(
    "update throttles set hits = 60 where scope = 'address-book' and subject = $1",
    [person.userid],
  );
  await call(test, calls.removeaddress, { as: person, params: { addressid } });
  expect(await save()).toMatchObject({ status: 429, headers: { 'retry-after': '3600' } });
  test.clock.advance(hourMs);
  person = await signIn(test, person);
  expect((await save()).code).toBe('done');
});

describe('in the list', () => {
  it('stand by their names, and tell when money last went there', async () => {
    await deposit(test, person.userid, 500);
    await codesOf([{ label: 'b' }, { network: 'bnb', label: 'A' }, { network: 'bitcoin', label: 'c' }]);
    await save({ network: 'bitcoin', address: goodAddress.Bitcoin, label: 'c' });
    const to = { withdrawalid: offers.withdrawalMethods.Ethereum };
    const address = goodAddress.Ethereum.toLowerCase();
    const body = withdrawalForm({ offers, who: person }, { ...to, withdrawaladdress: address });
    const { withdrawal } = await call(test, makenewwithdrawal, { as: person, body });
    expect((await book()).savedaddress.map(({ lastpaidat }) => lastpaidat)).toEqual([null, null, null]);
    const step = { withdrawalId: withdrawal._id, actor: operator('one'), idempotencyKey: null };
    await test.context.withdrawal.approveWithdrawal(step);
    await test.context.withdrawal.markWithdrawalPaid({ ...step, chainTxid: newTxid('ethereum') });
    const listed = (await book()).savedaddress.map(({ label, lastpaidat }) => [label, lastpaidat]);
    expect(listed).toEqual([
      ['A', null],
      ['b', test.clock.now().toISOString()],
      ['c', null],
    ]);
  });

  it('are one’s own alone', async () => {
    await save();
    const other = await signedIn(test);
    expect((await book(other)).savedaddress).toEqual([]);
    expect((await book()).savedaddress.map(({ label }) => label)).toEqual(['Hardware wallet']);
  });
});

it('a typed address works as ever, saved or not, where nothing is protected', async () => {
  await deposit(test, person.userid, 500);
  await save();
  const body = withdrawalForm({ offers, who: person });
  expect((await tryCall(test, makenewwithdrawal, { as: person, body })).status).toBe(200);
});

it('a book is forgotten for good, with its protection, and nobody else’s is', async () => {
  const other = await signedIn(test);
  for (const who of [person, other]) {
    await call(test, calls.saveaddress, { as: who, body: wallet });
    await call(test, calls.protectaddresses, { as: who });
  }
  const { db, withdrawal } = test.context;
  await db.transaction().execute((tx) => withdrawal.forgetAddressBook({ tx, userId: person.userid }));
  expect(await book()).toMatchObject({ savedaddress: [], protection: { state: 'off' } });
  expect((await book(other)).savedaddress).toHaveLength(1);
  expect((await book(other)).protection.state).toBe('on');
});
