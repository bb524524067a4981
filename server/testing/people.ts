import * as calls from '@tallystick/contract/users';
import { answerOf, call, tryCall } from './call.ts';
import type { TestApp } from './start-app.ts';

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

export async function verified(test: TestApp, email?: string): Promise<Person> {
  const person = await registered(test, email);
  const { code } = await test.mailbox.code(person.email);
  await call(test, calls.verifycode, { params: { userid: person.userid }, body: { code } });
  return person;
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
