import * as calls from '@tallystick/contract/users';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blockedBackends } from '../../testing/blocked.ts';
import { call, tryCall } from '../../testing/call.ts';
import { minuteMs } from '../../testing/clock.ts';
import { beginReset, newAddress, registered, type SignedIn, signedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

const newPassword = 'a newer notch 1827';

/** A reset that only lacks its last step. */
async function readyToReset(person: SignedIn) {
  const { cookies, code } = await beginReset(test, person);
  await call(test, calls.verifyforgortpasscode, { body: { code }, cookies });
  const body = { password: newPassword, cpassword: newPassword };
  return () => tryCall(test, calls.updatepassword, { params: person, body, cookies });
}

const isAlive = async (token: string) =>
  (await tryCall(test, calls.viewprofile, { as: { token } })).status === 200;
const signInWith = ({ email }: SignedIn, password: string) =>
  tryCall(test, calls.signin, { body: { email, password }, from: newAddress() });

describe('while a password is being reset', () => {
  it('no session that began with the old one survives', async () => {
    const person = await signedIn(test);
    const reset = await readyToReset(person);
    const tries = Array.from({ length: 3 }, () => signInWith(person, person.password));
    const [done, ...begun] = await Promise.all([reset(), ...tries]);
    expect(done?.status).toBe(200);
    for (const answer of begun) {
      if (answer.code === 'done') expect(await isAlive(answer.answer.token)).toBe(false);
    }
    expect(await isAlive(person.token)).toBe(false);
  });

  /** Starts one after the other while the account is locked, so that they come to it in this order. */
  async function inOrder<A, B>(userid: string, first: () => Promise<A>, second: () => Promise<B>) {
    const holding = await test.context.owner.connect();
    await holding.query('begin');
    await holding.query('select from users where id = $1 for update', [userid]);
    const one = first();
    await blockedBackends(test, 1);
    const two = second();
    await blockedBackends(test, 2);
    await holding.query('commit');
    holding.release();
    return Promise.all([one, two]);
  }

  async function resetAndChange() {
    const person = await signedIn(test);
    const reset = await readyToReset(person);
    const body = { password: person.password, passwordnew: 'the attacker 1828' };
    return { person, reset, change: () => tryCall(test, calls.changepassword, { body, as: person }) };
  }

  it('it is not changed to something else by whoever still knew the old one', async () => {
    const { person, reset, change } = await resetAndChange();
    const [done, late] = await inOrder(person.userid, reset, change);
    expect([done.status, late.code]).toEqual([200, 'old_password_wrong']);
    expect((await signInWith(person, newPassword)).status).toBe(200);
  });

  it('a change that comes first closes the reset, like everything else', async () => {
    const { person, reset, change } = await resetAndChange();
    const [done, late] = await inOrder(person.userid, change, reset);
    expect([done.status, late.code]).toEqual([200, 'reset_not_begun']);
    expect((await signInWith(person, 'the attacker 1828')).status).toBe(200);
  });
});

describe('an account that was never proven and is forgotten at this moment', () => {
  const asked: [
    string,
    string,
    (person: { email: string; password: string }) => Promise<{ code: string }>,
  ][] = [
    [
      'is unknown to whoever has forgotten its password',
      'email_unknown',
      ({ email }) => tryCall(test, calls.forgotpassword, { body: { email }, from: newAddress() }),
    ],
    [
      'lets nobody sign in to it',
      'wrong_credentials',
      ({ email, password }) => tryCall(test, calls.signin, { body: { email, password }, from: newAddress() }),
    ],
  ];
  it.each(asked)('%s', async (_case, code, ask) => {
    const { userid, password } = await registered(test);
    const email = `${userid}@example.com`;
    await test.context.owner.query(
      `insert into users (fullname, email, email_key, password_hash, created_at)
       select fullname, $1, $1, password_hash, now() - interval '8 days' from users where id = $2`,
      [email, userid],
    );
    const answer = await test.context.db.transaction().execute(async (tx) => {
      await sql`select forget_unproven_users(10)`.execute(tx);
      const asking = ask({ email, password });
      await blockedBackends(test, 1);
      return { asking };
    });
    expect((await answer.asking).code).toBe(code);
  });
});

it('entering a code and asking for another at the same moment never fails', async () => {
  for (let n = 0; n < 10; n += 1) {
    const person = await registered(test);
    const { code } = await test.mailbox.code(person.email);
    test.clock.advance(minuteMs);
    const answers = await Promise.all([
      tryCall(test, calls.verifycode, { params: person, body: { code } }),
      tryCall(test, calls.resend, { params: person, from: newAddress() }),
    ]);
    for (const { status, text } of answers) expect(status, text).toBeLessThan(500);
  }
});
