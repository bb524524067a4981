import { makeinvestment } from '@tallystick/contract/investment';
import { makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../context.ts';
import { outcomes, times } from '../../testing/at-once.ts';
import { blockedBackends } from '../../testing/blocked.ts';
import { tryCall } from '../../testing/call.ts';
import { dayMs } from '../../testing/clock.ts';
import { balancesOf, fundedInvestor, newInvestor } from '../../testing/ledger/investors.ts';
import { startSecondServer } from '../../testing/ledger/second-server.ts';
import {
  deposit,
  goodAddress,
  newTxid,
  type Offers,
  operator,
  withdrawalForm,
  withOffers,
} from '../../testing/money.ts';
import { type SignedIn, signedIn } from '../../testing/people.ts';
import { proofRuns } from '../../testing/proof-size.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { pendingRequestsMax } from '../funding/rules.ts';

let test: TestApp;
let offers: Offers;
let servers: [Context, Context];
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  servers = [test.context, await startSecondServer(test)];
});
afterAll(async () => {
  await servers[1].close();
  await test.close();
});
afterEach(async () => {
  expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
});

/** One who can sign in. */
async function funded(dollars: number): Promise<SignedIn> {
  const person = await signedIn(test);
  await deposit(test, person.userid, dollars);
  return person;
}

const count = (statuses: number[], wanted: number) => statuses.filter((status) => status === wanted).length;

const balances = (userId: string) => balancesOf(test, userId);

const withdrawOverHttp = async (who: SignedIn, withdrawalamount: number) => {
  const body = withdrawalForm({ offers, who }, { withdrawalamount });
  return (await tryCall(test, makenewwithdrawal, { body, as: who })).status;
};
const investOverHttp = async (who: SignedIn, amount: number) => {
  const body = { userid: who.userid, planid: offers.plans.Starter, investinvestmemntamount: amount };
  return (await tryCall(test, makeinvestment, { body, as: who })).status;
};

const withdrawal = (userId: string, amountCents: bigint, idempotencyKey: string | null = null) => ({
  userId,
  methodId: offers.withdrawalMethods.Bitcoin,
  amountCents,
  address: goodAddress.Bitcoin,
  idempotencyKey,
});
const investment = (userId: string, amountCents: bigint) => ({
  userId,
  planId: offers.plans.Starter,
  amountCents,
  idempotencyKey: null,
});

describe('the same money', () => {
  it('withdrawn very often at once leaves once, and the others are told that funds are short', async () => {
    const person = await funded(250);
    const often = proofRuns(200, 50);
    const statuses = await Promise.all(times(often, () => withdrawOverHttp(person, 250)));
    expect([count(statuses, 200), count(statuses, 402)]).toEqual([1, often - 1]);
    expect(await balances(person.userid)).toEqual([0n, 0n, 25_000n]);
  });

  it('invested and withdrawn at once is spent once', async () => {
    const person = await funded(1000);
    const statuses = await Promise.all(
      times(60, (n) => (n % 2 ? investOverHttp(person, 100) : withdrawOverHttp(person, 100))),
    );
    expect([count(statuses, 200), count(statuses, 402)]).toEqual([10, 50]);
    const [available, invested, withdrawing] = await balances(person.userid);
    expect([available, (invested ?? 0n) + (withdrawing ?? 0n)]).toEqual([0n, 100_000n]);
  });

  it('asked for on two servers at once is spent once', async () => {
    const userId = await fundedInvestor(test, 1000);
    const ends = await outcomes(
      times(80, (n) => {
        const server = servers[n % 2] as Context;
        return n % 4 < 2
          ? server.investment.makeInvestment(investment(userId, 30_000n))
          : server.withdrawal.askForWithdrawal(withdrawal(userId, 30_000n));
      }),
    );
    expect(ends.filter((end) => end === 'done')).toHaveLength(3);
    expect(ends.filter((end) => end === 'insufficient_funds')).toHaveLength(77);
    expect((await balances(userId))[0]).toBe(10_000n);
  });

  it('asked for with one key on two servers at once has one effect and one answer', async () => {
    const userId = await fundedInvestor(test, 1000);
    const answers = await Promise.all(
      times(40, (n) =>
        (servers[n % 2] as Context).withdrawal.askForWithdrawal(withdrawal(userId, 10_000n, 'k')),
      ),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await balances(userId)).toEqual([90_000n, 0n, 10_000n]);
  });
});

