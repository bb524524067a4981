import * as calls from '@tallystick/contract/account';
import * as users from '@tallystick/contract/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshAddress } from '../../testing/addresses/book.ts';
import { outcomes } from '../../testing/at-once.ts';
import { tryCall } from '../../testing/call.ts';
import { steppedUp } from '../../testing/factors/people.ts';
import { correcting, operator, withOffers } from '../../testing/money.ts';
import { newAddress, type SignedIn, signedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
  await withOffers(test);
});
afterAll(() => test.close());

const one = async (text: string, ...values: unknown[]) =>
  (await test.context.owner.query(text, values)).rows[0];
const close = (person: SignedIn) => tryCall(test, calls.close, { as: person, body: { email: person.email } });
const hasSession = async (as: SignedIn) => (await tryCall(test, users.viewprofile, { as })).status === 200;
const signInWith = ({ email, password }: SignedIn) =>
  tryCall(test, users.signin, { body: { email, password }, from: newAddress() });
const correct = (userId: string, amountCents: bigint) =>
  correcting(test.context)({ userId, amountCents, reason: 'For a test.' });

async function ready(): Promise<SignedIn> {
  const person = await signedIn(test);
  await steppedUp(test, person);
  return person;
}

const announce = (userId: string) =>
  test.context.funding.askForFunding({
    ...{ userId, paymentname: 'Bitcoin', amountCents: 10_000n, idempotencyKey: null },
  });
const propose = (userId: string) =>
  test.context.ledger.proposeCorrection({
    ...{ userId, amountCents: 500n, reason: 'For a race.', actor: operator(), idempotencyKey: null },
  });

describe('at the same moment', () => {
  it('of closing and whatever brings money one happens, and nothing is left on a closed account', async () => {
    const rivals = [announce, propose, (id: string) => correct(id, 2_000n)];
    for (const rival of rivals) {
      for (let round = 0; round < 4; round += 1) {
        const person = await ready();
        const id = person.userid;
        // Whoever is first in one round is second in the next.
        const racers = [() => close(person).then(({ status }) => status), () => rival(id).catch(() => null)];
        if (round % 2 === 1) racers.reverse();
        await Promise.all(racers.map((race) => race()));
        const left = await one(
          `select u.closed_at is not null as closed,
             (select count(*)::int from funding_requests where user_id = u.id and status = 'pending')
             + (select count(*)::int from ledger_corrections where user_id = u.id and decided_at is null)
             + (select coalesce(sum(balance_cents), 0)::int from ledger_accounts where owner_id = u.id) as things
           from users u where id = $1`,
          id,
        );
        expect(left.closed && left.things > 0, JSON.stringify(left)).toBe(false);
        expect(left.closed || left.things > 0).toBe(true);
      }
    }
  });

  it('it is closed once, and whoever signs in meanwhile is out again', async () => {
    const person = await ready();
    const closing = [close(person), close(person)].map((reply) => reply.then(({ code }) => code));
    const entering = signInWith(person);
    expect((await Promise.all(closing)).toSorted()).toEqual(['done', 'unauthenticated']);
    const reply = await entering;
    if (reply.code === 'done') expect(await hasSession({ ...person, token: reply.answer.token })).toBe(false);
    const { count } = await one(
      `select count(*)::int as count from audit_log where action = 'account.closed' and subject_id = $1`,
      person.userid,
    );
    expect(count).toBe(1);
  });

  it('what was asked for in a session that has just ended is refused behind the locks', async () => {
    const person = await ready();
    await close(person);
    const id = person.userid;
    expect(await outcomes([announce(id), propose(id)])).toEqual(['unauthenticated', 'not_found']);
    const { withdrawal, notices } = test.context;
    const asked = { identity: { userId: id, sessionId: id }, client: { address: '', userAgent: '' } };
    const wish = { label: 'Mum', network: 'ethereum', address: freshAddress, tag: null } as const;
    const book = [withdrawal.saveAddress({ ...asked, ...wish }), withdrawal.protectAddresses(asked)];
    expect(await outcomes(book)).toEqual(['unauthenticated', 'unauthenticated']);
    await notices.chooseLetters({ userId: id, topic: 'deposits', on: false, clientAddress: '' });
    expect(await notices.lettersOff({ userId: id })).toEqual([]);
  });
});
