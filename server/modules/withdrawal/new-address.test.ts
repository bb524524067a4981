import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { hourMs, minuteMs } from '../../testing/clock.ts';
import { deposit, goodAddress, type Offers, operator, withOffers } from '../../testing/money.ts';
import { cookiesOf, newAddress, type SignedIn, send, signedIn, signIn } from '../../testing/people.ts';
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

async function withdrawTo(withdrawaladdress: string, key: string = randomUUID()) {
  const body = {
    userid: person.userid,
    withdrawalid: offers.withdrawalMethods.Ethereum,
    withdrawalamount: 50,
    withdrawaladdress,
  };
  const how = { token: person.token, headers: { 'idempotency-key': key } };
  return send(test, 'POST', '/api/withdrawal/makenewwithdrawal', body, how);
}
const statusTo = async (address: string) => (await withdrawTo(address)).statusCode;

async function paidTo(address: string): Promise<void> {
  const { _id: withdrawalId } = (await withdrawTo(address)).json().withdrawal;
  const { withdrawal } = test.context;
  await withdrawal.approveWithdrawal({ withdrawalId, actor: operator('one'), idempotencyKey: null });
  const payment = { withdrawalId, chainTxid: `0x${randomUUID().replaceAll('-', '').repeat(2)}` };
  await withdrawal.markWithdrawalPaid({ ...payment, actor: operator('one'), idempotencyKey: null });
}

const password = 'a newer notch 1827';

/** By the mailed code or the mailed link; then signed in again. */
async function reset(how: 'code' | 'link'): Promise<void> {
  const { email, userid } = person;
  const begun = await send(test, 'POST', '/api/users/forgotpassword', { email }, { from: newAddress() });
  const resetLetters = async () =>
    (await test.mailbox.letters(email)).filter(({ subject }) => /password reset code/.test(subject));
  await expect.poll(async () => (await resetLetters()).length, { timeout: 20_000 }).toBe(1);
  const [{ text } = { text: '' }] = await resetLetters();
  const code = /^\s*(\d{4})\s*$/m.exec(text)?.[1];
  const token = /#link=([\w-]{22})/.exec(text)?.[1];
  let cookies = cookiesOf(begun);
  if (how === 'code') await send(test, 'POST', '/api/users/verifyforgortpasscode', { code }, { cookies });
  else cookies = cookiesOf(await send(test, 'POST', '/api/users/resetlink', { token }));
  const body = { password, cpassword: password };
  const done = await send(test, 'PATCH', `/api/users/updatepassword/${userid}`, body, { cookies });
  expect(done.statusCode, done.body).toBe(200);
  person = await signIn(test, { email, userid, password });
}

const waitsUntil = async () =>
  (await send(test, 'GET', '/api/users/viewprofile', undefined, { token: person.token })).json()
    .newaddressesafter;

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
    expect([refused.statusCode, refused.json().code]).toEqual([423, 'address_waits']);
    const day = Number(until.slice(8, 10));
    expect(refused.json().message).toContain(`${day} Nov 2026, ${until.slice(11, 16)} UTC`);
    expect(refused.json().message).toContain('paid to before works at once');
    expect([await statusTo(known), await statusTo(known.toLowerCase())]).toEqual([200, 200]);

    test.clock.advance(24 * hourMs - minuteMs);
    person = await signIn(test, person);
    expect(await statusTo(fresh)).toBe(423);
    test.clock.advance(minuteMs);
    expect([await statusTo(fresh), await waitsUntil()]).toEqual([200, null]);
  },
);

it('the letter about a reset says until when, the one about a change does not', async () => {
  const body = { password: person.password, passwordnew: 'yet another notch 1' };
  await send(test, 'POST', '/api/users/changepassword', body, { token: person.token });
  await expect.poll(() => changedLetters(), { timeout: 20_000 }).toHaveLength(1);
  expect((await changedLetters())[0]).not.toContain('paid to before');
  expect(await waitsUntil()).toBeNull();
  expect(await statusTo(fresh)).toBe(200);

  await reset('code');
  await expect.poll(() => changedLetters(), { timeout: 20_000 }).toHaveLength(2);
  const [newest = ''] = await changedLetters();
  expect(newest.replace(/\s+/g, ' ')).toMatch(/until \d+ Nov 2026, \d\d:\d\d UTC withdrawals go only to/);
});

async function changedLetters(): Promise<string[]> {
  const letters = await test.mailbox.letters(person.email);
  return letters.filter(({ subject }) => subject.includes('was changed')).map(({ text }) => text);
}

it('a key that was refused for a new address is good for another try when the wait is over', async () => {
  await reset('code');
  const key = randomUUID();
  expect((await withdrawTo(fresh, key)).statusCode).toBe(423);
  test.clock.advance(24 * hourMs);
  person = await signIn(test, person);
  expect((await withdrawTo(fresh, key)).statusCode).toBe(200);
});

it('a mistyped address is told as such, also while new ones wait', async () => {
  await reset('code');
  expect((await withdrawTo('0xnothing')).json().code).toBe('address_wrong');
});

it('a withdrawal that was let in a moment before the reset is looked at again when it is made', async () => {
  const { owner } = test.context;
  const slow = await owner.connect();
  try {
    await slow.query('begin');
    await slow.query('lock table ledger_commands in exclusive mode');
    const asked = withdrawTo(fresh);
    const waiting = async () =>
      (await owner.query("select from pg_locks where not granted and relation = 'ledger_commands'::regclass"))
        .rowCount;
    await expect.poll(waiting, { timeout: 2_500, interval: 10 }).toBe(1);
    const until = new Date(test.clock.now().getTime() + hourMs);
    await owner.query('update users set new_addresses_after = $1 where id = $2', [until, person.userid]);
    await slow.query('commit');
    expect((await asked).json().code).toBe('address_waits');
  } finally {
    slow.release();
  }
});
