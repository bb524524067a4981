import { queue } from '@tallystick/contract/operator/queue';
import * as calls from '@tallystick/contract/operator/session';
import { signin as investorSignin, viewprofile } from '@tallystick/contract/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf, call, ownPage, refusal, send, tryCall } from '../../../testing/call.ts';
import { hourMs } from '../../../testing/clock.ts';
import {
  accountsOf,
  codeAt,
  enrolled,
  newOperator,
  operatorPassword,
  signedInOperator,
  signIn,
} from '../../../testing/operators.ts';
import { newAddress, type SignedIn, signedIn } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';
import { totpAt } from '../../users/factors/authenticator.ts';

let test: TestApp;
let investor: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  investor = await signedIn(test);
});
afterAll(() => test.close());

const minuteMs = 60_000;
const stepMs = 30_000;
const wrong = { status: 401, code: 'wrong_credentials' };
const wrongCode = { status: 401, code: 'totp_wrong' };
const tooMany = { status: 429, code: 'too_many_requests' };
type Cookies = Record<string, string>;
const meStatus = async (as: { cookies: Cookies }) => (await tryCall(test, calls.me, { as })).status;

describe('the first sign-in', () => {
  it('shows a secret, and the first code of the authenticator begins the session and tells recovery codes', async () => {
    const person = await newOperator(test);
    const begun = await signIn(test, person);
    const { operator, enrolment } = answerOf(begun);
    expect([operator, begun.cookies]).toEqual([null, {}]);
    const secret = enrolment?.secret ?? '';
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(enrolment?.uri).toContain(`secret=${secret}`);
    const enrol = (code: string) => {
      const body = { email: person.email, password: operatorPassword, code };
      return tryCall(test, calls.enrol, { body, from: newAddress() });
    };
    expect(await enrol('000000')).toMatchObject(wrongCode);
    const reply = await enrol(totpAt(secret, test.clock.now()));
    const { recoverycodes } = answerOf(reply);
    expect(new Set(recoverycodes).size).toBe(10);
    const me = await call(test, calls.me, { as: reply });
    expect(me).toMatchObject({ operator: { name: person.name }, recoverycodesleft: 10 });
    expect(await enrol(totpAt(secret, test.clock.now()))).toMatchObject(wrongCode);

    const byRecovery = () => signIn(test, person, { recoverycode: String(recoverycodes[3]).toUpperCase() });
    expect((await byRecovery()).status).toBe(200);
    expect(await byRecovery()).toMatchObject(wrongCode);
    const { rows } = await test.context.owner.query('select totp_sealed from operators where id = $1', [
      me.operator._id,
    ]);
    expect(rows[0].totp_sealed).not.toContain(secret);
  });
});

