import * as investors from '@tallystick/contract/factors';
import * as calls from '@tallystick/contract/operator/factors';
import { enrol, me, signin } from '@tallystick/contract/operator/session';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf, call, refusal, tryCall } from '../../../testing/call.ts';
import { minuteMs } from '../../../testing/clock.ts';
import { nextCode, steppedUpPerson } from '../../../testing/factors/people.ts';
import { type Lies, makePasskey, type Passkey, sign } from '../../../testing/factors/software-passkey.ts';
import {
  accountsOf,
  codeAt,
  type Operator,
  operatorPassword,
  signedInAgain,
  signedInOperator,
  signIn,
} from '../../../testing/operators.ts';
import { newAddress } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

/** No code works twice. */
function freshCode(): string {
  nextCode(test);
  return codeAt(test);
}

async function add(as: Operator, name = 'Office key', proof: object = { code: freshCode() }) {
  const options = await call(test, calls.newoperatorpasskey, { as, body: proof });
  const made = makePasskey(options);
  const confirm = () =>
    tryCall(test, calls.confirmoperatorpasskey, { as, body: { name, passkey: made.body } });
  return { ...made, options, reply: await confirm(), again: confirm };
}

interface WithPasskey extends Operator {
  passkey: Passkey;
  passkeyid: string;
}

async function withPasskey(): Promise<WithPasskey> {
  const operator = await signedInOperator(test);
  const { passkey, reply } = await add(operator);
  return { ...operator, passkey, passkeyid: answerOf(reply).passkey._id };
}

const showPassword = ({ email }: { email: string }, password = operatorPassword) =>
  tryCall(test, calls.signinoptions, { body: { email, password }, from: newAddress() });

async function signInWith(operator: { email: string }, passkey: Passkey, lies: Lies = {}) {
  const asked = await showPassword(operator);
  const body = { passkey: sign(passkey, answerOf(asked), lies) };
  const again = () =>
    tryCall(test, calls.signinpasskey, { body, cookies: asked.cookies, from: newAddress() });
  return { reply: await again(), again };
}

async function proofBy(as: Operator, passkey: Passkey, lies: Lies = {}) {
  return { passkey: sign(passkey, await call(test, calls.operatorproofoptions, { as }), lies) };
}

const removePasskey = (as: Operator, passkeyid: string, body: object) =>
  tryCall(test, calls.removeoperatorpasskey, { as, params: { passkeyid }, body });
const removeAuthenticator = (as: Operator, body: object) =>
  tryCall(test, calls.removeoperatorauthenticator, { as, body });

async function traces(id: string): Promise<string[]> {
  const { rows } = await test.context.owner.query<{ action: string }>(
    'select action from audit_log where subject_id = $1 order by id',
    [id],
  );
  return rows.map(({ action }) => action);
}

