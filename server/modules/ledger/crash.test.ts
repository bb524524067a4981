import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dayMs } from '../../testing/clock.ts';
import { balancesOf, fundedInvestor, investOn } from '../../testing/ledger/investors.ts';
import { type Offers, withOffers } from '../../testing/money.ts';
import { leaveCommitUnheard } from '../../testing/postgres/between.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { type MoneyCommand, movement, newTransactionId } from './service.ts';

let test: TestApp;
let offers: Offers;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
});
afterAll(() => test.close());
afterEach(async () => {
  expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
});

const funded = (dollars: number) => fundedInvestor(test, dollars);
const balances = (userId: string) => balancesOf(test, userId);

interface Give extends MoneyCommand {
  userId: string;
}
const giveTen = (crash: () => Promise<void>) =>
  test.context.ledger.verb<Give, null, { given: boolean }>({
    bodyOf: () => 'give',
    read: async (_tx, commands, { openBook }) => ({
      facts: null,
      book: await openBook([
        ...commands.map(({ userId }) => ({ kind: 'wallet', ownerId: userId }) as const),
        { kind: 'corrections', ownerId: null },
      ]),
    }),
    decide({ command: { userId }, book, now }) {
      const postings = [
        { account: { kind: 'wallet', ownerId: userId } as const, amountCents: 10n, label: 'Test' },
        { account: { kind: 'corrections', ownerId: null } as const, amountCents: -10n, label: 'Test' },
      ];
      book.post(movement({ kind: 'correction', at: now, postings }));
      return { row: { given: true } };
    },
    // The ledger has written by now; its transaction is still open.
    write: crash,
  });
const traces = async () =>
  (
    await test.context.owner.query(
      `select (select count(*) from ledger_commands) as keys, (select count(*) from ledger_entries) as entries,
         (select count(*) from ledger_movements) as movements, (select sum(entry_count) from ledger_accounts) as counted`,
    )
  ).rows[0];

it('a crash in the middle leaves no entry, no balance and no key, and the same key works afterwards', async () => {
  const userId = await funded(100);
  const before = await traces();
  const command = { userId, scope: userId, idempotencyKey: 'crash' };
  const failing = giveTen(() => Promise.reject(new Error('power cut')));
  await expect(failing(command)).rejects.toThrow('power cut');
  expect(await traces()).toEqual(before);
  expect(await balances(userId)).toEqual([10_000n, 0n, 0n]);
  await giveTen(async () => {})(command);
  expect(await balances(userId)).toEqual([10_010n, 0n, 0n]);
});

