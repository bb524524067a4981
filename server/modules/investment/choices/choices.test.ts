import * as calls from '@tallystick/contract/investment';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { answerOf, call, tryCall } from '../../../testing/call.ts';
import { dayMs, hourMs, secondMs } from '../../../testing/clock.ts';
import { balancesOf, newInvestment } from '../../../testing/ledger/investors.ts';
import { deposit, type Offers, operator, withOffers } from '../../../testing/money.ts';
import { signedIn, signIn } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';
import type { InvestmentRow } from '../store.ts';

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

const opened = (amountCents: bigint, plan: keyof Offers['plans'] = 'Standard') =>
  newInvestment(test, { offers, plan, amountCents });

const choose = ({ userId, id }: InvestmentRow, choice: calls.MaturityChoice, shown: object = {}) =>
  test.context.investment.chooseMaturity({
    userId,
    investmentId: id,
    choice,
    clientAddress: '203.0.113.9',
    ...shown,
  });
const shownFor = (amountCents: bigint) => ({ planId: offers.plans.Standard, amountCents });

/** So long before it matures. */
function goTo({ maturesAt }: InvestmentRow, beforeMs: number): void {
  test.clock.advance(maturesAt.getTime() - beforeMs - test.clock.now().getTime());
}

const listed = async ({ userId }: InvestmentRow) => {
  const filter = { userId, search: undefined, status: 'all', page: 1 } as const;
  return (await test.context.investment.pageOfInvestments(filter)).investments;
};
const maturityOf = async (made: InvestmentRow) =>
  (await listed(made)).find(({ id }) => id === made.id)?.maturity;
const held = async ({ userId }: InvestmentRow) => (await balancesOf(test, userId)).slice(0, 2);

async function settle(made: InvestmentRow) {
  goTo(made, 0);
  await test.context.investment.settleDue();
  // What the minute's timer is just settling this one passed over.
  const isSettled = async () => (await listed(made)).find(({ id }) => id === made.id)?.settledAt ?? null;
  await expect.poll(isSettled).not.toBeNull();
  return (await listed(made)).find(({ id }) => id !== made.id);
}

async function tell(made: InvestmentRow): Promise<void> {
  goTo(made, 3 * dayMs);
  await test.context.investment.tellMaturities();
  const told = async () => (await maturityOf(made))?.toldAt ?? null;
  await expect.poll(told).not.toBeNull();
}

async function lettersTo({ userId }: InvestmentRow) {
  const { rows } = await test.context.owner.query('select email from users where id = $1', [userId]);
  return test.mailbox.letters(rows[0].email);
}
const subjectsTo = async (made: InvestmentRow) => (await lettersTo(made)).map(({ subject }) => subject);
/** Of all letters, in whichever order they came. */
const textsTo = async (made: InvestmentRow) =>
  (await lettersTo(made)).map(({ text }) => text.replace(/\s+/g, ' ')).join('\n');

/** The terms that a plan has from now on. */
async function replaceStandard(roiPoints: number): Promise<void> {
  const plan = (await test.context.investment.plans()).find(({ planname }) => planname === 'Standard');
  if (!plan) throw new Error('no plan');
  const replaced = await test.context.investment.replacePlan({
    planId: plan.id,
    plan: { ...plan, roiPoints },
    actor: operator(),
  });
  if (!('planId' in replaced)) throw new Error('not on the site');
  offers.plans.Standard = replaced.planId;
}

describe('the principal', () => {
  it('is invested again on the terms of the letter, the profit is paid, and one letter tells both', async () => {
    const made = await opened(2_500_50n);
    await choose(made, 'principal');
    await tell(made);
    expect(await maturityOf(made)).toMatchObject({
      choice: 'principal',
      toldBy: 'letter',
      toldPlanId: offers.plans.Standard,
      toldAmountCents: 2_500_50n,
      toldProfitCents: 47_51n,
      outcome: null,
    });
    const again = await settle(made);
    expect(await held(made)).toEqual([47_51n, 2_500_50n]);
    const at = test.clock.now();
    expect(again).toMatchObject({
      amountCents: 2_500_50n,
      profitCents: 47_51n,
      planname: 'Standard',
      roiPoints: 190,
      openedAt: at,
      maturesAt: new Date(at.getTime() + 60 * dayMs),
      settledAt: null,
      maturity: { reinvestable: true, choice: null },
    });
    expect(await maturityOf(made)).toMatchObject({
      outcome: 'reinvested',
      reason: null,
      reinvestedTransactionid: again?.transactionid,
    });
    const subjects = (await subjectsTo(made)).filter((subject) => /invest/.test(subject));
    expect(subjects.toSorted()).toEqual([
      'When your Standard investment matures, $2,500.50 is invested again',
      'You invested $2,500.50 in Standard',
      'Your Standard investment matured: $2,500.50 is invested again',
    ]);
  });
});

