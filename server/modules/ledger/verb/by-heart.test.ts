import type { Socket } from 'node:net';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Context } from '../../../context.ts';
import { Connection } from '../../../platform/postgres/pool/connection.ts';
import { outcomes, times } from '../../../testing/at-once.ts';
import { behind, blockedBackends } from '../../../testing/blocked.ts';
import { dayMs } from '../../../testing/clock.ts';
import { newInvestor } from '../../../testing/ledger/investors.ts';
import { startSecondServer } from '../../../testing/ledger/second-server.ts';
import { watchStatements } from '../../../testing/ledger/sent.ts';
import { tamperingWith } from '../../../testing/ledger/tampering.ts';
import { deposit, type Offers, operator, withOffers } from '../../../testing/money.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';

// A busy machine takes its time; nothing here is about speed.

let test: TestApp;
let offers: Offers;
/** Begins to remember with each case, and doubts nothing. */
let server: Context;
let userId: string;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  // What happens by the clock ends transactions, too, and is not what is waited for here.
  await test.jobs.stop();
});
afterAll(() => test.close());
beforeEach(async () => {
  server = await startSecondServer(test);
  userId = await newInvestor(test);
  await deposit(test, userId, 1000);
});
afterEach(async () => {
  vi.restoreAllMocks();
  expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
  await server.close();
});

const invest = (on: Context, dollars: number, idempotencyKey: string | null = null) =>
  on.investment.makeInvestment({
    userId,
    planId: offers.plans.Starter,
    amountCents: BigInt(100 * dollars),
    idempotencyKey,
  });
const balances = async () => {
  const { availableCents, investedCents } = await test.context.ledger.summary({ userId });
  return [availableCents / 100n, investedCents / 100n];
};

/** How often accounts were read, locked, and written, meanwhile. */
async function readLockedWritten(work: () => Promise<unknown>): Promise<[number, number, number]> {
  const sent = watchStatements();
  await work();
  const names = sent.all().map(({ name }) => name);
  sent.stop();
  const count = (wanted: string) => names.filter((name) => name === wanted).length;
  return [count('read accounts'), count('lock accounts'), count('update accounts')];
}

it('what this server has written itself it does not ask for again', async () => {
  await invest(test.context, 100);
  expect(await readLockedWritten(() => invest(server, 100))).toEqual([0, 1, 1]);
  expect(await readLockedWritten(() => invest(server, 100))).toEqual([0, 0, 1]);
  const many = () => Promise.all(times(5, () => invest(server, 100)));
  expect((await readLockedWritten(many)).slice(0, 2)).toEqual([0, 0]);
  expect(await balances()).toEqual([200n, 800n]);
});

it('whom this server has not seen yet it reads, and holds nobody up', async () => {
  await invest(server, 100);
  userId = await newInvestor(test);
  await deposit(test, userId, 1000);
  await invest(test.context, 100);
  expect(await readLockedWritten(() => invest(server, 100))).toEqual([1, 0, 1]);
  expect(await readLockedWritten(() => invest(server, 100))).toEqual([0, 0, 1]);
  expect(await balances()).toEqual([700n, 300n]);
});

it('who has no account yet is refused as ever', async () => {
  await invest(server, 100);
  userId = await newInvestor(test);
  expect(await outcomes([invest(server, 100)])).toEqual(['insufficient_funds']);
});

it('what another server has changed meanwhile is seen, and read; for a while nothing is taken for known', async () => {
  await invest(server, 100);
  await invest(test.context, 100);
  expect(await readLockedWritten(() => invest(server, 100))).toEqual([1, 0, 2]);
  expect(await readLockedWritten(() => invest(server, 100))).toEqual([1, 0, 1]);
  expect(await balances()).toEqual([600n, 400n]);
});

it('two servers that both remember spend the same money once', async () => {
  const both = [server, test.context] as const;
  for (const each of both) await invest(each, 100);
  const ends = await outcomes(times(40, (n) => invest(both[n % 2 ? 1 : 0], 100)));
  expect(ends.filter((end) => end === 'done')).toHaveLength(8);
  expect(ends.filter((end) => end === 'insufficient_funds')).toHaveLength(32);
  expect(await balances()).toEqual([0n, 1000n]);
});

it('a key that was used gets its first answer, and one that was refused its refusal', async () => {
  const short = () => outcomes([invest(server, 1500, 'too much')]);
  expect(await short()).toEqual(['insufficient_funds']);
  const first = await invest(server, 100, 'once');
  await deposit(test, userId, 1000);
  await invest(server, 100);
  expect(await invest(server, 100, 'once')).toEqual(first);
  expect(await outcomes([invest(server, 200, 'once')])).toEqual(['key_reused']);
  expect(await short()).toEqual(['insufficient_funds']);
  expect(await balances()).toEqual([1800n, 200n]);
});

