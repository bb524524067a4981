import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outcomes } from '../../testing/at-once.ts';
import { newInvestors } from '../../testing/ledger/investors.ts';
import { deposit, operator, setBounds, withOffers } from '../../testing/money.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
  await withOffers(test);
});
afterAll(() => test.close());

const ada = operator('ada');
const ben = operator('ben');
describe('a plan', () => {
  const draft = {
    planname: 'Spring',
    fromCents: 10_000n,
    toCents: 200_000n,
    durationDays: 30,
    roiPoints: 100,
  };
  const greedy = { ...draft, planname: 'Greedy', durationDays: 1, roiPoints: 100_000 };
  const onSite = async (name: string) =>
    (await test.context.investment.plans()).find(({ planname }) => planname === name);
  const waiting = async (name: string) =>
    (await test.context.investment.waitingPlans()).find(({ planname }) => planname === name);

  it('of 1000 % in one day is not published by one operator', async () => {
    const { investment } = test.context;
    expect(await investment.addPlan({ plan: greedy, actor: ada })).toEqual({
      because: ['1000% in 1 day is more than 0.5% a day', '1 day is shorter than 7'],
    });
    expect(await onSite('Greedy')).toBeUndefined();
    expect(await outcomes([investment.addPlan({ plan: greedy, actor: ben })])).toEqual(['already_decided']);
    const proposalId = (await waiting('Greedy'))?.id ?? '';
    const agree = (actor = ben) => investment.agreePlan({ id: proposalId, actor });
    expect(await outcomes([agree(ada)])).toEqual(['second_operator_needed']);
    const both = await outcomes([agree(), agree(), investment.discardPlan({ id: proposalId, actor: ada })]);
    expect(both.filter((each) => each === 'done')).toHaveLength(1);
    expect(await waiting('Greedy')).toBeUndefined();
  });

  it.each([
    ['the most a day', { roiPoints: 1_500 }, false],
    ['more than that', { roiPoints: 1_501 }, true],
    ['the shortest', { durationDays: 7 }, false],
    ['shorter', { durationDays: 6, roiPoints: 1 }, true],
    ['the longest', { durationDays: 365 }, false],
    ['longer', { durationDays: 366 }, true],
    ['the largest', { toCents: 10_000_000n }, false],
    ['larger', { toCents: 10_000_001n }, true],
  ])('at the bounds: %s', async (name, change, waits) => {
    const plan = { ...draft, planname: name, ...change };
    expect('because' in (await test.context.investment.addPlan({ plan, actor: ada }))).toBe(waits);
    expect((await onSite(name)) === undefined).toBe(waits);
  });

  it('beyond the bounds takes the place of the old one when another agrees; what was invested keeps its terms', async () => {
    const { investment } = test.context;
    const added = await investment.addPlan({ plan: draft, actor: ada });
    if (!('planId' in added)) throw new Error('not on the site');
    const [userId = ''] = await newInvestors(test, 1);
    await deposit(test, userId, 500);
    const wish = { userId, planId: added.planId, amountCents: 10_000n, idempotencyKey: null };
    const made = await investment.makeInvestment(wish);
    const better = { ...draft, roiPoints: 9_000 };
    const replace = () => investment.replacePlan({ planId: added.planId, plan: better, actor: ada });
    expect('because' in (await replace())).toBe(true);
    expect(await outcomes([replace()])).toEqual(['already_decided']);
    expect(await onSite('Spring')).toMatchObject({ version: 1, roiPoints: 100 });
    await investment.agreePlan({ id: (await waiting('Spring'))?.id ?? '', actor: ben });
    const now = await onSite('Spring');
    expect(now).toMatchObject({ version: 2, roiPoints: 9_000 });
    const filter = { userId, search: undefined, status: 'all' as const, page: 1 };
    const { investments } = await investment.pageOfInvestments(filter);
    expect(investments).toMatchObject([{ id: made.id, roiPoints: 100, profitCents: made.profitCents }]);
    // Agreed to by two: it may be switched off and on again by one.
    for (const active of [false, true])
      await investment.switchPlan({ planId: now?.id ?? '', active, actor: ada });
  });

  it('that lies beyond narrower bounds is not switched on again by one operator', async () => {
    const { investment, bounds, owner } = test.context;
    const before = await bounds.bounds();
    const added = await investment.addPlan({ plan: { ...draft, planname: 'Autumn' }, actor: ada });
    if (!('planId' in added)) throw new Error('not on the site');
    const switching = (active: boolean) => investment.switchPlan({ ...added, active, actor: ada });
    await switching(false);
    await setBounds(test.context, { planCentsMax: 100_000n });
    await expect(switching(true)).rejects.toMatchObject({
      code: 'second_operator_needed',
      message:
        '$2,000.00 is above $1,000.00. Save it as a new version: that one can wait for a second operator.',
    });
    const byHand = owner.query('update plans set active = true where id = $1', [added.planId]);
    await expect(byHand).rejects.toThrow('beyond the bounds');
    const inserted = owner.query(
      `insert into plans (line_id, version, planname, from_cents, to_cents, duration_days, roi_points, position, created_at)
       values (gen_random_uuid(), 1, 'By hand', 1, 2, 1, 100000, 9, now())`,
    );
    await expect(inserted).rejects.toThrow('beyond the bounds');
    const client = await owner.connect();
    await client.query(`create temp table bounds as select true as agreed, 1 as decided_number,
      100000 as plan_points_per_day_max, 1 as plan_days_min, 3650 as plan_days_max, 10000000000 as plan_cents_max`);
    const withOwnBounds = client.query('update plans set active = true where id = $1', [added.planId]);
    await expect(withOwnBounds).rejects.toThrow('beyond the bounds');
    client.release(true);
    await setBounds(test.context, before);
    await switching(true);
  });
});
