import { afterAll, beforeAll, expect, it } from 'vitest';
import { signedUp, verified } from './people.ts';
import { startTestApp, type TestApp } from './start-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

it('an account that is written down is the same as one that somebody signed up for', async () => {
  const people = [await signedUp(test), await verified(test)];
  const { rows } = await test.context.owner.query<{ account: Record<string, unknown> }>(
    `select to_jsonb(users) - array['id', 'email', 'email_key', 'password_hash'] as account from users
     where id = any($1::uuid[])`,
    [people.map(({ userid }) => userid)],
  );
  const [one, other] = rows.map(({ account }) => account);
  expect(Object.keys(one ?? {}).length).toBeGreaterThan(5);
  expect(one).toEqual(other);
});
