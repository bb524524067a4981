import * as calls from '@tallystick/contract/users';
import { createHashing } from '../modules/users/hashing.ts';
import { emailKey } from '../modules/users/rules.ts';
import { insertUser, markVerified } from '../modules/users/store.ts';
import { inTransaction } from '../platform/postgres/db.ts';
import { answerOf, call, tryCall } from './call.ts';
import { lightHashing, type TestApp } from './start-app.ts';

export const goodPassword = 'notched hazel 1826';

export interface Person {
  email: string;
  password: string;
  userid: string;
}

let counter = 0;

/** Documentation addresses, so that the per-address limits of one person do not touch the next. */
export function newAddress(): string {
  counter += 1;
  return `203.0.${Math.floor(counter / 250)}.${(counter % 250) + 1}`;
}

function newEmail(): string {
  counter += 1;
  return `person-${counter}@example.com`;
}

export async function registered(test: TestApp, email = newEmail()): Promise<Person> {
  const body = { fullname: 'Amara Okonkwo', email, password: goodPassword, isAdmin: false };
  const { userid } = await call(test, calls.register, { body, from: newAddress() });
  return { email, password: goodPassword, userid };
}

/** As who signs up becomes an investor: with the code that is mailed. */
export async function signedUp(test: TestApp, email?: string): Promise<Person> {
  const person = await registered(test, email);
  const { code } = await test.mailbox.code(person.email);
  await call(test, calls.verifycode, { params: { userid: person.userid }, body: { code } });
  return person;
}

let goodHash: Promise<string> | undefined;

/** The account that signing up leaves, and nothing else of it: no letter, no code, no trail. */
export async function verified(test: TestApp, email = newEmail()): Promise<Person> {
  goodHash ??= createHashing(lightHashing).hash(goodPassword);
  const now = test.clock.now();
  const user = {
    fullname: 'Amara Okonkwo',
    email,
    emailKey: emailKey(email),
    passwordHash: await goodHash,
    now,
  };
  const userid = await inTransaction(test.context.db, async (tx) => {
    const { id } = (await insertUser(tx, user)) ?? {};
    if (!id) throw new Error(`${email} has an account`);
    await markVerified(tx, id, now);
    return id;
  });
  return { email, password: goodPassword, userid };
}

export interface SignedIn extends Person {
  token: string;
  cookies: Record<string, string>;
}

/** In the browser that the person is signed in with already, if there is one; else in a new one. */
export async function signIn(
  test: TestApp,
  person: Person & { cookies?: Record<string, string> },
): Promise<SignedIn> {
  const { email, password } = person;
  const { device } = person.cookies ?? {};
  const body = { email, password, isAdmin: false };
  const reply = await tryCall(test, calls.signin, {
    body,
    from: newAddress(),
    ...(device && { cookies: { device } }),
  });
  return { ...person, token: answerOf(reply).token, cookies: reply.cookies };
}

export async function signedIn(test: TestApp): Promise<SignedIn> {
  return signIn(test, await verified(test));
}

/** Begins a reset in a browser of its own: what that keeps, and what is mailed. */
export async function beginReset(test: TestApp, { email }: { email: string }) {
  const reply = await tryCall(test, calls.forgotpassword, { body: { email }, from: newAddress() });
  answerOf(reply);
  return { cookies: reply.cookies, ...(await test.mailbox.code(email)) };
}

/** Sets a new password with the mailed code or the mailed link. */
export async function resetPassword(
  test: TestApp,
  { email, userid }: Person,
  { password, how }: { password: string; how: 'code' | 'link' },
): Promise<void> {
  let { cookies, code, linkToken: token } = await beginReset(test, { email });
  if (how === 'code') await call(test, calls.verifyforgortpasscode, { body: { code }, cookies });
  else ({ cookies } = await tryCall(test, calls.resetlink, { body: { token } }));
  await call(test, calls.updatepassword, {
    params: { userid },
    body: { password, cpassword: password },
    cookies,
  });
}
