import { register, resend, signin, verifycode, verifylink } from '@tallystick/contract/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf, send, tryCall } from '../../testing/call.ts';
import { minuteMs } from '../../testing/clock.ts';
import { goodPassword, newAddress, registered, verified } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

const form = { fullname: 'Amara Okonkwo', password: goodPassword, isAdmin: false };
const signUp = (email: string, from = newAddress()) =>
  tryCall(test, register, { body: { ...form, email }, from });
const enter = ({ userid }: { userid: string }, code: string) =>
  tryCall(test, verifycode, { params: { userid }, body: { code } });
const openLink = (token: string) => tryCall(test, verifylink, { body: { token } });

describe('signing up', () => {
  it('answers with the user id and mails a code', async () => {
    const reply = await signUp('new@example.com');
    expect(Object.keys(answerOf(reply))).toEqual(['userid']);
    expect((await test.mailbox.letters('new@example.com'))[0]?.subject).toMatch(/activation code/);
  });

  it('is refused with 422 when the address is taken, whatever its spelling', async () => {
    await registered(test, 'Jörg@example.com');
    for (const email of ['Jörg@example.com', 'JÖRG@EXAMPLE.COM', 'jo\u0308rg@example.com']) {
      expect(await signUp(email)).toMatchObject({ status: 422, code: 'email_exists' });
    }
  });

  it('creates one account when the same address signs up twenty times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => signUp('race@example.com')));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.every((status) => [200, 422, 503].includes(status))).toBe(true);
    expect(await test.mailbox.letters('race@example.com')).toHaveLength(1);
  });

  it.each([
    ['a common password', 400, { password: 'password1' }],
    ['a short password', 400, { password: 'short' }],
    ['no name', 400, { fullname: '  ' }],
    ['no password', 400, { password: undefined }],
    ['an address without @', 400, { email: 'nobody' }],
    ['an address with a line break', 400, { email: 'a@example.com\r\nBcc: b@example.com' }],
    ['a number for a name', 400, { fullname: 7 }],
    ['a name that is too long', 400, { fullname: 'x'.repeat(101) }],
  ])('is refused for %s, in words and with nothing written', async (_case, status, wrong) => {
    const count = () => test.context.db.selectFrom('users').select('id').execute();
    const before = (await count()).length;
    const body = { ...form, email: 'wrong@example.com', ...wrong };
    const answer = await send(test, 'POST', register.path, body, { from: newAddress() });
    expect(answer.statusCode).toBe(status);
    expect(answer.json().message).toMatch(/\w+ .*\.$/);
    expect((await count()).length).toBe(before);
  });

  it('never makes an operator, whatever isAdmin says', async () => {
    const body = { ...form, email: 'admin@example.com', isAdmin: true };
    expect((await tryCall(test, register, { body, from: newAddress() })).status).toBe(200);
    const row = await test.context.db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', 'admin@example.com')
      .execute();
    expect(Object.keys(row[0] ?? {})).not.toContain('is_admin');
  });

  it('is limited to twenty mailed codes an hour from one client address', async () => {
    const from = newAddress();
    const statuses: number[] = [];
    for (let n = 0; n < 21; n += 1) {
      const { status, headers } = await signUp(`many-${n}@example.com`, from);
      statuses.push(status);
      if (status === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
    const refused = await test.context.db
      .selectFrom('users')
      .where('email', '=', 'many-20@example.com')
      .select('id')
      .execute();
    expect(refused).toEqual([]);
  });
});

describe('activating', () => {
  it('works once with the mailed code', async () => {
    const person = await registered(test);
    const { code } = await test.mailbox.code(person.email);
    expect((await enter(person, code)).status).toBe(200);
    expect((await enter(person, code)).status).toBe(422);
  });

  it('works once with the long link', async () => {
    const person = await registered(test);
    const { linkToken: token } = await test.mailbox.code(person.email);
    expect((await openLink(token)).status).toBe(200);
    expect(await openLink(token)).toMatchObject({ status: 422, code: 'link_wrong' });
    const { email, password } = person;
    expect((await tryCall(test, signin, { body: { email, password } })).status).toBe(200);
  });

  it('succeeds exactly once when the right code is sent fifty times at once', async () => {
    const person = await registered(test);
    const { code } = await test.mailbox.code(person.email);
    const answers = await Promise.all(Array.from({ length: 50 }, () => enter(person, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(49);
  });

  it('is refused ten minutes after the code was sent, while the link still works', async () => {
    const person = await registered(test);
    const { code, linkToken: token } = await test.mailbox.code(person.email);
    test.clock.advance(10 * minuteMs);
    expect((await enter(person, code)).status).toBe(422);
    expect((await openLink(token)).status).toBe(200);
  });

  it('of one person is not possible with the code of another', async () => {
    const one = await registered(test);
    const other = await registered(test);
    const { code } = await test.mailbox.code(one.email);
    const otherCode = (await test.mailbox.code(other.email)).code;
    if (code === otherCode) return;
    expect((await enter(other, code)).status).toBe(422);
  });
});

describe('Resend Code', () => {
  const again = (userid: string) => tryCall(test, resend, { params: { userid }, from: newAddress() });

  it('waits a minute, then sends a new code that cancels the old one', async () => {
    const person = await registered(test);
    const first = await test.mailbox.code(person.email);
    const tooSoon = await again(person.userid);
    expect([tooSoon.status, tooSoon.headers['retry-after']]).toEqual([429, '60']);
    test.clock.advance(minuteMs);
    expect((await again(person.userid)).status).toBe(200);
    const second = await test.mailbox.code(person.email);
    if (first.code !== second.code) expect((await enter(person, first.code)).status).toBe(422);
    expect((await openLink(first.linkToken)).status).toBe(422);
    expect((await enter(person, second.code)).status).toBe(200);
  });

  it('sends one mail when it is pressed twenty times at once', async () => {
    const person = await registered(test);
    test.clock.advance(minuteMs);
    const answers = await Promise.all(Array.from({ length: 20 }, () => again(person.userid)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(19);
  });

  it('stops at five codes a day', async () => {
    const person = await registered(test);
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      test.clock.advance(minuteMs);
      statuses.push((await again(person.userid)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
  });

  it('is refused for an active account and for nobody', async () => {
    const person = await verified(test);
    test.clock.advance(minuteMs);
    expect((await again(person.userid)).code).toBe('already_verified');
    expect((await again('00000000-0000-4000-8000-000000000000')).status).toBe(404);
    expect((await again('nobody')).status).toBe(400);
  });
});
