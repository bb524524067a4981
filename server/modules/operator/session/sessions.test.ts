import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hourMs } from '../../../testing/clock.ts';
import {
  accountsOf,
  codeAt,
  enrolled,
  newOperator,
  operatorPassword,
  ownPage,
  press,
  signedInOperator,
  signIn,
} from '../../../testing/operators.ts';
import { cookiesOf, newAddress, type SignedIn, send, signedIn } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';
import { totpAt } from '../../users/operators/authenticator.ts';

let test: TestApp;
let investor: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  investor = await signedIn(test);
});
afterAll(() => test.close());

const minuteMs = 60_000;
const stepMs = 30_000;
const wrong = (answer: { statusCode: number; json(): { code: string } }) => [
  answer.statusCode,
  answer.json().code,
];

describe('the first sign-in', () => {
  it('shows a secret, and the first code of the authenticator begins the session and tells recovery codes', async () => {
    const person = await newOperator(test);
    const begun = await signIn(test, person);
    const { operator, enrolment } = begun.json();
    expect([operator, begun.cookies]).toEqual([null, []]);
    expect(enrolment.uri).toContain(`secret=${enrolment.secret}`);
    const enrol = (code: string) =>
      send(
        test,
        'POST',
        '/api/operator/enrol',
        { email: person.email, password: operatorPassword, code },
        { from: newAddress(), headers: ownPage },
      );
    expect(wrong(await enrol('000000'))).toEqual([401, 'totp_wrong']);
    const answer = await enrol(totpAt(enrolment.secret, test.clock.now()));
    expect(answer.statusCode).toBe(200);
    const { recoverycodes } = answer.json();
    expect(new Set(recoverycodes).size).toBe(10);
    expect((await press(test, { cookies: cookiesOf(answer) }, 'GET', 'me')).json()).toMatchObject({
      operator: { name: person.name },
      recoverycodesleft: 10,
    });
    expect(wrong(await enrol(totpAt(enrolment.secret, test.clock.now())))).toEqual([401, 'totp_wrong']);

    const byRecovery = () => signIn(test, person, { recoverycode: String(recoverycodes[3]).toUpperCase() });
    expect((await byRecovery()).statusCode).toBe(200);
    expect(wrong(await byRecovery())).toEqual([401, 'totp_wrong']);
    const { rows } = await test.context.owner.query('select totp_sealed from operators where id = $1', [
      (await press(test, { cookies: cookiesOf(answer) }, 'GET', 'me')).json().operator._id,
    ]);
    expect(rows[0].totp_sealed).not.toContain(enrolment.secret);
  });
});

describe('signing in', () => {
  it('needs the password and a code; neither alone is enough, and no code works twice', async () => {
    const person = await enrolled(test);
    test.clock.advance(stepMs);
    const code = codeAt(test);
    expect(wrong(await signIn(test, person, { password: 'not this one at all', code }))).toEqual([
      401,
      'wrong_credentials',
    ]);
    expect(wrong(await signIn(test, person))).toEqual([401, 'totp_wrong']);
    const both = await Promise.all([signIn(test, person, { code }), signIn(test, person, { code })]);
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 401]);
    expect(wrong(await signIn(test, person, { code }))).toEqual([401, 'totp_wrong']);
  });

  it('is slowed down from the fifth failure, a right password with wrong codes included', async () => {
    const person = await enrolled(test);
    const from = newAddress();
    const tries = [];
    for (let n = 0; n < 8; n += 1)
      tries.push((await signIn(test, person, { code: '000000' }, from)).statusCode);
    expect(tries.filter((status) => status === 401).length).toBe(5);
    expect(tries.at(-1)).toBe(429);
  });

  it('is not held up by strangers in a browser that the operator signed in with before', async () => {
    const operator = await signedInOperator(test);
    const blocked_until = new Date(test.clock.now().getTime() + minuteMs);
    await test.context.db
      .updateTable('throttles')
      .set({ blocked_until })
      .where('scope', '=', 'operator-account')
      .where('subject', '=', operator.email)
      .execute();
    const stranger = await signIn(test, operator, { code: codeAt(test) });
    expect(wrong(stranger)).toEqual([429, 'too_many_requests']);
    expect(stranger.json().message).toContain('npm run operator -- unlock');
    const { email } = operator;
    const body = { email, password: operatorPassword, code: codeAt(test) };
    const cookies = { 'operator-device': operator.cookies['operator-device'] ?? '' };
    const known = { from: newAddress(), headers: ownPage, cookies };
    expect((await send(test, 'POST', '/api/operator/signin', body, known)).statusCode).toBe(200);
    await accountsOf(test).setOperatorPassword({ email, password: operatorPassword });
    test.clock.advance(stepMs);
    const later = { ...body, code: codeAt(test) };
    expect(wrong(await send(test, 'POST', '/api/operator/signin', later, known))[0]).toBe(429);
  });

  it('is open again after unlock, also where others in the same network tried other names', async () => {
    const person = await enrolled(test);
    const office = newAddress();
    for (let n = 0; n < 5; n += 1) await signIn(test, { email: `nobody-${n}@example.com` }, {}, office);
    const again = () => signIn(test, person, { code: codeAt(test) }, office);
    expect(wrong(await again())).toEqual([429, 'too_many_requests']);
    await accountsOf(test).unlockOperator(person);
    expect((await again()).statusCode).toBe(200);
  });

  it('is for operators: an investor’s details open nothing, and an operator’s no wallet', async () => {
    const body = { email: investor.email, password: investor.password };
    const console = await send(test, 'POST', '/api/operator/signin', body, { headers: ownPage });
    expect(wrong(console)).toEqual([401, 'wrong_credentials']);
    const person = await enrolled(test);
    const site = { email: person.email, password: operatorPassword, isAdmin: true };
    expect((await send(test, 'POST', '/api/users/signin', site)).statusCode).toBe(401);
  });

  it('leaves a trace of every try', async () => {
    const person = await enrolled(test);
    test.clock.advance(stepMs);
    await signIn(test, person, { code: '000000' });
    await signIn(test, person, { code: codeAt(test) });
    const { rows } = await test.context.owner.query(
      'select action from audit_log where subject_id = $1 order by id',
      [person.id],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'operator.created',
      'operator.code-refused',
      'operator.signed-in',
    ]);
  });
});

