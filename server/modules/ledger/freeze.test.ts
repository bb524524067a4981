import { makeinvestment } from '@tallystick/contract/investment';
import { makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { answerOf, tryCall } from '../../testing/call.ts';
import { type Tampering, tamperingWith } from '../../testing/ledger/tampering.ts';
import { deposit, newTxid, type Offers, operator, withdrawalForm, withOffers } from '../../testing/money.ts';
import { type SignedIn, signedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
let offers: Offers;
let tampering: Tampering;
let ada: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
});
afterAll(() => test.close());

/** Two withdrawals are under way, one of them approved, when the balance of the wallet is tampered with and found out. */
const open = { requested: '', approved: '' };
beforeEach(async () => {
  ada = await signedIn(test);
  await deposit(test, ada.userid, 1000);
  open.requested = answerOf(await withdraw(20)).withdrawal._id;
  open.approved = answerOf(await withdraw(30)).withdrawal._id;
  await test.context.withdrawal.approveWithdrawal(stepOn(open.approved));
  tampering = await tamperingWith(test.database.adminUrl);
  const changed = `update ledger_accounts set balance_cents = balance_cents + 1 where owner_id = $1 and kind = 'wallet'`;
  await tampering.sql(changed, [ada.userid]);
  await test.context.ledger.checkBooks();
  return async () => {
    await tampering.undo();
    await tampering.end();
  };
});

const withdraw = (withdrawalamount: number) =>
  tryCall(test, makenewwithdrawal, {
    body: withdrawalForm({ offers, who: ada }, { withdrawalamount }),
    as: ada,
  });
const stepOn = (withdrawalId: string) => ({ withdrawalId, actor: operator(), idempotencyKey: null });
const audit = async (action: string) =>
  (await test.context.owner.query('select * from audit_log where action = $1 order by id', [action])).rows;

it('books that do not agree freeze withdrawals: none is asked for, approved or paid', async () => {
  expect(await withdraw(10)).toMatchObject({ status: 423, code: 'withdrawals_frozen' });
  const { withdrawal } = test.context;
  const frozen = { code: 'withdrawals_frozen' };
  await expect(withdrawal.approveWithdrawal(stepOn(open.requested))).rejects.toMatchObject(frozen);
  const payment = { ...stepOn(open.approved), chainTxid: newTxid() };
  await expect(withdrawal.markWithdrawalPaid(payment)).rejects.toMatchObject(frozen);
});

it('everything else goes on: deposits, investing, and giving held money back', async () => {
  await deposit(test, ada.userid, 100);
  const body = { userid: ada.userid, planid: offers.plans.Starter, investinvestmemntamount: 100 };
  expect((await tryCall(test, makeinvestment, { body, as: ada })).status).toBe(200);
  const { withdrawal } = test.context;
  await withdrawal.rejectWithdrawal({ ...stepOn(open.approved), reason: 'While we look.' });
  await withdrawal.cancelWithdrawal({
    userId: ada.userid,
    withdrawalId: open.requested,
    idempotencyKey: null,
  });
  expect(await test.context.ledger.summary({ userId: ada.userid })).toMatchObject({
    availableCents: 100_001n,
    investedCents: 10_000n,
    withdrawingCents: 0n,
  });
});

it('what was found is kept with the check and in the audit log, and the first reason stays', async () => {
  const finding = `wallet of ${ada.userid}: its entries do not add up to its balance`;
  const all = 'all accounts together are 1 cents instead of zero';
  expect(await test.context.ledger.lastCheck()).toMatchObject({ findings: [finding, all] });
  expect((await audit('ledger.frozen')).at(-1)).toMatchObject({
    actor_kind: 'system',
    details: { findings: [finding, all] },
  });
  const before = (await audit('ledger.frozen')).length;
  await tampering.sql(`update ledger_entries set label = 'Gift'`);
  expect((await test.context.ledger.checkBooks()).findings.length).toBeGreaterThan(2);
  expect(await test.context.ledger.frozenBecause()).toBe(finding);
  expect(await audit('ledger.frozen')).toHaveLength(before);
});

it('good books do not open again what was frozen: an operator does, with a reason', async () => {
  const repaired = `update ledger_accounts set balance_cents = balance_cents - 1 where owner_id = $1 and kind = 'wallet'`;
  await tampering.sql(repaired, [ada.userid]);
  expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
  expect((await withdraw(10)).status).toBe(423);
  await test.context.ledger.unfreeze({ actor: operator('operator-2'), reason: 'Restored from the backup.' });
  expect((await withdraw(10)).status).toBe(200);
  expect((await audit('ledger.unfrozen')).at(-1)).toMatchObject({
    actor_kind: 'operator',
    actor_id: 'operator-2',
    details: { reason: 'Restored from the backup.' },
  });
});

it('nobody opens again what still does not agree', async () => {
  const opening = test.context.ledger.unfreeze({ actor: operator(), reason: 'Looks fine to me.' });
  await expect(opening).rejects.toThrow('do not agree');
  expect((await withdraw(10)).status).toBe(423);
});
