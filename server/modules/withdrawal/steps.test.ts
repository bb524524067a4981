import { fetchbalance } from '@tallystick/contract/funding';
import { summary } from '@tallystick/contract/ledger';
import { fetchwithdrawals, type WithdrawalStatus } from '@tallystick/contract/withdrawal';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outcomes } from '../../testing/at-once.ts';
import { call } from '../../testing/call.ts';
import { deposit, goodAddress, newTxid, type Offers, operator, withOffers } from '../../testing/money.ts';
import { type SignedIn, signedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { createLedger } from '../ledger/service.ts';
import { statusAfter, type WithdrawalStep } from './rules.ts';
import { createWithdrawal } from './service.ts';
import type { WithdrawalRow } from './store.ts';

let test: TestApp;
let offers: Offers;
let person: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  person = await signedIn(test);
});
beforeEach(() => deposit(test, person.userid, 100));
afterAll(() => test.close());

const requested = (): Promise<WithdrawalRow> =>
  test.context.withdrawal.askForWithdrawal({
    userId: person.userid,
    methodId: offers.withdrawalMethods.Bitcoin,
    amountCents: 10_000n,
    address: goodAddress.Bitcoin,
    idempotencyKey: null,
  });
const by = (row: WithdrawalRow, id = 'operator-1') => ({
  withdrawalId: row.id,
  actor: operator(id),
  idempotencyKey: null,
});
const approve = (row: WithdrawalRow, id?: string) => test.context.withdrawal.approveWithdrawal(by(row, id));
const pay = (row: WithdrawalRow, id?: string, chainTxid = newTxid()) =>
  test.context.withdrawal.markWithdrawalPaid({ ...by(row, id), chainTxid });
const reject = (row: WithdrawalRow, id?: string, reason = 'The address is on a list.') =>
  test.context.withdrawal.rejectWithdrawal({ ...by(row, id), reason });
const cancel = ({ id, userId }: WithdrawalRow) =>
  test.context.withdrawal.cancelWithdrawal({ withdrawalId: id, userId, idempotencyKey: null });

const balance = async () => {
  const { available, withdrawing, entries } = await call(test, summary, { as: person });
  return { available, withdrawing, entries };
};
const shown = async ({ id }: WithdrawalRow) => {
  const first = await call(test, fetchwithdrawals, { as: person });
  return first.withdrawal.find(({ _id }) => _id === id);
};
describe('an operator', () => {
  it('approves, then marks it paid with the transaction id; only then has the money left', async () => {
    test.clock.advance(1000);
    const row = await requested();
    const held = await balance();
    await approve(row);
    expect(await shown(row)).toMatchObject({
      status: 'approved',
      approvedat: test.clock.now().toISOString(),
      endedat: null,
    });
    expect(await balance()).toEqual(held);
    test.clock.advance(1000);
    const chainTxid = newTxid();
    await pay(row, 'operator-2', chainTxid);
    expect(await shown(row)).toMatchObject({
      status: 'paid',
      chaintransactionid: chainTxid,
      reason: null,
      endedat: test.clock.now().toISOString(),
    });
    // The wallet paid when it was asked for: paying out adds no entry to it.
    expect(await balance()).toEqual({ ...held, withdrawing: held.withdrawing - 100 });
  });

  it.each(['requested', 'approved'] as const)('rejects what is %s, and the money returns', async (status) => {
    const before = await balance();
    test.clock.advance(1000);
    const row = await requested();
    if (status === 'approved') await approve(row);
    await reject(row, 'operator-2', 'The exchange of this address is closed.');
    expect(await shown(row)).toMatchObject({
      status: 'rejected',
      reason: 'The exchange of this address is closed.',
      chaintransactionid: null,
    });
    expect(await balance()).toEqual({ ...before, entries: before.entries + 2 });
    const { balance: entries } = await call(test, fetchbalance, { as: person });
    expect(entries[0]).toMatchObject({
      fundingtype: 'Withdrawal Returned',
      finalBalance: 100,
      reference: row.transactionid,
      reason: 'The exchange of this address is closed.',
    });
  });

  it('cannot pay what nobody approved, and is told so', async () => {
    const row = await requested();
    await expect(pay(row)).rejects.toMatchObject({
      code: 'already_decided',
      message: 'This withdrawal is not approved yet.',
    });
    await cancel(row);
  });
});

describe('two operators at once', () => {
  it('approving have one effect, and the second is told who was first', async () => {
    const row = await requested();
    const results = await Promise.allSettled([approve(row, 'vera'), approve(row, 'omar')]);
    expect(results).toMatchObject([
      { status: 'fulfilled' },
      {
        reason: {
          code: 'already_decided',
          message: 'This withdrawal was approved already, by another operator.',
          by: 'vera',
        },
      },
    ]);
  });

  it('of which one pays and one rejects: one of the two happens', async () => {
    for (let round = 0; round < 5; round += 1) {
      await deposit(test, person.userid, 100);
      const row = await requested();
      await approve(row);
      const before = await balance();
      const [paid, rejected] = await outcomes([pay(row, 'vera'), reject(row, 'omar')]);
      expect([paid, rejected].toSorted()).toEqual(['already_decided', 'done']);
      const back = rejected === 'done' ? 100 : 0;
      expect(await balance()).toMatchObject({
        available: before.available + back,
        withdrawing: before.withdrawing - 100,
      });
    }
  });

  it('on two servers, with the investor pressing Cancel: one effect, nobody paid twice', async () => {
    const { db, clock, logger } = test.context;
    const ledger = createLedger({ db, clock, logger });
    const elsewhere = createWithdrawal({ ...test.context, ledger });
    for (let round = 0; round < 5; round += 1) {
      const before = await balance();
      const row = await requested();
      const ended = await outcomes([
        cancel(row),
        elsewhere.rejectWithdrawal({ ...by(row, 'there'), reason: 'No.' }),
        reject(row, 'here'),
        elsewhere.cancelWithdrawal({ withdrawalId: row.id, userId: row.userId, idempotencyKey: null }),
      ]);
      expect(ended.toSorted()).toEqual([...Array(3).fill('already_decided'), 'done']);
      expect(await balance()).toEqual({ ...before, entries: before.entries + 2 });
    }
  });
});

