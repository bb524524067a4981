import type { LightMyRequestResponse } from 'fastify';
import type { TestApp } from './start-app.ts';

export const goodPassword = 'notched hazel 1826';

interface Sending {
  token?: string;
  cookies?: Record<string, string>;
  headers?: Record<string, string>;
  /** Where the request seems to come from; each person of a test has an address of their own. */
  from?: string;
}

/** Sends a request as a client outside a browser would. */
export function send(
  test: TestApp,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body?: object,
  { token, cookies, headers, from }: Sending = {},
): Promise<LightMyRequestResponse> {
  return test.app.inject({
    method,
    url,
    ...(body && { payload: body }),
    ...(cookies && { cookies }),
    ...(from && { remoteAddress: from }),
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
  });
}

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
  const answer = await send(test, 'POST', '/api/users/register', body, { from: newAddress() });
  if (answer.statusCode !== 200) throw new Error(`register: ${answer.body}`);
  return { email, password: goodPassword, userid: answer.json().userid };
}

export async function verified(test: TestApp, email?: string): Promise<Person> {
  const person = await registered(test, email);
  const { code } = await test.mailbox.code(person.email);
  const answer = await send(test, 'POST', `/api/users/verifycode/${person.userid}`, { code });
  if (answer.statusCode !== 200) throw new Error(`verifycode: ${answer.body}`);
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
  const answer = await send(
    test,
    'POST',
    '/api/users/signin',
    { email, password, isAdmin: false },
    { from: newAddress(), ...(device && { cookies: { device } }) },
  );
  if (answer.statusCode !== 200) throw new Error(`signin: ${answer.body}`);
  return { ...person, token: answer.json().token, cookies: cookiesOf(answer) };
}

export async function signedIn(test: TestApp): Promise<SignedIn> {
  return signIn(test, await verified(test));
}

export function cookiesOf(answer: LightMyRequestResponse): Record<string, string> {
  return Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]));
}