describe('everything', () => {
  it('is invested again to the cent', async () => {
    const made = await opened(2_500_50n);
    await choose(made, 'everything');
    await tell(made);
    const again = await settle(made);
    expect(again).toMatchObject({ amountCents: 2_548_01n, profitCents: 48_41n });
    expect(await held(made)).toEqual([0n, 2_548_01n]);
  });

  it('is refused where it is more than the plan takes, to the cent', async () => {
    const [atEdge, above] = [await opened(9_812_56n), await opened(9_812_57n)];
    // 9,812.56 with 186.44 is 9,999.00, the most that it takes.
    await choose(atEdge, 'everything');
    await expect(choose(above, 'everything')).rejects.toMatchObject({ code: 'outside_range' });
    await choose(above, 'principal');
    await tell(above);
    expect((await settle(above))?.amountCents).toBe(9_812_57n);
    await expect.poll(() => held(atEdge)).toEqual([0n, 9_999_00n]);
  });
});

describe('it is paid to the wallet', () => {
  it('where the plan has been replaced since the letter, and the next letter says why', async () => {
    const made = await opened(2_000_00n);
    await choose(made, 'everything');
    await tell(made);
    await replaceStandard(180);
    expect(await settle(made)).toBeUndefined();
    expect(await held(made)).toEqual([2_038_00n, 0n]);
    expect(await maturityOf(made)).toMatchObject({ outcome: 'paid', reason: 'plan_off' });
    await expect
      .poll(() => textsTo(made))
      .toContain('The plan was not offered any more on the terms that you were told.');
    await replaceStandard(190);
  });

  it('where nobody could be told in time', async () => {
    const made = await opened(2_000_00n);
    await choose(made, 'principal');
    goTo(made, 2 * dayMs);
    await test.context.investment.tellMaturities();
    expect(await maturityOf(made)).toMatchObject({ toldAt: null });
    expect(await settle(made)).toBeUndefined();
    expect(await maturityOf(made)).toMatchObject({ outcome: 'paid', reason: 'not_told' });
  });

  it('where the plan was off when the letter was written, which says so', async () => {
    const made = await opened(2_000_00n);
    await choose(made, 'principal');
    const switching = { planId: offers.plans.Standard, actor: operator() };
    await test.context.investment.switchPlan({ ...switching, active: false });
    await tell(made);
    await test.context.investment.switchPlan({ ...switching, active: true });
    expect(await maturityOf(made)).toMatchObject({ toldPlanId: null, toldReason: 'plan_off' });
    await expect
      .poll(() => subjectsTo(made))
      .toContain('Your Standard investment will be paid to your wallet');
    await expect.poll(() => textsTo(made)).toContain('The plan is not offered at the moment.');
    expect(await settle(made)).toBeUndefined();
    expect(await held(made)).toEqual([2_038_00n, 0n]);
    // No terms were told, and none are spoken of.
    await expect
      .poll(() => textsTo(made))
      .toContain('The plan was not offered when you were to be told its terms.');
  });

  it('when that is what was chosen last', async () => {
    const made = await opened(2_000_00n);
    await choose(made, 'everything');
    await tell(made);
    await choose(made, 'wallet');
    expect(await settle(made)).toBeUndefined();
    expect(await maturityOf(made)).toMatchObject({ choice: null, outcome: null });
  });
});

