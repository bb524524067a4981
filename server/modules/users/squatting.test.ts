import { investor } from '@tallystick/contract/operator/investors';
import { editprofile, forgotpassword, register, signin, verifylink } from '@tallystick/contract/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf, call, tryCall } from '../../testing/call.ts';
import { accountsOf, operatorPassword, signedInOperator } from '../../testing/operators.ts';
import { goodPassword, newAddress, registered, resetPassword, verified } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

const form = { fullname: 'Amara Okonkwo', password: goodPassword, isAdmin: false };
const signUp = (email: string) => tryCall(test, register, { body: { ...form, email }, from: newAddress() });
const enter = (email: string, password: string) =>
  tryCall(test, signin, { body: { email, password }, from: newAddress() });

/** Each would be another person's address once it was folded, or looks like one. */
const odd = [
  'target@ex%61mple.org',
  'target@example.org#.net',
  'target@example.org/.net',
  'target@example.org?.net',
  'ｔａｒｇｅｔ@example.org',
  'target@ⓔxample.org',
  'target@ex\u00adample.org',
  'target@ex\u200dample.org',
  'target@ex\u200bample.org',
  'target@mail\u3002example.org',
  'target@mail\uff0eexample.org',
];

describe('an e-mail address in a spelling that folds into another', () => {
  it.each([...odd, 'tar\u00adget@example.org', 'tar%67et@example.org', 'target@0x7f.1'])(
    'makes no account: %s',
    async (email) => {
      expect(await signUp(email)).toMatchObject({
        status: 400,
        code: 'invalid_request',
        message: expect.stringMatching(/e-mail address|after the @/),
      });
      const operator = { name: `Odd ${email.length}`, email, password: operatorPassword };
      await expect(accountsOf(test).createOperator(operator)).rejects.toThrow();
    },
  );

  it.each(odd)('is not looked up at sign-in nor for a reset: %s', async (email) => {
    expect((await enter(email, goodPassword)).status).toBe(400);
    expect((await tryCall(test, forgotpassword, { body: { email }, from: newAddress() })).status).toBe(400);
  });

  it.each([
    ['jörg@bücher.example', 'JO\u0308RG@xn--bcher-kva.EXAMPLE'],
    ['имя@пример.рф', 'ИМЯ@ПРИМЕР.РФ'],
    ['name@straße.example', 'NAME@xn--strae-oqa.example'],
  ])('is not %s: letters of any script are welcome, and one mailbox is one account', async (email, same) => {
    expect((await signUp(email)).status).toBe(200);
    expect(await signUp(same)).toMatchObject({ status: 422, code: 'email_exists' });
  });

  it('keeps no one out who had signed up with one before', async () => {
    const person = await verified(test);
    const rename = (email: string, email_key: string) =>
      test.context.db
        .updateTable('users')
        .set({ email, email_key })
        .where('id', '=', person.userid)
        .execute();
    await rename('old@ex%61mple.net', 'old@example.net');
    expect((await enter('old@example.net', person.password)).status).toBe(200);
    await rename('old%x@example.net', 'old%x@example.net');
    const { token, email } = answerOf(await enter('old%x@example.net', person.password));
    const edited = await tryCall(test, editprofile, { body: { fullname: 'Amara', email }, as: { token } });
    expect(edited.status).toBe(200);
  });
});

describe('the owner of an address that someone else signed up with', () => {
  const password = 'a newer notch 1827';

  it('is told 422 at sign-up, proven or not', async () => {
    const { email } = await registered(test);
    expect((await signUp(email)).code).toBe('email_exists');
  });

  it.each(['code', 'link'] as const)(
    'takes it over with a reset by %s: password, name and codes of the other are gone',
    async (how) => {
      const squatted = await registered(test);
      const activation = await test.mailbox.code(squatted.email);
      await resetPassword(test, squatted, { password, how });
      expect((await enter(squatted.email, squatted.password)).status).toBe(401);
      const late = await tryCall(test, verifylink, { body: { token: activation.linkToken } });
      expect(late.code).toBe('link_wrong');
      const { fullname, token } = answerOf(await enter(squatted.email, password));
      expect(fullname).toBe('');
      const [newest, ...older] = await test.mailbox.letters(squatted.email);
      expect(older).toHaveLength(2);
      expect(newest?.text).toMatch(/^Hello,/m);
      expect(newest?.text).not.toContain('Amara');

      const body = { fullname: 'Wren Hollis', email: squatted.email };
      await call(test, editprofile, { body, as: { token } });
      expect(answerOf(await enter(squatted.email, password)).fullname).toBe('Wren Hollis');
    },
  );

  it('is known to the console by the address until there is a name', async () => {
    const squatted = await registered(test);
    await resetPassword(test, squatted, { password, how: 'code' });
    await enter(squatted.email, password);
    const as = await signedInOperator(test);
    const seen = await call(test, investor, { params: { id: squatted.userid }, as });
    expect(seen).toMatchObject({ investor: { fullname: squatted.email }, devices: 1 });
  });

  it('keeps the name at a reset of an account that is theirs', async () => {
    const person = await verified(test);
    await resetPassword(test, person, { password, how: 'code' });
    expect(answerOf(await enter(person.email, password)).fullname).toBe('Amara Okonkwo');
  });
});