describe('an operator’s passkey', () => {
  it('is added with a fresh code, named, listed, told of by letter, and then signs in after the password', async () => {
    const operator = await signedInOperator(test);
    const { passkey, options, reply, again } = await add(operator);
    expect(options.user).toMatchObject({ name: `${operator.email} (operator)`, displayName: operator.name });
    expect(options.authenticatorSelection).toMatchObject({ userVerification: 'required' });
    expect(answerOf(reply).passkey).toMatchObject({ name: 'Office key', usedat: null });
    expect((await again()).code).toBe('flow_over');
    const listed = await call(test, calls.operatorfactors, { as: operator });
    expect(listed).toMatchObject({ authenticator: true, passkey: [{ name: 'Office key' }] });
    const [letter] = await test.mailbox.letters(operator.email);
    expect(letter?.subject).toBe('Operator console of Tallystick: a passkey was added');

    const { reply: begun, again: replay } = await signInWith(operator, passkey);
    expect(answerOf(begun).operator.name).toBe(operator.name);
    expect((await call(test, me, { as: begun })).operator._id).toBe(operator.id);
    // What it had to sign is used up.
    expect((await replay()).code).toBe('flow_over');
    expect(await traces(operator.id)).toEqual([
      'operator.created',
      'operator.signed-in',
      'operator.passkey-added',
      'operator.signed-in-by-passkey',
    ]);
  });

  it('needs the password first, in the same browser and for five minutes', async () => {
    const operator = await withPasskey();
    expect((await showPassword(operator, 'not this one at all')).code).toBe('wrong_credentials');
    const asked = await showPassword(operator);
    const body = { passkey: sign(operator.passkey, answerOf(asked)) };
    const from = newAddress();
    expect((await tryCall(test, calls.signinpasskey, { body, from })).code).toBe('flow_over');
    test.clock.advance(5 * minuteMs);
    const late = await tryCall(test, calls.signinpasskey, { body, cookies: asked.cookies, from });
    expect(late.code).toBe('flow_over');
    // Nor as an investor's, without one.
    const alone = await tryCall(test, investors.passkeysigninoptions, { from });
    const signed = { passkey: sign(operator.passkey, answerOf(alone)) };
    const asInvestor = await tryCall(test, investors.passkeysignin, {
      body: signed,
      cookies: alone.cookies,
      from,
    });
    expect(asInvestor.code).toBe('factor_wrong');
  });

  it('is over with a password that was changed meanwhile', async () => {
    const operator = await withPasskey();
    const asked = await showPassword(operator);
    await accountsOf(test).setOperatorPassword({
      email: operator.email,
      password: 'another key of two hands',
    });
    const body = { passkey: sign(operator.passkey, answerOf(asked)) };
    const reply = await tryCall(test, calls.signinpasskey, {
      body,
      cookies: asked.cookies,
      from: newAddress(),
    });
    expect(reply.code).toBe('flow_over');
  });

  it('opens nothing of another operator’s, and an investor’s opens no console', async () => {
    const [one, other] = [await withPasskey(), await withPasskey()];
    expect((await signInWith(one, other.passkey)).reply.code).toBe('factor_wrong');
    // Whose it is is not what it says of itself.
    const unsaid = { userHandle: null };
    expect((await signInWith(one, other.passkey, unsaid)).reply.code).toBe('factor_wrong');
    expect((await removePasskey(one, other.passkeyid, { code: freshCode() })).code).toBe('not_found');
    const person = await steppedUpPerson(test);
    const made = makePasskey(await call(test, investors.newpasskey, { as: person }));
    const body = { name: 'Mine', passkey: made.body };
    await call(test, investors.confirmpasskey, { as: person, body });
    expect((await signInWith(one, made.passkey, unsaid)).reply.code).toBe('factor_wrong');
    const proof = await proofBy(one, made.passkey, unsaid);
    expect((await removeAuthenticator(one, proof)).code).toBe('factor_wrong');
    // And the other way round: as an investor's second step or step-up.
    const asked = await call(test, investors.stepupoptions, { as: person });
    const stepUp = { passkey: sign(one.passkey, asked, unsaid) };
    expect((await refusal(test, investors.stepup, { as: person, body: stepUp })).code).toBe('factor_wrong');
    expect((await traces(one.id)).filter((action) => action === 'operator.passkey-refused')).toHaveLength(3);
  });

  it.each<[string, Lies]>([
    ['for another site', { origin: 'https://evil.example' }],
    ['without its owner’s finger', { unverified: true }],
    ['for somebody else', { userHandle: 'AAAA' }],
    ['over another question', { challenge: 'AAAA' }],
  ])('is refused when it was signed %s', async (_, lies) => {
    const operator = await withPasskey();
    expect((await signInWith(operator, operator.passkey, lies)).reply.code).toBe('factor_wrong');
  });
});

