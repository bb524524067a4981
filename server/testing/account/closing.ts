import { randomBytes } from 'node:crypto';
import { signin, viewprofile } from '@tallystick/contract/users';
import { tryCall } from '../call.ts';
import { steppedUpPerson } from '../factors/people.ts';
import { newInvestor } from '../ledger/investors.ts';
import { correcting, operator } from '../money.ts';
import { newAddress, type SignedIn } from '../people.ts';
import type { TestApp } from '../start-app.ts';

/** Somebody who only has to be there, in a session that has just shown who it is. */
export async function someone(test: TestApp) {
  const { one } = closings(() => test);
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

/** Who closes an account, whether they still get in, and what is in the way of it. */
export function closings(test: () => TestApp) {
  return {
    one: async (text: string, ...values: unknown[]) =>
      (await test().context.owner.query(text, values)).rows[0],
    ready: () => steppedUpPerson(test()),
    hasSession: async (as: SignedIn) => (await tryCall(test(), viewprofile, { as })).status === 200,
    signInWith: ({ email, password }: SignedIn) =>
      tryCall(test(), signin, { body: { email, password }, from: newAddress() }),
    correct: (userId: string, amountCents: bigint) =>
      correcting(test().context)({ userId, amountCents, reason: 'For a test.' }),
    announce: (userId: string) =>
      test().context.funding.askForFunding({
        userId,
        paymentname: 'Bitcoin',
        amountCents: 10_000n,
        idempotencyKey: null,
      }),
    propose: (userId: string) =>
      test().context.ledger.proposeCorrection({
        userId,
        amountCents: 500n,
        reason: 'For a test.',
        actor: operator(),
        idempotencyKey: null,
      }),
  };
}
