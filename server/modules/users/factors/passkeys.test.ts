import { generateKeyPairSync, randomBytes } from 'node:crypto';
import * as calls from '@tallystick/contract/factors';
import * as users from '@tallystick/contract/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { answerOf, call, refusal, tryCall } from '../../../testing/call.ts';
import { minuteMs } from '../../../testing/clock.ts';
import { steppedUpPerson } from '../../../testing/factors/people.ts';
import { type Lies, makePasskey, type Passkey, sign } from '../../../testing/factors/software-passkey.ts';
import { newAddress, resetPassword, type SignedIn, signIn } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';
import { factorRules } from './rules.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

interface WithPasskey extends SignedIn {
  passkey: Passkey;
  passkeyid: string;
  recoverycodes: string[];
}

async function add(as: SignedIn, name: string, lies: Lies = {}) {
  const made = makePasskey(await call(test, calls.newpasskey, { as }), lies);
  const confirm = () => tryCall(test, calls.confirmpasskey, { as, body: { name, passkey: made.body } });
  return { ...made, reply: await confirm(), again: confirm };
}

async function withPasskey(lies: Lies = {}): Promise<WithPasskey> {
  const person = await steppedUpPerson(test);
  const { passkey, reply } = await add(person, 'My phone', lies);
  const answer = answerOf(reply);
  return {
    ...person,
    passkey,
    passkeyid: answer.passkey._id,
    recoverycodes: answer.recoverycodes ?? [],
  };
}

/** In a new browser, without an e-mail address. */
async function signInByPasskey(passkey: Passkey, lies: Lies = {}) {
  const asked = await tryCall(test, calls.passkeysigninoptions, { from: newAddress() });
  const options = answerOf(asked);
  expect(options.allowCredentials).toBeUndefined();
  const body = { passkey: sign(passkey, options, lies) };
  const again = () =>
    tryCall(test, calls.passkeysignin, { body, cookies: asked.cookies, from: newAddress() });
  return { reply: await again(), again };
}

async function passwordShown(person: SignedIn, password = person.password) {
  const body = { email: person.email, password };
  return refusal(test, users.signin, { body, from: newAddress() });
}

describe('a new passkey', () => {
  it('is made for this site and this person, named, listed and told of', async () => {
    const person = await steppedUpPerson(test);
    const options = await call(test, calls.newpasskey, { as: person });
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Tallystick' },
      user: { name: person.email, displayName: 'Amara Okonkwo' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [],
    });
    const { passkey, reply } = await add(person, ' My phone ');
    const answer = answerOf(reply);
    expect(answer.passkey).toMatchObject({ name: 'My phone', backedup: true, usedat: null });
    expect(answer.recoverycodes).toHaveLength(10);
    expect((await test.mailbox.letters(person.email))[0]?.subject).toBe(
      'A passkey was added to your Tallystick account',
    );
    test.clock.advance(minuteMs);
    const another = await add(person, 'My key');
    expect(answerOf(another.reply).recoverycodes).toBeNull();
    const listed = await call(test, calls.factors, { as: person });
    expect(listed.passkey.map(({ name }) => name)).toEqual(['My phone', 'My key']);
    expect(listed.ways).toEqual(['passkey', 'recovery']);
    const { excludeCredentials } = await call(test, calls.newpasskey, { as: person });
    expect(excludeCredentials?.[0]).toEqual({
      id: passkey.id.toString('base64url'),
      type: 'public-key',
      transports: ['hybrid', 'internal'],
    });
  });

  it.each<[string, Lies]>([
    ['another site', { origin: 'https://tally.example' }],
    ['another name', { rpId: 'tally.example' }],
    ['another question', { challenge: randomBytes(32).toString('base64url') }],
    ['a signature instead', { type: 'webauthn.get' }],
    ['nobody who was looked at', { unverified: true }],
  ])('is refused when it was made for %s', async (_name, lies) => {
    const person = await steppedUpPerson(test);
    const { reply, again } = await add(person, 'My phone', lies);
    expect([reply.code, (await again()).code]).toEqual(['factor_wrong', 'flow_over']);
    expect((await call(test, calls.factors, { as: person })).passkey).toEqual([]);
  });

  it('is added once, in time, in the session that asked, and to one account', async () => {
    const [person, other] = [await withPasskey(), await withPasskey()];
    const late = makePasskey(await call(test, calls.newpasskey, { as: person })).body;
    const confirm = (as: SignedIn, passkey: typeof late) =>
      tryCall(test, calls.confirmpasskey, { as, body: { name: 'Another', passkey } });
    test.clock.advance(5 * minuteMs);
    expect((await confirm(person, late)).code).toBe('flow_over');
    const options = await call(test, calls.newpasskey, { as: person });
    const made = makePasskey(options);
    expect((await confirm(other, made.body)).code).toBe('flow_over');
    const twice = await Promise.all([confirm(person, made.body), confirm(person, made.body)]);
    expect(twice.map(({ code }) => code).toSorted()).toEqual(['done', 'flow_over']);
    expect((await call(test, calls.factors, { as: other })).passkey).toHaveLength(1);
  });
});