describe('a session of the console', () => {
  it('ends after 15 idle minutes; use keeps it, background reads do not', async () => {
    const operator = await signedInOperator(test);
    const me = async () => (await press(test, operator, 'GET', 'me')).statusCode;
    test.clock.advance(14 * minuteMs);
    expect(await me()).toBe(200);
    test.clock.advance(14 * minuteMs);
    const background = { 'x-background-read': '1' };
    const read = await send(test, 'GET', '/api/operator/me', undefined, {
      cookies: operator.cookies,
      headers: background,
    });
    expect(read.statusCode).toBe(200);
    test.clock.advance(2 * minuteMs);
    expect(await me()).toBe(401);
  });

  it('ends after 12 hours however much it is used', async () => {
    const operator = await signedInOperator(test);
    const me = async () => (await press(test, operator, 'GET', 'me')).statusCode;
    for (let passed = 0; passed < 12 * 60 - 10; passed += 10) {
      test.clock.advance(10 * minuteMs);
      expect(await me()).toBe(200);
    }
    test.clock.advance(11 * minuteMs);
    expect(await me()).toBe(401);
  });

  it('ends on the server at sign-out, and for everyone who is disabled or loses the authenticator', async () => {
    const [out, disabled, lost] = [
      await signedInOperator(test),
      await signedInOperator(test),
      await signedInOperator(test),
    ];
    await press(test, out, 'POST', 'signout');
    await accountsOf(test).disableOperator({ email: disabled.email });
    await accountsOf(test).resetTotp({ email: lost.email });
    for (const who of [out, disabled, lost]) {
      expect((await press(test, who, 'GET', 'queue')).statusCode).toBe(401);
    }
    expect(wrong(await signIn(test, disabled, { code: codeAt(test) }))).toEqual([401, 'wrong_credentials']);
    expect((await signIn(test, lost)).json().enrolment).toMatchObject({ secret: expect.any(String) });
  });

  it('is nobody else’s: the investor’s cookie and token do not open the console, nor the console’s the wallet', async () => {
    const operator = await signedInOperator(test);
    const asInvestor = { cookies: investor.cookies, token: investor.token, headers: ownPage };
    expect((await send(test, 'GET', '/api/operator/queue', undefined, asInvestor)).statusCode).toBe(401);
    const value = investor.cookies.session ?? '';
    const renamed = { cookies: { 'operator-session': value } };
    expect((await send(test, 'GET', '/api/operator/queue', undefined, renamed)).statusCode).toBe(401);
    const moved = { cookies: { ...operator.cookies, session: operator.cookies['operator-session'] ?? '' } };
    expect((await send(test, 'GET', '/api/users/viewprofile', undefined, moved)).statusCode).toBe(401);
  });

  it('cannot be used from another site', async () => {
    const operator = await signedInOperator(test);
    const answer = await send(test, 'POST', '/api/operator/signout', undefined, {
      cookies: operator.cookies,
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(wrong(answer)).toEqual([403, 'cross_site']);
  });
});

describe('the running server', () => {
  it.each([
    "insert into operators (name, email, email_key, password_hash, created_at) values ('x', 'x', 'x', 'x', now())",
    'update operators set disabled_at = null',
    "update operators set password_hash = 'x'",
    'delete from operators',
  ])('cannot: %s', async (statement) => {
    const client = await test.context.owner.connect();
    try {
      await client.query('set role tallystick_app');
      await expect(client.query(statement)).rejects.toThrow('permission denied');
    } finally {
      await client.query('reset role');
      client.release();
    }
  });

  it('is not told a weak password by the command either', async () => {
    const person = { name: 'Weak', email: 'weak@example.com' };
    const create = (password: string) => accountsOf(test).createOperator({ ...person, password });
    await expect(create('fourteen chars')).rejects.toThrow('at least 15');
    test.clock.advance(hourMs);
  });
});
