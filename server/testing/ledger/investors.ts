import { randomUUID } from 'node:crypto';
import type { TestApp } from '../start-app.ts';

/** People who only have to be there: nobody signs in as one of them, so no password is hashed and no letter sent. */
export async function newInvestors(test: TestApp, count: number): Promise<string[]> {
  const { rows } = await test.context.owner.query<{ id: string }>(
    `insert into users (fullname, email, email_key, password_hash, created_at)
     select 'Ada', name, name, 'none', now() from unnest($1::text[]) as name returning id`,
    [Array.from({ length: count }, () => `${randomUUID()}@example.com`)],
  );
  return rows.map(({ id }) => id);
}

export async function newInvestor(test: TestApp): Promise<string> {
  const [userId = ''] = await newInvestors(test, 1);
  return userId;
}