describe('a choice of the last three days', () => {
  it('is made on the terms that are shown, and on no others', async () => {
    const made = await opened(2_000_00n);
    goTo(made, 2 * dayMs);
    const refused = expect.objectContaining({ code: 'terms_changed' });
    await expect(choose(made, 'principal')).rejects.toEqual(refused);
    await expect(choose(made, 'principal', shownFor(2_038_00n))).rejects.toEqual(refused);
    await choose(made, 'principal', shownFor(2_000_00n));
    expect(await maturityOf(made)).toMatchObject({ toldBy: 'screen', toldAmountCents: 2_000_00n });
    const shown = shownFor(2_000_00n);
    await replaceStandard(180);
    await expect(choose(made, 'principal', shown)).rejects.toEqual(refused);
    await choose(made, 'principal', shownFor(2_000_00n));
    const again = await settle(made);
    expect(again).toMatchObject({ planId: offers.plans.Standard, profitCents: 36_00n });
    await replaceStandard(190);
  });

  it('ends an hour before, however the clock jumps', async () => {
    const made = await opened(2_000_00n);
    const shown = shownFor(2_000_00n);
    goTo(made, hourMs + secondMs);
    await choose(made, 'principal', shown);
    goTo(made, hourMs);
    const closed = expect.objectContaining({ code: 'choice_closed' });
    await expect(choose(made, 'wallet')).rejects.toEqual(closed);
    goTo(made, 2 * hourMs);
    await choose(made, 'everything', shownFor(2_038_00n));
    expect((await settle(made))?.amountCents).toBe(2_038_00n);
    goTo(made, 2 * hourMs);
    await expect(choose(made, 'wallet')).rejects.toEqual(closed);
    goTo(made, 0);
  });
});

describe('a plan that leaves no choice', () => {
  it('is paid to the wallet, whoever asks', async () => {
    const made = await opened(100_00n, 'Starter');
    await expect(choose(made, 'principal')).rejects.toMatchObject({ code: 'choice_closed' });
    const row = [made.id, made.userId, made.maturesAt];
    const inserting = test.context.owner.query(
      `insert into maturity_choices (investment_id, user_id, matures_at, choice, chosen_at)
       values ($1, $2, $3, 'principal', now())`,
      row,
    );
    await expect(inserting).rejects.toThrow('no such choice');
  });
});

describe('the calls', () => {
  it('show the terms, keep the choice, and tell it with the investment', async () => {
    const person = await signedIn(test);
    await deposit(test, person.userid, 2_000);
    const body = { userid: person.userid, planid: offers.plans.Standard, investinvestmemntamount: 2000 };
    const made = (await call(test, calls.makeinvestment, { body, as: person })).investment;
    expect(made.maturity).toEqual({
      offered: true,
      choice: 'wallet',
      told: null,
      outcome: null,
      reason: null,
      reinvestedas: null,
      closesat: new Date(Date.parse(made.maturesat) - hourMs).toISOString(),
    });
    const params = { investmentid: made._id };
    const terms = await call(test, calls.maturityterms, { params, as: person });
    const common = { planid: offers.plans.Standard, planname: 'Standard', duration: 60, roi: 1.9 };
    expect(terms.offers).toEqual([
      { choice: 'principal', terms: { ...common, amount: 2000, profit: 38 }, towallet: 38, reason: null },
      { choice: 'everything', terms: { ...common, amount: 2038, profit: 38.72 }, towallet: 0, reason: null },
    ]);
    const wish = { userid: person.userid, investmentid: made._id, choice: 'everything' } as const;
    const first = await tryCall(test, calls.choosematurity, { body: wish, as: person });
    const second = await tryCall(test, calls.choosematurity, { body: wish, as: person });
    expect(answerOf(first).investment.maturity).toMatchObject({ choice: 'everything', told: null });
    expect(second.text).toBe(first.text);
    test.clock.advance(60 * dayMs - hourMs);
    const again = await signIn(test, person);
    const late = await tryCall(test, calls.choosematurity, { body: wish, as: again });
    expect(late).toMatchObject({ status: 422, code: 'choice_closed' });
    const all = await call(test, calls.fetchsingleinvestment, { params: again, as: again });
    expect(all.investment[0]?.maturity).toMatchObject({ choice: 'everything', offered: true });
  });
});
