import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../context.ts';
import { outcomes, times } from '../../testing/at-once.ts';
import { dayMs, hourMs } from '../../testing/clock.ts';
import { newInvestors } from '../../testing/ledger/investors.ts';
import { startSecondServer } from '../../testing/ledger/second-server.ts';
import {
  deposit,
  newBitcoinAddress,
  newTxid,
  type Offers,
  operator,
  setBounds,
  withOffers,
} from '../../testing/money.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import type { WithdrawalRow } from './store.ts';

let test: TestApp;
let offers: Offers;
let elsewhere: Context;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
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
/** One after the other, as many as a test has names for. */
async function inOrder(
  people: string[],
  ask: (userId: string, n: number) => Promise<WithdrawalRow>,
): Promise<[WithdrawalRow, WithdrawalRow, WithdrawalRow, WithdrawalRow, WithdrawalRow, WithdrawalRow]> {
  const rows: WithdrawalRow[] = [];
  for (const [n, userId] of people.entries()) rows.push(await ask(userId, n));
  return rows as Awaited<ReturnType<typeof inOrder>>;
}

describe('a payout', () => {
  const requested = (userId: string, dollars: number, address = newBitcoinAddress()) =>
    test.context.withdrawal.askForWithdrawal({
      userId,
      methodId: offers.withdrawalMethods.Bitcoin,
      idempotencyKey: null,
      amountCents: BigInt(dollars) * 100n,
      address,
    });
  const approve = (
    { id }: { id: string },
    actor = ada,
    { withdrawal }: Pick<Context, 'withdrawal'> = test.context,
  ) => withdrawal.approveWithdrawal({ withdrawalId: id, actor, idempotencyKey: null });
  const pay = ({ id }: { id: string }, chainTxid: string, chainOutput: number | null = null) =>
    test.context.withdrawal.markWithdrawalPaid({
      withdrawalId: id,
      actor: ada,
      chainTxid,
      chainOutput,
      idempotencyKey: null,
    });
  async function rich(count: number, dollars: number): Promise<string[]> {
    const people = await newInvestors(test, count);
    for (const userId of people) await deposit(test, userId, dollars);
    test.clock.advance(dayMs + hourMs);
    return people;
  }

  it('of three investors to one address, $5,000 each, is not approved and paid by one operator', async () => {
    const people = await rich(3, 5_000);
    const address = newBitcoinAddress();
    const spellings = [address, address.toUpperCase(), address];
    const [one, two, three] = await inOrder(people, (userId, n) => requested(userId, 5_000, spellings[n]));
    expect((await approve(one)).status).toBe('approved');
    const because = '$10,000.00 to this address within a day, above $5,000.00';
    for (const each of [two, three]) {
      expect(await approve(each)).toMatchObject({ status: 'requested', secondBecause: because });
      expect(await outcomes([approve(each), pay(each, newTxid())])).toEqual([
        'second_operator_needed',
        'already_decided',
      ]);
    }
    expect(await approve(two, ben)).toMatchObject({ status: 'approved', firstApprovedBy: 'ada' });
  });

  it('counts with what the same operator approved alone, whoever gets it and wherever it goes', async () => {
    const people = await rich(4, 2_500);
    const [one, two, three, four] = await inOrder(people, (userId) => requested(userId, 2_500));
    expect((await approve(one)).status).toBe('approved');
    expect((await approve(two)).status).toBe('approved');
    const because = '$7,500.00 by one operator alone within a day, above $5,000.00';
    expect(await approve(three)).toMatchObject({ status: 'requested', secondBecause: because });
    expect((await approve(four, ben)).status).toBe('approved');
    expect((await approve(three, ben)).status).toBe('approved');
  });

  it('forty approved at once by one operator on two servers do not slip below the sum', async () => {
    const people = await rich(20, 200);
    const spread = await Promise.all(people.flatMap((userId) => times(2, () => requested(userId, 90))));
    await setBounds(test.context, { thresholdCents: 100_000n });
    const rows = await Promise.all(spread.map((row, n) => approve(row, ada, servers()[n % 2] as Context)));
    // Eleven times $90 is the most that stays below $1,000.
    expect(rows.filter(({ status }) => status === 'approved')).toHaveLength(11);
    const address = newBitcoinAddress();
    const other = await rich(10, 400);
    const together = await Promise.all(other.map((userId) => requested(userId, 300, address)));
    const byMany = await Promise.all(
      together.map((row, n) => approve(row, operator(`many-${n}`), servers()[n % 2] as Context)),
    );
    expect(byMany.filter(({ status }) => status === 'approved')).toHaveLength(3);
    await setBounds(test.context, { thresholdCents: 500_000n });
  });

  it('is not marked as paid with the transaction that paid another, unless another output did', async () => {
    const [userId = ''] = await rich(1, 500);
    const rows = await inOrder(
      times(6, () => userId),
      (id) => requested(id, 20),
    );
    for (const row of rows) await approve(row);
    const [one, two, three, four, five, six] = rows;
    const id = newTxid();
    await pay(one, id);
    await expect(pay(two, id.toUpperCase())).rejects.toMatchObject({
      code: 'already_decided',
      message: `This transaction has paid another withdrawal, ${one.transactionid}.`,
    });
    expect(await outcomes([pay(two, id, 1)])).toEqual(['already_decided']);
    const many = newTxid();
    await pay(two, many, 0);
    expect(await outcomes([pay(three, many, 0), pay(three, many)])).toEqual(Array(2).fill('already_decided'));
    await pay(three, many, 1);
    const racing = newTxid();
    expect((await outcomes([pay(four, racing), pay(five, racing)])).toSorted()).toEqual([
      'already_decided',
      'done',
    ]);
    await expect(
      test.context.owner.query(
        `update withdrawals set status = 'paid', ended_at = now(), chain_txid = $2 where id = $1`,
        [six.id, id],
      ),
    ).rejects.toThrow('withdrawals_paid_once');
    for (const typed of [`0x${newTxid()}`, 'paid-1', newTxid().slice(1)]) {
      await expect(pay(six, typed)).rejects.toMatchObject({
        code: 'outside_range',
        message: 'The id of a Bitcoin transaction is 64 characters, 0 to 9 and a to f.',
      });
    }
  });

  it('is not marked as paid with the transaction of a deposit, nor is its own credited as one', async () => {
    const [userId = ''] = await newInvestors(test, 1);
    const { funding } = test.context;
    const common = { userId, idempotencyKey: null };
    const request = await funding.askForFunding({ ...common, paymentname: 'Bitcoin', amountCents: 10_000n });
    const chainTxid = newTxid();
    const arrived = { requestId: request.id, receivedCents: 10_000n, chainTxid, chainOutput: 0 };
    await funding.confirmFunding({ ...arrived, actor: ada, idempotencyKey: null });
    const row = await requested(userId, 50);
    await approve(row);
    await expect(pay(row, chainTxid)).rejects.toThrow(
      `This transaction is a deposit, ${request.transactionid}.`,
    );
    const payout = newTxid();
    await pay(row, payout);
    const asked = await funding.askForFunding({ ...common, paymentname: 'Bitcoin', amountCents: 10_000n });
    const claimed = { ...arrived, requestId: asked.id, chainTxid: payout };
    await expect(funding.confirmFunding({ ...claimed, actor: ada, idempotencyKey: null })).rejects.toThrow(
      `This transaction has paid a withdrawal, ${row.transactionid}.`,
    );
  });
});

