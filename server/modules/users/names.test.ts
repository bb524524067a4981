import { contact } from '@tallystick/contract/mail';
import { editprofile, register, resend, viewprofile } from '@tallystick/contract/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, refusal } from '../../testing/call.ts';
import { dayMs } from '../../testing/clock.ts';
import { accountsOf, operatorPassword } from '../../testing/operators.ts';
import {
  beginReset,
  goodPassword,
  newAddress,
  registered,
  signedIn,
  signedUp,
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

/** The whole of the newest letter to an address, headers, text and markup, of so many. */
async function newestLetter(address: string, count: number): Promise<string> {
  const letters = await test.mailbox.letters(address);
  expect(letters).toHaveLength(count);
  return JSON.stringify(letters[0]);
}

describe('a name that is a message', () => {
  it.each(messages)('is taken from nobody: %j', async (fullname) => {
    const from = newAddress();
    const email = 'message@example.com';
    const answers = [
      await refusal(test, register, { body: { fullname, email, password: goodPassword }, from }),
      await refusal(test, editprofile, { body: { fullname }, as: await signedIn(test) }),
      await refusal(test, contact, { body: { name: fullname, email, message: 'Hello.' }, from }),
    ];
    for (const { status, code, message } of answers) {
      expect([status, code]).toEqual([400, 'invalid_request']);
      expect(message).toMatch(/^(full)?name: .*\.$/);
    }
    const operator = { name: fullname, email, password: operatorPassword };
    await expect(accountsOf(test).createOperator(operator)).rejects.toThrow();
  });

  it('that an older version took still shows, signs in and gives way to a new one', async () => {
    const person = await verified(test);
    const older = `<b>Amara</b> 47 ${'x'.repeat(120)}`;
    await test.context.owner.query('update users set fullname = $1 where id = $2', [older, person.userid]);
    const as = await signIn(test, person);
    const profile = async () => (await call(test, viewprofile, { as })).fullname;
    expect(await profile()).toBe(older);
    const fullname = 'Amara Okonkwo';
    await call(test, editprofile, { body: { fullname, email: person.email }, as });
    expect(await profile()).toBe(fullname);
  });
});

describe('a letter to an address that nobody has proven', () => {
  it('greets nobody by name, in no header either, and holds nothing that a stranger chose', async () => {
    const person = await registered(test);
    const { email } = person;
    const activation = await newestLetter(email, 1);
    test.clock.advance(dayMs);
    await call(test, resend, { params: person, from: newAddress() });
    const again = await newestLetter(email, 2);
    await beginReset(test, person);
    const reset = await newestLetter(email, 3);
    for (const letter of [activation, again, reset]) {
      expect(letter).toContain('Hello, enter this code');
      expect(letter).not.toMatch(/Amara|Okonkwo/);
    }
  });

  it('once it is proven greets by name', async () => {
    const person = await signedUp(test);
    await beginReset(test, person);
    const letter = await newestLetter(person.email, 2);
    expect(letter).toContain('Hello Amara Okonkwo, enter this code');
  });
});