it('a key that another server refuses at the same moment is not good for another wish', async () => {
  await invest(server, 100);
  const { query } = Connection.prototype;
  const mayEnd = Promise.withResolvers<void>();
  const ends = vi.spyOn(Connection.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    if (args[0] !== 'commit') return Reflect.apply(query, this, args);
    ends.mockRestore();
    return mayEnd.promise.then(() => Reflect.apply(query, this, args));
  } as typeof query);
  const refused = outcomes([invest(test.context, 1500, 'k')]);
  await expect.poll(() => vi.isMockFunction(Connection.prototype.query)).toBe(false);
  const other = outcomes([invest(server, 100, 'k')]);
  await blockedBackends(test);
  mayEnd.resolve();
  expect(await refused).toEqual(['insufficient_funds']);
  expect(await other).toEqual(['key_reused']);
  expect(await balances()).toEqual([900n, 100n]);
});

it('a balance that was changed beside the journal is not written over, so that the check finds it', async () => {
  await invest(server, 100);
  const tampering = await tamperingWith(test.database.adminUrl);
  try {
    await tampering.sql(
      `update ledger_accounts set balance_cents = balance_cents + 7 where kind = 'wallet' and owner_id = $1`,
      [userId],
    );
    await invest(server, 100);
    expect((await test.context.ledger.checkBooks()).findings).not.toEqual([]);
  } finally {
    await tampering.sql(`delete from ledger_commands where scope = $1`, [userId]);
    await tampering.undo();
    await tampering.end();
  }
});

it('a plan that is not offered any more takes nothing', async () => {
  await invest(server, 100);
  const switched = (active: boolean) =>
    test.context.investment.switchPlan({ planId: offers.plans.Starter, active, actor: operator() });
  await switched(false);
  expect(await outcomes([invest(server, 100)])).toEqual(['not_found']);
  await switched(true);
  await invest(server, 100);
  expect(await balances()).toEqual([800n, 200n]);
});

it('a batch that fails leaves nothing to go on from', async () => {
  await invest(server, 100);
  const { query } = Connection.prototype;
  vi.spyOn(Connection.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...[text, ...rest]: unknown[]
  ) {
    return Reflect.apply(query, this, [text === 'commit' ? 'rollback' : text, ...rest]);
  } as typeof query);
  expect(await outcomes([invest(server, 100)])).not.toEqual(['done']);
  vi.restoreAllMocks();
  await invest(server, 100);
  expect(await balances()).toEqual([800n, 200n]);
});

it('a commit that was made and not heard of has its effect once, is answered, and is gone on from', async () => {
  await invest(server, 100);
  const { query } = Connection.prototype;
  const ends = vi.spyOn(Connection.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const answer = Reflect.apply(query, this, args);
    if (args[0] !== 'commit') return answer;
    ends.mockRestore();
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
    stream.pause();
    void expect
      .poll(balances)
      .toEqual([600n, 400n])
      .finally(() => stream.destroy());
    return answer;
  } as typeof query);
  const made = await Promise.all(times(3, () => invest(server, 100)));
  expect(await balances()).toEqual([600n, 400n]);
  made.push(await invest(server, 100));
  const { rows } = await test.context.owner.query<{ id: string }>(
    'select id from investments where user_id = $1',
    [userId],
  );
  expect(new Set(rows.map(({ id }) => id)).isSupersetOf(new Set(made.map(({ id }) => id)))).toBe(true);
  expect(rows).toHaveLength(5);
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

/** As the database ends one of two who wait for each other; what was counted stays counted. */
const undoFirst = `create sequence tries;
  create function undo_first() returns trigger language plpgsql security definer as $$ begin
    if nextval('tries') = 1 then raise 'a circle' using errcode = 'deadlock_detected'; end if;
    return new;
  end $$;
  create trigger undo_first before update on ledger_accounts for each row when (new.kind = 'returns')
    execute function undo_first()`;

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
  expect(await server.investment.settleDue()).toEqual({ settled: 1 });
  const { rows } = await owner.query('select last_value::int as tries from tries');
  await owner.query('drop function undo_first cascade; drop sequence tries');
  expect(rows).toEqual([{ tries: 2 }]);
  expect((await ledger.summary({ userId })).availableCents).toBe(1000_00n + first + second);
});

it('what was undone is nothing to wait for, least of all with what its next try needs', async () => {
  await deposit(test, userId, 5000);
  await invest(server, 100);
  test.clock.advance(400 * dayMs);
  await server.investment.settleDue();
  const longer = { planId: offers.plans.Standard, amountCents: 2000_00n, idempotencyKey: null };
  await server.investment.makeInvestment({ userId, ...longer });
  await invest(server, 100);
  test.clock.advance(31 * dayMs);
  const { owner } = test.context;
  await owner.query(undoFirst);
  // Which is due only by then, and goes to the wallet that the first one holds.
  const later = () => {
    test.clock.advance(30 * dayMs);
    return server.investment.settleDue();
  };
  const house = `select from ledger_accounts where kind = 'returns' for update`;
  const ends = await behind(test, house, [], [server.investment.settleDue, later]);
  await owner.query('drop function undo_first cascade; drop sequence tries');
  expect(ends).toEqual(['done', 'done']);
  expect((await balances())[1]).toBe(0n);
});
