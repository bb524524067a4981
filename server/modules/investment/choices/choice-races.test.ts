import { randomUUID } from 'node:crypto';
import type { MaturityChoice } from '@tallystick/contract/investment';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { Context } from '../../../context.ts';
import { times } from '../../../testing/at-once.ts';
import { blockedBackends } from '../../../testing/blocked.ts';
import { createTestClock, dayMs, hourMs, type TestClock } from '../../../testing/clock.ts';
import { balancesOf, newInvestment } from '../../../testing/ledger/investors.ts';
import { startSecondServer } from '../../../testing/ledger/second-server.ts';
import { type Offers, operator, withOffers } from '../../../testing/money.ts';
import { queuedLetters } from '../../../testing/outside/queued-letters.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';
import type { InvestmentRow } from '../store.ts';

let test: TestApp;
let offers: Offers;
/** A server whose clock is behind: to it there is still time to choose. */
let late: Context;
let lateClock: TestClock;
beforeAll(async () => {
  test = await startTestApp();
  await test.jobs.stop();
  offers = await withOffers(test);
  lateClock = createTestClock();
  late = await startSecondServer(test, lateClock);
  // From the first that is settled on there is an account that profits are paid from.
  const made = await opened();
  goTo(test.clock, made, 0);
  await test.context.investment.settleDue();
});
afterAll(async () => {
  await late.close();
  await test.close();
});
afterEach(async () => {
  vi.restoreAllMocks();
  expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
});

const amountCents = 2_000_00n;
const opened = () => newInvestment(test, { offers, plan: 'Standard', amountCents });

/** Until two hours before it matures, by both clocks, and chosen on the terms of the screen. */
async function chosen(made: InvestmentRow): Promise<void> {
  goTo(test.clock, made, 2 * hourMs);
  goTo(lateClock, made, 2 * hourMs);
  await choose(made, 'principal');
}

const choose = ({ userId, id }: InvestmentRow, choice: MaturityChoice) =>
  late.investment.chooseMaturity({
    userId,
    investmentId: id,
    choice,
    planId: offers.plans.Standard,
    amountCents: choice === 'everything' ? 2_038_00n : amountCents,
    clientAddress: '203.0.113.9',
  });

function goTo(clock: TestClock, { maturesAt }: InvestmentRow, beforeMs: number): void {
  clock.advance(maturesAt.getTime() - beforeMs - clock.now().getTime());
}

const held = async ({ userId }: InvestmentRow) => (await balancesOf(test, userId)).slice(0, 2);
const investmentsOf = async ({ userId }: InvestmentRow): Promise<number> =>
  (await test.context.owner.query('select from investments where user_id = $1', [userId])).rowCount ?? 0;

/** What others were opened with in earlier tests may be due, too: what counts is this one. */
async function isSettledBy({ investment }: Context, { id }: InvestmentRow): Promise<boolean> {
  await investment.settleDue();
  const { rows } = await test.context.owner.query('select settled_at from investments where id = $1', [id]);
  return rows[0].settled_at !== null;
}

/** Holds what a statement locks, until it is let go, or the test has failed. */
async function holding(statement: string, values: unknown[]) {
  const client = await test.context.owner.connect();
  await client.query('begin');
  await client.query(statement, values);
  let isHeld = true;
  const letGo = async () => {
    if (!isHeld) return;
    isHeld = false;
    await client.query('commit');
    client.release();
  };
  onTestFinished(letGo);
  return letGo;
}
/** Whoever settles has taken what is due, and waits for the account that profits are paid from. */
const holdReturns = () => holding(`select from ledger_accounts where kind = 'returns' for update`, []);

it('a choice that comes while it is settled comes too late', async () => {
  const made = await opened();
  await chosen(made);
  goTo(test.clock, made, 0);
  const letGo = await holdReturns();
  const settling = isSettledBy(test.context, made);
  await blockedBackends(test);
  const choosing = choose(made, 'everything').catch(({ code }) => code);
  await blockedBackends(test, 2);
  await letGo();
  expect([await settling, await choosing]).toEqual([true, 'choice_closed']);
  expect(await held(made)).toEqual([38_00n, amountCents]);
});

