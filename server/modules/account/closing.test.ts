import * as calls from '@tallystick/contract/account';
import { stepup } from '@tallystick/contract/factors';
import { summary } from '@tallystick/contract/ledger';
import { chooseletters } from '@tallystick/contract/notices';
import { investor as investorCall, investors } from '@tallystick/contract/operator/investors';
import * as users from '@tallystick/contract/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../platform/postgres/db.ts';
import { closings } from '../../testing/account/closing.ts';
import { freshAddress, protect, save } from '../../testing/addresses/book.ts';
import { call, refusal, tryCall } from '../../testing/call.ts';
import { dayMs, minuteMs } from '../../testing/clock.ts';
import { codeOf, stepUpByMail, withPhone } from '../../testing/factors/people.ts';
import { deposit, goodAddress, type Offers, operator, withOffers } from '../../testing/money.ts';
import { signedInOperator } from '../../testing/operators.ts';
import { beginReset, newAddress, registered, type SignedIn, signedIn, signIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { forgetAll } from '../../work.ts';

let test: TestApp;
let offers: Offers;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
});
afterAll(() => test.close());

const { one, ready, hasSession, signInWith, correct, announce, propose } = closings(() => test);
const close = (person: SignedIn, change: { email?: string; leave?: number } = {}) =>
  tryCall(test, calls.close, { as: person, body: { email: person.email, ...change } });
const state = (person: SignedIn) => call(test, calls.closing, { as: person });

describe('closing an empty account', () => {
  it('asks who is there and for the e-mail address, and then nobody gets in any more', async () => {
    const person = await signedIn(test);
    const elsewhere = await signIn(test, { ...person, cookies: {} });
    expect(await refusal(test, calls.close, { as: person, body: { email: person.email } })).toMatchObject({
      status: 403,
      code: 'step_up_required',
      ways: ['mail'],
    });
    await stepUpByMail(test, person);
    expect((await close(person, { email: 'somebody@example.com' })).code).toBe('email_wrong');
    expect(await state(person)).toMatchObject({ ready: true, leave: 0, keptdays: 30 });
    const before = await beginReset(test, person);
    const done = await close(person, { email: person.email.toUpperCase() });
    expect(done).toMatchObject({ status: 200, answer: { keptuntil: expect.any(String) } });

    expect([await hasSession(person), await hasSession(elsewhere)]).toEqual([false, false]);
    expect((await signInWith(person)).code).toBe('wrong_credentials');
    const { code } = before;
    const late = await tryCall(test, users.verifyforgortpasscode, {
      body: { code },
      cookies: before.cookies,
    });
    expect(late.code).toBe('reset_not_begun');
    const { email } = person;
    const reset = await tryCall(test, users.forgotpassword, { body: { email }, from: newAddress() });
    expect(reset.code).toBe('email_unknown');
    await expect(registered(test, email)).rejects.toThrow('email_exists');
    expect((await test.mailbox.letters(email))[0]?.subject).toMatch(/account is closed$/);
  });

  /** Every table that has something of a person which money does not need: those that the next test fills, and the others. */
  const filled = [
    'authenticators',
    'user_recovery_codes',
    'saved_addresses',
    'address_protections',
    'notices',
    'letters_off',
    'devices',
    'codes',
    'reset_flows',
  ];
  const others = ['passkeys', 'factor_flows', 'factor_removals'];
  const rowsIn = async (table: string, userId: string) =>
    (await one(`select count(*)::int as count from ${table} where user_id = $1`, userId)).count;

  it('leaves of a person what money and the chain need, and deletes every way in', async () => {
    const person = await withPhone(test);
    await save(test, person, freshAddress);
    await protect(test, person);
    await call(test, chooseletters, { as: person, body: { topic: 'deposits', on: false } });
    test.clock.advance(10 * minuteMs);
    expect((await close(person)).code).toBe('step_up_required');
    await call(test, stepup, { as: person, body: { code: codeOf(test, person) } });
    await beginReset(test, person);
    const id = person.userid;
    for (const table of filled) expect([table, (await rowsIn(table, id)) > 0]).toEqual([table, true]);
    expect((await close(person)).status).toBe(200);
    // What the journal has still to tell is told by letter, and noted for nobody.
    await inTransaction(test.context.db, (tx) => {
      const letter = (fullname: string) =>
        ({ kind: 'protection-off', fullname, at: test.clock.now().toISOString() }) as const;
      return test.context.users.writeTo({ tx, letters: [{ userId: id, letter }] });
    });
    expect((await test.mailbox.letters(person.email))[0]?.subject).toMatch(/no longer protected$/);
    // The label of a saved address, which may name people, went with the address.
    expect(
      await one(
        `select count(*)::int as count from audit_log where subject_id = $1 and details::text like '%Mine%'`,
        id,
      ),
    ).toEqual({ count: 0 });
    expect(
      await one('select fullname, email, closed_at is not null as closed from users where id = $1', id),
    ).toEqual({
      fullname: '',
      email: person.email,
      closed: true,
    });
    // What moved before is told, and noted nowhere.
    const letter = () =>
      ({ kind: 'recovery-codes-new', fullname: '', at: new Date().toISOString() }) as const;
    await inTransaction(test.context.db, (tx) =>
      test.context.users.writeTo({ tx, letters: [{ userId: id, letter }] }),
    );
    expect((await test.mailbox.letters(person.email))[0]?.subject).toMatch(/recovery codes/);
    for (const table of [...filled, ...others]) expect([table, await rowsIn(table, id)]).toEqual([table, 0]);
    expect(
      await one(`select count(*)::int as count from sessions where user_id = $1 and ended_at is null`, id),
    ).toEqual({
      count: 0,
    });
    expect(
      await one(`select details from audit_log where action = 'account.closed' and subject_id = $1`, id),
    ).toMatchObject({
      details: { leftCents: '0' },
    });
  });

  it('is final: the database itself begins no session, sets no password and opens nothing again', async () => {
    const person = await ready();
    await close(person);
    const id = person.userid;
    const session = `insert into sessions (user_id, bearer_hash, cookie_hash, client_address, user_agent, created_at, seen_at,
      expires_at) values ($1, 'a', 'b', '', '', now(), now(), now())`;
    await expect(one(session, id)).rejects.toThrow('this account was closed');
    await expect(one('update users set closed_at = null where id = $1', id)).rejects.toThrow('append-only');
    await expect(one(`update users set password_hash = 'x' where id = $1`, id)).rejects.toThrow(
      'append-only',
    );
  });
});

