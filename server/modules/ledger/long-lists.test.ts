import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../platform/postgres/db.ts';
import { newInvestor } from '../../testing/ledger/investors.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { createLabelCounts } from './labels.ts';
import { countLabels, labelledBefore, pageOfEntries } from './list-store.ts';

/** The hundredth of each hundred is a rare one, every third a fee. */
const labelOf = (seq: number) => (seq % 100 === 0 ? 'Rare' : seq % 3 === 0 ? 'Fee' : 'Bitcoin');

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

/** Entries without a true chain, each with another of the house's: only lists are read from them. */
async function accountWith(entryCount: number): Promise<{ accountId: string; labels: string[] }> {
  const { owner } = test.context;
  const labels = Array.from({ length: entryCount }, (_, index) => labelOf(index + 1));
  const { rows } = await owner.query<{ id: string }>(
    `insert into ledger_accounts (kind, owner_id, entry_count, balance_cents) values ('wallet', $1, $2, $2) returning id`,
    [await newInvestor(test), entryCount],
  );
  const accountId = rows[0]?.id ?? '';
  await writeEntries(owner, accountId, labels);
  return { accountId, labels };
}

/** The hash of an entry is that of its number and label. */
async function writeEntries(
  on: pg.Pool | pg.PoolClient,
  accountId: string,
  labels: string[],
  after = 0,
): Promise<void> {
  await on.query(
    `with house as (insert into ledger_accounts (kind, owner_id) values ('clearing', gen_random_uuid()) returning id),
    given as (select gen_random_uuid() as movement, n, label from unnest($2::text[]) with ordinality as g (label, n)),
    moved as (insert into ledger_movements (id, transactionid, kind, at)
      select movement, movement::text, 'test', now() from given returning id)
    insert into ledger_entries (account_id, seq, movement_id, at, label, amount_cents, balance_before_cents,
      balance_after_cents, hash)
    select $1, n + $3, movement, now(), label, 1, n + $3 - 1, n + $3, sha256(convert_to(n + $3 || label, 'UTF8'))
    from given where (select count(*) from moved) > 0
    union all
    select house.id, n, movement, now(), label, -1, 1 - n, -n, '\\x00'::bytea from given, house`,
    [accountId, labels, after],
  );
}

describe('of an account with so many entries', () => {
  it.each([0, 1, 255, 256, 257, 300, 700])(
    '%i, each label has its own, page by page and streamed',
    async (n) => {
      const { db } = test.context;
      const { accountId, labels } = await accountWith(n);
      const counted = new Map(
        (await countLabels(db, accountId, { after: 0n, upTo: BigInt(n) })).map(({ label, count }) => [
          label,
          count,
        ]),
      );
      for (const wanted of [['Rare'], ['Fee'], ['Bitcoin', 'Rare'], ['Fee', 'Bitcoin', 'Rare'], ['None']]) {
        const expected = labels
          .flatMap((label, index) => (wanted.includes(label) ? [BigInt(index + 1)] : []))
          .toReversed();
        const total = expected.length;
        expect(wanted.reduce((sum, label) => sum + Number(counted.get(label) ?? 0n), 0)).toBe(total);
        const seqs: bigint[] = [];
        for (let offset = 0; offset < total; offset += 50) {
          const page = await pageOfEntries(db, accountId, wanted, {
            offset,
            limit: 50,
            total,
            upTo: BigInt(n),
          });
          seqs.push(...page.map(({ seq }) => seq));
        }
        expect(seqs).toEqual(expected);
        const streamed: bigint[] = [];
        for (let below: bigint | null = null; ; ) {
          const part: { seq: bigint }[] = await labelledBefore(db, accountId, wanted, below, 90);
          streamed.push(...part.map(({ seq }) => seq));
          below = part.at(-1)?.seq ?? null;
          if (part.length < 90) break;
        }
        expect(streamed).toEqual(expected);
      }
    },
  );

  it.each([0, 100, 255, 256, 257, 400])('700, those after %i are counted as they came', async (after) => {
    const { accountId, labels } = await accountWith(700);
    const counts = await countLabels(test.context.db, accountId, { after: BigInt(after), upTo: 650n });
    const expected = Map.groupBy(labels.slice(after, 650), (label) => label);
    expect(new Map(counts.map(({ label, count }) => [label, Number(count)]))).toEqual(
      new Map([...expected].map(([label, each]) => [label, each.length])),
    );
  });
});

