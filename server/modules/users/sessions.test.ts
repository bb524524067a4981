import { hash } from 'node:crypto';
import * as calls from '@tallystick/contract/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf, call, ownPage, refusal, tryCall } from '../../testing/call.ts';
import { hourMs, minuteMs, secondMs } from '../../testing/clock.ts';
import { newAddress, registered, type SignedIn, signedIn, signIn, verified } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

const tryIn = (email: string, password: string, from = newAddress()) =>
  tryCall(test, calls.signin, { body: { email, password, isAdmin: false }, from });
const profile = (as: { token?: string; cookies?: Record<string, string> }, headers = {}) =>
  tryCall(test, calls.viewprofile, { as, headers });

describe('signing in', () => {
  it('answers _id, token, fullname and email, and sets a cookie with another value', async () => {
    const person = await verified(test);
    const details = { email: person.email.toUpperCase(), password: person.password };
    const reply = await tryCall(test, calls.signin, { body: details, from: newAddress() });
    const body = answerOf(reply);
    expect(Object.keys(body).sort()).toEqual(['_id', 'email', 'fullname', 'token']);
    expect(body).toMatchObject({ _id: person.userid, email: person.email, fullname: 'Amara Okonkwo' });
    expect(Buffer.from(body.token, 'base64url')).toHaveLength(32);
    const [cookie] = reply.setCookies;
    expect(cookie).toMatchObject({ name: 'session', httpOnly: true, sameSite: 'Strict', path: '/' });
    expect(cookie?.value).not.toBe(body.token);
  });

  it('keeps no token in the database, only its hash', async () => {
    const { userid, token, cookies } = await signedIn(test);
    const { session = '' } = cookies;
    const rows = await test.context.db
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', userid)
      .execute();
    // Bytes are not to be read in JSON: what is kept as such has to be the hash, and in what is text is neither.
    const kept = rows.map((row) => [row.bearer_hash, row.cookie_hash]);
    expect(kept).toEqual([[token, session].map((secret) => hash('sha256', secret, 'buffer'))]);
    for (const secret of [token, session]) expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('gives the same 401 for a wrong password and for an unknown address', async () => {
    const person = await verified(test);
    const wrong = await tryIn(person.email, 'not the password');
    const unknown = await tryIn('nobody@example.com', 'not the password');
    expect([wrong.status, wrong.text]).toEqual([401, unknown.text]);
    expect(wrong.code).toBe('wrong_credentials');
  });

  it('of an account that is not active answers 422 with the user id and mails a code, once a minute', async () => {
    const person = await registered(test);
    const first = await test.mailbox.code(person.email);
    for (let n = 0; n < 3; n += 1) {
      expect(await tryIn(person.email, person.password)).toMatchObject({
        status: 422,
        code: 'email_unverified',
        userid: person.userid,
        cookies: {},
      });
    }
    expect(await test.mailbox.letters(person.email)).toHaveLength(1);
    test.clock.advance(minuteMs);
    expect((await tryIn(person.email, person.password)).status).toBe(422);
    const { code, linkToken } = await test.mailbox.code(person.email);
    expect(linkToken).not.toBe(first.linkToken);
    expect((await tryCall(test, calls.verifycode, { params: person, body: { code } })).status).toBe(200);
  });

  it('still answers 422 when the day has no more codes to give', async () => {
    const person = await registered(test);
    for (let n = 0; n < 7; n += 1) {
      test.clock.advance(minuteMs);
      expect((await tryIn(person.email, person.password)).status).toBe(422);
    }
    expect(await test.mailbox.letters(person.email)).toHaveLength(5);
  });

  it('never tells of an unverified account to someone without its password', async () => {
    const person = await registered(test);
    expect((await tryIn(person.email, 'not the password')).status).toBe(401);
  });
});

describe('guessing a password', () => {
  it('is slowed down from the fifth failure of one address, longer each time, and after a restart, too', async () => {
    const person = await verified(test);
    const from = newAddress();
    const wrongly = async () => (await tryIn(person.email, 'wrong guess', from)).status;
    const rightly = () => tryIn(person.email, person.password, from);
    for (let n = 0; n < 5; n += 1) expect(await wrongly()).toBe(401);
    const waiting = await rightly();
    expect([waiting.status, waiting.headers['retry-after']]).toEqual([429, '30']);
    await test.restart();
    expect((await rightly()).status).toBe(429);
    test.clock.advance(30 * secondMs);
    expect(await wrongly()).toBe(401);
    expect((await rightly()).headers['retry-after']).toBe('60');
    test.clock.advance(minuteMs);
    expect((await rightly()).status).toBe(200);
    expect((await rightly()).status).toBe(200);
  });

  it('is slowed down from the fifth failure from one address, whoever is tried', async () => {
    const person = await verified(test);
    const from = newAddress();
    for (let n = 0; n < 5; n += 1)
      expect((await tryIn(`victim-${n}@example.com`, 'guess', from)).status).toBe(401);
    expect((await tryIn(person.email, person.password, from)).status).toBe(429);
    expect((await tryIn(person.email, person.password)).status).toBe(200);
    test.clock.advance(30 * secondMs);
    expect((await tryIn(person.email, person.password, from)).status).toBe(200);
  });

  it('a hundred times at once from one address still gets only five looks', async () => {
    const person = await verified(test);
    const from = newAddress();
    const guess = () => tryIn(person.email, 'wrong guess', from);
    const answers = await Promise.all(Array.from({ length: 100 }, guess));
    const looked = answers.filter((answer) => answer.status === 401);
    expect(looked.length).toBeLessThanOrEqual(5);
    expect(answers.every((answer) => [401, 429, 503].includes(answer.status))).toBe(true);
  });

  it('never waits longer than an hour', async () => {
    const person = await verified(test);
    const from = newAddress();
    let longest = 0;
    for (let n = 0; n < 16; n += 1) {
      await tryIn(person.email, 'wrong guess', from);
      const wait = Number((await tryIn(person.email, 'wrong guess', from)).headers['retry-after'] ?? 0);
      longest = Math.max(longest, wait);
      test.clock.advance(wait * secondMs);
    }
    expect(longest).toBe(3600);
    expect((await tryIn(person.email, person.password, from)).status).toBe(200);
  });
});

describe('a session', () => {
  it('is carried by the bearer token or by the cookie', async () => {
    const { token, cookies } = await signedIn(test);
    expect((await profile({ token })).status).toBe(200);
    expect((await profile({ cookies })).status).toBe(200);
    expect((await profile({ token: cookies.session ?? '' })).status).toBe(401);
    expect((await profile({ cookies: { session: token } })).status).toBe(401);
  });

  it('ends on the server at sign-out', async () => {
    const { token, cookies } = await signedIn(test);
    const out = await tryCall(test, calls.signout, { as: { token } });
    expect([out.status, out.cookies.session]).toEqual([200, '']);
    expect((await profile({ token })).status).toBe(401);
    expect((await profile({ cookies })).status).toBe(401);
  });

  it('ends after an idle hour; use keeps it, background reads do not', async () => {
    const used = await signedIn(test);
    const watched = await signedIn(test);
    const background = { 'x-background-read': '1' };
    for (let n = 0; n < 3; n += 1) {
      test.clock.advance(25 * minuteMs);
      expect((await profile(used)).status).toBe(200);
      expect((await profile(watched, background)).status).toBe(n < 2 ? 200 : 401);
    }
  });

  it('ends after a day however much it is used', async () => {
    const person = await signedIn(test);
    for (let n = 0; n < 47; n += 1) {
      test.clock.advance(hourMs / 2);
      expect((await profile(person)).status).toBe(200);
    }
    test.clock.advance(hourMs / 2);
    const over = await profile(person);
    expect(over).toMatchObject({ status: 401, message: 'Log in to go on.' });
  });

  it('takes the place of the one that the browser came with, whoever’s that was', async () => {
    const before = await signedIn(test);
    const other = await verified(test);
    for (const { email, password } of [before, other]) {
      const body = { email, password, isAdmin: false };
      const { cookies } = before;
      const reply = await tryCall(test, calls.signin, {
        body,
        cookies,
        headers: ownPage,
        from: newAddress(),
      });
      expect((await profile({ token: answerOf(reply).token })).status).toBe(200);
      expect((await profile({ token: before.token })).status).toBe(401);
      expect((await profile({ cookies })).status).toBe(401);
      Object.assign(before, { token: answerOf(reply).token, cookies: reply.cookies });
    }
  });

  it('survives a restart of the server', async () => {
    const person = await signedIn(test);
    await test.restart();
    expect((await profile(person)).status).toBe(200);
  });

  it('is not created by any other token', async () => {
    for (const token of ['', 'x', 'null', 'undefined', 'a'.repeat(5000)]) {
      expect((await profile({ token })).status).toBe(401);
    }
  });
});

describe('changing the password', () => {
  const change = (as: SignedIn, password: string, passwordnew: string) =>
    tryCall(test, calls.changepassword, { body: { password, passwordnew }, as });

  it('ends every other session, keeps this one, and is told by mail', async () => {
    const here = await signedIn(test);
    const there = await signIn(test, here);
    expect((await change(here, here.password, 'a newer notch 1827')).status).toBe(200);
    expect((await profile(here)).status).toBe(200);
    expect((await profile(there)).status).toBe(401);
    expect((await tryIn(here.email, here.password)).status).toBe(401);
    expect((await tryIn(here.email, 'a newer notch 1827')).status).toBe(200);
    // The last one tells of the sign-in just now.
    const [, told] = await test.mailbox.letters(here.email);
    expect(told?.subject).toMatch(/password was changed/);
  });

  it('is 422, never 401, when the old password is wrong or the new one is weak', async () => {
    const person = await signedIn(test);
    const wrong = await change(person, 'not the old one', 'a newer notch 1827');
    expect(wrong).toMatchObject({ status: 422, code: 'old_password_wrong' });
    const weak = await change(person, person.password, 'password1');
    expect(weak).toMatchObject({ status: 422, code: 'new_password_refused' });
    expect((await profile(person)).status).toBe(200);
  });

  it('cannot be used to guess the old one without end', async () => {
    const person = await signedIn(test);
    for (let n = 0; n < 5; n += 1)
      expect((await change(person, `guess ${n}`, 'a newer notch')).status).toBe(422);
    expect((await change(person, person.password, 'a newer notch')).status).toBe(429);
  });
});

describe('the list of devices', () => {
  const devices = async (as: SignedIn) => (await call(test, calls.devices, { as })).device;

  it('names this one and lets any other be signed out, but only by its owner', async () => {
    const here = await signedIn(test);
    const there = await signIn(test, { ...here, cookies: {} });
    const stranger = await signedIn(test);
    const listed = await devices(here);
    expect(listed.map(({ current }) => current).sort()).toEqual([false, true]);
    const deviceid = listed.find(({ current }) => !current)?._id ?? '';
    const signOutOther = (as: SignedIn) => tryCall(test, calls.signoutdevice, { params: { deviceid }, as });
    expect((await signOutOther(stranger)).status).toBe(404);
    expect((await profile(there)).status).toBe(200);
    expect((await signOutOther(here)).status).toBe(200);
    expect((await profile(there)).status).toBe(401);
    expect(await devices(here)).toHaveLength(1);
  });

  it('can be emptied but for this one', async () => {
    const here = await signedIn(test);
    const anywhere = { ...here, cookies: {} };
    const others = await Promise.all([signIn(test, anywhere), signIn(test, here)]);
    expect((await tryCall(test, calls.signoutothers, { as: here })).status).toBe(200);
    for (const other of others) expect((await profile(other)).status).toBe(401);
    expect((await profile(here)).status).toBe(200);
  });
});

describe('the profile', () => {
  it('shows name and address, and takes a new name as it was typed', async () => {
    const as = await signedIn(test);
    const { email } = as;
    const fullname = 'Amara-Lea O\u2019Neil, Jr.';
    expect((await call(test, calls.editprofile, { body: { fullname, email }, as })).fullname).toBe(fullname);
    expect(await call(test, calls.viewprofile, { as })).toMatchObject({ fullname, email });
  });

  it('does not take another e-mail address', async () => {
    const as = await signedIn(test);
    const body = { fullname: 'Other', email: 'other@example.com' };
    const refused = await refusal(test, calls.editprofile, { body, as });
    expect(refused).toMatchObject({ status: 422, code: 'email_read_only' });
    const unchanged = { fullname: 'Amara Okonkwo', email: as.email };
    expect(await call(test, calls.viewprofile, { as })).toMatchObject(unchanged);
  });
});
