import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hourMs, minuteMs, secondMs } from '../../testing/clock.ts';
import { cookiesOf, newAddress, registered, send, signedIn, signIn, verified } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

const tryIn = (email: string, password: string, from = newAddress()) =>
  send(test, 'POST', '/api/users/signin', { email, password, isAdmin: false }, { from });
const profile = (how: {
  token?: string;
  cookies?: Record<string, string>;
  headers?: Record<string, string>;
}) => send(test, 'GET', '/api/users/viewprofile', undefined, how);

describe('signing in', () => {
  it('answers _id, token, fullname and email, and sets a cookie with another value', async () => {
    const person = await verified(test);
    const answer = await tryIn(person.email.toUpperCase(), person.password);
    expect(answer.statusCode).toBe(200);
    const body = answer.json();
    expect(Object.keys(body).sort()).toEqual(['_id', 'email', 'fullname', 'token']);
    expect(body).toMatchObject({ _id: person.userid, email: person.email, fullname: 'Amara Okonkwo' });
    expect(Buffer.from(body.token, 'base64url')).toHaveLength(32);
    const [cookie] = answer.cookies;
    expect(cookie).toMatchObject({ name: 'session', httpOnly: true, sameSite: 'Strict', path: '/' });
    expect(cookie?.value).not.toBe(body.token);
  });

  it('keeps no token in the database, only its hash', async () => {
    const { token, cookies } = await signedIn(test);
    const rows = JSON.stringify(await test.context.db.selectFrom('sessions').selectAll().execute());
    expect(rows).not.toContain(token);
    expect(rows).not.toContain(cookies.session);
  });

  it('gives the same 401 for a wrong password and for an unknown address', async () => {
    const person = await verified(test);
    const wrong = await tryIn(person.email, 'not the password');
    const unknown = await tryIn('nobody@example.com', 'not the password');
    expect([wrong.statusCode, wrong.body]).toEqual([401, unknown.body]);
    expect(wrong.json().code).toBe('wrong_credentials');
  });

  it('of an account that is not active answers 422 with the user id and mails a code, once a minute', async () => {
    const person = await registered(test);
    const first = await test.mailbox.code(person.email);
    for (let n = 0; n < 3; n += 1) {
      const answer = await tryIn(person.email, person.password);
      expect([answer.statusCode, answer.json().code, answer.json().userid]).toEqual([
        422,
        'email_unverified',
        person.userid,
      ]);
      expect(answer.cookies).toEqual([]);
    }
    expect(await test.mailbox.letters(person.email)).toHaveLength(1);
    test.clock.advance(minuteMs);
    expect((await tryIn(person.email, person.password)).statusCode).toBe(422);
    const second = await test.mailbox.code(person.email, 2);
    expect(second.linkToken).not.toBe(first.linkToken);
    const answer = await send(test, 'POST', `/api/users/verifycode/${person.userid}`, { code: second.code });
    expect(answer.statusCode).toBe(200);
  });

  it('still answers 422 when the day has no more codes to give', async () => {
    const person = await registered(test);
    for (let n = 0; n < 7; n += 1) {
      test.clock.advance(minuteMs);
      expect((await tryIn(person.email, person.password)).statusCode).toBe(422);
    }
    expect(await test.mailbox.letters(person.email, 5)).toHaveLength(5);
  });

  it('never tells of an unverified account to someone without its password', async () => {
    const person = await registered(test);
    expect((await tryIn(person.email, 'not the password')).statusCode).toBe(401);
  });
});