it('requests for funding, asked for on two servers at once, wait in no greater number than one may have', async () => {
  const userId = await newInvestor(test);
  const wish = { userId, paymentname: 'Bitcoin', amountCents: 10_000n, idempotencyKey: null };
  const ends = await outcomes(times(80, (n) => (servers[n % 2] as Context).funding.askForFunding(wish)));
  expect(ends.filter((end) => end === 'done')).toHaveLength(pendingRequestsMax);
  expect(ends.filter((end) => end === 'too_many_requests')).toHaveLength(80 - pendingRequestsMax);
});

it('who touches an account waits for whoever has it locked, on whichever server', async () => {
  const userId = await fundedInvestor(test, 100);
  const account = { kind: 'wallet', ownerId: userId } as const;
  const steps: string[] = [];
  const lockOn = (server: Context, name: string, hold: () => Promise<void>) =>
    server.ledger.inBook({
      read: async (_tx, { openBook }) => ({ facts: null, book: await openBook([account]) }),
      post: () => steps.push(`${name} has it`),
      async write() {
        await hold();
        steps.push(`${name} gives it back`);
      },
    });
  let second: Promise<unknown> = Promise.resolve();
  await lockOn(servers[0], 'first', async () => {
    second = lockOn(servers[1], 'second', async () => {});
    await blockedBackends(test);
  });
  await second;
  expect(steps).toEqual(['first has it', 'first gives it back', 'second has it', 'second gives it back']);
});

describe('one deposit', () => {
  const confirmation = (requestId: string, chainTxid: string, receivedCents = 50_000n) => ({
    requestId,
    chainTxid,
    receivedCents,
    chainOutput: 0,
    actor: operator(),
    idempotencyKey: null,
  });
  const asked = (userId: string) =>
    test.context.funding.askForFunding({
      userId,
      paymentname: 'Bitcoin',
      amountCents: 50_000n,
      idempotencyKey: null,
    });

  it('confirmed fifty times at once, by two servers, is one entry', async () => {
    const userId = await fundedInvestor(test, 10);
    const { id } = await asked(userId);
    const ends = await outcomes(
      times(50, (n) => (servers[n % 2] as Context).funding.confirmFunding(confirmation(id, newTxid()))),
    );
    expect(ends.filter((end) => end === 'done')).toHaveLength(1);
    expect(ends.filter((end) => end === 'already_decided')).toHaveLength(49);
    const query = { userId, account: 'wallet', after: 0n, limit: 100 } as const;
    const { entries } = await test.context.ledger.chain(query);
    expect(entries.map(({ amountCents }) => amountCents)).toEqual([1_000n, 50_000n]);
  });

  it('on the chain is credited to one of twenty requests that claim it at once', async () => {
    const userId = await fundedInvestor(test, 10);
    const requests = await Promise.all(times(20, () => asked(userId)));
    const chainTxid = newTxid();
    const ends = await outcomes(
      requests.map(({ id }, n) =>
        (servers[n % 2] as Context).funding.confirmFunding(confirmation(id, chainTxid)),
      ),
    );
    expect(ends.filter((end) => end === 'done')).toHaveLength(1);
    expect(ends.filter((end) => end === 'already_decided')).toHaveLength(19);
    expect((await balances(userId))[0]).toBe(51_000n);
  });
});

