import { randomBytes } from 'node:crypto';
import { newInvestor } from '../ledger/investors.ts';
import type { TestApp } from '../start-app.ts';

/** Somebody who only has to be there, in a session that has just shown who it is. */
export async function someone(test: TestApp) {
  const one = async (text: string, ...values: unknown[]) =>
    (await test.context.owner.query(text, values)).rows[0];
  const userId = await newInvestor(test);
  const { email } = await one('select email from users where id = $1', userId);
  const session = await one(
    `insert into sessions (user_id, bearer_hash, cookie_hash, client_address, user_agent, created_at, seen_at, expires_at)
     values ($1, $2, $3, '', '', $4, $4, $4) returning id`,
    userId,
    randomBytes(32),
    randomBytes(32),
    test.clock.now(),
  );
  const identity = { userId, sessionId: session.id };
  const client = { address: '', userAgent: '' };
  return {
    userId,
    async close(leaveCents = 0n) {
      await one('update sessions set stepped_up_at = $1 where id = $2', test.clock.now(), session.id);
      return test.context.account.close({ identity, client, email, leaveCents });
    },
  };
}