describe('signing in', () => {
  it('needs the password and a code; neither alone is enough, and no code works twice', async () => {
    const person = await enrolled(test);
    test.clock.advance(stepMs);
    const code = codeAt(test);
    expect(await signIn(test, person, { password: 'not this one at all', code })).toMatchObject(wrong);
    expect(await signIn(test, person)).toMatchObject(wrongCode);
    const both = await Promise.all([signIn(test, person, { code }), signIn(test, person, { code })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect(await signIn(test, person, { code })).toMatchObject(wrongCode);
  });

  it('is slowed down from the fifth failure, a right password with wrong codes included', async () => {
    const person = await enrolled(test);
    const from = newAddress();
    const tries = [];
    for (let n = 0; n < 8; n += 1) tries.push((await signIn(test, person, { code: '000000' }, from)).status);
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
    const message = expect.stringContaining('npm run operator -- unlock');
    expect(stranger).toMatchObject({ ...tooMany, message });
    const { email } = operator;
    const cookies = { 'operator-device': operator.cookies['operator-device'] ?? '' };
    const from = newAddress();
    const known = async () => {
      const body = { email, password: operatorPassword, code: codeAt(test) };
      return (await tryCall(test, calls.signin, { body, from, cookies })).status;
    };
    expect(await known()).toBe(200);
    await accountsOf(test).setOperatorPassword({ email, password: operatorPassword });
    test.clock.advance(stepMs);
    expect(await known()).toBe(429);
  });

  it('is open again after unlock, also where others in the same network tried other names', async () => {
    const person = await enrolled(test);
    const office = newAddress();
    for (let n = 0; n < 5; n += 1) await signIn(test, { email: `nobody-${n}@example.com` }, {}, office);
    const again = () => signIn(test, person, { code: codeAt(test) }, office);
    expect(await again()).toMatchObject(tooMany);
    await accountsOf(test).unlockOperator(person);
    expect((await again()).status).toBe(200);
  });

  it('is for operators: an investor’s details open nothing, and an operator’s no wallet', async () => {
    const { email, password } = investor;
    expect(await refusal(test, calls.signin, { body: { email, password } })).toMatchObject(wrong);
    const person = await enrolled(test);
    const body = { email: person.email, password: operatorPassword, isAdmin: true };
    expect((await refusal(test, investorSignin, { body })).status).toBe(401);
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
    test.clock.advance(14 * minuteMs);
    expect(await meStatus(operator)).toBe(200);
    test.clock.advance(14 * minuteMs);
    const headers = { 'x-background-read': '1' };
    expect((await tryCall(test, calls.me, { as: operator, headers })).status).toBe(200);
    test.clock.advance(2 * minuteMs);
    expect(await meStatus(operator)).toBe(401);
  });

  it('is noted as used once a minute, not with every call', async () => {
    const operator = await signedInOperator(test);
    const newest = () =>
      test.context.db
        .selectFrom('operator_sessions')
        .orderBy('created_at', 'desc')
        .select(['created_at', 'seen_at'])
        .executeTakeFirstOrThrow();
    const begunAt = (await newest()).created_at;
    const sinceBegun = () => test.clock.now().getTime() - begunAt.getTime();
    test.clock.advance(minuteMs - 1 - sinceBegun());
    expect(await meStatus(operator)).toBe(200);
    expect((await newest()).seen_at).toEqual(begunAt);
    test.clock.advance(1);
    expect(await meStatus(operator)).toBe(200);
    expect((await newest()).seen_at).toEqual(test.clock.now());
  });

  it('ends after 12 hours however much it is used', async () => {
    const operator = await signedInOperator(test);
    for (let passed = 0; passed < 12 * 60 - 10; passed += 10) {
      test.clock.advance(10 * minuteMs);
      expect(await meStatus(operator)).toBe(200);
    }
    test.clock.advance(11 * minuteMs);
    const over = await tryCall(test, calls.me, { as: operator });
    expect(over).toMatchObject({ status: 401, message: 'Sign in to the console to go on.' });
  });

  it('ends on the server at sign-out, and for everyone who is disabled or loses the authenticator', async () => {
    const [out, disabled, lost] = [
      await signedInOperator(test),
      await signedInOperator(test),
      await signedInOperator(test),
    ];
    await call(test, calls.signout, { as: out });
    await accountsOf(test).disableOperator({ email: disabled.email });
    await accountsOf(test).resetTotp({ email: lost.email });
    for (const who of [out, disabled, lost]) {
      expect((await refusal(test, queue, { as: who })).status).toBe(401);
    }
    expect(await signIn(test, disabled, { code: codeAt(test) })).toMatchObject(wrong);
    expect(answerOf(await signIn(test, lost)).enrolment).toMatchObject({ secret: expect.any(String) });
  });

  it('takes the place of the one that the browser came with', async () => {
    const before = await signedInOperator(test);
    const body = { email: before.email, password: operatorPassword, code: codeAt(test) };
    const { cookies } = before;
    const reply = await tryCall(test, calls.signin, { body, cookies, from: newAddress() });
    test.clock.advance(stepMs);
    expect([await meStatus(before), await meStatus({ cookies: reply.cookies })]).toEqual([401, 200]);
  });

  it('is nobody else’s: the investor’s cookie and token do not open the console, nor the console’s the wallet', async () => {
    const operator = await signedInOperator(test);
    const asInvestor = { cookies: investor.cookies, token: investor.token, headers: ownPage };
    expect((await send(test, 'GET', queue.path, undefined, asInvestor)).statusCode).toBe(401);
    const renamed = { cookies: { 'operator-session': investor.cookies.session ?? '' } };
    expect((await refusal(test, queue, { as: renamed })).status).toBe(401);
    const moved = { cookies: { ...operator.cookies, session: operator.cookies['operator-session'] ?? '' } };
    expect((await refusal(test, viewprofile, { as: moved })).status).toBe(401);
  });

  it('cannot be used from another site', async () => {
    const operator = await signedInOperator(test);
    const headers = { 'sec-fetch-site': 'cross-site' };
    const refused = await refusal(test, calls.signout, { as: operator, headers });
    expect(refused).toMatchObject({ status: 403, code: 'cross_site' });
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