describe('what has ended', () => {
  const ends: [WithdrawalStatus, (row: WithdrawalRow) => Promise<unknown>][] = [
    ['paid', (row) => approve(row).then(() => pay(row))],
    ['rejected', reject],
    ['cancelled', cancel],
  ];

  it.each(ends)('as %s never changes again, by verb or by hand', async (status, end) => {
    const row = await requested();
    await end(row);
    const before = await balance();
    const verbs = [approve(row), pay(row), reject(row), cancel(row)];
    expect(await outcomes(verbs)).toEqual(Array(4).fill('already_decided'));
    const { owner } = test.context;
    for (const change of [
      "status = 'requested', ended_at = null, chain_txid = null, reason = null",
      "status = 'approved', ended_at = null, chain_txid = null, reason = null",
      "address = 'elsewhere'",
      'amount_cents = 1',
      "chain_txid = 'another'",
    ]) {
      await expect(owner.query(`update withdrawals set ${change} where id = $1`, [row.id])).rejects.toThrow(
        'has ended',
      );
    }
    const { rows } = await owner.query('select status from withdrawals where id = $1', [row.id]);
    expect([rows, await balance()]).toEqual([[{ status }], before]);
  });

  it('cannot be deleted by the server', async () => {
    const { db } = test.context;
    await expect(db.deleteFrom('withdrawals').execute()).rejects.toThrow('permission denied');
  });
});

describe('every step', () => {
  const statuses: WithdrawalStatus[] = ['requested', 'approved', 'paid', 'rejected', 'cancelled'];
  const allowed: Record<WithdrawalStep, Partial<Record<WithdrawalStatus, WithdrawalStatus>>> = {
    approve: { requested: 'approved' },
    pay: { approved: 'paid' },
    reject: { requested: 'rejected', approved: 'rejected' },
    cancel: { requested: 'cancelled' },
  };

  it.each(Object.keys(allowed) as WithdrawalStep[])('is possible from where it should be: %s', (step) => {
    for (const status of statuses) expect(statusAfter(step, status)).toBe(allowed[step][status] ?? null);
  });

  it('leaves a trace of who took it', async () => {
    await deposit(test, person.userid, 200);
    const [paid, rejected, cancelled] = [await requested(), await requested(), await requested()];
    await approve(paid, 'vera');
    const chainTxid = newTxid();
    await pay(paid, 'omar', chainTxid);
    await reject(rejected, 'vera', 'No.');
    await cancel(cancelled);
    await outcomes([approve(rejected), pay(cancelled)]);
    const { rows } = await test.context.owner.query(
      `select action, actor_kind, actor_id, subject_id, details from audit_log
       where details->>'transactionid' = any($1) order by id`,
      [[paid, rejected, cancelled].map(({ transactionid }) => transactionid)],
    );
    const subject_id = person.userid;
    expect(rows).toMatchObject([
      { action: 'withdrawal.approved', actor_kind: 'operator', actor_id: 'vera', subject_id },
      { action: 'withdrawal.paid', actor_id: 'omar', details: { chainTxid, amountCents: '10000' } },
      { action: 'withdrawal.rejected', actor_id: 'vera', details: { reason: 'No.' } },
      { action: 'withdrawal.cancelled', actor_kind: 'investor', actor_id: subject_id },
    ]);
  });

  it('is told with the entry that took the money: held, paid or returned', async () => {
    await deposit(test, person.userid, 300);
    const [held, approved, paid, rejected] = [
      await requested(),
      await requested(),
      await requested(),
      await requested(),
    ];
    await approve(approved);
    await approve(paid);
    await pay(paid, 'omar', newTxid());
    await reject(rejected, 'vera', 'No.');
    // The specified list of everything, a page, and a page of one kind are read in three ways.
    for (const query of [{}, { page: 1 }, { fundingtype: 'Withdrawal' }]) {
      const { balance: entries } = await call(test, fetchbalance, { query, as: person });
      const stateOf = ({ transactionid }: WithdrawalRow) =>
        entries.find((entry) => entry.transactionid === transactionid)?.withdrawalstate;
      expect([held, approved, paid, rejected].map(stateOf)).toEqual(['held', 'held', 'paid', 'returned']);
      const others = entries.filter((entry: { fundingtype: string }) => entry.fundingtype !== 'Withdrawal');
      for (const other of others) expect(other.withdrawalstate).toBeNull();
    }
    await cancel(held);
    await reject(approved);
  });

  it('leaves the books in order', async () => {
    expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
  });
});