describe('somebody who is an operator no more', () => {
  const goneAfter = async (work: (gone: ReturnType<typeof operator>) => Promise<unknown>) => {
    const { owner } = test.context;
    const { rows } = await owner.query<{ id: string }>(
      `insert into operators (name, email, email_key, password_hash, created_at)
       values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '-', now()) returning id`,
    );
    const gone = operator(rows[0]?.id ?? '');
    await work(gone);
    await owner.query('update operators set disabled_at = now() where id = $1', [gone.id]);
  };

  it('does not keep one who may decide alone from doing so', async () => {
    const { funding, withdrawal } = test.context;
    const [userId = ''] = await newInvestors(test, 1);
    await deposit(test, userId, 6_000);
    test.clock.advance(dayMs + hourMs);
    const asked = { userId, paymentname: 'Bitcoin', amountCents: 10_000n, idempotencyKey: null };
    const request = await funding.askForFunding(asked);
    const confirm = (actor: ReturnType<typeof operator>, receivedCents: bigint) =>
      funding.confirmFunding({
        requestId: request.id,
        receivedCents,
        chainTxid: newTxid(),
        chainOutput: null,
        actor,
        idempotencyKey: null,
      });
    const wish = { userId, methodId: offers.withdrawalMethods.Bitcoin, address: newBitcoinAddress() };
    const held = await withdrawal.askForWithdrawal({ ...wish, amountCents: 20_000n, idempotencyKey: null });
    const approve = (actor: ReturnType<typeof operator>) =>
      withdrawal.approveWithdrawal({ withdrawalId: held.id, actor, idempotencyKey: null });
    await setBounds(test.context, { thresholdCents: 15_000n });
    await goneAfter(async (gone) => {
      expect((await confirm(gone, 99_000n)).status).toBe('pending');
      expect((await approve(gone)).status).toBe('requested');
    });
    await setBounds(test.context, { thresholdCents: 500_000n });
    expect(await confirm(ada, 10_000n)).toMatchObject({ status: 'confirmed', firstConfirmedBy: null });
    expect(await approve(ada)).toMatchObject({ status: 'approved', firstApprovedBy: null });
  });

  it('has neither confirmed nor approved first: another begins anew', async () => {
    const { funding, withdrawal } = test.context;
    const [userId = ''] = await newInvestors(test, 1);
    await deposit(test, userId, 6_000);
    const asked = { userId, paymentname: 'Bitcoin', amountCents: 600_000n, idempotencyKey: null };
    const request = await funding.askForFunding(asked);
    const confirm = (actor: ReturnType<typeof operator>, chainTxid = newTxid()) =>
      funding.confirmFunding({
        requestId: request.id,
        receivedCents: 600_000n,
        chainTxid,
        chainOutput: null,
        actor,
        idempotencyKey: null,
      });
    const wish = { userId, methodId: offers.withdrawalMethods.Bitcoin, address: newBitcoinAddress() };
    const held = await withdrawal.askForWithdrawal({ ...wish, amountCents: 550_000n, idempotencyKey: null });
    const approve = (actor: ReturnType<typeof operator>) =>
      withdrawal.approveWithdrawal({ withdrawalId: held.id, actor, idempotencyKey: null });
    await goneAfter(async (gone) => {
      await confirm(gone);
      await approve(gone);
    });
    const chainTxid = newTxid();
    expect(await confirm(ada, chainTxid)).toMatchObject({ status: 'pending', firstConfirmedBy: 'ada' });
    expect(await approve(ada)).toMatchObject({ status: 'requested', firstApprovedBy: 'ada' });
    expect((await confirm(ben, chainTxid)).status).toBe('confirmed');
    expect((await approve(ben)).status).toBe('approved');
  });
});

it('after all of this the books are in order', async () => {
  expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
});