describe('signing in with a passkey alone', () => {
  it('takes no e-mail address, and answers what signing in answers', async () => {
    const person = await withPasskey();
    const { reply, again } = await signInByPasskey(person.passkey);
    const { token, ...who } = answerOf(reply);
    expect(who).toEqual({ _id: person.userid, fullname: 'Amara Okonkwo', email: person.email });
    expect(reply.cookies).toMatchObject({ session: expect.any(String), device: expect.any(String) });
    // Shown to this site and no other, so it is step-up as well.
    const fresh = await call(test, calls.newrecoverycodes, { as: { token } });
    expect(fresh.recoverycodes).toHaveLength(10);
    // What was asked was answered: the same answer opens nothing again.
    expect((await again()).code).toBe('flow_over');
    const { passkey } = await call(test, calls.factors, { as: person });
    expect(passkey[0]?.usedat).toBe(test.clock.now().toISOString());
  });

  const { privateKey: anotherKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  it.each<[string, Lies]>([
    ['for another site', { origin: 'https://tally.example' }],
    ['for another name', { rpId: 'tally.example' }],
    ['for another question', { challenge: randomBytes(32).toString('base64url') }],
    ['as a new one', { type: 'webauthn.create' }],
    ['by nobody who was looked at', { unverified: true }],
    ['with another key', { key: anotherKey }],
    ['for somebody else', { userHandle: randomBytes(16).toString('base64url') }],
    ['for nobody in particular', { userHandle: null }],
  ])('is refused when it was signed %s', async (_name, lies) => {
    const { passkey } = await withPasskey();
    expect((await signInByPasskey(passkey, lies)).reply.code).toBe('factor_wrong');
    expect((await signInByPasskey(passkey)).reply.code).toBe('done');
  });

  it('is refused to a passkey that nobody has, and to one that was removed', async () => {
    const person = await withPasskey();
    const stranger = { ...person.passkey, id: randomBytes(32) };
    expect((await signInByPasskey(stranger)).reply.code).toBe('factor_wrong');
    await call(test, calls.removepasskey, { as: person, params: { passkeyid: person.passkeyid } });
    expect((await signInByPasskey(person.passkey)).reply.code).toBe('factor_wrong');
    await signIn(test, person);
  });

  it('belongs to the browser that asked, for five minutes', async () => {
    const { passkey } = await withPasskey();
    const [mine, other] = [
      await tryCall(test, calls.passkeysigninoptions, { from: newAddress() }),
      await tryCall(test, calls.passkeysigninoptions, { from: newAddress() }),
    ];
    const body = { passkey: sign(passkey, answerOf(mine)) };
    const show = (cookies: Record<string, string>) =>
      tryCall(test, calls.passkeysignin, { body, cookies, from: newAddress() });
    expect((await show({})).code).toBe('flow_over');
    expect((await show(other.cookies)).code).toBe('factor_wrong');
    test.clock.advance(5 * minuteMs);
    expect((await show(mine.cookies)).code).toBe('flow_over');
  });
});

it('a counter that goes back is refused and noted, one that stays at nothing is not', async () => {
  const person = await withPasskey({ counter: 7 });
  expect((await signInByPasskey(person.passkey, { counter: 8 })).reply.code).toBe('done');
  for (const counter of [8, 7, 0])
    expect((await signInByPasskey(person.passkey, { counter })).reply.code).toBe('factor_wrong');
  expect((await signInByPasskey(person.passkey, { counter: 9 })).reply.code).toBe('done');
  const { rows } = await test.context.owner.query(
    "select details from audit_log where subject_id = $1 and action = 'passkey.rolled-back' order by id",
    [person.userid],
  );
  expect(rows.map(({ details }) => details)).toEqual(
    ['8', '7', '0'].map((shown) => ({ name: 'My phone', kept: '8', shown })),
  );
  const always = await withPasskey();
  for (let n = 0; n < 2; n += 1) expect((await signInByPasskey(always.passkey)).reply.code).toBe('done');
});

describe('as a second factor', () => {
  it('is asked for after the password, by its name, and finishes the sign-in', async () => {
    const [person, other] = [await withPasskey(), await withPasskey()];
    const { cookies, ways } = await passwordShown(person);
    expect(ways).toEqual(['passkey', 'recovery']);
    const options = await call(test, calls.secondfactoroptions, { cookies });
    expect(options.allowCredentials?.map(({ id }) => id)).toEqual([person.passkey.id.toString('base64url')]);
    const show = (passkey: Passkey, asked: calls.PasskeyRequest) =>
      tryCall(test, calls.secondfactor, {
        body: { passkey: sign(passkey, asked) },
        cookies,
        from: newAddress(),
      });
    expect((await show(other.passkey, options)).code).toBe('factor_wrong');
    // What was asked is asked once.
    expect((await show(person.passkey, options)).code).toBe('factor_wrong');
    const anew = await call(test, calls.secondfactoroptions, { cookies });
    expect((await show(person.passkey, anew)).code).toBe('done');
    expect((await tryCall(test, calls.secondfactoroptions, { cookies })).code).toBe('flow_over');
    expect((await tryCall(test, calls.secondfactoroptions, {})).code).toBe('flow_over');
  });

  it('stays when the password is reset, and a code is none of its ways', async () => {
    const person = await withPasskey();
    await resetPassword(test, person, { password: 'a newer notch 1827', how: 'link' });
    const { code, ways, cookies } = await passwordShown(person, 'a newer notch 1827');
    expect([code, ways]).toEqual(['second_factor_required', ['passkey', 'recovery']]);
    const shown = await tryCall(test, calls.secondfactor, { body: { code: '123456' }, cookies });
    expect(shown.code).toBe('factor_wrong');
  });
});

describe('step-up', () => {
  it('takes a passkey of this account, asked in this session, once', async () => {
    const [person, other] = [await withPasskey(), await withPasskey()];
    test.clock.advance(10 * minuteMs);
    const params = { passkeyid: person.passkeyid };
    const remove = (as: SignedIn) => tryCall(test, calls.removepasskey, { as, params });
    expect((await remove(person)).code).toBe('step_up_required');
    expect((await remove(other)).code).toBe('not_found');
    const show = (as: SignedIn, passkey: z.input<typeof calls.PasskeyAssertion>) =>
      tryCall(test, calls.stepup, { as, body: { passkey } });
    const options = await call(test, calls.stepupoptions, { as: person });
    const signed = sign(person.passkey, options);
    expect((await show(other, signed)).code).toBe('flow_over');
    const twice = await Promise.all([show(person, signed), show(person, signed)]);
    expect(twice.map(({ code }) => code).toSorted()).toEqual(['done', 'flow_over']);
    expect((await remove(person)).code).toBe('done');
    expect((await refusal(test, calls.stepupoptions, { as: person })).code).toBe('not_found');
  });
});

it('a passkey is renamed by its owner alone', async () => {
  const [person, other] = [await withPasskey(), await withPasskey()];
  const rename = (as: SignedIn, name: string) =>
    tryCall(test, calls.namepasskey, { as, params: { passkeyid: person.passkeyid }, body: { name } });
  expect((await rename(other, 'Mine')).code).toBe('not_found');
  expect((await rename(person, 'hid\u202eden')).code).toBe('invalid_request');
  expect(answerOf(await rename(person, 'Desk')).passkey.name).toBe('Desk');
});

it('who shows two things at once, or nothing, is asked for one', async () => {
  const person = await withPasskey();
  const body = { code: '123456', recoverycode: person.recoverycodes[0] ?? '' };
  expect((await refusal(test, calls.stepup, { as: person, body })).code).toBe('invalid_request');
  expect((await refusal(test, calls.stepup, { as: person, body: {} })).code).toBe('invalid_request');
  await call(test, calls.stepup, { as: person, body: { recoverycode: body.recoverycode } });
});

it('whoever comes may ask for a passkey a hundred times in ten minutes, from one network', async () => {
  const from = newAddress();
  const { limit, windowMs } = factorRules.questionsPerAddress;
  const ask = async (address = from) =>
    (await tryCall(test, calls.passkeysigninoptions, { from: address })).code;
  const said = await Promise.all(Array.from({ length: limit + 3 }, () => ask()));
  expect(said.filter((code) => code === 'done')).toHaveLength(limit);
  expect(said.filter((code) => code === 'too_many_requests')).toHaveLength(3);
  expect(await ask(newAddress())).toBe('done');
  test.clock.advance(windowMs);
  expect(await ask()).toBe('done');
});