describe('guessing a password', () => {
  it('is slowed down from the fifth failure of one address, longer each time, and after a restart, too', async () => {
    const person = await verified(test);
    const from = newAddress();
    const wrongly = async () => (await tryIn(person.email, 'wrong guess', from)).statusCode;
    const rightly = () => tryIn(person.email, person.password, from);
    for (let n = 0; n < 5; n += 1) expect(await wrongly()).toBe(401);
    const waiting = await rightly();
    expect([waiting.statusCode, waiting.headers['retry-after']]).toEqual([429, '30']);
    await test.restart();
    expect((await rightly()).statusCode).toBe(429);
    test.clock.advance(30 * secondMs);
    expect(await wrongly()).toBe(401);
    expect((await rightly()).headers['retry-after']).toBe('60');
    test.clock.advance(minuteMs);
    expect((await rightly()).statusCode).toBe(200);
    expect((await rightly()).statusCode).toBe(200);
  });

  it('is slowed down from the fifth failure from one address, whoever is tried', async () => {
    const person = await verified(test);
    const from = newAddress();
    for (let n = 0; n < 5; n += 1)
      expect((await tryIn(`victim-${n}@example.com`, 'guess', from)).statusCode).toBe(401);
    expect((await tryIn(person.email, person.password, from)).statusCode).toBe(429);
    expect((await tryIn(person.email, person.password)).statusCode).toBe(200);
    test.clock.advance(30 * secondMs);
    expect((await tryIn(person.email, person.password, from)).statusCode).toBe(200);
  });

  it('a hundred times at once from one address still gets only five looks', async () => {
    const person = await verified(test);
    const from = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => tryIn(person.email, 'wrong guess', from)),
    );
    const looked = answers.filter((answer) => answer.statusCode === 401);
    expect(looked.length).toBeLessThanOrEqual(5);
    expect(answers.every((answer) => [401, 429, 503].includes(answer.statusCode))).toBe(true);
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
    expect((await tryIn(person.email, person.password, from)).statusCode).toBe(200);
  });
});

describe('a session', () => {
  it('is carried by the bearer token or by the cookie', async () => {
    const { token, cookies } = await signedIn(test);
    expect((await profile({ token })).statusCode).toBe(200);
    expect((await profile({ cookies })).statusCode).toBe(200);
    expect((await profile({ token: cookies.session ?? '' })).statusCode).toBe(401);
    expect((await profile({ cookies: { session: token } })).statusCode).toBe(401);
  });

  it('ends on the server at sign-out', async () => {
    const { token, cookies } = await signedIn(test);
    const out = await send(test, 'POST', '/api/users/signout', undefined, { token });
    expect([out.statusCode, cookiesOf(out).session]).toEqual([200, '']);
    expect((await profile({ token })).statusCode).toBe(401);
    expect((await profile({ cookies })).statusCode).toBe(401);
  });

  it('ends after an idle hour; use keeps it, background reads do not', async () => {
    const used = await signedIn(test);
    const watched = await signedIn(test);
    const background = { 'x-background-read': '1' };
    for (let n = 0; n < 3; n += 1) {
      test.clock.advance(25 * minuteMs);
      expect((await profile(used)).statusCode).toBe(200);
      const status = n < 2 ? 200 : 401;
      expect((await profile({ token: watched.token, headers: background })).statusCode).toBe(status);
    }
  });

  it('ends after a day however much it is used', async () => {
    const person = await signedIn(test);
    for (let n = 0; n < 47; n += 1) {
      test.clock.advance(hourMs / 2);
      expect((await profile(person)).statusCode).toBe(200);
    }
    test.clock.advance(hourMs / 2);
    expect((await profile(person)).statusCode).toBe(401);
  });

  it('survives a restart of the server', async () => {
    const person = await signedIn(test);
    await test.restart();
    expect((await profile(person)).statusCode).toBe(200);
  });

  it('is not created by any other token', async () => {
    for (const token of ['', 'x', 'null', 'undefined', 'a'.repeat(5000)]) {
      expect((await profile({ token })).statusCode).toBe(401);
    }
  });
});