it('what is being chosen is settled afterwards, by what was chosen', async () => {
  const made = await opened();
  await chosen(made);
  goTo(test.clock, made, 0);
  const letGo = await holding('select from maturity_choices where investment_id = $1 for update', [made.id]);
  const choosing = choose(made, 'everything');
  await blockedBackends(test);
  expect(await isSettledBy(test.context, made)).toBe(false);
  await letGo();
  await choosing;
  expect(await isSettledBy(test.context, made)).toBe(true);
  expect(await held(made)).toEqual([0n, 2_038_00n]);
});

it('a plan that is switched off while what it was chosen for is settled: before it or after it, one effect', async () => {
  const switching = (active: boolean) =>
    test.context.investment.switchPlan({ planId: offers.plans.Standard, active, actor: operator() });
  const [first, second] = [await opened(), await opened()];
  await chosen(first);
  await choose(second, 'principal');
  goTo(test.clock, second, 0);
  // The one is being settled: the switch waits for it.
  const letGo = await holdReturns();
  const settling = test.context.investment.settleDue();
  await blockedBackends(test);
  const off = switching(false);
  await blockedBackends(test, 2);
  await letGo();
  await Promise.all([settling, off]);
  for (const made of [first, second]) expect(await held(made)).toEqual([38_00n, amountCents]);
  await switching(true);

  // The switch is under way: what is settled waits for it, and is paid out.
  const third = await opened();
  await chosen(third);
  goTo(test.clock, third, 0);
  const end = await holding('update plans set active = false where id = $1', [offers.plans.Standard]);
  const later = isSettledBy(test.context, third);
  await blockedBackends(test);
  await end();
  expect(await later).toBe(true);
  expect(await held(third)).toEqual([2_038_00n, 0n]);
  await switching(true);
});

it('two servers that settle at once open each one once', async () => {
  const all: InvestmentRow[] = [];
  for (let n = 0; n < 12; n += 1) all.push(await opened());
  const last = all.at(-1) as InvestmentRow;
  goTo(test.clock, last, 2 * hourMs);
  goTo(lateClock, last, 2 * hourMs);
  for (const [n, made] of all.entries()) await choose(made, n % 2 === 0 ? 'principal' : 'everything');
  goTo(test.clock, last, 0);
  goTo(lateClock, last, 0);
  await Promise.all(times(10, (n) => (n % 2 === 0 ? test.context : late).investment.settleDue()));
  for (const [n, made] of all.entries()) {
    expect(await held(made)).toEqual(n % 2 === 0 ? [38_00n, amountCents] : [0n, 2_038_00n]);
    expect(await investmentsOf(made)).toBe(2);
  }
});

it('a letter and what it tells are written together, once, on two servers and after a failure', async () => {
  const made = await opened();
  goTo(test.clock, made, 4 * dayMs);
  goTo(lateClock, made, 4 * dayMs);
  await choose(made, 'principal');
  goTo(test.clock, made, 3 * dayMs - hourMs);
  goTo(lateClock, made, 3 * dayMs - hourMs);
  const letters = async () =>
    (await queuedLetters(test.context)).filter(
      ({ letter }) => letter.kind === 'maturity-told' && letter.transactionid === made.transactionid,
    ).length;
  const toldAt = async () =>
    (
      await test.context.owner.query('select told_at from maturity_choices where investment_id = $1', [
        made.id,
      ])
    ).rows[0].told_at;
  vi.spyOn(test.context.mail, 'queueAll').mockRejectedValueOnce(new Error('the server is gone'));
  await expect(test.context.investment.tellMaturities()).rejects.toThrow('the server is gone');
  expect([await toldAt(), await letters()]).toEqual([null, 0]);
  await Promise.all(times(6, (n) => (n % 2 === 0 ? test.context : late).investment.tellMaturities()));
  expect([(await toldAt()) !== null, await letters()]).toEqual([true, 1]);
});

it('the database lets nobody make of a choice what was not told, nor undo what came of it', async () => {
  const made = await opened();
  await chosen(made);
  const query = (text: string) => test.context.owner.query(text, [made.id]);
  const lie = `update maturity_choices set outcome = 'reinvested', reinvested_id = '${randomUUID()}' where investment_id = $1`;
  await expect(query(lie)).rejects.toThrow('this was not told');
  goTo(test.clock, made, 0);
  await test.context.investment.settleDue();
  for (const change of [
    `update maturity_choices set choice = 'everything' where investment_id = $1`,
    'delete from maturity_choices where investment_id = $1',
  ]) {
    await expect(query(change)).rejects.toThrow('has ended');
  }
});
