import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountsOf, operatorPassword, press, signedInOperator } from '../../testing/operators.ts';
import { cookiesOf, goodPassword, newAddress, type Person, registered, send } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

const form = { fullname: 'Amara Okonkwo', password: goodPassword, isAdmin: false };
const post = (path: string, body: object) =>
  send(test, 'POST', `/api/users/${path}`, body, { from: newAddress() });

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
      const answer = await post('register', { ...form, email });
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request']);
      expect(answer.json().message).toMatch(/e-mail address|after the @/);
      const operator = { name: `Odd ${email.length}`, email, password: operatorPassword };
      await expect(accountsOf(test).createOperator(operator)).rejects.toThrow();
    },
  );

  it.each(odd)('is not looked up at sign-in nor for a reset: %s', async (email) => {
    expect((await post('signin', { email, password: goodPassword })).statusCode).toBe(400);
    expect((await post('forgotpassword', { email })).statusCode).toBe(400);
  });

  it.each([
    ['jörg@bücher.example', 'JO\u0308RG@xn--bcher-kva.EXAMPLE'],
    ['имя@пример.рф', 'ИМЯ@ПРИМЕР.РФ'],
    ['name@straße.example', 'NAME@xn--strae-oqa.example'],
  ])('is not %s: letters of any script are welcome, and one mailbox is one account', async (email, same) => {
    expect((await post('register', { ...form, email })).statusCode).toBe(200);
    const again = await post('register', { ...form, email: same });
    expect([again.statusCode, again.json().code]).toEqual([422, 'email_exists']);
  });

  it('keeps no one out who had signed up with one before', async () => {
    const person = await registered(test);
    const { code } = await test.mailbox.code(person.email);
    await post(`verifycode/${person.userid}`, { code });
    const rename = (email: string, email_key: string) =>
      test.context.db
        .updateTable('users')
        .set({ email, email_key })
        .where('id', '=', person.userid)
        .execute();
    const enter = (email: string) => post('signin', { email, password: person.password });
    await rename('old@ex%61mple.net', 'old@example.net');
    const plainly = await enter('old@example.net');
    expect(plainly.statusCode).toBe(200);
    await rename('old%x@example.net', 'old%x@example.net');
    const { token, email } = (await enter('old%x@example.net')).json();
    const edit = { fullname: 'Amara', email };
    const edited = await send(test, 'POST', '/api/users/editprofile', edit, { token });
    expect(edited.statusCode).toBe(200);
  });
});

describe('the owner of an address that someone else signed up with', () => {
  const password = 'a newer notch 1827';

  async function resetBy({ email, userid }: Person, how: 'code' | 'link') {
    const begun = await post('forgotpassword', { email });
    let cookies = cookiesOf(begun);
    const { code, linkToken: token } = await test.mailbox.code(email, 2);
    if (how === 'code') await send(test, 'POST', '/api/users/verifyforgortpasscode', { code }, { cookies });
    else cookies = cookiesOf(await post('resetlink', { token }));
    const body = { password, cpassword: password };
    const done = await send(test, 'PATCH', `/api/users/updatepassword/${userid}`, body, { cookies });
    expect(done.statusCode, done.body).toBe(200);
  }

  it('is told 422 at sign-up, proven or not', async () => {
    const { email } = await registered(test);
    expect((await post('register', { ...form, email })).json().code).toBe('email_exists');
  });

  it.each(['code', 'link'] as const)(
    'takes it over with a reset by %s: password, name and codes of the other are gone',
    async (how) => {
      const squatted = await registered(test);
      const activation = await test.mailbox.code(squatted.email);
      await resetBy(squatted, how);
      expect((await post('signin', squatted)).statusCode).toBe(401);
      const late = await post('verifylink', { token: activation.linkToken });
      expect(late.json().code).toBe('link_wrong');
      const entered = await post('signin', { email: squatted.email, password });
      expect([entered.statusCode, entered.json().fullname]).toEqual([200, '']);
      const [newest] = await test.mailbox.letters(squatted.email, 3);
      expect(newest?.text).toMatch(/^Hello,/m);
      expect(newest?.text).not.toContain('Amara');

      const { token } = entered.json();
      const edit = { fullname: 'Wren Hollis', email: squatted.email };
      await send(test, 'POST', '/api/users/editprofile', edit, { token });
      const again = await post('signin', { email: squatted.email, password });
      expect(again.json().fullname).toBe('Wren Hollis');
    },
  );

  it('is known to the console by the address until there is a name', async () => {
    const squatted = await registered(test);
    await resetBy(squatted, 'code');
    await post('signin', { email: squatted.email, password });
    const seen = await press(test, await signedInOperator(test), 'GET', `investors/${squatted.userid}`);
    expect(seen.json()).toMatchObject({ investor: { fullname: squatted.email }, devices: 1 });
  });

  it('keeps the name at a reset of an account that is theirs', async () => {
    const person = await registered(test);
    const { code } = await test.mailbox.code(person.email);
    await post(`verifycode/${person.userid}`, { code });
    await resetBy(person, 'code');
    const entered = await post('signin', { email: person.email, password });
    expect(entered.json().fullname).toBe('Amara Okonkwo');
  });
});
