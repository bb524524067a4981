import * as calls from '@tallystick/contract/factors';
import * as users from '@tallystick/contract/users';
import { totpAt } from '../../modules/users/factors/authenticator.ts';
import { call, refusal, tryCall } from '../call.ts';
import { secondMs } from '../clock.ts';
import { newAddress, type SignedIn, signedIn } from '../people.ts';
import type { TestApp } from '../start-app.ts';

/** The token of the last link that was mailed. */
export async function linkTo(test: TestApp, email: string): Promise<string> {
  for (const { text } of await test.mailbox.letters(email)) {
    const token = /#stepup=([\w-]{22})/.exec(text)?.[1];
    if (token) return token;
  }
  throw new Error(`no link was mailed to ${email}`);
}

/** With the mailed link, which is how it is done where no factor is on. */
export async function stepUpByMail(test: TestApp, as: SignedIn): Promise<void> {
  await call(test, calls.stepupmail, { as, from: newAddress() });
  await call(test, calls.stepuplink, { as, body: { token: await linkTo(test, as.email) } });
}

/** As if it had been confirmed just now, where that is not what a test is about. */
export async function steppedUp(test: TestApp, { userid }: SignedIn): Promise<void> {
  const now = test.clock.now();
  await test.context.owner.query('update sessions set stepped_up_at = $1 where user_id = $2', [now, userid]);
}

export async function steppedUpPerson(test: TestApp): Promise<SignedIn> {
  const person = await signedIn(test);
  await steppedUp(test, person);
  return person;
}

/** No code works twice: what comes next has a code of its own. */
export const nextCode = (test: TestApp) => test.clock.advance(30 * secondMs);

export interface WithPhone extends SignedIn {
  secret: string;
  recoverycodes: string[];
}

/** Signed in, with an authenticator on and a code at hand that was not used yet. */
export async function withPhone(test: TestApp): Promise<WithPhone> {
  const person = await steppedUpPerson(test);
  const { secret } = await call(test, calls.newauthenticator, { as: person });
  const body = { code: totpAt(secret, test.clock.now()) };
  const { recoverycodes } = await call(test, calls.confirmauthenticator, { as: person, body });
  nextCode(test);
  return { ...person, secret, recoverycodes: recoverycodes ?? [] };
}

export const codeOf = (test: TestApp, { secret }: WithPhone) => totpAt(secret, test.clock.now());

/** The right password, in a new browser, where a factor is on. */
export async function passwordShown(test: TestApp, person: SignedIn, password = person.password) {
  const body = { email: person.email, password };
  const reply = await refusal(test, users.signin, { body, from: newAddress() });
  if (reply.code !== 'second_factor_required') throw new Error(`refused with ${reply.text}`);
  return reply;
}

/** What is shown after it. */
export const show = (
  test: TestApp,
  cookies: Record<string, string>,
  body: { code?: string; recoverycode?: string },
  from = newAddress(),
) => tryCall(test, calls.secondfactor, { body, cookies, from });

export async function trails(test: TestApp, userid: string) {
  const { rows } = await test.context.owner.query<{ action: string; details: Record<string, unknown> }>(
    'select action, details from audit_log where subject_id = $1 order by id',
    [userid],
  );
  return rows;
}
