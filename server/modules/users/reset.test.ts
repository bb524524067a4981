import * as calls from '@tallystick/contract/users';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tryCall } from '../../testing/call.ts';
import { hourMs, minuteMs } from '../../testing/clock.ts';
import { beginReset, newAddress, type Person, registered, signedIn, verified } from '../../testing/people.ts';
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

const begin = () => beginReset(test, victim);
const showCode = (code: string, cookies: Cookies) =>
  tryCall(test, calls.verifyforgortpasscode, { body: { code }, cookies });
const openLink = (token: string) => tryCall(test, calls.resetlink, { body: { token } });
const update = (userid: string, cookies: Cookies, password = newPassword, cpassword = password) =>
  tryCall(test, calls.updatepassword, { params: { userid }, body: { password, cpassword }, cookies });
const canSignIn = async (password: string) => {
  const body = { email: victim.email, password };
  return (await tryCall(test, calls.signin, { body, from: newAddress() })).status === 200;
};

describe('a reset', () => {
  it('goes from e-mail to code to a new password, and ends every session', async () => {
    const before = await signedIn(test);
    victim = before;
    const { cookies, code } = await begin();
    expect((await showCode(code, cookies)).status).toBe(200);
    const updated = await update(victim.userid, cookies);
    expect([updated.status, updated.cookies['reset-flow']]).toEqual([200, '']);
    expect((await tryCall(test, calls.viewprofile, { as: before })).status).toBe(401);
    expect([await canSignIn(victim.password), await canSignIn(newPassword)]).toEqual([false, true]);
    // The last one tells of the sign-in just now.
    const [, told] = await test.mailbox.letters(victim.email);
    expect(told?.subject).toMatch(/password was changed/);
  });

  it('of an unknown address is 422', async () => {
    const body = { email: 'nobody@example.com' };
    const reply = await tryCall(test, calls.forgotpassword, { body, from: newAddress() });
    expect(reply).toMatchObject({ status: 422, code: 'email_unknown' });
  });

  it('also activates an account whose owner never entered the first code', async () => {
    victim = await registered(test);
    const { cookies, code } = await begin();
    await showCode(code, cookies);
    expect((await update(victim.userid, cookies)).status).toBe(200);
    expect(await canSignIn(newPassword)).toBe(true);
  });

  it('cannot be finished twice', async () => {
    const { cookies, code } = await begin();
    await showCode(code, cookies);
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => update(victim.userid, cookies, `new password ${n}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('tells in words why a new password cannot be taken, and lets the person try again', async () => {
    const { cookies, code } = await begin();
    await showCode(code, cookies);
    const weak = await update(victim.userid, cookies, 'password1');
    expect(weak).toMatchObject({ status: 422, message: expect.stringContaining('most used') });
    const short = await update(victim.userid, cookies, 'short');
    expect(short).toMatchObject({ status: 422, message: 'Use at least 8 characters.' });
    const differ = await update(victim.userid, cookies, newPassword, 'something else');
    expect(differ).toMatchObject({ status: 422, code: 'passwords_differ' });
    expect((await update(victim.userid, cookies)).status).toBe(200);
  });

  it('can be sent another code in the same browser after a minute', async () => {
    const first = await begin();
    const resend = (cookies: Cookies) =>
      tryCall(test, calls.resend, { params: victim, body: { purpose: 'reset' }, cookies });
    expect((await resend(first.cookies)).status).toBe(429);
    test.clock.advance(minuteMs);
    expect((await resend({})).code).toBe('reset_not_begun');
    expect((await resend(first.cookies)).status).toBe(200);
    const { code } = await test.mailbox.code(victim.email);
    expect((await showCode(code, first.cookies)).status).toBe(200);
  });

  it('is over an hour after it began', async () => {
    const { cookies, code } = await begin();
    await showCode(code, cookies);
    test.clock.advance(hourMs);
    expect((await update(victim.userid, cookies)).code).toBe('reset_not_begun');
  });
});

describe('an attacker who starts a reset for a victim', () => {
  it('cannot ride on the code that the victim enters in another browser', async () => {
    const attacker = await begin();
    test.clock.advance(minuteMs);
    const owner = await begin();
    expect((await showCode(owner.code, owner.cookies)).status).toBe(200);
    const stolen = await update(victim.userid, attacker.cookies);
    expect(stolen).toMatchObject({ status: 422, code: 'reset_not_begun' });
    expect(await canSignIn(victim.password)).toBe(true);
  });

  it('gets nowhere by waiting for the victim to open the mailed link', async () => {
    const attacker = await begin();
    const opened = await openLink(attacker.linkToken);
    expect(opened).toMatchObject({ status: 200, answer: { userid: victim.userid } });
    expect((await update(victim.userid, attacker.cookies)).status).toBe(422);
    expect((await update(victim.userid, opened.cookies)).status).toBe(200);
    expect((await update(victim.userid, attacker.cookies)).status).toBe(422);
  });

  it('cannot use the code without the cookie, nor the cookie without the code', async () => {
    const { cookies, code } = await begin();
    expect((await showCode(code, {})).code).toBe('reset_not_begun');
    expect((await update(victim.userid, {})).code).toBe('reset_not_begun');
    expect((await update(victim.userid, cookies)).code).toBe('reset_not_begun');
  });

  it("cannot turn a verified reset of their own account on the victim's", async () => {
    const target = victim;
    victim = await verified(test);
    const { cookies, code } = await begin();
    await showCode(code, cookies);
    expect((await update(target.userid, cookies)).status).toBe(404);
  });

  it('cannot use an activation code for a reset, nor its link', async () => {
    victim = await registered(test);
    const activation = await test.mailbox.code(victim.email);
    const { cookies, code } = await begin();
    if (activation.code !== code) expect((await showCode(activation.code, cookies)).status).toBe(422);
    expect((await openLink(activation.linkToken)).status).toBe(422);
  });
});
