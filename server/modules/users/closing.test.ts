import { afterAll, beforeAll, expect, it } from 'vitest';
import { minuteMs } from '../../testing/clock.ts';
import { cookiesOf, newAddress, type Person, type SignedIn, send, signedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

const ownersPassword = 'the owner again 1827';
const attackersPassword = 'the attacker 1828';

/** A reset that someone else has begun, as far as the mailbox lets them. */
async function begun({ email }: Person, letters: number) {
  const answer = await send(test, 'POST', '/api/users/forgotpassword', { email }, { from: newAddress() });
  expect(answer.statusCode).toBe(200);
  return { cookies: cookiesOf(answer), ...(await test.mailbox.code(email, letters)) };
}
type Begun = Awaited<ReturnType<typeof begun>>;

const prove = ({ code, cookies }: Begun) =>
  send(test, 'POST', '/api/users/verifyforgortpasscode', { code }, { cookies });
const finish = ({ userid }: Person, { cookies }: Pick<Begun, 'cookies'>) => {
  const body = { password: attackersPassword, cpassword: attackersPassword };
  return send(test, 'PATCH', `/api/users/updatepassword/${userid}`, body, { cookies });
};
const change = ({ token, password }: SignedIn) =>
  send(test, 'POST', '/api/users/changepassword', { password, passwordnew: ownersPassword }, { token });
const signInStatus = async ({ email }: Person, password: string) =>
  (await send(test, 'POST', '/api/users/signin', { email, password }, { from: newAddress() })).statusCode;

it('a changed password leaves no proven reset alive', async () => {
  const person = await signedIn(test);
  const attack = await begun(person, 2);
  expect((await prove(attack)).statusCode).toBe(200);
  expect((await change(person)).statusCode).toBe(200);
  expect((await finish(person, attack)).json().code).toBe('reset_not_begun');
  expect(await signInStatus(person, ownersPassword)).toBe(200);
});

it('a changed password leaves no reset code alive, and no link', async () => {
  const person = await signedIn(test);
  const first = await begun(person, 2);
  const { linkToken: token } = first;
  const opened = await send(test, 'POST', '/api/users/resetlink', { token });
  test.clock.advance(minuteMs);
  const second = await begun(person, 3);
  expect((await change(person)).statusCode).toBe(200);
  expect((await prove(second)).json().code).toBe('reset_not_begun');
  const late = await send(test, 'POST', '/api/users/resetlink', { token: second.linkToken });
  expect(late.json().code).toBe('link_wrong');
  expect((await finish(person, { cookies: cookiesOf(opened) })).json().code).toBe('reset_not_begun');
  expect(await signInStatus(person, ownersPassword)).toBe(200);
});

it('of a reset and a change at the same moment one counts, and the other is told that it does not', async () => {
  for (let round = 0; round < 4; round += 1) {
    const person = await signedIn(test);
    const attack = await begun(person, 2);
    await prove(attack);
    const [reset, changed] = await Promise.all([finish(person, attack), change(person)]);
    expect([reset.statusCode, changed.statusCode].toSorted()).toEqual(
      // The change may also find its session ended by the reset.
      changed.statusCode === 401 ? [200, 401] : [200, 422],
    );
    const winner = reset.statusCode === 200 ? attackersPassword : ownersPassword;
    expect(await signInStatus(person, winner)).toBe(200);
  }
});
