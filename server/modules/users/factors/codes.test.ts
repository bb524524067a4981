import * as calls from '@tallystick/contract/factors';
import * as users from '@tallystick/contract/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf, call, refusal, tryCall } from '../../../testing/call.ts';
import { minuteMs } from '../../../testing/clock.ts';
import * as people from '../../../testing/factors/people.ts';
import { newAddress, type SignedIn, signedIn, signIn } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';
import { totpAt } from './authenticator.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

const withPhone = () => people.withPhone(test);
const nextCode = () => people.nextCode(test);
const codeOf = (person: people.WithPhone) => people.codeOf(test, person);
const passwordShown = (person: SignedIn, password?: string) => people.passwordShown(test, person, password);
const show = (
  cookies: Record<string, string>,
  body: { code?: string; recoverycode?: string },
  from?: string,
) => people.show(test, cookies, body, from);
const trails = (userid: string) => people.trails(test, userid);

describe('who has no factor', () => {
  it('signs in as ever, and adds the first one only with the mailed link', async () => {
    const person = await signedIn(test);
    const none = { authenticator: null, passkey: [], recoverycodesleft: 0, stepupabove: 0, ways: ['mail'] };
    expect(await call(test, calls.factors, { as: person })).toEqual({ ...none, steppedupuntil: null });
    const asked = await refusal(test, calls.newauthenticator, { as: person });
    expect(asked).toMatchObject({ status: 403, code: 'step_up_required', ways: ['mail'] });
    // A link opens the session that asked for it and no other, once.
    await call(test, calls.stepupmail, { as: person, from: newAddress() });
    const token = await people.linkTo(test, person.email);
    const elsewhere = await signIn(test, { ...person, cookies: {} });
    const open = (as: SignedIn) => tryCall(test, calls.stepuplink, { as, body: { token } });
    expect((await open(elsewhere)).code).toBe('link_wrong');
    expect((await open(person)).code).toBe('done');
    expect((await open(person)).code).toBe('link_wrong');
    expect((await refusal(test, calls.newauthenticator, { as: elsewhere })).code).toBe('step_up_required');
    await call(test, calls.newauthenticator, { as: person });
    test.clock.advance(10 * minuteMs);
    expect((await refusal(test, calls.newauthenticator, { as: person })).code).toBe('step_up_required');
  });

  it('has a link that is good for ten minutes', async () => {
    const person = await signedIn(test);
    await call(test, calls.stepupmail, { as: person, from: newAddress() });
    const token = await people.linkTo(test, person.email);
    test.clock.advance(10 * minuteMs);
    expect((await refusal(test, calls.stepuplink, { as: person, body: { token } })).code).toBe('link_wrong');
  });

  it('changes the password and has no sum to set, no codes to make and nothing to remove', async () => {
    const person = await signedIn(test);
    const body = { password: person.password, passwordnew: 'a newer notch 1827' };
    await call(test, users.changepassword, { as: person, body });
    await people.steppedUp(test, person);
    expect((await refusal(test, calls.newrecoverycodes, { as: person })).code).toBe('not_found');
    expect((await refusal(test, calls.removeauthenticator, { as: person })).code).toBe('not_found');
    const sum = await refusal(test, calls.stepupabove, { as: person, body: { amount: 5 } });
    expect(sum.code).toBe('not_found');
    expect((await refusal(test, calls.stepup, { as: person, body: { code: '123456' } })).code).toBe(
      'factor_wrong',
    );
  });
});

