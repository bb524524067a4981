import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Context } from '../../../context.ts';
import { outcomes, times } from '../../../testing/at-once.ts';
import { behind, blockedBackends, whileHeld } from '../../../testing/blocked.ts';
import { dayMs } from '../../../testing/clock.ts';
import { balancesOf, fundedInvestor, investOn, newInvestor } from '../../../testing/ledger/investors.ts';
import { startSecondServer } from '../../../testing/ledger/second-server.ts';
import { watchStatements } from '../../../testing/ledger/sent.ts';
import { tamperingWith } from '../../../testing/ledger/tampering.ts';
import { deposit, type Offers, withOffers } from '../../../testing/money.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';
import { settlementParts } from '../../investment/settlement-store.ts';

const returns = { kind: 'returns', ownerId: null } as const;
let test: TestApp;
let offers: Offers;
/** Begins to remember with each case, and doubts nothing. */
let server: Context;
let userId: string;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  // What is due is settled here, and not by the clock.
  await test.jobs.stop();
});
afterAll(() => test.close());
beforeEach(async () => {
  server = await startSecondServer(test);
  userId = await fundedInvestor(test, 1000);
});
afterEach(async () => {
  expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
  await server.close();
});

const invest = (on: Context, dollars: number) =>
  investOn(on, { offers, userId, amountCents: BigInt(100 * dollars) });
const investLonger = (on: Context, whose: string) =>
  investOn(on, { offers, userId: whose, plan: 'Standard', amountCents: 2000_00n });
/** What was invested for longer is due only by then. */
const settleLater = () => {
  test.clock.advance(30 * dayMs);
  return server.investment.settleDue();
};
const balances = async () => {
  const [available, invested] = await balancesOf(test, userId);
  return [available / 100n, invested / 100n];
};

it('the first two to pay a profit at all do so, though one of them makes the account for both', async () => {
  const another = await fundedInvestor(test, 2000);
  await invest(server, 100);
  await investLonger(server, another);
  test.clock.advance(31 * dayMs);
  const house = `select from ledger_accounts where kind = 'returns'`;
  expect((await test.context.owner.query(house)).rowCount).toBe(0);
  const sent = watchStatements();
  const tries = () => sent.all().filter(({ name }) => name === 'take what is due').length;
  let both: Promise<string[]> | undefined;
  await whileHeld(test, 'lock table investments in share mode', [], async () => {
    const first = server.investment.settleDue();
    await blockedBackends(test);
    both = outcomes([first, settleLater()]);
    // The second was refused entries of an account that is not there yet, and is at it again.
    await expect.poll(tries).toBe(3);
  });
  sent.stop();
  expect(await both).toEqual(['done', 'done']);
  expect((await test.context.owner.query(house)).rowCount).toBe(1);
  expect((await balances())[1]).toBe(0n);
});

it('two servers settle what is due, each on the account that the other has changed', async () => {
  await deposit(test, userId, 5000);
  test.clock.advance(400 * dayMs);
  await test.context.investment.settleDue();
  for (let round = 0; round < 3; round += 1) {
    for (const each of [server, test.context]) {
      await Promise.all(times(55, () => invest(each, 100)));
      test.clock.advance(400 * dayMs);
      expect(await each.investment.settleDue()).toEqual({ settled: 55 });
    }
  }
  expect((await balances())[1]).toBe(0n);
});

it('who was wrong about the account that profits are paid from locks it for a while', async () => {
  const settled = async (on: Context) => {
    await invest(on, 100);
    test.clock.advance(400 * dayMs);
    const sent = watchStatements();
    expect(await on.investment.settleDue()).toEqual({ settled: 1 });
    const names = sent.all().map(({ name }) => name);
    sent.stop();
    return names.filter((name) => name === "lock the house's accounts").length;
  };
  expect(await settled(server)).toBe(1);
  expect(await settled(server)).toBe(0);
  await settled(test.context);
  expect(await settled(server)).toBe(1);
  expect(await settled(server)).toBe(1);
});

