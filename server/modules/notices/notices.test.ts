import * as calls from '@tallystick/contract/notices';
import { investor as investorCall } from '@tallystick/contract/operator/investors';
import { changepassword } from '@tallystick/contract/users';
import { makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../platform/postgres/db.ts';
import { times } from '../../testing/at-once.ts';
import { call, refusal, send } from '../../testing/call.ts';
import { deposit, type Offers, withdrawalForm, withOffers } from '../../testing/money.ts';
import { signedInOperator } from '../../testing/operators.ts';
import { queuedLetters } from '../../testing/outside/queued-letters.ts';
import { type SignedIn, signedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
let offers: Offers;
/** Letters are read where they are queued: nothing is sent any more once everybody has signed in. */
const people: SignedIn[] = [];
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  people.push(...(await Promise.all(times(9, () => signedIn(test)))));
  await test.jobs.stop();
});
afterAll(() => test.close());

const person = (): SignedIn => people.pop() ?? expect.fail('nobody is left');

/** Tells of everything that has moved. */
async function tell(): Promise<void> {
  const reading = test.context.telling.start();
  await expect.poll(() => test.context.telling.hasTold()).toBe(true);
  await reading.stop();
}

const listOf = async (as: SignedIn) => (await call(test, calls.notices, { as })).notices;
const titlesOf = async (as: SignedIn) => (await listOf(as)).map(({ title }) => title);
const unreadOf = async (as: SignedIn) => (await call(test, calls.unreadnotices, { as })).unread;
const mark = (as: SignedIn, body: { ids: string[]; olderthan?: string }) =>
  call(test, calls.readnotices, { as, body });
const choose = (as: SignedIn, topic: calls.SwitchableTopic, on: boolean) =>
  call(test, calls.chooseletters, { as, body: { topic, on } });
const lettersTo = async ({ email }: SignedIn) =>
  (await queuedLetters(test.context))
    .filter(({ to }) => to.address === email)
    .map(({ letter }) => letter.kind);

/** As many as are wanted, each told in a transaction of its own, the oldest first. */
async function toldOf(who: SignedIn, count: number): Promise<void> {
  const { notices, db } = test.context;
  const at = test.clock.now().toISOString();
  const letter = { kind: 'recovery-codes-new', fullname: 'Amara Okonkwo', at } as const;
  const order = { userId: who.userid, to: { name: '', address: who.email }, letter };
  await inTransaction(db, (tx) => notices.post.queueAll({ tx, orders: Array(count).fill(order) }));
}

describe('a notice', () => {
  it('is made of every letter about one’s money and account, in its words, newest first', async () => {
    const who = person();
    await deposit(test, who.userid, 500);
    await tell();
    const body = withdrawalForm({ offers, who });
    const { withdrawal } = await call(test, makenewwithdrawal, { body, as: who });
    await tell();
    const passwordnew = 'a newer notch 1827';
    await call(test, changepassword, { body: { password: who.password, passwordnew }, as: who });
    expect(await listOf(who)).toMatchObject([
      { topic: 'security', title: 'Your Tallystick password was changed', transactionid: null, readat: null },
      {
        topic: 'withdrawals',
        title: 'You asked to withdraw $100.00',
        line: 'If this was not you, cancel it now.',
        transactionid: withdrawal.transactionid,
      },
      { topic: 'deposits', title: 'Your deposit arrived: $500.00 is in your wallet' },
      { topic: 'deposits', title: 'We noted your deposit of $500.00 in Bitcoin' },
    ]);
    expect(await lettersTo(who)).toEqual([
      'deposit-requested',
      'deposit-confirmed',
      'withdrawal-requested',
      'password-changed',
    ]);
    expect(await unreadOf(who)).toBe(4);
  });

  it('is not made of a code or a link, and is gone with the transaction of its letter', async () => {
    const who = person();
    expect(await listOf(who)).toEqual([]);
    const { notices, db } = test.context;
    const letter = { kind: 'reset-code', fullname: '', code: '0072', linkToken: 'abc' } as const;
    const order = { userId: who.userid, to: { name: '', address: who.email }, letter };
    const activation = { ...letter, kind: 'activation-code' } as const;
    await inTransaction(db, (tx) => notices.post.queue({ tx, ...order, letter: activation }));
    await inTransaction(db, (tx) => notices.post.queue({ tx, ...order }));
    expect([await listOf(who), await lettersTo(who)]).toEqual([[], ['activation-code', 'reset-code']]);

    const at = test.clock.now().toISOString();
    const told = { ...order, letter: { kind: 'recovery-codes-new', fullname: '', at } as const };
    const failing = inTransaction(db, async (tx) => {
      await notices.post.queue({ tx, ...told });
      throw new Error('power cut');
    });
    await expect(failing).rejects.toThrow('power cut');
    expect([await listOf(who), await lettersTo(who)]).toEqual([[], ['activation-code', 'reset-code']]);
  });

  it('is shown in parts, each from where the one before ended, and counted to a hundred', async () => {
    const who = person();
    await toldOf(who, 45);
    const seen: string[] = [];
    for (let before: string | undefined; ; before = seen.at(-1)) {
      const query = before ? { before } : {};
      const part = await call(test, calls.notices, { as: who, query });
      seen.push(...part.notices.map(({ _id }) => _id));
      if (!part.more) break;
      expect(part.notices).toHaveLength(calls.noticesAtOnce);
    }
    expect(seen).toHaveLength(45);
    expect(seen.toSorted().toReversed()).toEqual(seen);
    await toldOf(who, 56);
    expect(await unreadOf(who)).toBe(100);

    await choose(who, 'deposits', false);
    await inTransaction(test.context.db, (tx) =>
      test.context.notices.forgetAllOf({ tx, userId: who.userid }),
    );
    expect([await listOf(who), (await choose(who, 'deposits', true)).choices[0]]).toEqual([
      [],
      { topic: 'deposits', letters: 'on' },
    ]);
  });
});