it('what was counted of entries that a failover took back is not counted on', async () => {
  const { accountId } = await accountWith(2);
  const [counted, askedLater] = [createLabelCounts(), createLabelCounts()];
  const hashOf = (seq: bigint, label: string) => createHash('sha256').update(`${seq}${label}`).digest('hex');
  const countsOf = async (on: Db, entryCount: bigint, newest: string, by = counted) => {
    const account = { id: accountId, entryCount, head: hashOf(entryCount, newest) };
    return Object.fromEntries((await by(on, account)).counts);
  };
  const { db, owner } = test.context;
  expect(await countsOf(db, 2n, 'Bitcoin')).toEqual({ Bitcoin: 2 });

  // What is seen before its commit and then rolled back was there for whoever looked.
  const client = await owner.connect();
  const line = { query: client.query.bind(client), release() {} };
  const seen = new Kysely({
    dialect: new PostgresDialect({
      pool: { connect: async () => line, end: async () => {} } as unknown as pg.Pool,
    }),
  }) as Db;
  await client.query('begin');
  await writeEntries(client, accountId, ['Fee', 'Fee', 'Fee'], 2);
  for (const by of [counted, askedLater]) {
    expect(await countsOf(seen, 5n, 'Fee', by)).toEqual({ Bitcoin: 2, Fee: 3 });
  }
  await client.query('rollback');
  client.release();
  expect(await countsOf(db, 2n, 'Bitcoin')).toEqual({ Bitcoin: 2 });

  // As many as before, and others; then one more.
  await writeEntries(owner, accountId, ['Rare', 'Rare', 'Bitcoin'], 2);
  expect(await countsOf(db, 5n, 'Bitcoin')).toEqual({ Bitcoin: 3, Rare: 2 });
  await writeEntries(owner, accountId, ['Rare'], 5);
  for (const by of [counted, askedLater]) {
    expect(await countsOf(db, 6n, 'Rare', by)).toEqual({ Bitcoin: 3, Rare: 3 });
  }
});

it('what bears a label is found by indexes alone, before and beyond the number from which on there is one', async () => {
  const { owner } = test.context;
  await accountWith(20_000);
  const { accountId } = await accountWith(2000);
  await owner.query('vacuum analyze ledger_entries');
  const explained = {
    query: (text: string, values: unknown[]) => owner.query(`explain ${text}`, values),
    release() {},
  };
  const pool = { connect: async () => explained, end: async () => {} } as unknown as pg.Pool;
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) }) as Db;
  const range = { offset: 500, limit: 50, total: 1200, upTo: 2000n };
  const counted = JSON.stringify(await countLabels(db, accountId, { after: 0n, upTo: 2000n }));
  expect(counted).toContain('ledger_entries_pkey');
  expect(counted).not.toContain('Seq Scan on ledger_entries');
  for (const lines of [
    await pageOfEntries(db, accountId, ['Fee'], range),
    await pageOfEntries(db, accountId, ['Fee'], { ...range, offset: 1150 }),
    await labelledBefore(db, accountId, ['Rare'], 1900n, 1000),
  ]) {
    const plan = JSON.stringify(lines);
    expect(plan).toMatch(/(using|on) ledger_entries_by_label/);
    expect(plan).toMatch(/(using|on) ledger_entries_pkey/);
    expect(plan).not.toMatch(/Seq Scan on ledger_entries/);
  }
});
