import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../platform/app-error.ts';
import { dayMs } from '../../../testing/clock.ts';
import {
  correcting,
  deposit,
  goodAddress,
  newTxid,
  type Offers,
  operator,
  withOffers,
} from '../../../testing/money.ts';
import { verified } from '../../../testing/people.ts';
import { proofRuns } from '../../../testing/proof-size.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';

let test: TestApp;
let offers: Offers;
let people: string[];
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  people = [];
  for (let n = 0; n < 3; n += 1) people.push((await verified(test)).userid);
});
afterAll(() => test.close());

type Act = {
  who: number;
  do: 'deposit' | 'invest' | 'withdraw' | 'pay' | 'reject' | 'correct';
  dollars: number;
};

/** Does one thing of a random history; what is refused did not happen. */
async function doIt({ who, do: act, dollars }: Act): Promise<void> {
  const { investment, withdrawal } = test.context;
  const userId = people[who] ?? '';
  const amountCents = BigInt(dollars) * 100n + 7n;
  const common = { userId, amountCents, idempotencyKey: null };
  if (act === 'deposit') return deposit(test, userId, dollars + 10);
  if (act === 'invest') {
    const plan = dollars < 2_000 ? 'Starter' : dollars < 10_000 ? 'Standard' : 'Reserve';
    return void (await investment.makeInvestment({ ...common, planId: offers.plans[plan] ?? '' }));
  }
  if (act === 'correct') return void (await correcting(test.context)({ ...common, reason: 'Found.' }));
  const methodId = offers.withdrawalMethods.Bitcoin;
  const row = await withdrawal.askForWithdrawal({ ...common, methodId, address: goodAddress.Bitcoin });
  const step = { withdrawalId: row.id, idempotencyKey: null };
  if (act === 'reject') await withdrawal.rejectWithdrawal({ ...step, actor: operator('a'), reason: 'No.' });
  if (act !== 'pay') return;
  const approved = await withdrawal.approveWithdrawal({ ...step, actor: operator('a') });
  if (approved.status === 'requested') await withdrawal.approveWithdrawal({ ...step, actor: operator('b') });
  await withdrawal.markWithdrawalPaid({ ...step, actor: operator('a'), chainTxid: newTxid() });
}

/** The journal alone, added up in code that shares nothing with what the books read. */
async function foldOfJournal() {
  const { rows } = await test.context.owner.query<{ kind: string; cents: string }>(
    `select a.kind, e.amount_cents as cents from ledger_entries e join ledger_accounts a on a.id = e.account_id`,
  );
  const sums: Record<string, bigint> = {};
  for (const { kind, cents } of rows) sums[kind] = (sums[kind] ?? 0n) + BigInt(cents);
  return sums;
}

/** profit × passed / whole, rounded down, investment by investment. */
async function plainAccrual(now: Date): Promise<bigint> {
  const { rows } = await test.context.owner.query<{ profit: string; opened: Date; matures: Date }>(
    `select profit_cents as profit, opened_at as opened, matures_at as matures from investments
     where settled_at is null`,
  );
  return rows.reduce((sum, { profit, opened, matures }) => {
    const passed = BigInt(Math.min(now.getTime(), matures.getTime()) - opened.getTime());
    return sum + (BigInt(profit) * passed) / BigInt(matures.getTime() - opened.getTime());
  }, 0n);
}

const act = fc.record({
  who: fc.nat({ max: 2 }),
  do: fc.constantFrom<Act['do'][]>(
    'deposit',
    'deposit',
    'invest',
    'invest',
    'withdraw',
    'pay',
    'reject',
    'correct',
  ),
  dollars: fc.integer({ min: 10, max: 20_000 }),
});
const chapter = fc.record({
  acts: fc.array(act, { minLength: 1, maxLength: 8 }),
  hours: fc.nat({ max: 900 }),
});

/** Everything once, so that no run of luck leaves out what the proof is about. */
const everything = {
  acts: (['deposit', 'invest', 'withdraw', 'pay', 'reject', 'correct'] as const).map((each) => ({
    who: 0,
    do: each,
    dollars: each === 'deposit' ? 9_000 : 500,
  })),
  hours: 100,
};