describe('marking as read', () => {
  it('is of one, or of all that were shown and what stood below', async () => {
    const who = person();
    await toldOf(who, 30);
    const [first, ...shown] = await listOf(who);
    expect(await mark(who, { ids: [first?._id ?? ''] })).toEqual({ unread: 29 });
    const ids = shown.map(({ _id }) => _id);
    expect(await mark(who, { ids })).toEqual({ unread: 10 });
    const [before] = await listOf(who);
    expect(await mark(who, { ids, olderthan: ids.at(-1) ?? '' })).toEqual({ unread: 0 });
    // When it was first read stays.
    expect((await listOf(who))[0]).toEqual(before);
  });

  it('leaves what came meanwhile, also when it was begun before', async () => {
    const who = person();
    await toldOf(who, 2);
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const { notices, db } = test.context;
    const at = test.clock.now().toISOString();
    const letter = { kind: 'recovery-codes-new', fullname: '', at } as const;
    const late = inTransaction(db, async (tx) => {
      await notices.post.queue({ tx, userId: who.userid, to: { name: '', address: who.email }, letter });
      begun.resolve();
      await end.promise;
    });
    await begun.promise;
    await toldOf(who, 2);
    const shown = (await listOf(who)).map(({ _id }) => _id);
    expect(shown).toHaveLength(4);
    end.resolve();
    await late;
    // On the screen it would stand between those that were shown.
    const now = (await listOf(who)).map(({ _id }) => _id);
    expect(now.findIndex((id) => !shown.includes(id))).toBe(2);
    expect(await mark(who, { ids: shown, olderthan: shown.at(-1) ?? '' })).toEqual({ unread: 1 });
    await toldOf(who, 1);
    expect(await mark(who, { ids: shown, olderthan: shown.at(-1) ?? '' })).toEqual({ unread: 2 });
  });

  it('is of one’s own: others’ are passed over', async () => {
    const [who, somebody] = [person(), person()];
    await toldOf(who, 1);
    await toldOf(somebody, 1);
    const theirs = (await listOf(somebody))[0]?._id ?? '';
    expect(await mark(who, { ids: [theirs] })).toEqual({ unread: 1 });
    expect(await unreadOf(somebody)).toBe(1);
    const refused = await refusal(test, calls.readnotices, { as: who, body: { ids: [], olderthan: theirs } });
    expect(refused.code).toBe('not_found');
    expect((await refusal(test, calls.notices, { as: who, query: { before: theirs } })).code).toBe(
      'not_found',
    );
    expect([await unreadOf(who), await unreadOf(somebody)]).toEqual([1, 1]);
  });
});

describe('letters that are switched off', () => {
  it('are not written, and their notices are; others are written as ever', async () => {
    const who = person();
    const { choices } = await choose(who, 'deposits', false);
    expect(choices).toEqual([
      { topic: 'deposits', letters: 'off' },
      { topic: 'investments', letters: 'on' },
      { topic: 'terms', letters: 'always' },
      { topic: 'withdrawals', letters: 'always' },
      { topic: 'addresses', letters: 'always' },
      { topic: 'security', letters: 'always' },
    ]);
    await choose(who, 'deposits', false);
    await deposit(test, who.userid, 500);
    await tell();
    await call(test, makenewwithdrawal, { body: withdrawalForm({ offers, who }), as: who });
    await tell();
    expect(await titlesOf(who)).toHaveLength(3);
    expect(await lettersTo(who)).toEqual(['withdrawal-requested']);

    const since = test.clock.now().toISOString();
    const seen = await call(test, investorCall, {
      params: { id: who.userid },
      as: await signedInOperator(test),
    });
    expect(seen.lettersoff).toEqual([{ topic: 'deposits', since }]);
    expect(seen.told[0]).toEqual({ title: 'You asked to withdraw $100.00', at: since, readat: null });

    await choose(who, 'deposits', true);
    await deposit(test, who.userid, 20);
    expect(await lettersTo(who)).toEqual(['withdrawal-requested', 'deposit-requested']);
    expect((await call(test, calls.letterchoices, { as: who })).choices).toContainEqual({
      topic: 'deposits',
      letters: 'on',
    });
    const { rows } = await test.context.owner.query(
      `select action, details->>'topic' as topic from audit_log
       where subject_id = $1 and action like 'letters.%' order by id`,
      [who.userid],
    );
    expect(rows).toEqual([
      { action: 'letters.switched-off', topic: 'deposits' },
      { action: 'letters.switched-on', topic: 'deposits' },
    ]);
  });

  it('are never those of security, of addresses, of withdrawals or of terms', async () => {
    const who = person();
    const row = 'insert into letters_off (user_id, topic, since) values ($1, $2, now())';
    for (const topic of ['security', 'addresses', 'withdrawals', 'terms']) {
      const body = { topic, on: false };
      const answer = await send(test, 'POST', calls.chooseletters.path, body, { token: who.token });
      expect([topic, answer.statusCode, answer.json().code]).toEqual([topic, 400, 'invalid_request']);
      const written = test.context.owner.query(row, [who.userid, topic]);
      await expect(written).rejects.toThrow('letters_off_topic_check');
    }
  });
});
