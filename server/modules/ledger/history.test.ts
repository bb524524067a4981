import { history } from '@tallystick/contract/ledger';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, refusal } from '../../testing/call.ts';
import { dayMs, hourMs } from '../../testing/clock.ts';
import { newInvestor } from '../../testing/ledger/investors.ts';
import { correcting, deposit, withOffers } from '../../testing/money.ts';
import { type Person, signIn, verified } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { pageOfEntries } from './list-store.ts';

let test: TestApp;
let ada: Person;

/** Day one: 100 at 09:00. Day two: 50 in the last millisecond, 25 in the first of day three. Then nothing. */
beforeAll(async () => {
  test = await startTestApp();
  await withOffers(test);
  ada = await verified(test);
  await deposit(test, ada.userid, 100);
  test.clock.advance(dayMs + 15 * hourMs - 1);
  await deposit(test, ada.userid, 50);
  test.clock.advance(1);
  await deposit(test, ada.userid, 25);
  test.clock.advance(10 * hourMs);
});
afterAll(() => test.close());

const at = (text: string) => new Date(text);
const balanceAt = (text: string) => test.context.ledger.balanceAt({ userId: ada.userid, at: at(text) });

describe('the balance at a past moment', () => {
  it.each([
    ['before the first entry', '2026-11-15T08:59:59.999Z', 0n],
    ['long before', '1999-01-01T00:00:00.000Z', 0n],
    ['at the very moment of an entry', '2026-11-15T09:00:00.000Z', 10_000n],
    ['between two entries', '2026-11-16T12:00:00.000Z', 10_000n],
    ['in the last millisecond of a day', '2026-11-16T23:59:59.999Z', 15_000n],
    ['in the first millisecond of the next', '2026-11-17T00:00:00.000Z', 17_500n],
    ['in the future', '2030-01-01T00:00:00.000Z', 17_500n],
  ])('%s', async (_case, moment, cents) => {
    expect(await balanceAt(moment)).toBe(cents);
  });

  it('counts all entries of one moment', async () => {
    const userId = await newInvestor(test);
    for (const dollars of [10, 20, 30]) await deposit(test, userId, dollars);
    expect(await test.context.ledger.balanceAt({ userId, at: test.clock.now() })).toBe(6_000n);
  });

  it('of someone without a wallet is nothing', async () => {
    const userId = await newInvestor(test);
    expect(await test.context.ledger.balanceAt({ userId, at: test.clock.now() })).toBe(0n);
  });
});

const daysOf = async (person: Person, days: number) =>
  (await call(test, history, { query: { days }, as: await signIn(test, person) })).history;

describe('the history', () => {
  it('of one day is the present moment', async () => {
    expect(await daysOf(ada, 1)).toEqual([{ at: '2026-11-17T10:00:00.000Z', balance: 175 }]);
  });

  it('has the end of each day in UTC, oldest first, and nothing before the first entry', async () => {
    expect(await daysOf(ada, 5)).toEqual([
      { at: '2026-11-13T23:59:59.999Z', balance: 0 },
      { at: '2026-11-14T23:59:59.999Z', balance: 0 },
      { at: '2026-11-15T23:59:59.999Z', balance: 100 },
      { at: '2026-11-16T23:59:59.999Z', balance: 150 },
      { at: '2026-11-17T10:00:00.000Z', balance: 175 },
    ]);
  });

  it('of 366 days reaches back a year', async () => {
    const days = await daysOf(ada, 366);
    expect(days).toHaveLength(366);
    expect(days[0]).toEqual({ at: '2025-11-17T23:59:59.999Z', balance: 0 });
    expect(days.slice(-3).map(({ balance }) => balance)).toEqual([100, 150, 175]);
    const gaps = days.slice(1, -1).map((day, n) => at(day.at).getTime() - at(days[n]?.at ?? '').getTime());
    expect(new Set(gaps)).toEqual(new Set([dayMs]));
  });

  it('of someone without a wallet is all nothing', async () => {
    const days = await daysOf(await verified(test), 3);
    expect(days.map(({ balance }) => balance)).toEqual([0, 0, 0]);
  });

  it.each(['0', '367', '-1', '1.5', 'all'])('of %s days is refused', async (days) => {
    const as = await signIn(test, ada);
    expect((await refusal(test, history, { query: { days }, as })).status).toBe(400);
  });
});

it.each([
  ['first', 0, [3n, 2n]],
  ['last', 2, [1n]],
])(
  'the %s page of a label is of the entries that were counted, though others have come since',
  async (_page, offset, seqs) => {
    const { db, ledger } = test.context;
    const userId = await newInvestor(test);
    for (const dollars of [10, 20, 30, 40, 50]) await deposit(test, userId, dollars);
    const { accountId } = await ledger.summary({ userId });
    const entries = await pageOfEntries(db, accountId ?? '', ['Bitcoin'], {
      offset,
      limit: 2,
      total: 3,
      upTo: 3n,
    });
    expect(entries.map(({ seq }) => seq)).toEqual(seqs);
  },
);

describe('a correction', () => {
  const correct = (amountCents: bigint, idempotencyKey: string | null) =>
    correcting(test.context)({ userId: ada.userid, amountCents, reason: 'Counted twice.', idempotencyKey });

  it('pressed twice with one key is posted once, with its reason, and leaves one trace', async () => {
    const both = await Promise.all([correct(-500n, 'mend-1'), correct(-500n, 'mend-1')]);
    expect([await correct(-500n, 'mend-1'), both[1]]).toEqual([both[0], both[0]]);
    expect(await balanceAt('2030-01-01T00:00:00Z')).toBe(17_000n);
    const { entries } = await test.context.ledger.pageOfEntries({
      userId: ada.userid,
      filter: { search: undefined, label: 'Correction' },
      page: 1,
      pageSize: 10,
    });
    expect(entries).toMatchObject([{ label: 'Correction', amountCents: -500n, reason: 'Counted twice.' }]);
    const { rows } = await test.context.owner.query(
      `select from audit_log where action = 'correction.posted'`,
    );
    expect(rows).toHaveLength(1);
  });

  it('never takes more than the wallet holds, and never moves nothing', async () => {
    await expect(correct(-17_001n, null)).rejects.toMatchObject({ code: 'insufficient_funds' });
    await expect(correct(0n, null)).rejects.toMatchObject({ code: 'outside_range' });
    await expect(correct(-1n, 'mend-1')).rejects.toMatchObject({ code: 'key_reused' });
    expect(await balanceAt('2030-01-01T00:00:00Z')).toBe(17_000n);
  });
});
