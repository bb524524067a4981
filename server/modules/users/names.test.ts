import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayMs } from '../../testing/clock.ts';
import { accountsOf, operatorPassword } from '../../testing/operators.ts';
import {
  goodPassword,
  newAddress,
  registered,
  send,
  signedIn,
  signIn,
  verified,
} from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

const messages = [
  'URGENT account frozen, call +44 20 7946 0958',
  'Amara \u202eowknokO',
  'Ama\u200bra',
  '<script>alert(1)</script>',
  'see evil.example',
];

/** The whole of the newest letter to an address: headers, text and markup. */
async function newestLetter(address: string, count: number): Promise<string> {
  await test.mailbox.letters(address, count);
  const [newest] = ((await test.context.inbox?.list()) ?? []).filter(({ to }) => to.includes(address));
  return JSON.stringify(newest);
}

describe('a name that is a message', () => {
  it.each(messages)('is taken from nobody: %j', async (fullname) => {
    const { token } = await signedIn(test);
    const from = newAddress();
    const email = 'message@example.com';
    const answers = [
      await send(test, 'POST', '/api/users/register', { fullname, email, password: goodPassword }, { from }),
      await send(test, 'POST', '/api/users/editprofile', { fullname }, { token }),
      await send(test, 'POST', '/api/mail/contact', { name: fullname, email, message: 'Hello.' }, { from }),
    ];
    for (const answer of answers) {
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request']);
      expect(answer.json().message).toMatch(/^(full)?name: .*\.$/);
    }
    const operator = { name: fullname, email, password: operatorPassword };
    await expect(accountsOf(test).createOperator(operator)).rejects.toThrow();
  });

  it('that an older version took still shows, signs in and gives way to a new one', async () => {
    const person = await verified(test);
    const older = `<b>Amara</b> 47 ${'x'.repeat(120)}`;
    await test.context.owner.query('update users set fullname = $1 where id = $2', [older, person.userid]);
    const { token } = await signIn(test, person);
    const profile = async () =>
      (await send(test, 'GET', '/api/users/viewprofile', undefined, { token })).json().fullname;
    expect(await profile()).toBe(older);
    const fullname = 'Amara Okonkwo';
    await send(test, 'POST', '/api/users/editprofile', { fullname, email: person.email }, { token });
    expect(await profile()).toBe(fullname);
  });
});

describe('a letter to an address that nobody has proven', () => {
  const begin = (email: string) =>
    send(test, 'POST', '/api/users/forgotpassword', { email }, { from: newAddress() });

  it('greets nobody by name, in no header either, and holds nothing that a stranger chose', async () => {
    const { email, userid } = await registered(test);
    const activation = await newestLetter(email, 1);
    test.clock.advance(dayMs);
    await send(test, 'POST', `/api/users/resend/${userid}`, {}, { from: newAddress() });
    const again = await newestLetter(email, 2);
    await begin(email);
    const reset = await newestLetter(email, 3);
    for (const letter of [activation, again, reset]) {
      expect(letter).toContain('Hello, enter this code');
      expect(letter).not.toMatch(/Amara|Okonkwo/);
    }
  });

  it('once it is proven greets by name', async () => {
    const { email } = await verified(test);
    await begin(email);
    const letter = await newestLetter(email, 2);
    expect(letter).toContain('Hello Amara Okonkwo, enter this code');
  });
});