describe('an authenticator', () => {
  it('counts once its first code was shown, and tells of itself by letter, in the list and in the log', async () => {
    const person = await people.steppedUpPerson(test);
    const { secret, uri } = await call(test, calls.newauthenticator, { as: person });
    expect(uri).toContain(secret);
    const wrong = totpAt(secret, new Date(test.clock.now().getTime() + 5 * minuteMs));
    const confirm = (code: string) =>
      tryCall(test, calls.confirmauthenticator, { as: person, body: { code } });
    expect((await confirm(wrong)).code).toBe('factor_wrong');
    // It is not on yet: signing in asks for nothing.
    await signIn(test, person);
    const done = answerOf(await confirm(totpAt(secret, test.clock.now())));
    expect(done.recoverycodes).toHaveLength(10);
    expect((await confirm(totpAt(secret, test.clock.now()))).code).toBe('flow_over');
    const listed = await call(test, calls.factors, { as: person });
    expect(listed).toMatchObject({
      authenticator: { createdat: test.clock.now().toISOString() },
      recoverycodesleft: 10,
      ways: ['code', 'recovery'],
    });
    const [letter] = await test.mailbox.letters(person.email);
    expect(letter?.subject).toBe('An authenticator was added to your Tallystick account');
    expect((await trails(person.userid)).at(-1)).toMatchObject({
      action: 'factor.added',
      details: { factor: 'authenticator' },
    });
    // Neither the secret nor a recovery code is anywhere to be read.
    const { rows } = await test.context.owner.query(
      `select a.sealed || encode(c.code_hash, 'escape') as kept from authenticators a
       join user_recovery_codes c using (user_id) where user_id = $1`,
      [person.userid],
    );
    for (const { kept } of rows) {
      expect(kept).not.toContain(secret);
      for (const code of done.recoverycodes ?? []) expect(kept).not.toContain(code);
    }
  });

  it('is asked for after the password, and then signs in as signing in does', async () => {
    const person = await withPhone();
    const asked = await passwordShown(person);
    expect(asked.ways).toEqual(['code', 'recovery']);
    expect(Object.keys(asked.cookies)).toEqual(['factor-flow']);
    const reply = await show(asked.cookies, { code: codeOf(person) });
    const { token, ...who } = answerOf(reply);
    expect(who).toEqual({ _id: person.userid, fullname: 'Amara Okonkwo', email: person.email });
    expect(reply.cookies).toMatchObject({ session: expect.any(String), device: expect.any(String) });
    expect(reply.cookies['factor-flow']).toBe('');
    await call(test, users.viewprofile, { as: { token } });
    expect((await trails(person.userid)).at(-1)).toEqual({
      action: 'session.begun',
      details: { factor: 'code' },
    });
    // What was typed may have been typed into a false page: it signs in, and does no more.
    const removing = await refusal(test, calls.removeauthenticator, { as: { token } });
    expect(removing).toMatchObject({ code: 'step_up_required', ways: ['code', 'recovery'] });
  });

  it('has codes that work once, in whatever flow, and for step-up as well', async () => {
    const person = await withPhone();
    const [one, two] = [await passwordShown(person), await passwordShown(person)];
    const code = codeOf(person);
    expect((await show(one.cookies, { code })).code).toBe('done');
    expect((await show(one.cookies, { code })).code).toBe('flow_over');
    expect((await show(two.cookies, { code })).code).toBe('factor_wrong');
    expect((await refusal(test, calls.stepup, { as: person, body: { code } })).code).toBe('factor_wrong');
    nextCode();
    expect((await show(two.cookies, { code: codeOf(person) })).code).toBe('done');
  });

  it('has codes of which one of two that come at once counts, and so have recovery codes', async () => {
    const person = await withPhone();
    const [recoverycode = ''] = person.recoverycodes;
    for (const body of [{ code: codeOf(person) }, { recoverycode }]) {
      const flows = [await passwordShown(person), await passwordShown(person), await passwordShown(person)];
      const codes = (await Promise.all(flows.map(({ cookies }) => show(cookies, body)))).map(
        ({ code }) => code,
      );
      expect(codes.toSorted()).toEqual(['done', 'factor_wrong', 'factor_wrong']);
    }
    // One flow that is finished twice at once begins one session.
    nextCode();
    const { cookies } = await passwordShown(person);
    const body = { code: codeOf(person) };
    const twice = await Promise.all([show(cookies, body), show(cookies, body)]);
    expect(twice.map(({ code }) => code).toSorted()).toEqual(['done', 'flow_over']);
  });

  it('is replaced by another without a moment between', async () => {
    const person = await withPhone();
    await call(test, calls.stepup, { as: person, body: { code: codeOf(person) } });
    const { secret } = await call(test, calls.newauthenticator, { as: person });
    nextCode();
    const { cookies } = await passwordShown(person);
    expect((await show(cookies, { code: codeOf(person) })).code).toBe('done');
    const body = { code: totpAt(secret, test.clock.now()) };
    expect(await call(test, calls.confirmauthenticator, { as: person, body })).toEqual({
      recoverycodes: null,
    });
    nextCode();
    const again = await passwordShown(person);
    expect((await show(again.cookies, { code: codeOf(person) })).code).toBe('factor_wrong');
    expect((await show(again.cookies, { code: totpAt(secret, test.clock.now()) })).code).toBe('done');
  });
});