it('a connection that breaks in the middle leaves nothing either', async () => {
  const userId = await funded(100);
  const before = await traces();
  const admin = new pg.Client({ connectionString: test.database.adminUrl });
  await admin.connect();
  const killed = giveTen(() =>
    // What the ledger writes is on its way; then the transaction waits for this. Copies of one database have the same
    // numbers for their tables: those of other tests are not meant.
    expect
      .poll(async () => {
        const { rowCount } = await admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity join pg_locks using (pid)
           where state = 'idle in transaction' and datname = current_database()
             and relation = 'ledger_movements'::regclass and mode = 'RowExclusiveLock'`,
        );
        return rowCount;
      })
      .toBe(1),
  );
  await expect(killed({ userId, scope: userId, idempotencyKey: null })).rejects.toThrow();
  await admin.end();
  expect(await traces()).toEqual(before);
  expect(await balances(userId)).toEqual([10_000n, 0n, 0n]);
});

const invest = (userId: string) => investOn(test.context, { offers, userId, amountCents: 10_000n });

it('a commit that was made and not heard of has its effect once, and is answered', async () => {
  const userId = await funded(300);
  leaveCommitUnheard(() => expect.poll(() => balances(userId)).toEqual([20_000n, 10_000n, 0n]));
  const made = await invest(userId);
  expect(await balances(userId)).toEqual([20_000n, 10_000n, 0n]);
  const { rows } = await test.context.owner.query('select id from investments where user_id = $1', [userId]);
  expect(rows).toEqual([{ id: made.id }]);
});

it('what fails among the last writes of a batch fails alone', async () => {
  const { owner } = test.context;
  const [first = '', second = '', third = ''] = await Promise.all([funded(100), funded(100), funded(100)]);
  await owner.query(`alter table investments add constraint nobody check (user_id <> '${second}') not valid`);
  try {
    const settled = await Promise.allSettled([first, second, third].map(invest));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(settled[1]).toMatchObject({ reason: { code: '23514', constraint: 'nobody' } });
  } finally {
    await owner.query('alter table investments drop constraint nobody');
  }
  expect(await Promise.all([first, second, third].map(balances))).toEqual([
    [0n, 10_000n, 0n],
    [10_000n, 0n, 0n],
    [0n, 10_000n, 0n],
  ]);
});

it('a crash in the middle of a settlement leaves the investment to be settled later', async () => {
  const userId = await funded(100);
  await invest(userId);
  const before = await traces();
  const wallet = { kind: 'wallet', ownerId: userId } as const;
  const invested = { kind: 'invested', ownerId: userId } as const;
  const postings = [
    { account: invested, amountCents: -10_000n, label: 'Investment Return' },
    { account: wallet, amountCents: 10_000n, label: 'Investment Return' },
  ];
  const crashing = test.context.ledger.inBook({
    read: async (_tx, { openBook }) => ({ facts: null, book: await openBook([wallet, invested]) }),
    post: (_facts, book) => book.post(movement({ kind: 'maturity', at: test.clock.now(), postings })),
    write: () => Promise.reject(new Error('power cut')),
  });
  await expect(crashing).rejects.toThrow('power cut');
  expect(await traces()).toEqual(before);
  test.clock.advance(30 * dayMs);
  await test.context.investment.settleDue();
  await expect.poll(() => balances(userId)).toEqual([10_080n, 0n, 0n]);
});

describe('what is posted together', () => {
  const paid = (userId: string, transactionid: string) => {
    const wallet = { kind: 'wallet', ownerId: userId } as const;
    const invested = { kind: 'invested', ownerId: userId } as const;
    const postings = [
      { account: wallet, amountCents: -100n, label: 'Investment' },
      { account: invested, amountCents: 100n, label: 'Investment' },
    ];
    return {
      accounts: [wallet, invested],
      movement: movement({ kind: 'test', transactionid, at: test.clock.now(), postings }),
    };
  };

  const posted = (userId: string, names: string[], then: () => void = () => {}) =>
    test.context.ledger.inBook({
      read: async (_tx, { openBook }) => ({ facts: null, book: await openBook(paid(userId, 'x').accounts) }),
      post(_facts, book) {
        for (const name of names) book.post(paid(userId, name).movement);
        then();
      },
    });

  it('is written once, in one chain', async () => {
    const userId = await funded(100);
    const before = await traces();
    await posted(userId, [newTransactionId(), newTransactionId(), newTransactionId()]);
    expect(await balances(userId)).toEqual([9_700n, 300n, 0n]);
    expect(await traces()).not.toEqual(before);
  });

  it('goes with the rest, whichever fails, and whoever asked is told why', async () => {
    const userId = await funded(100);
    const taken = newTransactionId();
    await posted(userId, [taken]);
    const before = await traces();
    for (const names of [
      [taken, newTransactionId(), newTransactionId()],
      [newTransactionId(), taken, newTransactionId()],
      [newTransactionId(), newTransactionId(), taken],
    ]) {
      await expect(posted(userId, names)).rejects.toMatchObject({ code: '23505' });
    }
    const cut = () => {
      throw new Error('power cut');
    };
    await expect(posted(userId, [newTransactionId(), newTransactionId()], cut)).rejects.toThrow('power cut');
    expect(await traces()).toEqual(before);
    expect(await balances(userId)).toEqual([9_900n, 100n, 0n]);
  });
});