describe('what is in the way', () => {
  const cases: Record<string, { make(id: string): Promise<unknown>; code?: string; seen: object }> = {
    'money in the wallet': { make: (id) => correct(id, 1_000n), seen: { available: 10, leave: 0 } },
    'an investment': {
      async make(userId) {
        await deposit(test, userId, 100);
        const wish = { userId, planId: offers.plans.Starter, amountCents: 10_000n, idempotencyKey: null };
        await test.context.investment.makeInvestment(wish);
      },
      seen: { available: 0, invested: 100 },
    },
    'a withdrawal': {
      async make(userId) {
        await deposit(test, userId, 100);
        const to = { methodId: offers.withdrawalMethods.Bitcoin, address: goodAddress.Bitcoin };
        await test.context.withdrawal.askForWithdrawal({
          userId,
          ...to,
          amountCents: 10_000n,
          idempotencyKey: null,
        });
      },
      seen: { available: 0, withdrawing: 100 },
    },
    'a deposit that was announced': { make: (id) => announce(id), seen: { deposits: 1 } },
    'a correction that waits': { make: (id) => propose(id), seen: { corrections: 1 } },
    'a freeze': {
      make: (userId) =>
        test.context.withdrawal.freezeInvestor({ userId, reason: 'We look into it.', actor: operator() }),
      code: 'withdrawals_frozen',
      seen: { frozen: true },
    },
  };
  for (const [what, { make, code = 'account_not_empty', seen }] of Object.entries(cases)) {
    it(`${what}: it is told before and refused, and nothing happens`, async () => {
      const person = await ready();
      await make(person.userid);
      expect(await state(person)).toMatchObject({ ready: false, ...seen });
      expect((await close(person)).code).toBe(code);
      expect(await hasSession(person)).toBe(true);
    });
  }

  it('what is too little to withdraw is left to the house, to the cent and only if that is said', async () => {
    const person = await ready();
    await correct(person.userid, 37n);
    expect(await state(person)).toMatchObject({ ready: true, available: 0.37, leave: 0.37 });
    expect((await close(person)).code).toBe('terms_changed');
    expect((await close(person, { leave: 0.36 })).code).toBe('terms_changed');
    expect((await call(test, summary, { as: person })).available).toBe(0.37);
    expect((await close(person, { leave: 0.37 })).status).toBe(200);
    const told = `select e.amount_cents::int as cents, e.label, m.kind from ledger_entries e
      join ledger_movements m on m.id = e.movement_id join ledger_accounts a on a.id = e.account_id
      where a.owner_id = $1 order by e.seq desc limit 1`;
    expect(await one(told, person.userid)).toEqual({ cents: -37, label: 'Left at Closing', kind: 'closing' });
    expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
    const letters = await test.mailbox.letters(person.email);
    expect(letters.find(({ subject }) => /is closed$/.test(subject))?.text).toContain('$0.37');
  });
});

describe('after the time that was told', () => {
  it('the address is forgotten and free again; the account stays, without a name', async () => {
    const person = await ready();
    const ada = await signedInOperator(test);
    const find = async (search: string) =>
      (await call(test, investors, { query: { search, page: 1 }, as: ada })).investors;
    await close(person);
    const closed = { fullname: person.email, email: person.email, closedat: expect.any(String) };
    expect(await find(person.userid)).toMatchObject([closed]);
    test.clock.advance(30 * dayMs - minuteMs);
    await forgetAll(test.context);
    await expect(registered(test, person.email)).rejects.toThrow('email_exists');
    test.clock.advance(2 * minuteMs);
    await forgetAll(test.context);
    await forgetAll(test.context);

    const again = await registered(test, person.email);
    expect(again.userid).not.toBe(person.userid);
    const operatorAgain = await signedInOperator(test);
    const shown = await call(test, investorCall, { params: { id: person.userid }, as: operatorAgain });
    expect(shown.investor).toMatchObject({
      fullname: 'Closed account',
      email: '',
      closedat: expect.any(String),
    });
  });
});
