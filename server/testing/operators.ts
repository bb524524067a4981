import { signin } from '@tallystick/contract/operator/session';
import { totpAt } from '../modules/users/factors/authenticator.ts';
import { createOperatorAccounts } from '../modules/users/operators/accounts.ts';
import { ownersDb } from '../platform/postgres/db.ts';
import { createSealer } from '../platform/sealing.ts';
import { answerOf, tryCall } from './call.ts';
import { newAddress } from './people.ts';
import { lightHashing, type TestApp } from './start-app.ts';

export const operatorPassword = 'two hands on one key';
const secret = 'K5QWY3DJNZTSA33OEBZW63LFN5XGKLRA';
const stepMs = 30_000;

export interface Operator {
  id: string;
  name: string;
  email: string;
  cookies: Record<string, string>;
}

export const accountsOf = ({ context: { owner, clock } }: TestApp) =>
  createOperatorAccounts({ owner: ownersDb(owner), clock, hashingCost: lightHashing });

let counter = 0;

/** Names have no digits: 12 is `bc`. */
const inLetters = (n: number) => String(n).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));

/** Made as the command makes them; not signed in, and without an authenticator. */
export async function newOperator(test: TestApp): Promise<{ id: string; name: string; email: string }> {
  counter += 1;
  const person = { name: `Operator ${inLetters(counter)}`, email: `operator-${counter}@example.com` };
  const { id } = await accountsOf(test).createOperator({ ...person, password: operatorPassword });
  return { id, ...person };
}

export const codeAt = (test: TestApp) => totpAt(secret, test.clock.now());

export async function enrolled(test: TestApp) {
  const person = await newOperator(test);
  const sealer = createSealer(test.context.config.secrets.totp);
  await accountsOf(test).enrolWithSecret({ email: person.email, secret, sealer });
  return person;
}

export function signIn(
  test: TestApp,
  person: { email: string },
  more: { code?: string; recoverycode?: string; password?: string } = {},
  from = newAddress(),
) {
  const body = { email: person.email, password: operatorPassword, ...more };
  return tryCall(test, signin, { body, from });
}

/** An operator at work. The clock goes on to the next code, so that signing in again is possible at once. */
export async function signedInOperator(test: TestApp): Promise<Operator> {
  return signedInAgain(test, await enrolled(test));
}

/** The same person in one session more. */
export async function signedInAgain(
  test: TestApp,
  person: { id: string; name: string; email: string },
): Promise<Operator> {
  const reply = await signIn(test, person, { code: codeAt(test) });
  answerOf(reply);
  test.clock.advance(stepMs);
  return { ...person, cookies: reply.cookies };
}