describe('recovery codes', () => {
  it('sign in once each, and say so by letter', async () => {
    const person = await withPhone();
    const [recoverycode = '', another = ''] = person.recoverycodes;
    const { cookies } = await passwordShown(person);
    expect((await show(cookies, { recoverycode: 'abcd-efgh-jkmn-2345' })).code).toBe('factor_wrong');
    expect((await show(cookies, { recoverycode: recoverycode.toUpperCase() })).code).toBe('done');
    const letters = await test.mailbox.letters(person.email);
    const told = letters.find(
      ({ subject }) => subject === 'A recovery code of your Tallystick account was used',
    );
    expect(told?.text).toContain('9 recovery codes are left.');
    const again = await passwordShown(person);
    expect((await show(again.cookies, { recoverycode })).code).toBe('factor_wrong');
    await call(test, calls.stepup, { as: person, body: { recoverycode: another } });
    const fresh = await call(test, calls.newrecoverycodes, { as: person });
    expect(fresh.recoverycodes).toHaveLength(10);
    const [, , older = ''] = person.recoverycodes;
    expect((await show(again.cookies, { recoverycode: older })).code).toBe('factor_wrong');
    expect((await show(again.cookies, { recoverycode: fresh.recoverycodes[0] ?? '' })).code).toBe('done');
  });
});

it('the last factor takes the recovery codes and the sum along, and the password alone signs in again', async () => {
  const person = await withPhone();
  await call(test, calls.stepup, { as: person, body: { code: codeOf(person) } });
  await call(test, calls.stepupabove, { as: person, body: { amount: 100 } });
  await call(test, calls.removeauthenticator, { as: person });
  expect(await call(test, calls.factors, { as: person })).toMatchObject({
    authenticator: null,
    recoverycodesleft: 0,
    stepupabove: 0,
    ways: ['mail'],
  });
  const [letter] = await test.mailbox.letters(person.email);
  expect(letter?.text).toContain('No\nsecond factor is left: from now on your password alone');
  await signIn(test, person);
});

it('what was begun and not finished is forgotten a day later, and nothing else', async () => {
  const [person, begun] = [await withPhone(), await people.steppedUpPerson(test)];
  await call(test, calls.newauthenticator, { as: begun });
  await passwordShown(person);
  const count = async (of: string, userid: string) => {
    const { rows } = await test.context.owner.query(
      `select count(*)::int as n from ${of} where user_id = $1`,
      [userid],
    );
    return rows[0].n;
  };
  test.clock.advance(24 * 60 * minuteMs);
  await test.context.users.forgetExpired();
  expect(await count('authenticators', begun.userid)).toBe(1);
  test.clock.advance(10 * minuteMs);
  await test.context.users.forgetExpired();
  expect(await count('authenticators', begun.userid)).toBe(0);
  expect(await count('authenticators', person.userid)).toBe(1);
  expect(await count('user_recovery_codes', person.userid)).toBe(10);
  expect(await count('factor_flows', person.userid)).toBe(0);
});
