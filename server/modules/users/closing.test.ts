import * as calls from '@tallystick/contract/users';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tryCall } from '../../testing/call.ts';
import { minuteMs } from '../../testing/clock.ts';
import { beginReset, newAddress, type Person, type SignedIn, signedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

const ownersPassword = 'the owner again 1827';
const attackersPassword = 'the attacker 1828';

type Begun = Awaited<ReturnType<typeof beginReset>>;

const prove = ({ code, cookies }: Begun) =>
  tryCall(test, calls.verifyforgortpasscode, { body: { code }, cookies });
const finish = (person: Person, { cookies }: Pick<Begun, 'cookies'>) => {
  const body = { password: attackersPassword, cpassword: attackersPassword };
  return tryCall(test, calls.updatepassword, { params: person, body, cookies });
};
const openLink = (token: string) => tryCall(test, calls.resetlink, { body: { token } });
const change = (person: SignedIn) =>
  tryCall(test, calls.changepassword, {
    body: { password: person.password, passwordnew: ownersPassword },
    as: person,
  });
const signInStatus = async ({ email }: Person, password: string) =>
  (await tryCall(test, calls.signin, { body: { email, password }, from: newAddress() })).status;

it('a changed password leaves no proven reset alive', async () => {
  const person = await signedIn(test);
  const attack = await beginReset(test, person);
  expect((await prove(attack)).status).toBe(200);
  expect((await change(person)).status).toBe(200);
  expect((await finish(person, attack)).code).toBe('reset_not_begun');
  expect(await signInStatus(person, ownersPassword)).toBe(200);
});

it('a changed password leaves no reset code alive, and no link', async () => {
  const person = await signedIn(test);
  const first = await beginReset(test, person);
  const opened = await openLink(first.linkToken);
  test.clock.advance(minuteMs);
  const second = await beginReset(test, person);
  expect((await change(person)).status).toBe(200);
  expect((await prove(second)).code).toBe('reset_not_begun');
  expect((await openLink(second.linkToken)).code).toBe('link_wrong');
  expect((await finish(person, opened)).code).toBe('reset_not_begun');
  expect(await signInStatus(person, ownersPassword)).toBe(200);
});

it('of a reset and a change at the same moment one counts, and the other is told that it does not', async () => {
  for (let round = 0; round < 4; round += 1) {
    const person = await signedIn(test);
    const attack = await beginReset(test, person);
    await prove(attack);
    const [reset, changed] = await Promise.all([finish(person, attack), change(person)]);
    expect([reset.status, changed.status].toSorted()).toEqual(
      // The change may also find its session ended by the reset.
      changed.status === 401 ? [200, 401] : [200, 422],
    );
    const winner = reset.status === 200 ? attackersPassword : ownersPassword;
    expect(await signInStatus(person, winner)).toBe(200);
  }
});