/** How it locked the investors' accounts when it settled so many. */
async function lockedToSettle(settled: number): Promise<(string | undefined)[]> {
  test.clock.advance(400 * dayMs);
  const sent = watchStatements();
  expect(await server.investment.settleDue()).toEqual({ settled });
  const names = sent.all().map(({ name }) => name);
  sent.stop();
  return names.filter((name) => name === 'lock accounts' || name === 'lock known accounts');
}

it('accounts that it knows it does not lock, and takes what another has changed as it is now', async () => {
  const one = await invest(server, 100);
  // The account that profits are paid from is locked behind them, and not known yet.
  expect(await lockedToSettle(1)).toEqual(['lock known accounts']);
  const two = await invest(server, 200);
  expect(await lockedToSettle(1)).toEqual([]);
  const three = await invest(server, 300);
  await deposit(test, userId, 50);
  expect(await lockedToSettle(1)).toEqual(['lock accounts']);
  // Who was wrong locks for a while, though these are as it knows them.
  const four = await invest(server, 100);
  expect(await lockedToSettle(1)).toEqual(['lock known accounts']);
  const profits = [one, two, three, four].reduce((sum, { profitCents }) => sum + profitCents, 0n);
  const { availableCents, investedCents } = await test.context.ledger.summary({ userId });
  expect([availableCents, investedCents]).toEqual([1050_00n + profits, 0n]);
});

it('accounts that it does not know, all or one of them, it locks and reads', async () => {
  const known = userId;
  await invest(server, 100);
  userId = await fundedInvestor(test, 1000);
  await invest(test.context, 100);
  expect(await lockedToSettle(2)).toEqual(['lock accounts']);
  expect((await balances())[1]).toBe(0n);
  userId = known;
  expect((await balances())[1]).toBe(0n);
});

it("the house's accounts it locks behind all others, also when it knows them", async () => {
  await invest(server, 100);
  await lockedToSettle(1);
  const sent = watchStatements();
  await server.ledger.inBook({
    async read(_tx, { openBook }) {
      const named = [returns, { kind: 'wallet', ownerId: userId } as const];
      return { facts: null, book: await openBook(named) };
    },
    post() {},
  });
  const names = sent.all().map(({ name }) => name);
  sent.stop();
  expect(names.filter((name) => name?.startsWith('lock'))).toEqual([
    'lock accounts',
    "lock the house's accounts",
  ]);
});

it('investors of all parts are paid', async () => {
  const people = new Map<number, string>();
  while (people.size < settlementParts) {
    const id = await newInvestor(test);
    people.set(Number.parseInt(id.slice(-2), 16) % settlementParts, id);
  }
  for (const id of people.values()) {
    userId = id;
    await deposit(test, userId, 2000);
    await Promise.all(times(20, () => invest(server, 100)));
  }
  test.clock.advance(400 * dayMs);
  expect(await server.investment.settleDue()).toEqual({ settled: 20 * settlementParts });
});

