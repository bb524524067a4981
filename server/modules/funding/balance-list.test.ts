import { randomUUID } from 'node:crypto';
import { type BalanceEntry, fetchbalance } from '@tallystick/contract/funding';
import { summary } from '@tallystick/contract/ledger';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../platform/app-error.ts';
import { type Asking, call, send } from '../../testing/call.ts';
import { dayMs } from '../../testing/clock.ts';
import {
  correcting,
  deposit,
  goodAddress,
  newTxid,
  type Offers,
  operator,
  withOffers,
} from '../../testing/money.ts';
import { type SignedIn, signedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
let offers: Offers;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
});
afterAll(() => test.close());

const { path } = fetchbalance;
const csvOf = async (who: SignedIn, query: Record<string, string> = {}) => {
  const url = `${path}/export.csv?${new URLSearchParams(query)}`;
  const answer = await send(test, 'GET', url, undefined, { token: who.token });
  expect(answer.statusCode, answer.body.slice(0, 200)).toBe(200);
  return answer;
};
const list = (who: SignedIn, query: Asking<typeof fetchbalance>['query'] = {}) =>
  call(test, fetchbalance, { query, as: who });
const cents = (dollars: number) => BigInt(Math.round(dollars * 100));

/** A confirmed deposit over a method of any name, which is made when it is missing. */
async function depositOver(who: SignedIn, paymentname: string, dollars = 10): Promise<void> {
  const { funding } = test.context;
  if (!(await funding.allPaymentMethods()).some((method) => method.paymentname === paymentname)) {
    const method = { paymentname, paymentaddress: 'x', network: 'x', coin: 'bitcoin', sample: true };
    await funding.addPaymentMethod({ method, actor: operator() });
  }
  const amountCents = BigInt(dollars) * 100n;
  const common = { idempotencyKey: null, userId: who.userid };
  const { id } = await funding.askForFunding({ ...common, paymentname, amountCents });
  const payment = {
    receivedCents: amountCents,
    chainTxid: newTxid(paymentname === 'Ethereum' ? 'ethereum' : 'bitcoin'),
    chainOutput: null,
  };
  for (const actor of [operator('operator-1'), operator('operator-2')]) {
    const row = await funding.confirmFunding({ ...common, ...payment, requestId: id, actor });
    if (row.status === 'confirmed') return;
  }
}

type Act =
  | { act: 'deposit' | 'invest' | 'withdraw' | 'correct'; cents: bigint }
  | { act: 'cancel' | 'reject' | 'wait'; cents: bigint };
const act: fc.Arbitrary<Act> = fc.record({
  act: fc.constantFrom('deposit', 'invest', 'withdraw', 'correct', 'cancel', 'reject', 'wait'),
  cents: fc.bigInt(-30_000n, 300_000n),
});

/** Does one thing of a random history; what is refused did not happen. */
async function doIt(userId: string, { act: name, cents: amount }: Act): Promise<void> {
  const { investment, withdrawal, ledger } = test.context;
  const common = { userId, idempotencyKey: null, amountCents: amount < 0n ? -amount : amount };
  if (name === 'deposit') await deposit(test, userId, Number(common.amountCents + 1_000n) / 100);
  if (name === 'invest') await investment.makeInvestment({ ...common, planId: offers.plans.Starter });
  if (name === 'correct')
    await correcting({ ledger })({ userId, amountCents: amount || 1n, reason: 'Test.' });
  if (name === 'withdraw') {
    const methodId = offers.withdrawalMethods.Bitcoin;
    await withdrawal.askForWithdrawal({ ...common, methodId, address: goodAddress.Bitcoin });
  }
  if (name === 'cancel' || name === 'reject') {
    const { withdrawals } = await withdrawal.pageOfWithdrawals({ userId, status: 'requested', page: 1 });
    const withdrawalId = withdrawals[0]?.id ?? randomUUID();
    if (name === 'cancel') await withdrawal.cancelWithdrawal({ ...common, withdrawalId });
    else await withdrawal.rejectWithdrawal({ ...common, withdrawalId, actor: operator(), reason: 'No.' });
  }
  if (name === 'wait') {
    test.clock.advance(31 * dayMs);
    await investment.settleDue();
  }
}

