import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { outcomes, times } from '../../../testing/at-once.ts';
import { answeredBackends, behind, blockedBackends, whileHeld } from '../../../testing/blocked.ts';
import { dayMs } from '../../../testing/clock.ts';
import { fundedInvestor, investOn } from '../../../testing/ledger/investors.ts';
import { startSecondServer } from '../../../testing/ledger/second-server.ts';
import { watchStatements } from '../../../testing/ledger/sent.ts';
import { tamperingWith } from '../../../testing/ledger/tampering.ts';
import { deposit, type Offers, withOffers } from '../../../testing/money.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';

/** Settling accounts that nobody has locked for it, beside others who have them or wait for it. */
let test: TestApp;
let offers: Offers;
/** Knows the account that profits are paid from, and doubts nothing. */
let server: Context;
let ann: string;
let bob: string;

beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  // What is due is settled here, and not by the clock.
  await test.jobs.stop();
});
afterAll(() => test.close());
beforeEach(async () => {
  server = await startSecondServer(test);
  ann = await fundedInvestor(test, 9000);
  bob = await fundedInvestor(test, 9000);
  await invest(server, ann);
  await settle(31);
});
afterEach(async () => {
  expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
  for (const userId of [ann, bob]) {
    expect((await test.context.ledger.summary({ userId })).investedCents).toBe(0n);
  }
  await server.close();
});

const invest = (on: Context, userId: string, plan: 'Starter' | 'Standard' = 'Starter') =>
  investOn(on, { offers, userId, plan, amountCents: plan === 'Starter' ? 100_00n : 2000_00n });
/** A Starter plan is over after 30 days, a Standard one after 60. */
const settle = (days: number) => {
  test.clock.advance(days * dayMs);
  return server.investment.settleDue();
};
/** Of the last question before the accounts. */
const choicesOfDue = 'told_plan_id';
const walletOf = `select from ledger_accounts where kind = 'wallet' and owner_id = $1 for update`;
const investedOf = `select from ledger_accounts where kind = 'invested' and owner_id = $1 for update`;

it('an account that is being written here is locked first, and found as that leaves it', async () => {
  await invest(server, ann);
  await invest(server, bob);
  test.clock.advance(31 * dayMs);
  const sent = watchStatements();
  const both = [() => invest(server, ann), () => server.investment.settleDue()];
  expect(await behind(test, walletOf, [ann], both)).toEqual(['done', 'done']);
  const names = sent.all().map(({ name }) => name);
  sent.stop();
  expect(names.filter((name) => name?.startsWith('lock'))).toEqual(['lock known accounts']);
  expect(await settle(31)).toEqual({ settled: 1 });
});

it.each([
  ['knows', () => server],
  ['has to lock', () => test.context],
])('who comes next has none of the accounts that it %s before the one before has its own', async (_, by) => {
  await invest(server, ann);
  await invest(by(), bob, 'Standard');
  let both: Promise<unknown>[] = [];
  await whileHeld(test, walletOf, [ann], async () => {
    const anns = settle(31);
    await blockedBackends(test);
    both = [anns, settle(30)];
    await answeredBackends(test, choicesOfDue);
    // By another server, who meets nobody at Bob's accounts.
    await invest(test.context, bob);
  });
  expect(await Promise.all(both)).toEqual([{ settled: 1 }, { settled: 1 }]);
  expect(await settle(31)).toEqual({ settled: 1 });
});

it('who cannot have its accounts keeps nobody from having theirs, not even who waits behind it', async () => {
  await invest(server, ann);
  await invest(server, bob, 'Standard');
  await whileHeld(test, walletOf, [ann], async () => {
    const anns = settle(31);
    await blockedBackends(test);
    // The database lets nobody wait for an account for longer than three seconds.
    expect(await outcomes([anns, settle(30)])).toEqual(['55P03', 'done']);
  });
  expect(await settle(0)).toEqual({ settled: 1 });
});

