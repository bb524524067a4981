import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { demoInvestor } from './demo/people.ts';
import { letterSite, letters as samples } from './demo/sample-letters.ts';
import { seedDemo } from './demo/seed.ts';
import { Letter, renderLetter } from './modules/mail/rules.ts';
import { tellTask } from './telling.ts';
import { times } from './testing/at-once.ts';
import { dayMs } from './testing/clock.ts';
import { fundedInvestor, investOn } from './testing/ledger/investors.ts';
import { allTold, patience, toldOf } from './testing/ledger/telling.ts';
import {
  correcting,
  deposit,
  newBitcoinAddress,
  newTxid,
  type Offers,
  operator,
  withOffers,
} from './testing/money.ts';
import { queuedLetters } from './testing/outside/queued-letters.ts';
import { startTestApp, type TestApp } from './testing/start-app.ts';

let test: TestApp;
let offers: Offers;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
});
afterAll(() => test.close());
afterEach(async () => {
  vi.restoreAllMocks();
  expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
});

const funded = () => fundedInvestor(test);
const invest = (userId: string) => investOn(test.context, { offers, userId, amountCents: 10_000n });
const emailOf = async (userId: string): Promise<string> =>
  (await test.context.owner.query('select email from users where id = $1', [userId])).rows[0].email;

/** Letters that are written with what they are about, in one transaction, and those that are about nobody's money. */
const notOfMovements = [
  'activation-code',
  'reset-code',
  'password-changed',
  'new-device',
  'data-downloaded',
  'account-closed',
  'step-up-link',
  'factor-added',
  'factor-removed',
  'recovery-codes-new',
  'recovery-code-used',
  'factor-removal-begun',
  'factor-removal-stopped',
  'factors-removed',
  'operator-factor-changed',
  'address-saved',
  'protection-on',
  'protection-ending',
  'protection-off',
  'change-stopped',
  'contact-message',
  'deposit-requested',
  'deposit-seen',
  'deposit-rejected',
  'withdrawal-approved',
  'maturity-told',
] as const;
type MoneyKind = Exclude<Letter['kind'], (typeof notOfMovements)[number]>;

