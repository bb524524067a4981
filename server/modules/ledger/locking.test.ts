import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { inTransaction } from '../../platform/postgres/db.ts';
import { outcomes } from '../../testing/at-once.ts';
import { blockedBackends } from '../../testing/blocked.ts';
import { fundedInvestor, newInvestor } from '../../testing/ledger/investors.ts';
import { goodAddress, type Offers, withOffers } from '../../testing/money.ts';
import { standBetween, streamOf } from '../../testing/postgres/between.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { type Account, genesisHash } from './rules.ts';
import { lockAccounts, lockKnown, readChanged } from './store.ts';

let test: TestApp;
let offers: Offers;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
});
afterAll(() => test.close());

/** Two accounts of an investor, in the order of their ids: one with an entry, one that is new. */
let known: [Account, Account];
beforeEach(async () => {
  const ownerId = await fundedInvestor(test);
  const names = (['wallet', 'invested'] as const).map((kind) => ({ kind, ownerId }));
  const accounts = await inTransaction(test.context.db, (tx) => lockAccounts(tx, names));
  known = accounts.toSorted((a, b) => (a.id < b.id ? -1 : 1)) as typeof known;
});
const lock = (accounts: Account[]) => inTransaction(test.context.db, (tx) => lockKnown(tx, accounts));

it('what is as it is known is locked and not read', async () => {
  expect(await lock(known)).toEqual([]);
  expect(await readChanged(test.context.db, known)).toEqual([]);
});

it.each<Partial<Account>>([
  { balanceCents: 1n },
  { entryCount: 7n },
  { head: '1'.repeat(64) },
  { lastEntryAt: new Date(0) },
])('what is not as it is known is read as it is: %o', async (wrong) => {
  const [one, other] = known;
  for (const thought of [
    [{ ...one, ...wrong }, other],
    [one, { ...other, ...wrong }],
  ]) {
    const changed = known.filter((account, n) => account !== thought[n]);
    expect(changed).toHaveLength(1);
    expect(await lock(thought)).toMatchObject(changed);
    expect(await readChanged(test.context.db, thought)).toEqual(changed);
  }
});

it('those that are made later have later ids, so that what moves together is together', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const name = { kind: 'wallet', ownerId: randomUUID() } as const;
    const [made] = await inTransaction(test.context.db, (tx) => lockAccounts(tx, [name]));
    ids.push(made?.id ?? '');
  }
  // The first twelve digits are the time, in which two may be made at the same millisecond.
  const moments = ids.map((id) => id.slice(0, 13));
  expect(moments).toEqual(moments.toSorted());
  expect(ids.map((id) => id[14])).toEqual(['7', '7', '7', '7', '7']);
});

it('one that is not there is told', async () => {
  const ghost = { ...known[0], id: randomUUID(), head: genesisHash };
  expect(await lock([ghost])).toBeNull();
  expect(await lock([...known, ghost])).toBeNull();
});

it('they are locked in the order of their ids, whatever order they are named in', async () => {
  const third = new pg.Client({ connectionString: test.database.adminUrl });
  await third.connect();
  try {
    const [low, high] = known;
    const hold = 'select from ledger_accounts where id = $1 for update nowait';
    await third.query('begin');
    await third.query(hold, [low.id]);
    const locking = lock([high, low]);
    await blockedBackends(test);
    await third.query(hold, [high.id]);
    await third.query('commit');
    expect(await locking).toEqual([]);
  } finally {
    await third.end();
  }
});

it('who had to wait for accounts that another was making sees what that has answered under its key', async () => {
  const userId = await newInvestor(test);
  const another = await test.context.owner.connect();
  try {
    await another.query('begin');
    await another.query(
      `insert into ledger_accounts (kind, owner_id) values ('wallet', $1::uuid), ('invested', $1)`,
      [userId],
    );
    const wish = { userId, planId: offers.plans.Starter, amountCents: 100_00n, idempotencyKey: 'one' };
    const asking = outcomes([test.context.investment.makeInvestment(wish)]);
    await blockedBackends(test);
    await another.query(
      `insert into ledger_refusals (scope, key, body_sha256, at, refused) values ($1, 'one', '\\x00', $2, $3)`,
      [userId, test.clock.now(), { code: 'insufficient_funds', message: 'Not enough.' }],
    );
    await another.query('commit');
    expect(await asking).toEqual(['key_reused']);
  } finally {
    another.release();
  }
});

/** Cuts the connection behind the statement of this name that is asked for so many times. */
function cutBehind(name: string, count: number): { wasCut(): boolean; undo(): void } {
  let times = 0;
  const queries = standBetween((asked, send, client) => {
    const answer = send(...asked);
    const [statement] = asked as [{ name?: string }];
    if (statement.name === name && ++times === count) streamOf(client).destroy();
    return answer;
  });
  return { wasCut: () => times >= count, undo: () => queries.mockRestore() };
}

it('where the connection breaks while keys are looked up again, nothing fails that nobody waits for', async () => {
  const userId = await fundedInvestor(test, 500);
  const unheard: unknown[] = [];
  const hear = (error: unknown) => void unheard.push(error);
  const listeners = process.rawListeners('unhandledRejection') as NodeJS.UnhandledRejectionListener[];
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', hear);
  // The account of what is being withdrawn is made first, so keys are looked up a second time.
  const connection = cutBehind('find commands', 2);
  try {
    await test.context.withdrawal.askForWithdrawal({
      userId,
      methodId: offers.withdrawalMethods.Bitcoin,
      amountCents: 100_00n,
      address: goodAddress.Bitcoin,
      idempotencyKey: null,
    });
  } finally {
    connection.undo();
    process.removeAllListeners('unhandledRejection');
    for (const listener of listeners) process.on('unhandledRejection', listener);
  }
  expect(connection.wasCut()).toBe(true);
  expect(unheard).toEqual([]);
});