describe('one withdrawal', () => {
  const statusOf = async (id: string): Promise<string> =>
    (await test.context.owner.query('select status from withdrawals where id = $1', [id])).rows[0].status;

  it('approved, rejected and cancelled twenty times at once ends one way, and the money is exact', async () => {
    const userId = await fundedInvestor(test, 1000);
    for (const round of times(5, (n) => n)) {
      const { id } = await test.context.withdrawal.askForWithdrawal(withdrawal(userId, 10_000n));
      const step = { withdrawalId: id, actor: operator(), idempotencyKey: null };
      const ends = await outcomes(
        times(20, (n) => {
          const { withdrawal } = servers[n % 2] as Context;
          const turn = (n + round) % 3;
          if (turn === 0) return withdrawal.approveWithdrawal(step);
          if (turn === 1) return withdrawal.rejectWithdrawal({ ...step, reason: 'Not today.' });
          return withdrawal.cancelWithdrawal({ userId, withdrawalId: id, idempotencyKey: null });
        }),
      );
      const done = ends.filter((end) => end === 'done').length;
      // What was approved can still be rejected: the one way in which two of them succeed.
      expect(done === 1 || (done === 2 && (await statusOf(id)) === 'rejected')).toBe(true);
      expect(ends.filter((end) => end === 'already_decided')).toHaveLength(20 - done);
      if ((await statusOf(id)) === 'approved') {
        await test.context.withdrawal.rejectWithdrawal({ ...step, reason: 'Not today.' });
      }
      expect(await balances(userId)).toEqual([100_000n, 0n, 0n]);
    }
    const query = { userId, account: 'wallet', after: 1n, limit: 100 } as const;
    const { entries } = await test.context.ledger.chain(query);
    const turns = times(10, (n) => (n % 2 ? 10_000n : -10_000n));
    expect(entries.map(({ amountCents }) => amountCents)).toEqual(turns);
  });

  it('paid and rejected twenty times at once is either paid or given back', async () => {
    const userId = await fundedInvestor(test, 100);
    const { id } = await test.context.withdrawal.askForWithdrawal(withdrawal(userId, 10_000n));
    const step = { withdrawalId: id, actor: operator(), idempotencyKey: null };
    await test.context.withdrawal.approveWithdrawal(step);
    const ends = await outcomes(
      times(20, (n) => {
        const { withdrawal } = servers[n % 2] as Context;
        return n % 4 < 2
          ? withdrawal.markWithdrawalPaid({ ...step, chainTxid: newTxid() })
          : withdrawal.rejectWithdrawal({ ...step, reason: 'Not today.' });
      }),
    );
    expect(ends.filter((end) => end === 'done')).toHaveLength(1);
    const paid = (await statusOf(id)) === 'paid';
    expect(await balances(userId)).toEqual(paid ? [0n, 0n, 0n] : [10_000n, 0n, 0n]);
  });
});

describe('settlement', () => {
  it('run twenty times at once on two servers pays each investment once', async () => {
    const ids = await Promise.all(times(4, () => fundedInvestor(test, 1000)));
    await Promise.all(
      ids.flatMap((id) => times(10, () => test.context.investment.makeInvestment(investment(id, 10_000n)))),
    );
    test.clock.advance(30 * dayMs);
    await Promise.all(times(20, (n) => (servers[n % 2] as Context).investment.settleDue()));
    // What the minute's timer was just settling, the others passed over; it is paid once it has committed.
    await expect.poll(() => Promise.all(ids.map(balances))).toEqual(times(4, () => [100_800n, 0n, 0n]));
    const { rows } = await test.context.owner.query(
      `select count(*)::int as investments, count(distinct i.settled_transactionid)::int as paid,
         (select count(*)::int from ledger_movements m
          where m.kind = 'maturity' and m.reference in (select transactionid from investments where user_id = any($1))
         ) as movements
       from investments i where user_id = any($1)`,
      [ids],
    );
    expect(rows[0]).toEqual({ investments: 40, paid: 40, movements: 40 });
  });
});