/** So that months can pass in a test without signing in again. */
const keepSignedIn = ({ userid }: SignedIn) =>
  test.context.owner.query(
    `update sessions set seen_at = '2100-01-01', expires_at = '2100-01-01' where user_id = $1`,
    [userid],
  );

describe('the list without a query', () => {
  it('is whole, newest first, and adds up to the available balance, after any history', async () => {
    const person = await signedIn(test);
    await keepSignedIn(person);
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 12 }), async (history) => {
        for (const one of history) {
          await doIt(person.userid, one).catch((error) => {
            if (!(error instanceof AppError)) throw error;
          });
        }
        const { balance, ...rest } = await list(person);
        const { available, entries } = await call(test, summary, { as: person });
        expect([rest, balance.length]).toEqual([{}, entries]);
        expect(balance.reduce((sum, entry) => sum + cents(entry.finalBalance), 0n)).toBe(cents(available));
        let after = 0n;
        for (const entry of balance.toReversed()) {
          after += cents(entry.finalBalance);
          expect(cents(entry.balanceafter)).toBe(after);
        }
        expect((await list(person, { page: '1' })).balance).toEqual(balance.slice(0, 5));
      }),
      { numRuns: 10 },
    );
    expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
  }, 240_000);

  it('is empty for a new investor and shows nothing of another', async () => {
    const person = await signedIn(test);
    expect(await list(person)).toEqual({ balance: [] });
  });

  it('is for people who are signed in', async () => {
    for (const url of [path, `${path}?page=1`, `${path}/export.csv`]) {
      expect((await send(test, 'GET', url)).statusCode).toBe(401);
    }
  });
});

describe('a page of the list', () => {
  const names = ['100% Bank_Card', '100 Bank-Card', 'back\\slash', 'Crypto Çedilla', 'crypto'];
  let person: SignedIn;
  beforeAll(async () => {
    person = await signedIn(test);
    for (const name of [...names, ...names, 'crypto']) await depositOver(person, name);
  });

  it('has five entries, its number, how many pages and entries there are, and all types to choose from', async () => {
    const whole = await list(person);
    const pages = await Promise.all(['1', '2', '3'].map((page) => list(person, { page })));
    for (const [index, page] of pages.entries()) {
      expect(page).toEqual({
        balance: whole.balance.slice(index * 5, index * 5 + 5),
        fundingtypes: expect.arrayContaining(names),
        page: index + 1,
        pages: 3,
        total: 11,
      });
      expect(page.fundingtypes).toHaveLength(names.length);
    }
  });

  it('past the end is empty, with the right totals', async () => {
    expect(await list(person, { page: '4' })).toMatchObject({ balance: [], page: 4, pages: 3, total: 11 });
    expect(await list(person, { page: '1000000' })).toMatchObject({ balance: [], pages: 3, total: 11 });
  });

  it('of an empty list is page 1 of 1', async () => {
    const nobody = await signedIn(test);
    const empty = { balance: [], page: 1, pages: 1, total: 0 };
    expect(await list(nobody, { page: '1' })).toEqual({ ...empty, fundingtypes: [] });
    expect(await list(person, { search: 'no such type' })).toMatchObject(empty);
    expect(await list(person, { fundingtype: 'Crypto' })).toMatchObject(empty);
  });

  it.each([
    ['crypto', ['crypto', 'crypto', 'Crypto Çedilla', 'crypto', 'Crypto Çedilla']],
    ['CRYPTO ', ['Crypto Çedilla', 'Crypto Çedilla']],
    ['çED', ['Crypto Çedilla', 'Crypto Çedilla']],
    ['%', ['100% Bank_Card', '100% Bank_Card']],
    ['_', ['100% Bank_Card', '100% Bank_Card']],
    ['0_B', []],
    ['0%B', []],
    ['\\', ['back\\slash', 'back\\slash']],
    ['k\\s', ['back\\slash', 'back\\slash']],
    ['\\\\', []],
    ["' or true --", []],
    ['TS-', []],
  ])('is searched for %j as it stands, whatever its case, in the type only', async (search, found) => {
    const answer = await list(person, { search });
    expect(answer.balance.map(({ fundingtype }) => fundingtype)).toEqual(found);
    expect(answer).toMatchObject({ page: 1, pages: 1, total: found.length });
  });

  it('can be narrowed to one type exactly, and both ways at once', async () => {
    expect(await list(person, { fundingtype: 'crypto' })).toMatchObject({ pages: 1, total: 3 });
    expect(await list(person, { fundingtype: 'crypto', search: 'Bank' })).toMatchObject({ total: 0 });
    expect(await list(person, { search: 'bank', fundingtype: '100 Bank-Card' })).toMatchObject({ total: 2 });
    expect(await list(person, { search: '', fundingtype: '' })).toMatchObject({ page: 1, total: 11 });
  });

  it('counts its pages after the filter', async () => {
    const filtered = { search: 'a' };
    const [first, second] = [await list(person, filtered), await list(person, { ...filtered, page: '2' })];
    expect([first.total, first.pages, first.balance.length, second.balance.length]).toEqual([8, 2, 5, 3]);
    const whole = (await list(person)).balance.filter(({ fundingtype }) => /a/i.test(fundingtype));
    expect([...first.balance, ...second.balance]).toEqual(whole);
  });

  it.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'page=1000001',
    'search=%00',
    'fundingtype=%00',
    `search=${'x'.repeat(101)}`,
  ])('is refused for %s', async (query) => {
    const answer = await send(test, 'GET', `${path}?${query}`, undefined, { token: person.token });
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request']);
  });
});

