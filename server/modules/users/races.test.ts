import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minuteMs } from '../../testing/clock.ts';
import { cookiesOf, newAddress, registered, type SignedIn, send, signedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

const newPassword = 'a newer notch 1827';

/** A reset that only lacks its last step. */
async function readyToReset(person: SignedIn) {
  const begun = await send(
    test,
    'POST',
    '/api/users/forgotpassword',
    { email: person.email },
    { from: newAddress() },
  );
  const cookies = cookiesOf(begun);
  const { code } = await test.mailbox.code(person.email, 2);
  await send(test, 'POST', '/api/users/verifyforgortpasscode', { code }, { cookies });
  const body = { password: newPassword, cpassword: newPassword };
  return () => send(test, 'PATCH', `/api/users/updatepassword/${person.userid}`, body, { cookies });
}

const isAlive = async (token: string) =>
  (await send(test, 'GET', '/api/users/viewprofile', undefined, { token })).statusCode === 200;
const signInWith = (person: SignedIn, password: string) =>
  send(test, 'POST', '/api/users/signin', { email: person.email, password }, { from: newAddress() });

describe('while a password is being reset', () => {
  it('no session that began with the old one survives', async () => {
    const person = await signedIn(test);
    const reset = await readyToReset(person);
    const tries = Array.from({ length: 3 }, () => signInWith(person, person.password));
    const [done, ...begun] = await Promise.all([reset(), ...tries]);
    expect(done?.statusCode).toBe(200);
    for (const answer of begun) {
      if (answer.statusCode === 200) expect(await isAlive(answer.json().token)).toBe(false);
    }
    expect(await isAlive(person.token)).toBe(false);
  });

  it('it cannot be changed to something else with the old one', async () => {
    const person = await signedIn(test);
    const reset = await readyToReset(person);
    const body = { password: person.password, passwordnew: 'the attacker 1828' };
    const change = () => send(test, 'POST', '/api/users/changepassword', body, { token: person.token });
    const [done] = await Promise.all([reset(), change(), change()]);
    expect(done?.statusCode).toBe(200);
    expect((await signInWith(person, newPassword)).statusCode).toBe(200);
  });
});

it('entering a code and asking for another at the same moment never fails', async () => {
  for (let n = 0; n < 10; n += 1) {
    const person = await registered(test);
    const { code } = await test.mailbox.code(person.email);
    test.clock.advance(minuteMs);
    const answers = await Promise.all([
      send(test, 'POST', `/api/users/verifycode/${person.userid}`, { code }),
      send(test, 'POST', `/api/users/resend/${person.userid}`, {}, { from: newAddress() }),
    ]);
    for (const answer of answers) expect(answer.statusCode, answer.body).toBeLessThan(500);
  }
});