it('settling is over when all its parts are, also when one has failed', async () => {
  const partOf = (id: string) => Number.parseInt(id.slice(-2), 16) % settlementParts;
  const fails = userId;
  let waits = userId;
  while (partOf(waits) === partOf(fails)) waits = await newInvestor(test);
  await deposit(test, waits, 2000);
  // As many as the first batch takes, and due before the others.
  userId = await fundedInvestor(test, 5000);
  await Promise.all(times(50, () => invest(server, 100)));
  test.clock.advance(dayMs);
  for (userId of [fails, waits]) await invest(server, 100);
  test.clock.advance(400 * dayMs);
  const { owner } = test.context;
  // What was counted stays counted.
  await owner.query(`create sequence failed;
    create function fail_or_wait() returns trigger language plpgsql security definer as $$ begin
      if new.user_id = '${fails}' and nextval('failed') > 0 then raise 'broken' using errcode = 'check_violation'; end if;
      if new.user_id = '${waits}' then perform pg_advisory_xact_lock(1); end if;
      return new;
    end $$;
    create trigger fail_or_wait before update on investments for each row execute function fail_or_wait()`);
  const mend = () =>
    owner.query('drop function if exists fail_or_wait cascade; drop sequence if exists failed');
  onTestFinished(async () => void (await mend()));
  const hasFailed = async () => (await owner.query('select is_called from failed')).rows[0].is_called;
  const ends: string[] = [];
  let settling: Promise<unknown> | undefined;
  await whileHeld(test, 'select pg_advisory_xact_lock(1)', [], async () => {
    settling = outcomes([server.investment.settleDue()]).then((all) => ends.push(...all));
    await expect.poll(hasFailed).toBe(true);
    await blockedBackends(test);
    expect(ends).toEqual([]);
  });
  await settling;
  await mend();
  expect(ends).toEqual(['23514']);
  expect(await server.investment.settleDue()).toEqual({ settled: 1 });
});

it.each(['balance_cents', 'entry_count'])(
  'where someone has changed %s beside the journal, it is not settled over, so that the check finds it',
  async (column) => {
    await invest(server, 100);
    await lockedToSettle(1);
    await invest(server, 100);
    const tampering = await tamperingWith(test.database.adminUrl);
    try {
      await tampering.sql(
        `update ledger_accounts set ${column} = ${column} + 7 where kind = 'wallet' and owner_id = $1`,
        [userId],
      );
      expect(await lockedToSettle(1)).toEqual(['lock accounts']);
      expect((await test.context.ledger.checkBooks()).findings).not.toEqual([]);
    } finally {
      await tampering.undo();
      await tampering.end();
    }
  },
);

/** As the database ends one of two who wait for each other; what was counted stays counted. */
const undoFirst = `create sequence tries;
  create function undo_first() returns trigger language plpgsql security definer as $$ begin
    if nextval('tries') = 1 then raise 'a circle' using errcode = 'deadlock_detected'; end if;
    return new;
  end $$;
  create trigger undo_first before update on ledger_accounts for each row when (new.kind = 'returns')
    execute function undo_first()`;
const undoNoMore = 'drop function if exists undo_first cascade; drop sequence if exists tries';

it('what the database has undone is settled again, and does not wait for what it left the first time', async () => {
  const due = async () => {
    const { profitCents } = await invest(server, 100);
    test.clock.advance(400 * dayMs);
    return profitCents;
  };
  const first = await due();
  await server.investment.settleDue();
  const second = await due();
  const { owner, ledger } = test.context;
  await owner.query(undoFirst);
  onTestFinished(async () => void (await owner.query(undoNoMore)));
  expect(await server.investment.settleDue()).toEqual({ settled: 1 });
  const { rows } = await owner.query('select last_value::int as tries from tries');
  await owner.query(undoNoMore);
  expect(rows).toEqual([{ tries: 2 }]);
  expect((await ledger.summary({ userId })).availableCents).toBe(1000_00n + first + second);
});

it('what was undone is nothing to wait for, least of all with what its next try needs', async () => {
  await deposit(test, userId, 5000);
  await invest(server, 100);
  test.clock.advance(400 * dayMs);
  await server.investment.settleDue();
  await investLonger(server, userId);
  await invest(server, 100);
  test.clock.advance(31 * dayMs);
  const { owner } = test.context;
  await owner.query(undoFirst);
  onTestFinished(async () => void (await owner.query(undoNoMore)));
  const house = `select from ledger_accounts where kind = 'returns' for update`;
  // The later goes to the wallet that the first one holds.
  const ends = await behind(test, house, [], [server.investment.settleDue, settleLater]);
  await owner.query(undoNoMore);
  expect(ends).toEqual(['done', 'done']);
  expect((await balances())[1]).toBe(0n);
});
