import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hourMs, minuteMs } from '../../testing/clock.ts';
import {
  cookiesOf,
  newAddress,
  type Person,
  registered,
  send,
  signedIn,
  verified,
} from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
let victim: Person;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  victim = await verified(test);
});

type Cookies = Record<string, string>;
const newPassword = 'a newer notch 1827';

const forgot = (email: string) =>
  send(test, 'POST', '/api/users/forgotpassword', { email }, { from: newAddress() });
const showCode = (code: string, cookies: Cookies) =>
  send(test, 'POST', '/api/users/verifyforgortpasscode', { code }, { cookies });
const update = (userid: string, cookies: Cookies, password = newPassword, cpassword = password) =>
  send(test, 'PATCH', `/api/users/updatepassword/${userid}`, { password, cpassword }, { cookies });
const canSignIn = async (password: string) =>
  (await send(test, 'POST', '/api/users/signin', { email: victim.email, password }, { from: newAddress() }))
    .statusCode === 200;

/** Begins a reset in a browser of its own; the count is of letters the victim has by then. */
async function begin(letters: number) {
  const answer = await forgot(victim.email);
  expect(answer.statusCode).toBe(200);
  return { cookies: cookiesOf(answer), ...(await test.mailbox.code(victim.email, letters)) };
}

describe('a reset', () => {
  it('goes from e-mail to code to a new password, and ends every session', async () => {
    const before = await signedIn(test);
    victim = before;
    const { cookies, code } = await begin(2);
    expect((await showCode(code, cookies)).statusCode).toBe(200);
    const updated = await update(victim.userid, cookies);
    expect([updated.statusCode, cookiesOf(updated)['reset-flow']]).toEqual([200, '']);
    expect(
      (await send(test, 'GET', '/api/users/viewprofile', undefined, { token: before.token })).statusCode,
    ).toBe(401);
    expect([await canSignIn(victim.password), await canSignIn(newPassword)]).toEqual([false, true]);
    // The last one tells of the sign-in just now.
    const [, told] = await test.mailbox.letters(victim.email, 4);
    expect(told?.subject).toMatch(/password was changed/);
  });

  it('of an unknown address is 422', async () => {
    const answer = await forgot('nobody@example.com');
    expect([answer.statusCode, answer.json().code]).toEqual([422, 'email_unknown']);
  });

  it('also activates an account whose owner never entered the first code', async () => {
    victim = await registered(test);
    const { cookies, code } = await begin(2);
    await showCode(code, cookies);
    expect((await update(victim.userid, cookies)).statusCode).toBe(200);
    expect(await canSignIn(newPassword)).toBe(true);
  });

  it('cannot be finished twice', async () => {
    const { cookies, code } = await begin(2);
    await showCode(code, cookies);
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => update(victim.userid, cookies, `new password ${n}`)),
    );
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
  });

  it('tells in words why a new password cannot be taken, and lets the person try again', async () => {
    const { cookies, code } = await begin(2);
    await showCode(code, cookies);
    const weak = await update(victim.userid, cookies, 'password1');
    expect([weak.statusCode, weak.json().message]).toEqual([422, expect.stringContaining('most used')]);
    const short = await update(victim.userid, cookies, 'short');
    expect([short.statusCode, short.json().message]).toEqual([422, 'Use at least 8 characters.']);
    const differ = await update(victim.userid, cookies, newPassword, 'something else');
    expect([differ.statusCode, differ.json().code]).toEqual([422, 'passwords_differ']);
    expect((await update(victim.userid, cookies)).statusCode).toBe(200);
  });

  it('can be sent another code in the same browser after a minute', async () => {
    const first = await begin(2);
    const resend = (cookies: Cookies) =>
      send(test, 'POST', `/api/users/resend/${victim.userid}`, { purpose: 'reset' }, { cookies });
    expect((await resend(first.cookies)).statusCode).toBe(429);
    test.clock.advance(minuteMs);
    expect((await resend({})).json().code).toBe('reset_not_begun');
    expect((await resend(first.cookies)).statusCode).toBe(200);
    const { code } = await test.mailbox.code(victim.email, 3);
    expect((await showCode(code, first.cookies)).statusCode).toBe(200);
  });

  it('is over an hour after it began', async () => {
    const { cookies, code } = await begin(2);
    await showCode(code, cookies);
    test.clock.advance(hourMs);
    expect((await update(victim.userid, cookies)).json().code).toBe('reset_not_begun');
  });
});

describe('an attacker who starts a reset for a victim', () => {
  it('cannot ride on the code that the victim enters in another browser', async () => {
    const attacker = await begin(2);
    test.clock.advance(minuteMs);
    const owner = await begin(3);
    expect((await showCode(owner.code, owner.cookies)).statusCode).toBe(200);
    const stolen = await update(victim.userid, attacker.cookies);
    expect([stolen.statusCode, stolen.json().code]).toEqual([422, 'reset_not_begun']);
    expect(await canSignIn(victim.password)).toBe(true);
  });

  it('gets nowhere by waiting for the victim to open the mailed link', async () => {
    const attacker = await begin(2);
    const opened = await send(test, 'POST', '/api/users/resetlink', { token: attacker.linkToken });
    expect([opened.statusCode, opened.json().userid]).toEqual([200, victim.userid]);
    expect((await update(victim.userid, attacker.cookies)).statusCode).toBe(422);
    expect((await update(victim.userid, cookiesOf(opened))).statusCode).toBe(200);
    expect((await update(victim.userid, attacker.cookies)).statusCode).toBe(422);
  });

  it('cannot use the code without the cookie, nor the cookie without the code', async () => {
    const { cookies, code } = await begin(2);
    expect((await showCode(code, {})).json().code).toBe('reset_not_begun');
    expect((await update(victim.userid, {})).json().code).toBe('reset_not_begun');
    expect((await update(victim.userid, cookies)).json().code).toBe('reset_not_begun');
  });

  it("cannot turn a verified reset of their own account on the victim's", async () => {
    const target = victim;
    victim = await verified(test);
    const { cookies, code } = await begin(2);
    await showCode(code, cookies);
    expect((await update(target.userid, cookies)).statusCode).toBe(404);
  });

  it('cannot use an activation code for a reset, nor its link', async () => {
    victim = await registered(test);
    const activation = await test.mailbox.code(victim.email);
    const { cookies, code } = await begin(2);
    if (activation.code !== code) expect((await showCode(activation.code, cookies)).statusCode).toBe(422);
    const link = await send(test, 'POST', '/api/users/resetlink', { token: activation.linkToken });
    expect(link.statusCode).toBe(422);
  });
});
