import { changepassword, editprofile, signin, signout } from '@tallystick/contract/users';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, refusal } from '../../testing/call.ts';
import { newAddress, signedUp, signIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
let owner: pg.Pool;
let app: pg.Pool;
beforeAll(async () => {
  test = await startTestApp();
  owner = new pg.Pool({ connectionString: test.database.url });
  app = new pg.Pool({ connectionString: test.database.url, options: '-c role=tallystick_app' });
});
afterAll(async () => {
  await owner.end();
  await app.end();
  await test.close();
});

describe('the audit log', () => {
  it('tells the story of an account in order, without secrets', async () => {
    const person = await signIn(test, await signedUp(test));
    const { email, password, userid, token } = person;
    await refusal(test, signin, { body: { email, password: 'wrong guess' }, from: newAddress() });
    await call(test, editprofile, { body: { fullname: 'Other' }, as: person });
    const passwordnew = 'a newer notch 1827';
    await call(test, changepassword, { body: { password, passwordnew }, as: person });
    await call(test, signout, { as: person });
    const entries = await test.context.db
      .selectFrom('audit_log')
      .selectAll()
      .where('subject_id', '=', userid)
      .orderBy('id')
      .execute();
    expect(entries.map((entry) => entry.action)).toEqual([
      'user.registered',
      'user.verified',
      'session.begun',
      'session.refused',
      'profile.edited',
      'password.changed',
      'session.ended',
    ]);
    expect(entries.every((entry) => entry.client_address !== null)).toBe(true);
    const text = JSON.stringify(entries, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    for (const secret of [password, passwordnew, token]) expect(text).not.toContain(secret);
  });

  it.each(["update audit_log set action = 'nothing'", 'delete from audit_log', 'truncate audit_log'])(
    'refuses "%s" to the server and to its owner',
    async (statement) => {
      await expect(app.query(statement)).rejects.toThrow(/permission denied/);
      await expect(owner.query(statement)).rejects.toThrow(/append-only/);
    },
  );
});
