import { randomUUID } from 'node:crypto';
import { addbalance } from '@tallystick/contract/funding';
import { makeinvestment } from '@tallystick/contract/investment';
import { cancelwithdrawal, makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../platform/app-error.ts';
import { outcomes, times } from '../../testing/at-once.ts';
import { tryCall } from '../../testing/call.ts';
import { dayMs, hourMs, minuteMs } from '../../testing/clock.ts';
import { fundedInvestor, investOn, newInvestor } from '../../testing/ledger/investors.ts';
import { tamperingWith } from '../../testing/ledger/tampering.ts';
import { deposit, newTxid, type Offers, operator, withdrawalForm, withOffers } from '../../testing/money.ts';
import { type SignedIn, signedIn, signIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { keptRefusalsMax } from './command-store.ts';

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

/** The keys of an investor that are refused. */
const refusedKeys = async (scope: string): Promise<string[]> =>
  (
    await test.context.owner.query('select key from ledger_refusals where scope = $1 order by key', [scope])
  ).rows.map(({ key }) => key);

const invest = (userId: string, amountCents: bigint, key: string | null = null) =>
  investOn(test.context, { offers, userId, amountCents, key });
const beyond = 50_000n;
const tooMuch = (userId: string, key: string | null = null) => invest(userId, beyond, key);

/** Over HTTP, as a browser asks. */
const ask = (who: SignedIn, dollars: number, key?: string) =>
  tryCall(test, makeinvestment, {
    body: { userid: who.userid, planid: offers.plans.Starter, investinvestmemntamount: dollars },
    as: who,
    key,
  });

describe('a refused key', () => {
  it('gets its first answer again, though money has come meanwhile, and with another body is told so', async () => {
    const who = await signedIn(test);
    const first = await ask(who, 100, 'empty');
    expect(first).toMatchObject({ status: 402, code: 'insufficient_funds' });
    await deposit(test, who.userid, 500);
    const again = await ask(who, 100, 'empty');
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(await ask(who, 101, 'empty')).toMatchObject({ status: 409, code: 'key_reused' });
    expect(await refusedKeys(who.userid)).toEqual(['empty']);
  });

  it('is as good as new after a day, also for another body, and not a moment before', async () => {
    const userId = await newInvestor(test);
    await expect(tooMuch(userId, 'one')).rejects.toMatchObject({ code: 'insufficient_funds' });
    await expect(tooMuch(userId, 'other')).rejects.toMatchObject({ code: 'insufficient_funds' });
    await deposit(test, userId, 1_000);
    test.clock.advance(dayMs - 1);
    await expect(tooMuch(userId, 'one')).rejects.toMatchObject({ code: 'insufficient_funds' });
    test.clock.advance(1);
    const made = await tooMuch(userId, 'one');
    expect((await invest(userId, 10_000n, 'other')).amountCents).toBe(10_000n);
    // From here on they are kept for good.
    test.clock.advance(2 * dayMs);
    expect(await tooMuch(userId, 'one')).toEqual(made);
    await expect(tooMuch(userId, 'other')).rejects.toMatchObject({ code: 'key_reused' });
  });

  it('is answered as it was to whoever is asked for something by now, and after a day decides nothing for them', async () => {
    const userId = await newInvestor(test);
    const before = vi.fn().mockRejectedValue(new AppError('step_up_required', 'Show it again.'));
    const wish = { userId, investmentId: randomUUID(), payoutCents: 1n, idempotencyKey: 'left' };
    const leave = (more: object = {}) =>
      outcomes([test.context.investment.exitInvestment({ ...wish, ...more })]);
    const refusedAt = async () =>
      (await test.context.owner.query('select at from ledger_refusals where scope = $1', [userId])).rows;
    expect(await leave()).toEqual(['not_found']);
    const first = await refusedAt();
    test.clock.advance(dayMs - 1);
    expect(await leave({ before })).toEqual(['not_found']);
    expect(await leave({ before, payoutCents: 2n })).toEqual(['key_reused']);
    test.clock.advance(1);
    expect(await leave({ before })).toEqual(['step_up_required']);
    expect(await leave({ before, idempotencyKey: null })).toEqual(['step_up_required']);
    expect(await refusedAt()).toEqual(first);
  });

  it('that is refused again after a day is kept for another day', async () => {
    const userId = await newInvestor(test);
    await expect(tooMuch(userId, 'again')).rejects.toMatchObject({ code: 'insufficient_funds' });
    test.clock.advance(dayMs + minuteMs);
    await expect(invest(userId, 60_000n, 'again')).rejects.toMatchObject({ code: 'insufficient_funds' });
    test.clock.advance(23 * hourMs);
    await expect(tooMuch(userId, 'again')).rejects.toMatchObject({ code: 'key_reused' });
    expect(await refusedKeys(userId)).toEqual(['again']);
  });

  it('which was accepted for something else meanwhile answers with what was accepted', async () => {
    const userId = await fundedInvestor(test);
    const made = await invest(userId, 10_000n, 'both');
    // Two commands with one key that never met, because they touch nothing in common: one accepted, one refused. The
    // database refuses that where it can see both.
    const tampering = await tamperingWith(test.database.adminUrl);
    await tampering.sql(
      `insert into ledger_refusals values ($1, 'both', '\\x00', $2, '{"code": "not_found", "message": "Other."}')`,
      [userId, test.clock.now()],
    );
    await tampering.end();
    expect(await invest(userId, 10_000n, 'both')).toEqual(made);
    await expect(tooMuch(userId, 'both')).rejects.toMatchObject({ code: 'key_reused' });
  });

  it('is forgotten when it is older than a day, and no other row is', async () => {
    const userId = await fundedInvestor(test);
    const request = { userId, paymentname: 'Bitcoin', amountCents: 5_000n, idempotencyKey: 'kept' };
    const kept = await test.context.funding.askForFunding(request);
    await expect(tooMuch(userId, 'old')).rejects.toThrow();
    test.clock.advance(dayMs);
    await expect(tooMuch(userId, 'young')).rejects.toThrow();
    await test.context.ledger.forgetRefusals();
    expect(await refusedKeys(userId)).toEqual(['old', 'young']);
    test.clock.advance(1);
    await test.context.ledger.forgetRefusals();
    expect(await refusedKeys(userId)).toEqual(['young']);
    expect((await test.context.funding.askForFunding(request)).id).toBe(kept.id);
  });
});

describe('of one investor’s refusals', () => {
  it('a thousand are kept a day; who has more is told to wait, and what can be done is done', async () => {
    const who = await signedIn(test);
    await deposit(test, who.userid, 200);
    const kept = times(keptRefusalsMax - 1, (n) => `refused-${n}`);
    const first = await outcomes(kept.map((key) => tooMuch(who.userid, key)));
    expect(new Set(first)).toEqual(new Set(['insufficient_funds']));
    // The last for which there is room, and one more, in one batch.
    const last = await outcomes([tooMuch(who.userid, 'last'), tooMuch(who.userid, 'beyond')]);
    expect(last).toEqual(['insufficient_funds', 'too_many_requests']);
    expect(await refusedKeys(who.userid)).toHaveLength(keptRefusalsMax);

    const answer = await ask(who, 500, 'over-http');
    expect(answer).toMatchObject({ status: 429, code: 'too_many_requests' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(await refusedKeys(who.userid)).toHaveLength(keptRefusalsMax);
    // What is kept is answered as before, what can be done is done, and nothing of 429 is remembered.
    await expect(tooMuch(who.userid, 'refused-7')).rejects.toMatchObject({ code: 'insufficient_funds' });
    expect(await ask(who, 100, 'over-http')).toMatchObject({ status: 200 });

    // Nobody else notices.
    const other = await newInvestor(test);
    await expect(tooMuch(other)).rejects.toMatchObject({ code: 'insufficient_funds' });

    test.clock.advance(dayMs);
    await expect(tooMuch(who.userid, 'refused-7')).rejects.toMatchObject({ code: 'insufficient_funds' });
    await expect(tooMuch(who.userid, 'tomorrow')).rejects.toMatchObject({ code: 'insufficient_funds' });
  });

  it('as many are kept when all come at once, among the commands of others', async () => {
    const [userId, other] = [await newInvestor(test), await newInvestor(test)];
    await outcomes(times(keptRefusalsMax - 100, () => tooMuch(userId)));
    const refused = await Promise.all([
      outcomes(times(200, () => tooMuch(other))),
      outcomes(times(250, () => tooMuch(userId))),
    ]);
    const count = (codes: string[], wanted: string) => codes.filter((code) => code === wanted).length;
    expect(count(refused[0], 'insufficient_funds')).toBe(200);
    expect(count(refused[1], 'insufficient_funds')).toBe(100);
    expect(count(refused[1], 'too_many_requests')).toBe(150);
    expect(await refusedKeys(userId)).toHaveLength(keptRefusalsMax);
    expect(await refusedKeys(other)).toHaveLength(200);
  });

  it('operators’ are not counted', async () => {
    const confirm = () =>
      test.context.funding.confirmFunding({
        requestId: randomUUID(),
        receivedCents: 100n,
        chainTxid: newTxid(),
        chainOutput: 0,
        actor: operator(),
        idempotencyKey: null,
      });
    const refused = await outcomes(times(keptRefusalsMax + 20, confirm));
    expect(new Set(refused)).toEqual(new Set(['not_found']));
    expect((await refusedKeys('operator')).length).toBe(keptRefusalsMax + 20);
  });
});

describe('an accepted key answers for good, to the letter,', () => {
  /** What was answered first, and a way to ask for it again. */
  async function answered(again: () => Promise<{ status: number; text: string }>) {
    const first = await again();
    expect(first.status).toBe(200);
    return async () => expect((await again()).text).toBe(first.text);
  }
  const step = (withdrawalId: string) => ({ withdrawalId, actor: operator(), idempotencyKey: null });

  it('after the investment was settled, the withdrawal paid or cancelled, the deposit confirmed', async () => {
    let who = await signedIn(test);
    await deposit(test, who.userid, 1_000);
    const { withdrawal, funding, investment, owner } = test.context;
    const sameInvestment = await answered(() => ask(who, 100, 'invest'));
    const form = withdrawalForm({ offers, who });
    const asking = (key: string) => () => tryCall(test, makenewwithdrawal, { body: form, as: who, key });
    const samePaid = await answered(asking('paid'));
    const sameRejected = await answered(asking('rejected'));
    const sameTakenBack = await answered(asking('taken-back'));
    const { rows } = await owner.query('select id from withdrawals where user_id = $1 order by id', [
      who.userid,
    ]);
    const [paid, rejected, takenBack] = rows.map(({ id }) => id);
    const params = { withdrawalid: takenBack };
    const sameCancelling = await answered(() =>
      tryCall(test, cancelwithdrawal, { params, as: who, key: 'cancel' }),
    );
    const body = { fundingtypename: 'Bitcoin', amount: 75 };
    const sameRequest = await answered(() => tryCall(test, addbalance, { body, as: who, key: 'fund' }));

    await withdrawal.approveWithdrawal(step(paid));
    await withdrawal.markWithdrawalPaid({ ...step(paid), chainTxid: newTxid(), chainOutput: 0 });
    await withdrawal.rejectWithdrawal({ ...step(rejected), reason: 'Not today.' });
    const { requests } = await funding.pageOfRequests({ userId: who.userid, status: 'pending', page: 1 });
    const payment = { receivedCents: 7_500n, chainTxid: newTxid(), chainOutput: 0 };
    const requestId = requests[0]?.id ?? '';
    await funding.confirmFunding({ requestId, ...payment, actor: operator(), idempotencyKey: null });
    test.clock.advance(400 * dayMs);
    await investment.settleDue();
    await test.context.ledger.forgetRefusals();
    await test.restart();
    who = await signIn(test, who);
    const { investedCents, withdrawingCents } = await test.context.ledger.summary({ userId: who.userid });
    expect([investedCents, withdrawingCents]).toEqual([0n, 0n]);

    for (const same of [sameInvestment, samePaid, sameRejected, sameTakenBack, sameCancelling, sameRequest])
      await same();
    expect((await ask(who, 101, 'invest')).code).toBe('key_reused');
  });
});
