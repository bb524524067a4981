import { randomBytes } from 'node:crypto';
import * as calls from '@tallystick/contract/account';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../platform/postgres/db.ts';
import { closings, someone } from '../../testing/account/closing.ts';
import { freshAddress } from '../../testing/addresses/book.ts';
import { outcomes } from '../../testing/at-once.ts';
import { behind, blockedBackends } from '../../testing/blocked.ts';
import { tryCall } from '../../testing/call.ts';
import { dayMs } from '../../testing/clock.ts';
import { deposit, goodAddress, newTxid, type Offers, operator, withOffers } from '../../testing/money.ts';
import type { SignedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { requestsOf } from '../funding/service.ts';

let test: TestApp;
let offers: Offers;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
});
afterAll(() => test.close());

const { one, ready, hasSession, signInWith, correct, announce, propose } = closings(() => test);
const close = (person: SignedIn) => tryCall(test, calls.close, { as: person, body: { email: person.email } });

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

describe('at the moment in which', () => {
  // What is due is settled by the tests alone.
  beforeAll(() => test.jobs.stop());
  afterEach(async () => {
    expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
  });

  const actor = operator();
  const idempotencyKey = null;
  const later = (days: number) => test.clock.advance(days * dayMs);
  async function invest(userId: string, plan: keyof Offers['plans'], amountCents: bigint) {
    await deposit(test, userId, Number(amountCents) / 100);
    const wish = { userId, planId: offers.plans[plan], amountCents, idempotencyKey };
    return (await test.context.investment.makeInvestment(wish)).id;
  }
  async function withdraw(userId: string) {
    await deposit(test, userId, 100);
    const to = { methodId: offers.withdrawalMethods.Bitcoin, address: goodAddress.Bitcoin };
    const wish = { userId, ...to, amountCents: 10_000n, idempotencyKey };
    return { withdrawalId: (await test.context.withdrawal.askForWithdrawal(wish)).id, idempotencyKey };
  }
  const settle = () => test.context.investment.settleDue();

  /** What each has to be prepared for, what is done then, and what there is to the cent: available, invested, on its way. */
  const rivals: Record<string, { prepare(userId: string): Promise<() => Promise<unknown>>; left: number[] }> =
    {
      'an investment matures': {
        async prepare(userId) {
          await invest(userId, 'Starter', 10_000n);
          later(30);
          return settle;
        },
        left: [10_080, 0, 0],
      },
      'it is invested again': {
        async prepare(userId) {
          const { plans } = offers;
          const investmentId = await invest(userId, 'Standard', 200_000n);
          later(59);
          const terms = { choice: 'everything', planId: plans.Standard, amountCents: 203_800n } as const;
          const wish = { userId, investmentId, ...terms, clientAddress: '' };
          await test.context.investment.chooseMaturity(wish);
          later(1);
          return settle;
        },
        left: [0, 203_800, 0],
      },
      'it is left early': {
        async prepare(userId) {
          const investmentId = await invest(userId, 'Standard', 200_000n);
          later(15);
          const wish = { userId, investmentId, payoutCents: 199_475n, idempotencyKey };
          return () => test.context.investment.exitInvestment(wish);
        },
        left: [199_475, 0, 0],
      },
      'a withdrawal is cancelled': {
        async prepare(userId) {
          const which = await withdraw(userId);
          return () => test.context.withdrawal.cancelWithdrawal({ userId, ...which });
        },
        left: [10_000, 0, 0],
      },
      'a withdrawal is rejected': {
        async prepare(userId) {
          const step = { ...(await withdraw(userId)), actor, reason: 'Not now.' };
          return () => test.context.withdrawal.rejectWithdrawal(step);
        },
        left: [10_000, 0, 0],
      },
      'a withdrawal is paid': {
        async prepare(userId) {
          const step = { ...(await withdraw(userId)), actor };
          await test.context.withdrawal.approveWithdrawal(step);
          return () => test.context.withdrawal.markWithdrawalPaid({ ...step, chainTxid: newTxid() });
        },
        left: [0, 0, 0],
      },
    };
  const balances = async (userId: string) => {
    const { availableCents, investedCents, withdrawingCents } = await test.context.ledger.summary({ userId });
    return [availableCents, investedCents, withdrawingCents].map(Number);
  };
  const isClosed = async (userId: string) =>
    (await one('select closed_at is not null as closed from users where id = $1', userId)).closed;
  const wallet = `select from ledger_accounts where kind = 'wallet' and owner_id = $1 for update`;

  for (const [what, { prepare, left }] of Object.entries(rivals)) {
    it(`${what}, it has its one effect, and only what is empty is closed`, async () => {
      for (const isFirst of [true, false]) {
        const { userId, close } = await someone(test);
        const rival = await prepare(userId);
        const racers = isFirst ? [rival, close] : [close, rival];
        const ends = await behind(test, wallet, [userId], racers);
        const [done, closing] = isFirst ? ends : ends.toReversed();
        expect(done).toBe('done');
        const isEmpty = isFirst && left.every((cents) => cents === 0);
        expect(closing).toBe(isEmpty ? 'done' : 'account_not_empty');
        expect([await isClosed(userId), ...(await balances(userId))]).toEqual([isEmpty, ...left]);
      }
    });
  }

  it('a payment comes in by its chain, it is counted, or is nobody’s until two operators say whose it is', async () => {
    const { owner, funding } = test.context;
    await owner.query(
      `insert into network_cursors (network, chain, height, hash, tip, read_at)
       values ('ethereum', '1', 1000, 'x', 1000, now())`,
    );
    for (const isFirst of [true, false]) {
      const { userId, close } = await someone(test);
      const address = `0x${randomBytes(20).toString('hex')}`;
      const { id } = await one(
        `insert into network_addresses (family, match, address, purpose, owner_id, made_at)
         values ('evm', $1, $1, 'deposit', $2, now()) returning id`,
        address,
        userId,
      );
      const arrive = async () => {
        await owner.query(
          `insert into network_payments (id, network, txid, address_id, units, height, block_hash, block_at, seen_at, price,
             price_at, price_source, cents)
           values (gen_random_uuid(), 'ethereum', $1, $2, 1000000000000000000, 1, 'x', now(), now(), '70', now(), 'x', 7000)`,
          [newTxid('ethereum'), id],
        );
        return funding.takeIn('ethereum');
      };
      const racers = isFirst ? [arrive, close] : [close, arrive];
      // Held by whoever counts what is on its way to somebody.
      const counting = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';
      const ends = await behind(test, counting, [requestsOf(userId)], racers);
      const [, closing] = isFirst ? ends : ends.toReversed();
      const { state, requests } = await one(
        `select state, (select count(*)::int from funding_requests where user_id = $2) as requests
         from network_payments where address_id = $1`,
        id,
        userId,
      );
      const seen = [closing, await isClosed(userId), state, requests, ...(await balances(userId))];
      expect([
        ['account_not_empty', false, 'credited', 1, 7_000, 0, 0],
        ['done', true, 'seen', 0, 0, 0, 0],
      ]).toContainEqual(seen);
      if (isFirst) expect(closing).toBe('account_not_empty');
    }
  });

  it('another leaves something to the house as well, neither waits for what the other holds', async () => {
    const [known, first, second] = [await someone(test), await someone(test), await someone(test)];
    for (const { userId } of [known, first, second]) await correct(userId, 500n);
    // From here on this server knows the house's account by heart.
    await known.close(500n);
    await one('insert into address_protections (user_id, since) values ($1, now())', first.userId);
    const held = 'select from address_protections where user_id = $1 for update';
    const both = [() => first.close(500n), () => second.close(500n)];
    expect(await behind(test, held, [first.userId], both)).toEqual(['done', 'done']);
  });

  it('something is told, no notice is left: neither of who told it before nor of who had to wait', async () => {
    const told = (userId: string, meanwhile: () => Promise<unknown> = async () => {}) =>
      inTransaction(test.context.db, async (tx) => {
        const letter = (fullname: string) =>
          ({ kind: 'protection-off', fullname, at: test.clock.now().toISOString() }) as const;
        await test.context.users.writeTo({ tx, letters: [{ userId, letter }] });
        await meanwhile();
      });
    const noticesOf = async (userId: string) =>
      (await one('select count(*)::int as count from notices where user_id = $1', userId)).count;
    const [before, after] = [await someone(test), await someone(test)];
    const closing = { before: Promise.resolve<unknown>(null) };
    await told(before.userId, async () => {
      closing.before = before.close();
      await Promise.race([closing.before, blockedBackends(test)]);
    });
    await closing.before;
    await told(after.userId);
    const held = 'select from notices where user_id = $1 for update';
    const ends = await behind(test, held, [after.userId], [after.close, () => told(after.userId)]);
    expect(ends).toEqual(['done', 'done']);
    expect([await noticesOf(before.userId), await noticesOf(after.userId)]).toEqual([0, 0]);
  });
});