describe('the list as CSV', () => {
  it('holds every entry, with amounts to the cent, and nothing that a spreadsheet would run', async () => {
    const person = await signedIn(test);
    await depositOver(person, '=cmd|calc!A1', 1000);
    await depositOver(person, 'Cards, "all"', 20);
    const reason = '+1, he said "twice"\nand left';
    await correcting(test.context)({ userId: person.userid, amountCents: -150n, reason });
    const answer = await csvOf(person);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="transactions.csv"',
    });
    const at = test.clock.now().toISOString();
    const [last, second, first] = (await list(person)).balance;
    const start = (entry?: BalanceEntry) => `${entry?.transactionid},${entry?.recordcode}`;
    expect(answer.body).toBe(
      [
        'Date,Type,Transaction ID,Record code,Amount,Balance after,Reason',
        `${at},Correction,${start(last)},-1.50,1018.50,"'+1, he said ""twice""\nand left"`,
        `${at},"Cards, ""all""",${start(second)},20.00,1020.00,`,
        `${at},'=cmd|calc!A1,${start(first)},1000.00,1000.00,`,
        '',
      ].join('\r\n'),
    );
  });

  it('holds what the list shows when it is searched or narrowed', async () => {
    const person = await signedIn(test);
    await depositOver(person, 'Bitcoin', 100);
    await depositOver(person, 'Ethereum', 20);
    await depositOver(person, 'Bitcoin', 30);
    const typesOf = async (query: Record<string, string>) => {
      const { body } = await csvOf(person, query);
      return body
        .split('\r\n')
        .slice(1, -1)
        .map((line: string) => line.split(',')[1]);
    };
    expect(await typesOf({ search: 'bit' })).toEqual(['Bitcoin', 'Bitcoin']);
    expect(await typesOf({ fundingtype: 'Ethereum' })).toEqual(['Ethereum']);
    expect(await typesOf({ search: 'bit', fundingtype: 'Ethereum' })).toEqual([]);
    expect(await typesOf({})).toEqual(['Bitcoin', 'Ethereum', 'Bitcoin']);
  });
});