describe('changing what an operator signs in with', () => {
  it('takes a factor that is shown for it: a session alone changes nothing, and guessing is slowed down', async () => {
    const operator = await withPasskey();
    const tries = [];
    const guess = { as: operator, from: newAddress(), body: { code: '000000' } };
    for (let n = 0; n < 7; n += 1) tries.push((await tryCall(test, calls.newoperatorpasskey, guess)).code);
    expect(tries.slice(0, 5)).toEqual(Array(5).fill('factor_wrong'));
    expect(tries.at(-1)).toBe('too_many_requests');
    // What was asked for in another session is of no use in this one.
    nextCode(test);
    const elsewhere = await signedInAgain(test, operator);
    const proof = { as: elsewhere, from: newAddress(), body: { code: freshCode() } };
    const made = makePasskey(await call(test, calls.newoperatorpasskey, proof));
    const body = { name: 'Thief', passkey: made.body };
    expect((await refusal(test, calls.confirmoperatorpasskey, { as: operator, body })).code).toBe(
      'flow_over',
    );
  });

  it('keeps one factor: the authenticator goes only where a passkey is, and then the last passkey stays', async () => {
    const operator = await signedInOperator(test);
    const code = freshCode();
    expect((await removeAuthenticator(operator, { code })).code).toBe('outside_range');
    // It was shown, if in vain: whoever has read it can do nothing with it.
    const again = { as: operator, from: newAddress(), body: { code } };
    expect((await refusal(test, calls.newoperatorpasskey, again)).code).toBe('factor_wrong');
    nextCode(test);
    const { passkey, reply } = await add(operator);
    nextCode(test);
    const elsewhere = await signedInAgain(test, operator);
    const proof = await proofBy(operator, passkey);
    expect((await removeAuthenticator(operator, proof)).status).toBe(200);
    expect((await removeAuthenticator(operator, proof)).code).toBe('flow_over');
    expect((await tryCall(test, me, { as: elsewhere })).status).toBe(401);
    expect((await test.mailbox.letters(operator.email))[0]?.subject).toContain(
      'an authenticator was removed',
    );
    const passkeyid = answerOf(reply).passkey._id;
    const last = await proofBy(operator, passkey);
    expect((await removePasskey(operator, passkeyid, last)).code).toBe('outside_range');
    const { passkey: next, reply: added } = await add(operator, 'Spare', await proofBy(operator, passkey));
    expect((await removePasskey(operator, passkeyid, await proofBy(operator, next))).status).toBe(200);
    expect((await signInWith(operator, passkey)).reply.code).toBe('factor_wrong');
    expect((await signInWith(operator, next)).reply.status).toBe(200);
    expect(answerOf(added).passkey.name).toBe('Spare');
  });

  it('is no way down: without the authenticator the password sets up no other, and old codes do nothing', async () => {
    const operator = await withPasskey();
    answerOf(await removeAuthenticator(operator, await proofBy(operator, operator.passkey)));
    expect((await signIn(test, operator)).code).toBe('totp_wrong');
    expect((await signIn(test, operator, { code: freshCode() })).code).toBe('totp_wrong');
    const body = { email: operator.email, password: operatorPassword, code: freshCode() };
    expect((await refusal(test, enrol, { body, from: newAddress() })).code).toBe('totp_wrong');
    // As an older server reads the row: it sees one that is confirmed, and so begins none.
    const { rows } = await test.context.owner.query(
      'select totp_confirmed_at is not null as confirmed, totp_sealed as sealed from operators where id = $1',
      [operator.id],
    );
    expect(rows).toEqual([{ confirmed: true, sealed: null }]);
  });

  it('is not added by a session that was ended while it asked', async () => {
    const operator = await signedInOperator(test);
    const options = await call(test, calls.newoperatorpasskey, { as: operator, body: { code: freshCode() } });
    const { rows } = await test.context.owner.query(
      'update operator_sessions set ended_at = now() where operator_id = $1 returning id',
      [operator.id],
    );
    const adding = test.context.users.confirmOperatorPasskey({
      identity: { operatorId: operator.id, sessionId: rows[0].id },
      client: { address: newAddress(), userAgent: '' },
      name: 'Found key',
      passkey: makePasskey(options).body,
    });
    await expect(adding).rejects.toThrow('Sign in to the console');
  });

  it('begins anew after reset-totp, which takes the passkeys along', async () => {
    const operator = await withPasskey();
    await accountsOf(test).resetTotp({ email: operator.email });
    expect((await showPassword(operator)).code).toBe('not_found');
    expect(answerOf(await signIn(test, operator)).enrolment).not.toBeNull();
  });

  it('is gone with who is disabled, also in the middle of signing in', async () => {
    const operator = await withPasskey();
    const asked = await showPassword(operator);
    const body = { passkey: sign(operator.passkey, answerOf(asked)) };
    await accountsOf(test).disableOperator({ email: operator.email });
    const late = { body, cookies: asked.cookies, from: newAddress() };
    expect((await tryCall(test, calls.signinpasskey, late)).code).toBe('flow_over');
    const left = await test.context.owner.query('select from passkeys where operator_id = $1', [operator.id]);
    expect(left.rowCount).toBe(0);
  });

  it('lets nobody who knows the password guess codes without being counted, by asking for a passkey in between', async () => {
    const operator = await withPasskey();
    // In a browser that is known, which is counted by itself: a right try would forget all wrong ones there.
    const cookies = { 'operator-device': operator.cookies['operator-device'] ?? '' };
    const by = { cookies, from: newAddress() };
    const codes = [];
    for (let n = 0; n < 14; n += 1) {
      const body = { email: operator.email, password: operatorPassword };
      await tryCall(test, calls.signinoptions, { body, ...by });
      codes.push((await tryCall(test, signin, { body: { ...body, code: '000000' }, ...by })).code);
    }
    expect(codes.at(-1)).toBe('too_many_requests');
  });
});