describe('changing the password', () => {
  const change = (token: string, password: string, passwordnew: string) =>
    send(test, 'POST', '/api/users/changepassword', { password, passwordnew }, { token });

  it('ends every other session, keeps this one, and is told by mail', async () => {
    const here = await signedIn(test);
    const there = await signIn(test, here);
    expect((await change(here.token, here.password, 'a newer notch 1827')).statusCode).toBe(200);
    expect((await profile(here)).statusCode).toBe(200);
    expect((await profile(there)).statusCode).toBe(401);
    expect((await tryIn(here.email, here.password)).statusCode).toBe(401);
    expect((await tryIn(here.email, 'a newer notch 1827')).statusCode).toBe(200);
    // The last one tells of the sign-in just now.
    const [, told] = await test.mailbox.letters(here.email, 3);
    expect(told?.subject).toMatch(/password was changed/);
  });

  it('is 422, never 401, when the old password is wrong or the new one is weak', async () => {
    const { token, password } = await signedIn(test);
    const wrong = await change(token, 'not the old one', 'a newer notch 1827');
    expect([wrong.statusCode, wrong.json().code]).toEqual([422, 'old_password_wrong']);
    const weak = await change(token, password, 'password1');
    expect([weak.statusCode, weak.json().code]).toEqual([422, 'new_password_refused']);
    expect((await profile({ token })).statusCode).toBe(200);
  });

  it('cannot be used to guess the old one without end', async () => {
    const { token, password } = await signedIn(test);
    for (let n = 0; n < 5; n += 1)
      expect((await change(token, `guess ${n}`, 'a newer notch')).statusCode).toBe(422);
    expect((await change(token, password, 'a newer notch')).statusCode).toBe(429);
  });
});

describe('the list of devices', () => {
  const devices = async (token: string) =>
    (await send(test, 'GET', '/api/users/devices', undefined, { token })).json().device as {
      _id: string;
      current: boolean;
    }[];

  it('names this one and lets any other be signed out, but only by its owner', async () => {
    const here = await signedIn(test);
    const there = await signIn(test, { ...here, cookies: {} });
    const stranger = await signedIn(test);
    const listed = await devices(here.token);
    expect(listed.map(({ current }) => current).sort()).toEqual([false, true]);
    const other = listed.find(({ current }) => !current)?._id;
    const url = `/api/users/signoutdevice/${other}`;
    expect((await send(test, 'POST', url, undefined, { token: stranger.token })).statusCode).toBe(404);
    expect((await profile(there)).statusCode).toBe(200);
    expect((await send(test, 'POST', url, undefined, { token: here.token })).statusCode).toBe(200);
    expect((await profile(there)).statusCode).toBe(401);
    expect(await devices(here.token)).toHaveLength(1);
  });

  it('can be emptied but for this one', async () => {
    const here = await signedIn(test);
    const anywhere = { ...here, cookies: {} };
    const others = await Promise.all([signIn(test, anywhere), signIn(test, here)]);
    expect(
      (await send(test, 'POST', '/api/users/signoutothers', undefined, { token: here.token })).statusCode,
    ).toBe(200);
    for (const other of others) expect((await profile(other)).statusCode).toBe(401);
    expect((await profile(here)).statusCode).toBe(200);
  });
});

describe('the profile', () => {
  const edit = (token: string, body: object) => send(test, 'POST', '/api/users/editprofile', body, { token });

  it('shows name and address, and takes a new name as it was typed', async () => {
    const { token, email } = await signedIn(test);
    const fullname = 'Amara-Lea O\u2019Neil, Jr.';
    const edited = await edit(token, { fullname, email });
    expect([edited.statusCode, edited.json().fullname]).toEqual([200, fullname]);
    expect((await profile({ token })).json()).toMatchObject({ fullname, email });
  });

  it('does not take another e-mail address', async () => {
    const { token, email } = await signedIn(test);
    const answer = await edit(token, { fullname: 'Other', email: 'other@example.com' });
    expect([answer.statusCode, answer.json().code]).toEqual([422, 'email_read_only']);
    expect((await profile({ token })).json()).toMatchObject({ fullname: 'Amara Okonkwo', email });
  });
});