describe('a crash between a movement and its letter', () => {
  async function withdrawing(userId: string): Promise<string> {
    const wish = { userId, methodId: offers.withdrawalMethods.Bitcoin, amountCents: 5_000n };
    const asked = { ...wish, address: newBitcoinAddress(), idempotencyKey: null };
    return (await test.context.withdrawal.askForWithdrawal(asked)).id;
  }
  const step = (withdrawalId: string) => ({ withdrawalId, actor: operator(), idempotencyKey: null });

  /** What has to happen to an investor with money, and how the letter about it begins. */
  const cases: Record<MoneyKind, { subject: RegExp; happen(userId: string): Promise<unknown> }> = {
    // First, so that nothing else matures meanwhile.
    'investment-matured': {
      subject: /^Your Starter investment matured: .* is in your wallet$/,
      async happen(userId) {
        await invest(userId);
        test.clock.advance(400 * dayMs);
        await test.context.investment.settleDue();
      },
    },
    'investment-reinvested': {
      subject: /^Your \w+ investment matured: .* is invested again$/,
      async happen(userId) {
        const { investment } = test.context;
        await deposit(test, userId, 2_000);
        const shown = { planId: offers.plans.Standard, amountCents: 200_000n };
        const { id } = await investment.makeInvestment({ userId, ...shown, idempotencyKey: null });
        test.clock.advance(58 * dayMs);
        const which = { userId, investmentId: id, clientAddress: '203.0.113.9' };
        await investment.chooseMaturity({ ...which, choice: 'principal', ...shown });
        test.clock.advance(2 * dayMs);
        await investment.settleDue();
      },
    },
    'investment-left': {
      subject: /^You left \w+ early/,
      async happen(userId) {
        const { investment } = test.context;
        await deposit(test, userId, 1_900);
        const wish = { userId, planId: offers.plans.Standard, amountCents: 200_000n, idempotencyKey: null };
        const { id: investmentId } = await investment.makeInvestment(wish);
        test.clock.advance(15 * dayMs);
        const { paidCents } = await investment.exitQuote({ userId, investmentId });
        const left = { userId, investmentId, payoutCents: paidCents, idempotencyKey: null };
        await investment.exitInvestment(left);
      },
    },
    'investment-opened': { subject: /^You invested/, happen: invest },
    'deposit-confirmed': { subject: /^Your deposit arrived/, happen: async () => {} },
    'withdrawal-requested': { subject: /^You asked to withdraw/, happen: withdrawing },
    'withdrawal-paid': {
      subject: /^Your withdrawal of .* is paid$/,
      async happen(userId) {
        const paid = step(await withdrawing(userId));
        await test.context.withdrawal.approveWithdrawal(paid);
        await test.context.withdrawal.markWithdrawalPaid({ ...paid, chainTxid: newTxid(), chainOutput: 0 });
      },
    },
    'withdrawal-rejected': {
      subject: /^Your withdrawal was not paid/,
      async happen(userId) {
        const rejected = step(await withdrawing(userId));
        await test.context.withdrawal.rejectWithdrawal({ ...rejected, reason: 'Not today.' });
      },
    },
    'withdrawal-cancelled': {
      subject: /^You cancelled a withdrawal/,
      async happen(userId) {
        const { withdrawalId, idempotencyKey } = step(await withdrawing(userId));
        await test.context.withdrawal.cancelWithdrawal({ userId, withdrawalId, idempotencyKey });
      },
    },
    'correction-posted': {
      subject: /^A correction of/,
      happen: (userId) => correcting(test.context)({ userId, amountCents: 500n, reason: 'A fee was ours.' }),
    },
  };
  const kinds = Object.keys(cases) as MoneyKind[];
  const people = new Map<MoneyKind, string>();
  const lettersOf = async (kind: MoneyKind) => {
    const all = await test.mailbox.letters(await emailOf(people.get(kind) ?? ''));
    return all.filter(({ subject }) => cases[kind].subject.test(subject)).length;
  };
  const once = kinds.map((kind) => [kind, 1]);
  const counted = async () => {
    const counts: [MoneyKind, number][] = [];
    for (const kind of kinds) counts.push([kind, await lettersOf(kind)]);
    return counts;
  };
  const noted = async () => {
    const { rows } = await test.context.owner.query(
      'select kind, count(*)::int as n from notices where (user_id, kind) in (select * from unnest($1::uuid[], $2::text[])) group by kind',
      [[...people.values()], [...people.keys()]],
    );
    const counts = new Map(rows.map(({ kind, n }) => [kind, n]));
    return kinds.map((kind) => [kind, counts.get(kind)]);
  };

  it('is tried for every kind of letter that follows from a movement', () => {
    const all = Letter.options.map(({ shape }) => shape.kind.value);
    expect([...kinds, ...notOfMovements].toSorted()).toEqual(all.toSorted());
    for (const kind of kinds) {
      const told = Object.values(cases).filter(({ subject }) =>
        subject.test(renderLetter(samples[kind], letterSite).subject),
      );
      expect(told, kind).toEqual([cases[kind]]);
    }
  });

  it('leaves the letter to the next server, which sends one, and the one after that none', async () => {
    await test.jobs.stop();
    for (const kind of kinds) {
      const userId = await funded();
      people.set(kind, userId);
      await cases[kind].happen(userId);
    }
    const queued = (await queuedLetters(test.context)).map(({ letter }) => letter.kind);
    expect(queued.filter((kind) => kinds.some((each) => each === kind))).toEqual([]);
    expect(await test.context.telling.hasTold()).toBe(false);

    await test.restart();
    await allTold(test);
    expect(await counted()).toEqual(once);
    expect(await noted()).toEqual(once);

    await test.restart();
    await allTold(test);
    expect(await counted()).toEqual(once);
    expect(await noted()).toEqual(once);
  });
});