it('who fails when its turn has come keeps nobody from having theirs', async () => {
  await invest(server, ann);
  await invest(server, bob, 'Standard');
  let all: Promise<string[]> | undefined;
  await whileHeld(test, walletOf, [ann], async () => {
    const anns = settle(31);
    await blockedBackends(test);
    const fails = server.ledger.postSideBySide({
      find: async () => ({ facts: null, owned: [{ kind: 'wallet', ownerId: bob }], house: [] }),
      post() {
        throw new AppError('busy', 'This one fails.');
      },
      written: () => [],
    });
    all = outcomes([anns, fails, settle(30)]);
  });
  expect(await all).toEqual(['done', 'busy', 'done']);
});

it('what another server has opened since is paid, though here it is remembered that nothing is left', async () => {
  await invest(test.context, ann);
  expect(await settle(31)).toEqual({ settled: 1 });
});

it('what was remembered of a wrong time keeps nobody from investing, nor unpaid, once the time is right', async () => {
  const [cyd, dan] = [await fundedInvestor(test, 9000), await fundedInvestor(test, 9000)];
  for (const userId of [cyd, dan]) await invest(test.context, userId);
  const tampering = await tamperingWith(test.database.adminUrl);
  try {
    await tampering.sql(
      `update ledger_accounts set last_entry_at = last_entry_at + interval '1 year'
      where kind = 'wallet' and owner_id = any($1)`,
      [[cyd, dan]],
    );
    // It reads their accounts for that, and remembers them.
    await expect(invest(server, cyd)).rejects.toThrow('an entry from the future');
    await expect(invest(server, dan)).rejects.toThrow('an entry from the future');
  } finally {
    await tampering.undo();
    await tampering.end();
  }
  await invest(server, dan);
  expect(await settle(31)).toEqual({ settled: 3 });
});

it('who was wrong waits here for who is under way, and not in the database with the account of profits', async () => {
  await invest(server, ann);
  await invest(server, bob, 'Standard');
  // Bob's wallet is another by now than this server remembers.
  await deposit(test, bob, 10);
  const sent = watchStatements();
  let all: Promise<string[]> | undefined;
  // Whoever settles has written its entries by then, and is about to write the account of profits.
  await whileHeld(test, 'lock table investments in share mode', [], async () => {
    const anns = settle(31);
    await blockedBackends(test);
    const bobs = settle(30);
    await expect.poll(() => sent.all().some(({ name }) => name?.startsWith('lock'))).toBe(true);
    // Blocked, too, as soon as the second has locked what is Bob's; and the second is not.
    const late = deposit(test, bob, 10);
    await blockedBackends(test, 2);
    all = outcomes([anns, bobs, late]);
  });
  expect(await all).toEqual(['done', 'done', 'done']);
  const tries = sent.all().filter(({ name }) => name === 'take what is due');
  sent.stop();
  // One of the first, two of the second, none of who was undone because they waited in a circle.
  expect(tries).toHaveLength(3);
});

it('who comes after one that was wrong does not go on from it', async () => {
  await invest(server, ann);
  await invest(server, bob, 'Standard');
  // Her wallet is another by now; who waits for what she has invested has left both before that is found out.
  await deposit(test, ann, 10);
  const sent = watchStatements();
  let both: Promise<string[]> | undefined;
  await whileHeld(test, investedOf, [ann], async () => {
    const anns = settle(31);
    await blockedBackends(test);
    both = outcomes([anns, settle(30)]);
    await answeredBackends(test, choicesOfDue);
  });
  expect(await both).toEqual(['done', 'done']);
  const tries = sent.all().filter(({ name }) => name === 'take what is due');
  sent.stop();
  // Two of the one, one of the other.
  expect(tries).toHaveLength(3);
});

it('beside investors who invest all the while on two servers all is paid once, and nobody is refused', async () => {
  const people = [ann, bob];
  for (let round = 0; round < 4; round += 1) {
    for (const userId of people) await Promise.all(times(10, () => invest(server, userId)));
    test.clock.advance(31 * dayMs);
    const [first, second, ...invested] = await Promise.all([
      server.investment.settleDue(),
      test.context.investment.settleDue(),
      ...people.flatMap((userId) => [
        ...times(5, () => invest(server, userId)),
        ...times(5, () => invest(test.context, userId)),
      ]),
    ]);
    expect(first.settled + second.settled).toBe(20);
    expect(invested).toHaveLength(20);
    test.clock.advance(31 * dayMs);
    expect(await server.investment.settleDue()).toEqual({ settled: 20 });
  }
});
