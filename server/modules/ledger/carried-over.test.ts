import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { dayMs, hourMs } from '../../testing/clock.ts';
import {
  email,
  ids,
  makeOldDatabase,
  movements,
  open,
  refused,
  withdrawal,
} from '../../testing/ledger/before-the-journal.ts';
import { allTold } from '../../testing/ledger/telling.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

/** A database as it was before letters were written from the journal, with money in every state, brought up to date. */
let old: Awaited<ReturnType<typeof makeOldDatabase>>;
let test: TestApp;

/** Everything of the books as the older version knew it. */
const snapshot = async (on: pg.Client) => {
  const { rows } = await on.query(
    `select 'account' as what, to_jsonb(a) as row from ledger_accounts a
     union all select 'entry', to_jsonb(e) from ledger_entries e
     union all select 'movement', to_jsonb(m) - 'number' - 'body_sha256' from ledger_movements m
     union all select 'command', to_jsonb(c) from ledger_commands c
     union all select 'investment', to_jsonb(i) from investments i
     order by 1, 2`,
  );
  return rows;
};
let before: unknown[];

beforeAll(async () => {
  old = await makeOldDatabase(inject('adminUrl'));
  before = await snapshot(old.client);
  test = await startTestApp(old.env);
});
afterAll(async () => {
  await test.close();
  await old.drop();
});

it('the books are as they were, entry by entry, and nothing is wrong with them', async () => {
  expect(await snapshot(old.client)).toEqual(before);
  expect(before.length).toBeGreaterThan(30);
  expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
});

it('movements have numbers, each its own, and all of them are behind the reader', async () => {
  const { rows } = await old.client.query('select number::int from ledger_movements order by number');
  expect(rows.map(({ number }) => number)).toEqual(movements.map((_, index) => index + 1));
  const { rows: readers } = await old.client.query('select name, read_to::int from ledger_readers');
  expect(readers).toEqual([{ name: 'letters', read_to: movements.length }]);
});

const invest = (amountCents: bigint, idempotencyKey: string | null) =>
  test.context.investment.makeInvestment({ userId: ids.user, planId: ids.plan, amountCents, idempotencyKey });

it('keys from before get their first answers again, for good, and with another body are told so', async () => {
  for (const _time of ['at once', 'days later']) {
    expect(await invest(10_000n, 'old-invest')).toEqual(open);
    await expect(invest(900_000n, 'old-refused')).rejects.toMatchObject(refused);
    for (const key of ['old-invest', 'old-refused'])
      await expect(invest(20_000n, key)).rejects.toMatchObject({ code: 'key_reused' });
    test.clock.advance(2 * dayMs);
    await test.context.ledger.forgetRefusals();
  }
  expect((await old.client.query('select from ledger_refusals')).rowCount).toBe(0);
});

it('nothing that happened before is told again; what was queued leaves, and what happens now is told', async () => {
  const subjects = async () => (await test.mailbox.letters(email)).map(({ subject }) => subject).toSorted();
  await allTold(test);
  expect(await subjects()).toEqual([expect.stringMatching(/^You invested \$1,500.00 in Starter/)]);
  await invest(30_000n, null);
  const cancel = { userId: ids.user, withdrawalId: withdrawal.id, idempotencyKey: null };
  await test.context.withdrawal.cancelWithdrawal(cancel);
  test.clock.advance(30 * dayMs + hourMs);
  await test.context.investment.settleDue();
  await allTold(test);
  expect(await subjects()).toEqual([
    expect.stringMatching(/^You cancelled a withdrawal: \$40.00/),
    expect.stringMatching(/^You invested \$1,500.00 in Starter/),
    expect.stringMatching(/^You invested \$300.00 in Old/),
    expect.stringMatching(/^Your Old investment matured/),
    expect.stringMatching(/^Your Old investment matured/),
  ]);
  expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
});