describe('letters that cannot be written', () => {
  it.each([
    ['breaks', {}],
    ['loses its connection', { code: '57P01' }],
  ])('because the transaction %s at its end are written in the next, once', async (_case, more) => {
    await test.jobs.stop();
    const before = await toldOf(test);
    const people = await Promise.all(times(3, funded));
    const investments = await Promise.all(people.map(invest));
    const { users, telling } = test.context;
    const { writeTo } = users;
    // The letters are queued, and the transaction that notes how far was read does not come to its end.
    const broken = vi.spyOn(users, 'writeTo').mockImplementationOnce(async (input) => {
      await writeTo(input);
      throw Object.assign(new Error('power cut'), more);
    });
    const reading = telling.start();
    await expect.poll(() => broken.mock.calls.length, patience).toBeGreaterThan(1);
    await allTold(test);
    await reading.stop();
    const told = (await toldOf(test)).slice(before.length);
    expect(told.toSorted()).toEqual(investments.map(({ transactionid }) => transactionid).toSorted());
  });

  it('hold up nobody else’s, are set aside and written when they can be, once', async () => {
    const { owner } = test.context;
    await test.jobs.stop();
    const [one, broken, other] = [await funded(), await funded(), await funded()];
    const emails = await Promise.all([one, broken, other].map(emailOf));
    await owner.query(`update users set email = 'no <address' where id = $1`, [broken]);
    for (const userId of [one, broken, other]) await invest(userId);
    await test.restart();
    const opened = async (email = '') =>
      (await test.mailbox.letters(email)).filter(({ subject }) => /^You invested/.test(subject)).length;
    expect([await opened(emails[0]), await opened(emails[2])]).toEqual([1, 1]);
    const setAside = async () =>
      (
        await test.context.owner.query(
          'select id, attempts from graphile_worker.jobs where task_identifier = $1',
          [tellTask],
        )
      ).rows;
    // One job for each movement of the broken one: the deposit and the investment. They fail alone.
    await expect
      .poll(async () => (await setAside()).map(({ attempts }) => attempts > 0), patience)
      .toEqual([true, true]);
    expect(await test.context.telling.hasTold()).toBe(true);

    await test.context.owner.query('update users set email = $2 where id = $1', [broken, emails[1]]);
    const jobs = (await setAside()).map(({ id }) => id);
    await test.context.owner.query('select graphile_worker.reschedule_jobs($1::bigint[], run_at => now())', [
      jobs,
    ]);
    await expect.poll(setAside, patience).toEqual([]);
    expect(await Promise.all(emails.map(opened))).toEqual([1, 1, 1]);
    await test.restart();
    expect(await Promise.all(emails.map(opened))).toEqual([1, 1, 1]);
  });
});

it('the past that a demo begins with is mailed to nobody, and stands in the lists', async () => {
  const demo = await startTestApp();
  try {
    // As at the first start of a demo: the server begins to work when all is there.
    await demo.jobs.stop();
    await seedDemo(demo.context);
    const { rows } = await demo.context.owner.query('select count(*)::int as n from ledger_movements');
    expect(rows[0].n).toBeGreaterThan(20);
    const noted = await demo.context.owner.query(
      `select title, read_at is null as new, at < now() - interval '200 days' as old from notices
       join users on users.id = user_id where email = $1 order by notices.id`,
      [demoInvestor.email],
    );
    expect(noted.rows[0]).toMatchObject({ old: true, new: false });
    expect(noted.rows.filter((row) => row.new)).toMatchObject([{ title: 'You asked to withdraw $750.00' }]);
    const kinds = async () => (await queuedLetters(demo.context)).map(({ letter }) => letter.kind);
    // The visitor's message goes to support.
    expect(await kinds()).toEqual(['contact-message']);
    await demo.restart();
    await allTold(demo);
    await expect.poll(kinds, patience).toEqual([]);
    expect(await demo.context.inbox?.list()).toHaveLength(1);
  } finally {
    await demo.close();
  }
});
