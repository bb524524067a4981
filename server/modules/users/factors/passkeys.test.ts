import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import * as calls from '@tallystick/contract/factors';
import * as users from '@tallystick/contract/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { answerOf, call, refusal, tryCall } from '../../../testing/call.ts';
import { minuteMs } from '../../../testing/clock.ts';
import { newAddress, resetPassword, type SignedIn, signedIn, signIn } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

/** As much of CBOR (RFC 8949) as an authenticator writes. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, n: number) =>
    n < 24
      ? Buffer.of((major << 5) | n)
      : n < 256
        ? Buffer.of((major << 5) | 24, n)
        : Buffer.of((major << 5) | 25, n >> 8, n & 255);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const parts = [...value].flatMap(([key, item]) => [cbor(key), cbor(item as Buffer)]);
  return Buffer.concat([head(5, value.size), ...parts]);
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();

interface Passkey {
  id: Buffer;
  key: KeyObject;
  userHandle: string;
  counter: number;
}

/** What may be false about what a passkey brings. */
interface Lies {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  unverified?: boolean;
  key?: KeyObject;
  userHandle?: string | null;
  counter?: number;
}

const origin = 'http://localhost:3000';
const flags = { present: 1, verified: 4, backupEligible: 8, backedUp: 16, attested: 64 };

const clientData = (type: string, challenge: string, lies: Lies) =>
  Buffer.from(
    JSON.stringify({ type: lies.type ?? type, challenge, origin: lies.origin ?? origin, crossOrigin: false }),
  );

function authenticatorData(counter: number, lies: Lies, credential?: Buffer): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const flag =
    flags.present |
    (lies.unverified ? 0 : flags.verified) |
    flags.backupEligible |
    flags.backedUp |
    (credential ? flags.attested : 0);
  const data = [sha256(lies.rpId ?? 'localhost'), Buffer.of(flag), count];
  return Buffer.concat(credential ? [...data, credential] : data);
}

/** Makes a key as a phone would, for what a browser was told. */
function makePasskey(options: calls.PasskeyCreation, lies: Lies = {}) {
  const { publicKey, privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const cose = new Map<number, number | Buffer>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]);
  const id = randomBytes(32);
  const length = Buffer.of(0, id.length);
  const credential = Buffer.concat([Buffer.alloc(16), length, id, cbor(cose)]);
  const authData = authenticatorData(lies.counter ?? 0, lies, credential);
  const attestation = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ]);
  const challenge = lies.challenge ?? options.challenge;
  const passkey: Passkey = { id, key, userHandle: options.user.id, counter: lies.counter ?? 0 };
  const body: z.input<typeof calls.PasskeyAttestation> = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: { credProps: { rk: true } },
    response: {
      clientDataJSON: clientData('webauthn.create', challenge, lies).toString('base64url'),
      attestationObject: cbor(attestation).toString('base64url'),
      transports: ['internal', 'hybrid', 'of a later day'],
    },
  };
  return { passkey, body };
}

/** Signs what it was asked to. */
function sign(
  passkey: Passkey,
  options: calls.PasskeyRequest,
  lies: Lies = {},
): z.input<typeof calls.PasskeyAssertion> {
  const data = clientData('webauthn.get', lies.challenge ?? options.challenge, lies);
  const authData = authenticatorData(lies.counter ?? passkey.counter, lies);
  const signing = createSign('sha256').update(Buffer.concat([authData, sha256(data)]));
  return {
    id: passkey.id.toString('base64url'),
    rawId: passkey.id.toString('base64url'),
    type: 'public-key',
    response: {
      clientDataJSON: data.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signing.sign(lies.key ?? passkey.key).toString('base64url'),
      userHandle: lies.userHandle === undefined ? passkey.userHandle : lies.userHandle,
    },
  };
}

async function stepUpByMail(as: SignedIn): Promise<void> {
  await call(test, calls.stepupmail, { as, from: newAddress() });
  for (const { text } of await test.mailbox.letters(as.email)) {
    const token = /#stepup=([\w-]{22})/.exec(text)?.[1];
    if (token) return void (await call(test, calls.stepuplink, { as, body: { token } }));
  }
}

interface WithPasskey extends SignedIn {
  passkey: Passkey;
  passkeyid: string;
  recoverycodes: string[];
}

async function add(as: SignedIn, name: string, lies: Lies = {}) {
  const made = makePasskey(await call(test, calls.newpasskey, { as }), lies);
  const reply = await tryCall(test, calls.confirmpasskey, { as, body: { name, passkey: made.body } });
  return { ...made, reply };
}

async function withPasskey(lies: Lies = {}): Promise<WithPasskey> {
  const person = await signedIn(test);
  await stepUpByMail(person);
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
    const person = await signedIn(test);
    await stepUpByMail(person);
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
    const person = await signedIn(test);
    await stepUpByMail(person);
    expect((await add(person, 'My phone', lies)).reply.code).toBe('factor_wrong');
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
