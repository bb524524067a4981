import { randomUUID } from 'node:crypto';
import { changepassword, viewprofile } from '@tallystick/contract/users';
import { makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { outcomes } from '../../testing/at-once.ts';
import { blockedBackends } from '../../testing/blocked.ts';
import { answerOf, call, tryCall } from '../../testing/call.ts';
import { hourMs, minuteMs } from '../../testing/clock.ts';
import {
  deposit,
  goodAddress,
  newTxid,
  type Offers,
  operator,
  withdrawalForm,
  withOffers,
} from '../../testing/money.ts';
import { resetPassword, type SignedIn, signedIn, signIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

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
  await deposit(test, person.userid, 500);
});

const known = goodAddress.Ethereum;
const fresh = '0xde709f2102306220921060314715629080e2fb77';

function withdrawTo(withdrawaladdress: string, key: string = randomUUID()) {
  const to = { withdrawalid: offers.withdrawalMethods.Ethereum, withdrawaladdress, withdrawalamount: 50 };
  const body = withdrawalForm({ offers, who: person }, to);
  return tryCall(test, makenewwithdrawal, { body, as: person, key });
}
const statusTo = async (address: string) => (await withdrawTo(address)).status;

async function paidTo(address: string): Promise<void> {
  const { _id: withdrawalId } = answerOf(await withdrawTo(address)).withdrawal;
  const { withdrawal } = test.context;
  await withdrawal.approveWithdrawal({ withdrawalId, actor: operator('one'), idempotencyKey: null });
  const payment = { withdrawalId, chainTxid: newTxid('ethereum') };
  await withdrawal.markWithdrawalPaid({ ...payment, actor: operator('one'), idempotencyKey: null });
}

const password = 'a newer notch 1827';

/** By the mailed code or the mailed link; then signed in again. */
async function reset(how: 'code' | 'link'): Promise<void> {
  const { email, userid } = person;
  await resetPassword(test, person, { password, how });
  person = await signIn(test, { email, userid, password });
}

const waitsUntil = async () => (await call(test, viewprofile, { as: person })).newaddressesafter;

it.each(['code', 'link'] as const)(
  'for a day after a reset by %s money goes only where it was paid before',
  async (how) => {
    await paidTo(known);
    await withdrawTo(fresh);
    expect(await waitsUntil()).toBeNull();
    await reset(how);
    const until = new Date(test.clock.now().getTime() + 24 * hourMs).toISOString();
    expect(await waitsUntil()).toBe(until);

    const refused = await withdrawTo(fresh);
    expect(refused).toMatchObject({ status: 423, code: 'address_waits' });
    const day = Number(until.slice(8, 10));
    expect(refused.text).toContain(`${day} Nov 2026, ${until.slice(11, 16)} UTC`);
    expect(refused.text).toContain('paid to before works at once');
    expect([await statusTo(known), await statusTo(known.toLowerCase())]).toEqual([200, 200]);

    test.clock.advance(24 * hourMs - minuteMs);
    person = await signIn(test, person);
    expect(await statusTo(fresh)).toBe(423);
    test.clock.advance(minuteMs);
    expect([await statusTo(fresh), await waitsUntil()]).toEqual([200, null]);
  },
);

it('an address that was paid to before waits with another tag: there it is somebody else’s', async () => {
  const { withdrawal } = test.context;
  const method = { methodId: offers.withdrawalMethods.Ripple, address: goodAddress.Ripple };
  const to = (tag: bigint | null) => ({
    ...method,
    userId: person.userid,
    amountCents: 2_000n,
    tag,
    idempotencyKey: null,
  });
  const { id: withdrawalId } = await withdrawal.askForWithdrawal(to(7n));
  const step = { withdrawalId, actor: operator('one'), idempotencyKey: null };
  await withdrawal.approveWithdrawal(step);
  await withdrawal.markWithdrawalPaid({ ...step, chainTxid: newTxid('xrp') });
  await reset('code');
  const tries = [8n, null, 7n].map((tag) => withdrawal.askForWithdrawal(to(tag)));
  expect(await outcomes(tries)).toEqual(['address_waits', 'address_waits', 'done']);
});

it('the letter about a reset says until when, the one about a change does not', async () => {
  const body = { password: person.password, passwordnew: 'yet another notch 1' };
  await call(test, changepassword, { body, as: person });
  const told = await changedLetters();
  expect(told).toEqual([expect.not.stringContaining('paid to before')]);
  expect(await waitsUntil()).toBeNull();
  expect(await statusTo(fresh)).toBe(200);

  await reset('code');
  const [newest = '', ...older] = await changedLetters();
  expect(older).toEqual(told);
  expect(newest.replace(/\s+/g, ' ')).toMatch(/until \d+ Nov 2026, \d\d:\d\d UTC withdrawals go only to/);
});

async function changedLetters(): Promise<string[]> {
  const letters = await test.mailbox.letters(person.email);
  return letters.filter(({ subject }) => subject.includes('was changed')).map(({ text }) => text);
}

it('a key that was refused for a new address is good for another try when the wait is over', async () => {
  await reset('code');
  const key = randomUUID();
  expect((await withdrawTo(fresh, key)).status).toBe(423);
  test.clock.advance(24 * hourMs);
  person = await signIn(test, person);
  expect((await withdrawTo(fresh, key)).status).toBe(200);
});

it('a mistyped address is told as such, also while new ones wait', async () => {
  await reset('code');
  expect((await withdrawTo('0xnothing')).code).toBe('address_wrong');
});

it('a withdrawal that was let in a moment before the reset is looked at again when it is made', async () => {
  const { owner } = test.context;
  const slow = await owner.connect();
  try {
    await slow.query('begin');
    await slow.query('lock table ledger_commands in access exclusive mode');
    const asked = withdrawTo(fresh);
    await blockedBackends(test);
    const until = new Date(test.clock.now().getTime() + hourMs);
    await owner.query('update users set new_addresses_after = $1 where id = $2', [until, person.userid]);
    await slow.query('commit');
    expect((await asked).code).toBe('address_waits');
  } finally {
    slow.release();
  }
});
