import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../context.ts';
import { outcomes, times } from '../../testing/at-once.ts';
import { dayMs, hourMs } from '../../testing/clock.ts';
import { newInvestors } from '../../testing/ledger/investors.ts';
import { startSecondServer } from '../../testing/ledger/second-server.ts';
import { newTxid, operator, withOffers } from '../../testing/money.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import type { FundingRow } from './store.ts';

let test: TestApp;
let elsewhere: Context;
beforeAll(async () => {
  test = await startTestApp();
  await withOffers(test);
  elsewhere = await startSecondServer(test);
});
// What one test has decided is longer than a day ago for the next.
beforeEach(() => test.clock.advance(dayMs + hourMs));
afterAll(async () => {
  await elsewhere.close();
  await test.close();
});

const ada = operator('ada');
const ben = operator('ben');
const servers = () => [test.context, elsewhere] as const;
const walletOf = async (userId: string) => (await test.context.ledger.summary({ userId })).availableCents;
describe('a deposit', () => {
  const asked = (userId: string, dollars: number): Promise<FundingRow> =>
    test.context.funding.askForFunding({
      userId,
      paymentname: 'Bitcoin',
      amountCents: BigInt(dollars) * 100n,
      idempotencyKey: null,
    });
  type Confirmation = Parameters<Context['funding']['confirmFunding']>[0];
  const confirmation = (
    { id, amountCents }: FundingRow,
    change: Partial<Confirmation> = {},
  ): Confirmation => ({
    requestId: id,
    receivedCents: amountCents,
    chainTxid: newTxid(),
    chainOutput: null,
    actor: ada,
    idempotencyKey: null,
    ...change,
  });
  const confirm = (of: Confirmation) => test.context.funding.confirmFunding(of);
  const oneInvestor = async () => (await newInvestors(test, 1))[0] ?? '';
  const first = (because: string) => ({ status: 'pending', firstConfirmedBy: 'ada', secondBecause: because });

  it('of $10 is not confirmed as $1,000,000 by one operator with an invented transaction id', async () => {
    const userId = await oneInvestor();
    const invented = confirmation(await asked(userId, 10), { receivedCents: 100_000_000n });
    expect(await confirm(invented)).toMatchObject(first('More than the $10.00 that was asked for'));
    expect(await outcomes([confirm(invented), confirm({ ...invented, chainTxid: newTxid() })])).toEqual([
      'second_operator_needed',
      'second_operator_needed',
    ]);
    expect(await walletOf(userId)).toBe(0n);
    expect(await test.context.funding.pageOfRequests({ userId, status: 'pending', page: 1 })).toMatchObject({
      total: 1,
    });
    expect(await confirm({ ...invented, actor: ben })).toMatchObject({
      status: 'confirmed',
      decidedBy: 'ben',
    });
    expect(await walletOf(userId)).toBe(100_000_000n);
  });

  it.each([
    ['a cent more than asked', 1_000, 100_001n, 'More than the $1,000.00 that was asked for'],
    ['above the threshold', 5_001, 500_100n, 'Above $5,000.00'],
    ['as asked and at the threshold', 5_000, 500_000n, null],
    ['less than asked', 5_001, 500_000n, null],
  ])('%s', async (_case, dollars, receivedCents, because) => {
    const row = await confirm(confirmation(await asked(await oneInvestor(), dollars), { receivedCents }));
    expect(row).toMatchObject(because ? first(because) : { status: 'confirmed', firstConfirmedBy: null });
  });

  it('counts with what anyone confirmed for the same investor within a day', async () => {
    const userId = await oneInvestor();
    const each = [await asked(userId, 3_000), await asked(userId, 2_000), await asked(userId, 10)];
    const [one, two, three] = each as [FundingRow, FundingRow, FundingRow];
    expect((await confirm(confirmation(one, { actor: ben }))).status).toBe('confirmed');
    expect((await confirm(confirmation(two))).status).toBe('confirmed');
    const because = '$5,010.00 for this investor within a day, above $5,000.00';
    expect(await confirm(confirmation(three))).toMatchObject(first(because));
    await test.context.funding.dropConfirmation({ id: three.id, actor: ben });
    test.clock.advance(dayMs);
    expect((await confirm(confirmation(three))).status).toBe('confirmed');
  });

  it('counts with what the same operator confirmed alone within a day, for whomever', async () => {
    const people = await newInvestors(test, 4);
    const [one, two, three, four] = (await Promise.all(people.map((userId) => asked(userId, 2_500)))) as [
      FundingRow,
      FundingRow,
      FundingRow,
      FundingRow,
    ];
    expect((await confirm(confirmation(one))).status).toBe('confirmed');
    expect((await confirm(confirmation(two))).status).toBe('confirmed');
    const third = confirmation(three);
    const because = '$7,500.00 by one operator alone within a day, above $5,000.00';
    expect(await confirm(third)).toMatchObject(first(because));
    // What two have confirmed is no one's alone.
    expect((await confirm({ ...third, actor: ben })).status).toBe('confirmed');
    expect((await confirm(confirmation(four, { actor: ben }))).status).toBe('confirmed');
  });

  it('is agreed to by the second exactly as the first has entered it', async () => {
    const userId = await oneInvestor();
    const entered = confirmation(await asked(userId, 6_000), { chainOutput: 1 });
    await confirm(entered);
    for (const change of [{ receivedCents: 599_999n }, { chainTxid: newTxid() }, { chainOutput: 2 }]) {
      await expect(confirm({ ...entered, actor: ben, ...change })).rejects.toMatchObject({
        code: 'already_decided',
        by: 'ada',
        message: `another operator confirmed $6,000.00 with the transaction id ${entered.chainTxid}, output 1. Confirm exactly that, or drop the first confirmation.`,
      });
    }
    const { owner } = test.context;
    const byHand = `update funding_requests set status = 'confirmed', decided_at = now(), decided_by = $2`;
    for (const change of ['received_cents = 600001', "chain_txid = 'x'", "first_confirmed_by = 'eve'"]) {
      const changed = owner.query(`${byHand}, ${change} where id = $1`, [entered.requestId, 'ben']);
      await expect(changed).rejects.toThrow('not what the first operator confirmed');
    }
    const alone = owner.query(`${byHand} where id = $1`, [entered.requestId, 'ada']);
    await expect(alone).rejects.toThrow('funding_two_operators');
    const same = { ...entered, actor: ben, chainTxid: entered.chainTxid.toUpperCase() };
    expect((await confirm(same)).status).toBe('confirmed');
    expect(await walletOf(userId)).toBe(600_000n);
  });

  it('more than asked is refused by the database to one operator as well', async () => {
    const { id } = await asked(await oneInvestor(), 10);
    const byHand = `update funding_requests set status = 'confirmed', decided_at = now(), decided_by = 'ada',
      received_cents = 1001 where id = $1`;
    await expect(test.context.owner.query(byHand, [id])).rejects.toThrow('funding_more_than_asked');
  });

  it('whose first confirmation was dropped, or which was rejected, frees its payment; before, nobody else has it', async () => {
    const [one, two, three] = (await Promise.all(
      (await newInvestors(test, 3)).map((userId) => asked(userId, 6_000)),
    )) as [FundingRow, FundingRow, FundingRow];
    const entered = confirmation(one);
    await confirm(entered);
    const other = { ...entered, requestId: two.id, actor: ben };
    await expect(confirm(other)).rejects.toThrow(
      `This payment waits for a second operator already, for ${one.transactionid}.`,
    );
    const { funding } = test.context;
    const drop = (id: string, actor = ben) => funding.dropConfirmation({ id, actor });
    // Either may; of two at once one has.
    const dropped = await outcomes([drop(one.id, ada), drop(one.id)]);
    expect(dropped.toSorted()).toEqual(['already_decided', 'done']);
    const dropper = dropped[0] === 'done' ? 'ada' : 'ben';
    expect((await confirm(other)).firstConfirmedBy).toBe('ben');
    await funding.rejectFunding({ requestId: two.id, reason: 'No.', actor: ada, idempotencyKey: null });
    expect(await outcomes([drop(two.id)])).toEqual(['already_decided']);
    await confirm({ ...entered, requestId: three.id });
    expect((await confirm({ ...entered, requestId: three.id, actor: ben })).status).toBe('confirmed');
    const { rows } = await test.context.owner.query(
      `select action, actor_id from audit_log where details->>'transactionid' = any($1) order by id`,
      [[one, two, three].map(({ transactionid }) => transactionid)],
    );
    expect(rows.map(({ action, actor_id }) => `${actor_id} ${action}`)).toEqual([
      'ada funding.confirmed-first',
      `${dropper} funding.confirmation-dropped`,
      'ben funding.confirmed-first',
      'ada funding.rejected',
      'ada funding.confirmed-first',
      'ben funding.confirmed',
    ]);
  });

  it('forty at once by one operator on two servers do not slip below the sum', async () => {
    const people = await newInvestors(test, 40);
    const requests = await Promise.all(people.map((userId) => asked(userId, 700)));
    const rows = await Promise.all(
      requests.map((request, n) => servers()[n % 2]?.funding.confirmFunding(confirmation(request))),
    );
    // Seven times $700 is the most that stays below $5,000.
    expect(rows.filter((row) => row?.status === 'confirmed')).toHaveLength(7);
    const one = await oneInvestor();
    const ofOne = await Promise.all(times(20, () => asked(one, 900)));
    const byMany = await Promise.all(
      ofOne.map((request, n) =>
        servers()[n % 2]?.funding.confirmFunding(confirmation(request, { actor: operator(`many-${n}`) })),
      ),
    );
    expect(byMany.filter((row) => row?.status === 'confirmed')).toHaveLength(5);
    expect(await walletOf(one)).toBe(450_000n);
  });

  it('confirmed by both at once with the same figures is credited once', async () => {
    for (const round of times(5, (n) => n)) {
      const userId = await oneInvestor();
      const entered = confirmation(await asked(userId, 6_000));
      await outcomes(
        times(20, (n) =>
          (servers()[(n + round) % 2] as Context).funding.confirmFunding({
            ...entered,
            actor: n % 2 ? ada : ben,
          }),
        ),
      );
      expect(await walletOf(userId)).toBe(600_000n);
    }
  });
});

it('after all of this the books are in order', async () => {
  expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
});
