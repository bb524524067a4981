import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs, secondMs } from '../../testing/clock.ts';
import { investOn, newInvestors } from '../../testing/ledger/investors.ts';
import { owedAt } from '../../testing/ledger/owed-at.ts';
import { deposit, goodAddress, type Offers, withOffers } from '../../testing/money.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
let offers: Offers;
let ada: string;
let others: string[];
let admin: pg.Client;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  [ada = '', ...others] = await newInvestors(test, 4);
  for (const userId of [ada, ...others]) await deposit(test, userId, 1000);
  admin = new pg.Client({ connectionString: test.database.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await test.close();
});

/** Past the minute that a statement stays behind. */
const aWhile = () => test.clock.advance(2 * minuteMs);

const invest = (userId: string, dollars: number) =>
  investOn(test.context, { offers, userId, amountCents: BigInt(dollars) * 100n + 31n });

describe('what is written late', () => {
  const looks = async () =>
    (
      await admin.query(
        `select 1 from pg_stat_activity where query like '%virtualxid%' and pid <> pg_backend_pid()`,
      )
    ).rowCount !== 0;
  const until = async (isSo: () => Promise<boolean>) => {
    while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10));
  };

  it('is waited for: money that is dated before a statement is in it, whenever its transaction ends', async () => {
    aWhile();
    const blocker = new pg.Client({ connectionString: test.database.adminUrl });
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query(`select from ledger_accounts where kind = 'wallet' and owner_id = $1 for update`, [
      ada,
    ]);
    const dated = test.clock.now();
    const invested = invest(ada, 100);
    await until(async () => (await admin.query('select from pg_locks where not granted')).rowCount !== 0);
    aWhile();
    const proving = test.context.proof.prove();
    await until(looks);
    await blocker.query('commit');
    await blocker.end();
    const [{ transactionid }, made] = await Promise.all([invested, proving]);
    const { rows } = await admin.query('select at from ledger_movements where transactionid = $1', [
      transactionid,
    ]);
    expect(rows).toEqual([{ at: dated }]);
    expect(made.at.getTime()).toBeGreaterThan(dated.getTime());
    expect(made.owed).toEqual(await owedAt(test, made.at));
  });

  it('agrees with the journal whatever moves meanwhile', async () => {
    for (let round = 0; round < 5; round += 1) {
      const moving = others.flatMap((userId) => [
        deposit(test, userId, 10 + round),
        invest(userId, 100 + round),
      ]);
      const settled = Promise.allSettled(moving);
      test.clock.advance(hourMs);
      const made = await test.context.proof.prove();
      await settled;
      expect(made.owed).toEqual(await owedAt(test, made.at));
    }
  });

  it('counts nobody twice and nobody out, whatever they withdraw, cancel and are paid back around that minute', async () => {
    const [userId = '', other = ''] = await newInvestors(test, 2);
    for (const each of [userId, other]) await deposit(test, each, 5000);
    const { withdrawal, investment } = test.context;
    const ask = (of: string) =>
      withdrawal.askForWithdrawal({
        userId: of,
        methodId: offers.withdrawalMethods.Bitcoin,
        amountCents: 10_000n,
        address: goodAddress.Bitcoin,
        idempotencyKey: null,
      });
    const askAndCancel = async (of: string) => {
      const { id } = await ask(of);
      test.clock.advance(secondMs);
      await withdrawal.cancelWithdrawal({ withdrawalId: id, userId: of, idempotencyKey: null });
    };
    await invest(userId, 200);
    // So that what was invested falls due while statements are made.
    test.clock.advance(30 * dayMs - 4 * minuteMs);
    for (let round = 0; round < 4; round += 1) {
      const moving = [
        askAndCancel(userId),
        askAndCancel(other),
        ask(other),
        invest(userId, 100 + round),
        investment.settleDue(),
        deposit(test, other, 20 + round),
      ];
      test.clock.advance(minuteMs + secondMs);
      const [made] = await Promise.all([test.context.proof.prove(), Promise.allSettled(moving)]);
      expect(made.owed).toEqual(await owedAt(test, made.at));
      for (const each of [userId, other]) {
        const { pieces } = await test.context.proof.mine({ userId: each, number: made.number });
        const own = [0, 1, 2, 3].map((kind) =>
          pieces.reduce((sum, piece) => sum + (piece.amounts[kind] ?? 0n), 0n),
        );
        expect(own).toEqual(await owedAt(test, made.at, each));
      }
    }
  });

  it('is in the head of the audit log in the order of its numbers', async () => {
    aWhile();
    const late = new pg.Client({ connectionString: test.database.adminUrl });
    await late.connect();
    await late.query('begin');
    await late.query(`insert into audit_log (at, actor_kind, action) values (now(), 'system', 'late')`);
    await admin.query(`insert into audit_log (at, actor_kind, action) values (now(), 'system', 'early')`);
    const proving = test.context.proof.prove();
    await until(looks);
    await late.query('commit');
    await late.end();
    await proving;
    const { rows } = await admin.query(
      `select h.up_to, h.entries, encode(h.head, 'hex') as head, e.entry from proof_audit_heads h
       join log_entries e on e.id = h.entry_id order by h.up_to desc limit 1`,
    );
    const { rows: all } = await admin.query(
      `select array[id::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), actor_kind, actor_id,
         action, subject_id, client_address, details::text] as fields
       from audit_log where id <= $1 order by id`,
      [rows[0].up_to],
    );
    expect(rows[0].entries).toBe(String(all.length));
    expect(all.some(({ fields }) => fields[4] === 'late')).toBe(true);

    let head = '0'.repeat(64);
    for (const { fields } of all)
      head = createHash('sha256')
        .update(`${head}\ntallystick audit 1\n${JSON.stringify(fields)}`)
        .digest('hex');
    expect(rows[0].head).toBe(head);
    expect(rows[0].entry).toMatch(
      new RegExp(`^audit/v1\ntime \\S+Z\nentries ${all.length}\nhead ${head}\n$`),
    );
  });

  it('keeps no server from ending: a statement that waits is given up, and leaves nothing', async () => {
    aWhile();
    const before = (await test.context.proof.statements({ limit: 100 })).length;
    const late = new pg.Client({ connectionString: test.database.adminUrl });
    await late.connect();
    await late.query('begin');
    await late.query('select 1');
    const proving = expect(test.context.proof.prove()).rejects.toThrow();
    await until(looks);
    test.context.proof.stop();
    await proving;
    await late.end();
    expect(await test.context.proof.statements({ limit: 100 })).toHaveLength(before);
  });
});