describe('the books', () => {
  it('show what the journal comes to and what the plain formula gives, after every chapter of any history', async () => {
    const { operator: console, investment } = test.context;
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(chapter, { minLength: 1, maxLength: 4 }), async (chapters) => {
        for (const { acts, hours } of chapters) {
          for (const each of acts) {
            await doIt(each).then(
              () => seen.add(each.do),
              (error) => {
                if (!(error instanceof AppError)) throw error;
              },
            );
          }
          test.clock.advance(hours * 3_600_000 + 17);
          await investment.settleDue();
          const [books, fold, accrued] = [
            await console.books(),
            await foldOfJournal(),
            await plainAccrual(test.clock.now()),
          ];
          expect(books.owed).toEqual({
            walletsCents: fold.wallet ?? 0n,
            investedCents: fold.invested ?? 0n,
            withdrawingCents: fold.withdrawing ?? 0n,
            accruedCents: accrued,
            togetherCents: (fold.wallet ?? 0n) + (fold.invested ?? 0n) + (fold.withdrawing ?? 0n) + accrued,
          });
          const weeks = [...books.weeks, books.later];
          const due = weeks.reduce((sum, { principalCents }) => sum + principalCents, 0n);
          expect(due).toBe(fold.invested ?? 0n);
        }
      }),
      { numRuns: proofRuns(12, 3), examples: [[[everything]]] },
    );
    expect([...seen].toSorted()).toEqual(['correct', 'deposit', 'invest', 'pay', 'reject', 'withdraw']);
  }, 240_000);

  it('put what is due into the week it falls into, weeks beginning on Monday', async () => {
    const { books } = test.context.operator;
    const { weeks } = await books();
    expect(weeks.every(({ monday }) => monday.getUTCDay() === 1 && monday.getTime() % dayMs === 0)).toBe(
      true,
    );
    const first = weeks[0]?.monday.getTime() ?? 0;
    const now = test.clock.now().getTime();
    expect(first <= now && now < first + 7 * dayMs).toBe(true);
    const { rows } = await test.context.owner.query<{ matures: Date; cents: string }>(
      'select matures_at as matures, amount_cents as cents from investments where settled_at is null',
    );
    for (const { monday, principalCents } of weeks) {
      const [from, until] = [monday.getTime(), monday.getTime() + 7 * dayMs];
      const within = rows.filter(({ matures }) => from <= matures.getTime() && matures.getTime() < until);
      expect(principalCents).toBe(within.reduce((sum, { cents }) => sum + BigInt(cents), 0n));
    }
  });

  it('know what is held only once it was entered, and keep every figure that was', async () => {
    const { operator: console, funding } = test.context;
    expect((await console.books()).held.togetherCents).toBeNull();
    const [bitcoin] = await funding.allPaymentMethods();
    const enter = (amountCents: bigint) =>
      console.enterHeld({ methodId: bitcoin?.id ?? '', amountCents, actor: operator('a') });
    await enter(1_000_00n);
    await enter(2_000_50n);
    expect((await console.books()).held.togetherCents).toBe(2_000_50n);
    await expect(test.context.owner.query('delete from operator_holdings')).rejects.toThrow('append-only');
  });

  it('let withdrawals go on after a failed check only when they agree again', async () => {
    const { operator: console, ledger, owner } = test.context;
    const actor = operator('a');
    await expect(console.unfreezeBooks({ reason: 'Why not.', actor })).rejects.toThrow('not frozen');
    await owner.query("update ledger_freeze set frozen_at = now(), reason = 'a test'");
    const { rows } = await owner.query<{ id: string }>(
      "select id from ledger_accounts where kind = 'wallet' limit 1",
    );
    const shift = (cents: number) =>
      owner.query('update ledger_accounts set balance_cents = balance_cents + $1 where id = $2', [
        cents,
        rows[0]?.id,
      ]);
    await shift(1);
    await expect(console.unfreezeBooks({ reason: 'Looks fine.', actor })).rejects.toThrow('do not agree');
    await shift(-1);
    await console.unfreezeBooks({ reason: 'Looked into it.', actor });
    expect(await ledger.frozenBecause()).toBeNull();
  });
});
